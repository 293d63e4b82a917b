/** The type that users of the client see agrees with the schema that checks their values. */

import { expect, test } from "vitest";
import { z } from "zod";
import { responseMappingSchema } from "../../src/settings/config.ts";
import type { ResponseMapping } from "../../src/settings/response-mapping.ts";

/** Everything said. */
type Full<T> = T extends object ? { readonly [Key in keyof T]-?: Full<NonNullable<T[Key]>> } : T;

const PLACES = { list: "a", record: "a", id: "a" };

const FULL: Full<ResponseMapping> = {
  list: "a",
  record: "a",
  next: "a",
  next_as: "a",
  total: "a",
  post: { ...PLACES, content: "a", platforms: "a", scheduled_at: "a", media: "a", status: "a" },
  media: { ...PLACES, type: "a", url: "a" },
  platform: { ...PLACES, platform: "a", name: "a" },
  automation: { ...PLACES, name: "a" },
  status: { waiting: "scheduled" },
};

/** The field names of a value, at each level. */
function names(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return "text";
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, names(each)]));
}

const object = z.object({ properties: z.record(z.string(), z.unknown()).optional() });

function namesInSchema(schema: unknown): unknown {
  const { properties } = object.parse(schema);
  if (properties === undefined) return "text";
  return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, namesInSchema(each)]));
}

test("the schema of service.shape has exactly the same names as its type", () => {
  expect(responseMappingSchema.parse(FULL)).toEqual(FULL);
  expect(namesInSchema(z.toJSONSchema(responseMappingSchema))).toEqual(
    names({ ...FULL, status: "in words" }),
  );
});
