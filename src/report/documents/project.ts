/** The documents of the commands that show or change the project: its state, its settings and its lockfile. */

import { z } from "zod";
import { type DocumentOf, count, failedSchema, utcText, version } from "./parts.ts";

const finding = z.object({
  name: z.string(),
  state: z.enum(["ok", "warning", "problem", "skipped"]),
  message: z.string(),
  advice: z.string().optional(),
  snippet: z.string().optional().describe("Lines to paste into plancast.yaml."),
});

const findings = z.object({
  version,
  summary: z.object({ ok: count, warning: count, problem: count, skipped: count }),
  checks: z.array(finding),
  requests: count.describe("Number of requests that plancast sent."),
});

export const doctorSchema = z
  .union([findings, failedSchema])
  .describe("What `plancast doctor --format json` prints.");

const limits = z
  .record(z.string(), z.unknown())
  .describe("The limits, in the same form as `limits:` in plancast.yaml.");

const ruleList = z.object({
  version,
  rules: z.array(
    z.object({
      code: z.string(),
      severity: z.enum(["error", "warning", "off"]).describe("The severity in this project."),
      default: z.enum(["error", "warning", "off"]),
      rule: z.string(),
    }),
  ),
  networks: z.array(
    z.object({
      title: z.string(),
      names: z.array(z.string()),
      checked: z
        .string()
        .optional()
        .describe("Year and month in which somebody last compared the limits with the sources."),
      sources: z.array(z.string()),
      limits,
      overridden: z.array(z.string()).describe("The limits that plancast.yaml sets."),
    }),
  ),
});

export const rulesSchema = z
  .union([ruleList, failedSchema])
  .describe("What `plancast rules --format json` prints.");

const account = z.object({
  name: z.string().describe("The name under `accounts:`."),
  platform: z.string().describe("The name that rows use for the account."),
  server: z.string(),
  variable: z.string().describe("The environment variable that contains the account's secret."),
  secret: z.enum(["set", "missing"]),
  check: z
    .union([
      z.object({
        state: z.literal("ready"),
        name: z.string().describe("The account's name on the network."),
        url: z.string().optional(),
        limits: z
          .object({ server: limits, checked: limits })
          .optional()
          .describe("The server's limits, if they differ from the limits that plancast checks."),
      }),
      z.object({ state: z.literal("failed"), reason: z.string() }),
    ])
    .optional()
    .describe("The result of `plancast accounts check`."),
});

const accountList = z.object({ version, accounts: z.array(account) });

export const accountListSchema = z
  .union([accountList, failedSchema])
  .describe("What `plancast accounts --format json` prints.");

const status = z.literal("done");

const forgotten = z.object({
  status,
  posts: count.describe("Number of posts that the lockfile owned."),
  origin: z.string().optional().describe("The service that the lockfile was for."),
  due: count.optional().describe("Number of posts that are still due there."),
});

const accepted = z.object({
  status,
  before: z.array(z.string()).describe("Ids of the accounts that the lockfile listed before."),
  accounts: z.array(z.string()).describe("Ids of the accounts that the lockfile lists now."),
});

const merged = z.object({
  status,
  posts: count.optional().describe("Number of posts that the lockfile owns. Absent if it had no conflict."),
  scheduled_twice: z
    .array(z.object({ key: z.string(), post_id: z.string() }))
    .describe("Rows that both sides scheduled, each with its second post."),
});

export const lockfileOutputSchema = z
  .union([
    z.object({ version, outcome: merged }).describe("`merge`."),
    z.object({ version, outcome: accepted }).describe("`accept-account`."),
    z.object({ version, outcome: forgotten }).describe("`forget`."),
    failedSchema,
  ])
  .describe("What `plancast lockfile --format json` prints.");

const storeDescription = z.object({
  version,
  store: z.enum(["file", "postgres"]),
  state: z
    .enum(["used", "copying", "left"])
    .describe("`copying`: a copy is not complete. `left`: the project uses another store."),
  posts: z.object({ scheduled: count, published: count, failed: count, cancelled: count }),
  archived: z.record(z.string(), count).describe("Posts that were over long ago, by year."),
  media: z.object({ files: count, bytes: count }),
  bytes: count.describe("Size of the records. In a database: of all projects."),
  schema_version: count,
});

const storeCopy = z.object({
  version,
  from: z.enum(["file", "postgres"]),
  to: z.enum(["file", "postgres"]),
  result: z
    .enum(["copied", "there", "back"])
    .describe("`there`: it was copied before. `back`: an incomplete copy was given up."),
  records: count,
  missing_media: z.array(z.string()).describe("Media whose files were missing before."),
});

export const storeSchema = z
  .union([storeDescription.describe("`status` and `compact`."), storeCopy.describe("`copy`."), failedSchema])
  .describe("What `plancast store --format json` prints.");

const pendingCreates = z.object({
  version,
  unknown: z
    .array(
      z.object({
        key: z.string(),
        file: z.string(),
        attempted_at: utcText,
        post: z.object({
          content: z.string(),
          platforms: z.array(z.string()),
          scheduled_at: utcText,
          media_ids: z.array(z.string()),
        }),
      }),
    )
    .describe("Posts that may or may not be scheduled."),
});

export const resolveSchema = z
  .union([pendingCreates, failedSchema])
  .describe("What `plancast resolve --format json` prints.");

export type FindingsDocument = DocumentOf<typeof findings>;
export type RulesDocument = DocumentOf<typeof ruleList>;
export type AccountDocument = DocumentOf<typeof account>;
export type ForgottenDocument = DocumentOf<typeof forgotten>;
export type AcceptedDocument = DocumentOf<typeof accepted>;
export type MergedDocument = DocumentOf<typeof merged>;
export type StoreDocument = DocumentOf<typeof storeDescription>;
export type StoreCopyDocument = DocumentOf<typeof storeCopy>;
export type PendingCreatesDocument = DocumentOf<typeof pendingCreates>;
