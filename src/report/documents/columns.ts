/** `columns --format json`. */

import { z } from "zod";
import { count, problems, version } from "./parts.ts";

const place = z.int().min(1).describe("Number of the column, from 1.");

/** @param value of the setting */
function setting<Value extends z.ZodType>(value: Value) {
  return z.object({ value, said: z.boolean().describe("True if plancast.yaml sets this value.") }).optional();
}

const column = z.object({
  column: place,
  letter: z.string(),
  header: z.string(),
  group: z.string().optional().describe("The header in the row above, if several columns share it."),
  key: z.string().optional(),
  kind: z
    .string()
    .describe(
      "`used`, `ignored`, `unknown`, `unnamed`, `duplicate`, `outdone`, or why plancast cannot publish the column.",
    ),
  stands_for: z.string().optional().describe("The field of the post that the column fills."),
  known_by: z.string().optional(),
  vague: z.boolean().optional().describe("True if the header has several meanings."),
  languages: z.array(z.string()).optional(),
  first: place.optional().describe("For a duplicate: the column that already fills the field."),
  surer: place.optional().describe("The column that plancast uses instead."),
  suggestion: z.string().optional(),
  filter: z.boolean().optional(),
  filled: count.describe("Number of cells with a value."),
  samples: z.array(z.string()),
  date_orders: z
    .array(z.object({ order: z.string(), line: z.int().min(1), text: z.string() }))
    .optional()
    .describe("The orders of day and month that its dates show, each with an example."),
});

export const columnsSchema = z
  .object({
    version,
    calendars: z.array(
      z.object({
        file: z.string(),
        encoding: z.object({ value: z.string(), by: z.string() }).optional(),
        delimiter: setting(z.string()),
        sheet: setting(z.string()),
        header_row: setting(z.union([place, z.array(place)])),
        date_order: setting(z.string()),
        statuses: z
          .array(z.looseObject({}))
          .optional()
          .describe("Words of the status column, and their meaning."),
        keys: z
          .array(z.object({ name: z.string(), posts: count }))
          .optional()
          .describe("For YAML: the keys, and how many posts use each one."),
        columns: z.array(column).optional(),
      }),
    ),
    written: z
      .object({ file: z.string(), changed: z.boolean(), added: z.array(z.unknown()) })
      .optional()
      .describe("Only with --write."),
    problems,
  })
  .describe("What `plancast columns --format json` prints.");
