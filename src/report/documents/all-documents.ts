/** The JSON documents with a published schema, by command. Only the build and tests import this. */

import { z } from "zod";
import { applySchema } from "./apply.ts";
import { calendarSchema } from "./calendar.ts";
import { planSchema } from "./plan.ts";
import { publishRunSchema } from "./publish.ts";
import { statusRunSchema } from "./status.ts";
import { validateSchema } from "./validate.ts";

export const DOCUMENTS = {
  apply: applySchema,
  calendar: calendarSchema,
  plan: planSchema,
  publish: publishRunSchema,
  status: statusRunSchema,
  validate: validateSchema,
} as const satisfies Readonly<Record<string, z.ZodType>>;

/** By file name below `schemas/`. They allow unknown fields, because later versions may add some. */
export function documentSchemas(): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(DOCUMENTS).map(([name, schema]) => [
      `${name}.output.schema.json`,
      z.toJSONSchema(schema, { io: "input" }),
    ]),
  );
}
