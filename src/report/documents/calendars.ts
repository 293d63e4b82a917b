/**
 * Commands that read or write calendars, with `--format json`: `columns`, `validate`, `calendar`, `convert`, `pull`,
 * `approvals`, `draft`, `fetch` and `ai`.
 */

import { z } from "zod";
import {
  type DocumentOf,
  campaign,
  count,
  failedSchema,
  mediaList,
  problems,
  series,
  slot,
  source,
  utcText,
  version,
  writeOutcomeSchema,
} from "./parts.ts";

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
    .describe("`used`, `ignored`, `unknown`, `unnamed`, `rival`, or why plancast cannot publish the column."),
  stands_for: z.string().optional().describe("The field of the post that the column fills."),
  known_by: z.string().optional(),
  languages: z.array(z.string()).optional(),
  first: place.optional().describe("For a rival: the column that already fills the field."),
  suggestion: z.string().optional(),
  filter: z.boolean().optional(),
  filled: count.describe("Number of cells with a value."),
  samples: z.array(z.string()),
  date_orders: z
    .array(z.object({ order: z.string(), line: z.int().min(1), text: z.string() }))
    .optional()
    .describe("The orders of day and month that its dates show, each with an example."),
});

const understood = z.object({
  version,
  calendars: z.array(
    z.object({
      file: z.string(),
      encoding: z.object({ value: z.string(), by: z.string() }).optional(),
      delimiter: setting(z.string()),
      sheet: setting(z.string()),
      header_row: setting(z.union([z.literal("none"), place, z.array(place)])),
      date_order: setting(z.string()),
      statuses: z
        .array(z.object({ text: z.string(), rows: count, meaning: z.string(), by: z.string() }))
        .optional()
        .describe("Words of the status column, and their meaning."),
      keys: z
        .array(z.object({ name: z.string(), posts: count }))
        .optional()
        .describe("For YAML: the keys, and how many posts use each one."),
      columns: z.array(column).optional(),
    }),
  ),
  problems,
});

export type ColumnsDocument = DocumentOf<typeof understood>;

export const columnsSchema = z
  .union([understood, failedSchema])
  .describe("What `plancast columns --format json` prints.");

export const validateSchema = z
  .object({
    version,
    summary: z.object({
      calendars: count.describe("Number of calendar files that plancast read."),
      posts: count.describe("Number of posts in ready rows. A row with errors counts as one post."),
      upcoming: count.describe("Number of posts that are not past."),
      past: count.describe("Number of posts whose time has passed, or comes too soon to schedule them."),
      expired: count.describe("How many of the past posts have expired."),
      invalid: count.describe(
        "Number of rows with errors. With --only-valid, plancast leaves these rows out.",
      ),
      draft: count.describe("Number of rows with the status draft."),
      skipped: count.describe("Number of rows with the status skip."),
      filtered_out: count.describe("Number of rows that a filter leaves out."),
      errors: count,
      warnings: count,
      unseen_addresses: count
        .optional()
        .describe("Number of media at web addresses that plancast did not check."),
    }),
    problems,
  })
  .describe("What `plancast validate --format json` prints.");

const listed = z.object({
  version,
  timezone: z.string().describe("Time zone of the project."),
  posts: z
    .array(
      z.object({
        key: z.string(),
        status: z.enum(["ready", "draft", "skip"]),
        source,
        campaign,
        slot,
        series,
        post: z.object({
          content: z.string(),
          platforms: z.array(z.string()),
          scheduled_at: utcText,
          media: mediaList,
        }),
      }),
    )
    .describe("The earliest post first. Rows with errors are left out."),
  problems,
});

export type CalendarDocument = DocumentOf<typeof listed>;

export const calendarSchema = z
  .union([listed, failedSchema])
  .describe("What `plancast calendar --format json` prints.");

const converted = z.object({
  version,
  from: z.string().describe("The calendar that was converted, or the folder of the calendars."),
  out: z.string(),
  to: z.string().describe("The format, such as `yaml`."),
  rows: count,
  files: z
    .array(z.string())
    .optional()
    .describe("The written files, one for each row, if `out` is a folder."),
  faulty: count.describe("Rows with errors. plancast copied them unchanged."),
  problems,
});

export type ConvertDocument = DocumentOf<typeof converted>;

export const convertSchema = z
  .union([converted, failedSchema])
  .describe("What `plancast convert --format json` prints.");

const pulled = z.object({
  version,
  out: z.string().optional().describe("The new calendar. Absent if nothing was written."),
  summary: z.object({
    rows: count,
    adopted: count,
    left_out: count,
    known: count.describe("Posts that this project already owned."),
    rowless: count.describe("Owned posts without a row, which the next apply cancels."),
  }),
  rows: z.array(z.object({ key: z.string(), post_id: z.string() })),
  left_out: z.array(z.object({ post_id: z.string(), reason: z.string() })),
  problems,
});

export type PullDocument = DocumentOf<typeof pulled>;

export const pullSchema = z
  .union([pulled, failedSchema])
  .describe("What `plancast pull --format json` prints.");

const fetched = z.object({
  version,
  calendars: z.array(
    z.object({
      file: z.string().describe("The copy, relative to the project, with `/`."),
      source: z.string().describe("Where the sheet is, for people, such as `Google Sheets`."),
      state: z
        .enum(["new", "changed", "same", "edited", "kept", "conflict", "failed"])
        .describe(
          "`new` and `changed`: the sheet is newer, and without --check it was copied. `edited`: only the copy was edited. `kept`: --take file.",
        ),
      changes: z
        .array(
          z.object({
            kind: z.enum(["added", "changed", "gone"]),
            line: z.int().min(1).describe("Row of the sheet, from 1; of the copy for a row that is gone."),
            text: z.string().optional().describe("The filled cells of a row that was added or is gone."),
            cells: z
              .array(z.object({ column: z.string(), before: z.string(), after: z.string() }))
              .optional()
              .describe("The cells that differ in a changed row: before, in the copy; after, in the sheet."),
          }),
        )
        .describe("How the sheet differs from the copy. A row that only moved is not listed."),
    }),
  ),
  problems,
});

export type FetchDocument = DocumentOf<typeof fetched>;

export const fetchSchema = z
  .union([fetched, failedSchema])
  .describe("What `plancast fetch --format json` prints.");

const answer = z.object({
  source: z
    .object({ file: z.string(), line: z.int().min(1) })
    .optional()
    .describe(
      "The row of the post. If no row has this post, the fields from `source` to `content` are absent.",
    ),
  place: z.string().optional().describe("The row, as people name it: `calendars/march.csv:4`, or a cell."),
  id: z.string().optional(),
  scheduled_at: utcText.optional(),
  networks: z.array(z.string()).optional().describe("Names of the networks, as people know them."),
  content: z.string().optional(),
  shown: z.string().describe("What the client saw."),
  answer: z.enum(["approved", "changes"]).optional(),
  comment: z.string().optional(),
  result: z.enum(["written", "unchanged", "waiting", "unanswered", "refused"]),
  status: z
    .object({
      before: z.string().nullable().describe("The word that was in the cell, or null if the cell was blank."),
      after: z.string(),
    })
    .optional(),
  code: z.string().optional().describe("The code of the reason why plancast refused the answer."),
  message: z.string().optional(),
  ready_unapproved: z
    .literal(true)
    .optional()
    .describe("The row is ready without an approval, so the next apply schedules the post."),
  rejected_in_plan: z
    .literal(true)
    .optional()
    .describe("The client rejected the post, but plancast could not take its row out of the plan."),
});

const answered = z.object({
  version,
  page: z.object({ project: z.string().optional(), made: utcText, from: z.string(), to: z.string() }),
  saved: utcText.describe("When the client saved the answers."),
  dry_run: z.boolean(),
  summary: z.object({
    approved: count,
    changes: count,
    unanswered: count,
    comments: count,
    rows: count.describe("Rows with a new status."),
    refused: count,
    ready_unapproved: count,
    rejected_in_plan: count.describe("Rejected posts that the next apply schedules."),
  }),
  answers: z.array(answer),
});

export type ApprovalsDocument = DocumentOf<typeof answered>;

export const approvalsSchema = z
  .union([answered, failedSchema])
  .describe("What `plancast approvals --format json` prints.");

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

export type RequestedDocument = DocumentOf<typeof requested>;

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

export type DraftDocument = DocumentOf<typeof drafted>;

export const draftSchema = z
  .union([requested.describe("With --dry-run."), drafted, failedSchema])
  .describe("What `plancast draft --format json` prints.");

export const aiOutputSchema = z
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
