/**
 * What JSON documents for scripts have in common. The definitions in this folder are contracts with scripts: names and
 * meanings never change, and new ones may be added. The commands use only their types, so defining them costs no time
 * at start.
 */

import { z } from "zod";

/** The type of a document. It never changes after it is made. */
export type DocumentOf<Schema extends z.ZodType> = Unchanged<z.output<Schema>>;

type Unchanged<Value> = Value extends readonly (infer Item)[]
  ? readonly Unchanged<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Unchanged<Value[Name]> }
    : Value;

export const version = z.literal(1).describe("Version of the document.");

export const count = z.int().min(0);

export const utcText = z.string().describe("A time in UTC, such as 2027-03-01T08:00:00Z.");

export const source = z
  .object({
    file: z.string().describe("The calendar, relative to the project, with `/`."),
    sheet: z.string().optional().describe("The sheet of a workbook."),
    line: z.int().min(1).optional().describe("Line of the row, from 1. Absent if the row no longer exists."),
  })
  .describe("Where the row is.");

export const campaign = z
  .string()
  .optional()
  .describe("The campaign of the row. plancast does not send it to the service.");

export const mediaList = z
  .array(z.string())
  .describe("Paths relative to the project, ids of the service, or addresses without their queries.");

export const problemSchema = z
  .object({
    code: z.string().describe("A code such as `content/too-long`. Codes never change."),
    severity: z.enum(["error", "warning"]),
    message: z.string().describe("The problem, and how to fix it."),
    settings: z.string().optional().describe("Lines of YAML to paste into `plancast.yaml`."),
    file: z.string().optional(),
    line: z.int().min(1).optional().describe("Line of the file, from 1."),
    column: z
      .int()
      .min(1)
      .optional()
      .describe("Column of the text, from 1, in UTF-16 units. In a table: number of the column."),
    cell: z.string().optional().describe("In a workbook: the sheet and the cell, such as `Plan!C14`."),
  })
  .describe("A problem. Fields that do not apply are absent.");

export const problems = z
  .array(problemSchema)
  .describe("All problems, in the order in which plancast prints them.");

/** A run that ended before it had a result. */
export const failedSchema = z.object({ version, problems }).describe("The run ended before it had a result.");

export const series = z
  .object({
    row: z.string().describe("The id of the row."),
    day: z
      .string()
      .describe(
        "The local day that the rule gives, such as 2027-03-01. An exception can move the post to another day.",
      ),
    number: count.describe("Position of the post in the series, from 1."),
    rule: z.string().describe("The rule, as the row writes it."),
    digest: z
      .string()
      .optional()
      .describe("A hash that changes if somebody edits the row. Absent if an exception moves the post."),
    text: z
      .string()
      .optional()
      .describe("Identifies the text of this post in the row's pool. Absent if the row has no pool."),
  })
  .optional()
  .describe("For a row that repeats: which post of the series this is.");

export const slot = z
  .enum(["next", "kept"])
  .optional()
  .describe(
    "For a row without a time. `next`: plancast chose the next free slot. `kept`: the row keeps its slot.",
  );

/** How one request to change something ended. */
export const writeOutcomeSchema = z.object({
  status: z.enum(["done", "failed", "unknown", "not_started"]),
  code: z.string().optional().describe("The error code, if the status is `failed`."),
  message: z.string().optional().describe("What went wrong, if the status is `failed` or `unknown`."),
  answer: z.string().optional().describe("What the service answered, if the status is `unknown`."),
});
