/** `plan`, `apply`, `publish` and `status` with `--format json`. */

import { z } from "zod";
import { ROW_STATES } from "../../model/publication.ts";
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
import { triggerSchema } from "./service.ts";

const post = z
  .object({
    content: z.string().optional(),
    platforms: z.array(z.string()).optional(),
    scheduled_at: utcText,
    media: mediaList.optional(),
    alt: z.array(z.string()).optional().describe("Alt texts, in the order of the media."),
    thread: z.array(z.string()).optional().describe("Texts that follow the post as replies."),
    first_comment: z.string().optional(),
    poll: z.array(z.string()).optional().describe("The choices of a poll."),
    poll_length: z.string().optional(),
    poll_multiple: z.string().optional(),
    thread_media: z
      .array(z.int().min(0))
      .optional()
      .describe("How many of the last media belong to each text of the thread."),
    reply_to: z.string().optional(),
    quote: z.string().optional(),
    expires: utcText.optional().describe("From this time on, the post must not be published."),
    options: z
      .array(z.string())
      .optional()
      .describe("What single networks need, such as `mastodon.visibility: unlisted`."),
  })
  .describe("The post that apply sends. For a cancel: only the fields that the service shows.");

const change = z.object({
  action: z.enum(["create", "replace", "cancel", "adopt", "keep"]),
  key: z.string().describe("The id of the row, or a key that plancast made from its content."),
  source,
  post,
  campaign,
  slot,
  series,
  post_id: z.string().optional().describe("Id of the post on the service. Absent for a create."),
  fields: z.array(z.string()).optional().describe("For a replace: the fields that differ from the old post."),
  media_digest: z
    .string()
    .optional()
    .describe("Hash of the media of the row. Absent without media, and for a cancel."),
  reason: z.string().optional().describe("The reason for this change. Absent for a kept post."),
});

export const planSchema = z
  .object({
    version,
    hash: z.string().describe("`sha256:` and 64 digits. An empty text if problems stopped the plan."),
    summary: z.object({
      create: count,
      replace: count,
      cancel: count,
      adopt: count,
      missing: count.describe("Number of rows whose post is gone from the service."),
      held: count.describe("Number of rows that a hold withholds."),
      keep: count,
      past: count,
      expired: count.describe("How many of the past rows have expired."),
      draft: count.describe("Number of rows with the status draft."),
      skipped: count.describe("Number of rows with the status skip."),
      unmanaged: count.describe("Number of scheduled posts that the project does not own."),
    }),
    guards: z
      .array(z.object({ code: z.string(), message: z.string() }))
      .describe("The guards that stop apply until you allow the changes."),
    after_apply: z
      .object({ id: z.string(), input: z.string() })
      .optional()
      .describe("The automation that apply triggers after it changed something."),
    uploads: z.array(z.object({ path: z.string(), sha256: z.string(), bytes: count })),
    changes: z
      .array(change)
      .describe("In the order in which apply makes them. With --verbose, kept posts follow."),
    missing: z
      .array(
        change.omit({ action: true, fields: true }).extend({
          post_id: z.string().optional().describe("Id of the post that is gone, if the lockfile knows it."),
          besides: z
            .array(z.string())
            .describe(
              "Ids of unmanaged posts of the same minute or text: perhaps newer versions of the row.",
            ),
        }),
      )
      .describe(
        "Rows whose post is gone from the service. Apply creates them again only if a person decides so.",
      ),
    problems,
    now: z.string().optional().describe("The value of --now."),
  })
  .describe("What `plancast plan --format json` prints.");

const automationSchema = triggerSchema.describe(
  "The automation that plancast.yaml triggers after an apply. Present only if a change was applied.",
);

export const applySchema = z
  .object({
    version,
    summary: z.object({
      created: count,
      replaced: count,
      cancelled: count,
      adopted: count,
      uploaded: count.describe("Number of uploaded files."),
      failed: count,
      unknown: count,
      not_started: count,
      missing: count.describe(
        "Number of rows that apply left, because their posts are gone from the service.",
      ),
    }),
    outcomes: z
      .array(
        z.object({
          key: z.string(),
          action: z.enum(["create", "replace", "cancel", "adopt"]),
          status: writeOutcomeSchema.shape.status.describe(
            "`unknown`: plancast does not know whether the change was made. Run apply again.",
          ),
          post_id: z
            .string()
            .optional()
            .describe("Id of the row's current post, or of the cancelled one, if the status is `done`."),
          code: writeOutcomeSchema.shape.code,
          message: writeOutcomeSchema.shape.message,
        }),
      )
      .describe("Empty if plancast refused the run before the first change."),
    requests: count.describe("Number of requests that plancast sent."),
    waited_ms: count.describe("Milliseconds that the run waited for the rate limit."),
    automation: automationSchema.optional(),
  })
  .describe("What `plancast apply --format json` prints.");

export const holdSchema = z
  .object({
    version,
    hold: z.object({
      id: z.string().describe("For `plancast release`."),
      only: z
        .record(z.string(), z.union([z.string(), z.array(z.string())]))
        .describe("Conditions; none for the whole project."),
      reason: z.string(),
      by: z.string().optional(),
      until: utcText.optional(),
    }),
    kept: z
      .enum(["main-branch", "checkout"])
      .describe("`main-branch`: everybody obeys it. `checkout`: commit the file."),
    branch: z.string().optional().describe("The main branch, if git knows it."),
    apply: applySchema.describe("What plancast cancelled."),
  })
  .describe("What `plancast hold --format json` prints.");

export const releaseSchema = z
  .object({
    version,
    released: z.array(
      z.object({
        id: z.string(),
        posts: count.describe("Posts that the next apply may schedule."),
      }),
    ),
  })
  .describe("What `plancast release --format json` prints.");

export const publishSchema = z
  .object({
    version,
    dry_run: z.boolean(),
    summary: z.object({
      published: count,
      due: count,
      held: count.describe("Number of due posts that a hold withholds."),
      scheduled: count,
      failed: count,
      expired: count,
      unknown: count,
    }),
    results: z.array(
      z.object({
        post_id: z.string(),
        platform: z.string().describe("The account, such as `bluesky` or `mastodon/press`."),
        scheduled_at: utcText,
        content: z.string(),
        status: z
          .enum(["due", "held", "published", "failed", "expired", "scheduled", "unknown"])
          .describe(
            "`due`: not tried yet. `scheduled`: not published yet, and the next run tries again. `expired`: not published in time, because its row has `expires`.",
          ),
        url: z.string().optional(),
        reason: z.string().optional(),
      }),
    ),
    next: utcText.optional().describe("With --dry-run: when the next post is due that is still to come."),
  })
  .describe("What `plancast publish --format json` prints.");

export const publishRunSchema = z.union([publishSchema, failedSchema]);

export const statusSchema = z
  .object({
    version,
    summary: z.object({
      scheduled: count,
      published: count,
      failed: count,
      expired: count,
      cancelled: count,
      missing: count.describe("Number of rows whose post is gone from the service, and still due."),
      held: count.describe("Number of rows that a hold withholds."),
      unknown: count,
      not_applied: count,
      draft: count.describe("Number of rows with the status draft."),
      skipped: count.describe("Number of rows with the status skip."),
    }),
    rows: z
      .array(
        z.object({
          key: z.string().describe("The id of the row, or a key that plancast made from its content."),
          source,
          place: z
            .string()
            .describe("The row, as people name it: `calendars/march.csv:4`, a cell, or only the file."),
          scheduled_at: utcText,
          timezone: z
            .string()
            .optional()
            .describe("The time zone in which people read the row's time. Absent if nothing names one."),
          platforms: z.array(z.string()),
          content: z.string().describe("The beginning of the text. Empty if it is unknown."),
          status: z
            .enum(ROW_STATES)
            .describe(
              "`expired`: not published in time, because its row has `expires`. `missing`: still due, but gone from the service.",
            ),
          post_id: z.string().optional(),
          results: z
            .array(
              z.object({
                platform: z.string(),
                status: z.enum(["published", "failed", "expired", "scheduled"]),
                url: z.string().optional().describe("Address of the published post."),
                reason: z
                  .string()
                  .optional()
                  .describe("Why it failed, why it is not published yet, or what readers see differently."),
              }),
            )
            .describe("Present only if the service or its events show the networks."),
          published_at: utcText.optional(),
          campaign,
          reason: z.string().optional().describe("An explanation of the status."),
          row: z
            .enum(["edited", "set_aside", "gone", "unreadable"])
            .optional()
            .describe("What happened to the row after its post was applied."),
        }),
      )
      .describe("The rows with posts, in the order in which the posts are due."),
    requests: count.describe("Number of requests that plancast sent."),
    written: z
      .array(z.object({ file: z.string(), rows: count.describe("Number of rows with new results.") }))
      .optional()
      .describe("The calendars into which --write wrote results."),
    problems,
  })
  .describe("What `plancast status --format json` prints.");

export const statusRunSchema = z.union([statusSchema, failedSchema]);

export const watchSchema = z
  .object({
    version,
    summary: z.object({
      open: count,
      new: count.describe("Number of open alerts that this run printed for the first time."),
      solved: count,
    }),
    alerts: z
      .array(
        z.object({
          kind: z.string().describe("Such as `failed`, `overdue` or `held`. Later versions may add kinds."),
          level: z
            .enum(["problem", "unknown", "note"])
            .describe("`problem`: somebody must do something. `unknown`: nobody knows yet."),
          title: z.string(),
          text: z
            .string()
            .describe("Where it is: the time, networks, row and beginning of the text of a post."),
          reason: z.string().optional(),
          repair: z.string().describe("What to do."),
          new: z.boolean(),
        }),
      )
      .describe("All open alerts."),
    solved: z.array(z.string()).describe("Texts of alerts that ended."),
    channels: z.array(
      z.object({
        channel: z.string().describe("Its name in `notify:`."),
        sent: count.describe("Number of new and solved alerts that it got."),
        failure: z.string().optional().describe("Why it did not take them. The next run tries again."),
      }),
    ),
  })
  .describe("What `plancast watch --format json` prints.");

export type WatchDocument = DocumentOf<typeof watchSchema>;
