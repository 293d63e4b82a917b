/** `convert`, `pull` and `approvals` with `--format json`: commands that write calendars. */

import { z } from "zod";
import { count, failedSchema, problems, utcTime, version } from "./parts.ts";

export const convertSchema = z
  .object({
    version,
    from: z
      .string()
      .optional()
      .describe(
        "The calendar that was converted. If nothing was written, `from`, `out` and `to` are absent.",
      ),
    out: z.string().optional(),
    to: z.string().optional().describe("The format, such as `yaml`."),
    rows: count,
    files: z
      .array(z.string())
      .optional()
      .describe("The written files, one for each row, if `out` is a folder."),
    faulty: count.describe("Rows with errors. plancast copied them unchanged."),
    problems,
  })
  .describe("What `plancast convert --format json` prints.");

export const pullSchema = z
  .object({
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
  })
  .describe("What `plancast pull --format json` prints.");

const answer = z.object({
  source: z
    .object({ file: z.string(), line: z.int().min(1) })
    .optional()
    .describe(
      "The row of the post. If no row has this post, the fields from `source` to `content` are absent.",
    ),
  id: z.string().optional(),
  scheduled_at: utcTime.optional(),
  networks: z.array(z.string()).optional().describe("Names of the networks, as people know them."),
  content: z.string().optional(),
  shown: z.string().describe("What the client saw."),
  answer: z.enum(["approved", "changes"]).optional(),
  comment: z.string().optional(),
  result: z.enum(["written", "unchanged", "waiting", "unanswered", "refused"]),
  status: z
    .object({
      before: z.string().nullable().describe("The word in the cell before, or null if the cell was blank."),
      after: z.string(),
    })
    .optional(),
  code: z.string().optional().describe("The code of the reason why plancast refused the answer."),
  message: z.string().optional(),
  ready_unapproved: z
    .literal(true)
    .optional()
    .describe("The row is ready without an approval, so the next apply schedules the post."),
});

export const approvalsSchema = z
  .union([
    z.object({
      version,
      page: z.object({ project: z.string().optional(), made: utcTime, from: z.string(), to: z.string() }),
      saved: utcTime.describe("When the client saved the answers."),
      dry_run: z.boolean(),
      summary: z.object({
        approved: count,
        changes: count,
        unanswered: count,
        comments: count,
        rows: count.describe("Rows with a new status."),
        refused: count,
        ready_unapproved: count,
      }),
      answers: z.array(answer),
    }),
    failedSchema,
  ])
  .describe("What `plancast approvals --format json` prints.");
