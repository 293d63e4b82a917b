/** `draft` and `ai` with `--format json`: what a language model wrote. */

import { z } from "zod";
import { writeOutcomeSchema } from "./apply.ts";
import { count, failedSchema, problems, version } from "./parts.ts";

const item = z.object({
  source: z.object({
    file: z.string(),
    line: z.int().min(1).optional().describe("Line of the row, from 1. Absent if the row no longer exists."),
  }),
  row: z.string().describe("The row's id, or its file and line."),
  kind: z.enum(["text", "image", "alt"]),
  platform: z.string().optional(),
});

const requested = z.object({
  version,
  summary: z.object({
    requests: count,
    waiting: count.describe("Answers that an earlier run left for this one."),
  }),
  wanted: z.array(item).describe("The texts and pictures that the run would request."),
  problems,
});

const drafted = z.object({
  version,
  summary: z.object({
    rows: count,
    failed: count,
    unknown: count,
    not_started: count,
    unwanted: count.describe("Answers to rows that no longer need them."),
    kept: count.describe("Answers that wait for the next run."),
  }),
  rows: z.array(
    z.object({
      file: z.string(),
      line: z.int().min(1),
      name: z.string(),
      cells: z.array(z.object({ column: z.string(), before: z.string().optional(), after: z.string() })),
    }),
  ),
  undrafted: z.array(
    item.extend({
      status: z.enum(["failed", "unknown", "not_started", "unwanted"]),
      code: z.string().optional(),
      message: z.string().optional(),
      text: z.string().optional().describe("The text that was not written, or the address of its picture."),
      answer: z.string().optional().describe("What the service answered, if plancast could not read it."),
    }),
  ),
  requests: count.describe("Number of requests that plancast sent."),
  problems,
});

export const draftSchema = z
  .union([requested.describe("With --dry-run."), drafted, failedSchema])
  .describe("What `plancast draft --format json` prints.");

export const aiSchema = z
  .union([
    z.object({
      version,
      outcome: writeOutcomeSchema.extend({
        text: z.string().optional(),
        url: z.string().optional().describe("Address of the picture."),
        media_id: z.string().optional(),
        base64: z.string().optional().describe("The picture, if it has no address and no id."),
        file: z.string().optional().describe("The file that --out named."),
        bytes: count.optional(),
      }),
    }),
    failedSchema,
  ])
  .describe("What `plancast ai --format json` prints.");
