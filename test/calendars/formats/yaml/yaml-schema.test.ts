import { expect, test } from "vitest";
import { z } from "zod";
import { yamlCalendarSchema } from "../../../../src/calendars/formats/yaml/yaml-schema.ts";
import { FIELDS } from "../../../../src/model/fields.ts";

test("the JSON Schema of calendars describes every field, and accepts other names in posts, as the reader does", () => {
  const schema: unknown = JSON.parse(JSON.stringify(z.toJSONSchema(yamlCalendarSchema, { io: "input" })));
  const post = {
    type: "object",
    additionalProperties: {},
    properties: Object.fromEntries(
      FIELDS.map((field) => [field, expect.objectContaining({ description: expect.any(String) })]),
    ),
  };
  expect(schema).toMatchObject({
    title: "plancast YAML calendar",
    anyOf: [
      { type: "array", items: post },
      {
        type: "object",
        additionalProperties: false,
        required: ["posts"],
        properties: { timezone: {}, defaults: {}, posts: {} },
      },
    ],
  });
});

test.each([
  [[]],
  [[{ content: "a", id: 10, time: null, status: true, platforms: "x", media: ["a", 1] }]],
  [{ posts: null }],
  [{ timezone: "UTC", defaults: { platforms: ["x"] }, posts: [{}] }],
  [[{ caption: "Hi", scheduled_time: "08:00", hashtags: ["one"] }]],
])("accepts %j", (value) => {
  expect(yamlCalendarSchema.safeParse(value).success).toBe(true);
});

test.each([
  [{}],
  ["a"],
  [[{ content: { text: "a" } }]],
  [{ posts: [], extra: 1 }],
  [{ defaults: { id: "x" }, posts: [] }],
  [[null]],
])("refuses %j", (value) => {
  expect(yamlCalendarSchema.safeParse(value).success).toBe(false);
});
