/**
 * The JSON documents with a published schema, by command. Also defines those that show the project or records of the service,
 * because only the build and tests use these definitions.
 */

import { z } from "zod";
import {
  aiSchema,
  approvalsSchema,
  calendarSchema,
  columnsSchema,
  convertSchema,
  draftSchema,
  pullSchema,
  validateSchema,
} from "./calendars.ts";
import { count, failedSchema, problems, utcTime, version } from "./parts.ts";
import { automationsSchema, mediaSchema, platformsSchema, postsSchema, webhooksSchema } from "./service.ts";
import { applySchema, planSchema, publishRunSchema, statusRunSchema } from "./runs.ts";

// The documents that show the project or records of the service.

const doctorSchema = z
  .union([
    z.object({
      version,
      summary: z.object({ ok: count, warning: count, problem: count, skipped: count }),
      checks: z.array(
        z.object({
          name: z.string(),
          state: z.enum(["ok", "warning", "problem", "skipped"]),
          message: z.string(),
          advice: z.string().optional(),
          snippet: z.string().optional().describe("Lines to paste into plancast.yaml."),
        }),
      ),
      requests: count.describe("Number of requests that plancast sent."),
    }),
    failedSchema,
  ])
  .describe("What `plancast doctor --format json` prints.");

const limits = z
  .record(z.string(), z.unknown())
  .describe("The limits, in the same form as `limits:` in plancast.yaml.");

const rulesSchema = z
  .object({
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
    problems,
  })
  .describe("What `plancast rules --format json` prints.");

const serverLimits = z.object({ text: count.optional(), media: count.optional() });

const accountsSchema = z
  .union([
    z.object({
      version,
      accounts: z.array(
        z.object({
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
                  .object({ server: serverLimits, checked: serverLimits })
                  .optional()
                  .describe("The server's limits, if they differ from the limits that plancast checks."),
              }),
              z.object({ state: z.literal("failed"), reason: z.string() }),
            ])
            .optional()
            .describe("The result of `plancast accounts check`."),
        }),
      ),
    }),
    failedSchema,
  ])
  .describe("What `plancast accounts --format json` prints.");

const lockfileSchema = z
  .union([
    z.object({
      version,
      outcome: z.object({
        status: z.literal("done"),
        posts: count.optional().describe("Number of posts that the lockfile owns, or owned before `forget`."),
        scheduled_twice: z
          .array(z.object({ key: z.string(), post_id: z.string() }))
          .optional()
          .describe("After `merge`: rows that both sides scheduled, each with its second post."),
        origin: z.string().optional().describe("After `forget`: the service that the lockfile was for."),
        due: count.optional().describe("After `forget`: number of posts that are still scheduled there."),
        before: z
          .array(z.string())
          .optional()
          .describe("After `accept-account`: ids of the accounts that the lockfile listed before."),
        accounts: z
          .array(z.string())
          .optional()
          .describe("After `accept-account`: ids of the accounts that the lockfile lists now."),
      }),
    }),
    failedSchema,
  ])
  .describe("What `plancast lockfile --format json` prints.");

const resolveSchema = z
  .union([
    z.object({
      version,
      unknown: z
        .array(
          z.object({
            key: z.string(),
            file: z.string(),
            attempted_at: utcTime,
            post: z.object({
              content: z.string(),
              platforms: z.array(z.string()),
              scheduled_at: utcTime,
              media_ids: z.array(z.string()),
            }),
          }),
        )
        .describe("Posts that may or may not be scheduled."),
      problems: failedSchema.shape.problems.optional(),
    }),
    failedSchema,
  ])
  .describe("What `plancast resolve --format json` prints.");

// All documents.

export const DOCUMENTS = {
  accounts: accountsSchema,
  ai: aiSchema,
  apply: applySchema,
  approvals: approvalsSchema,
  automations: automationsSchema,
  calendar: calendarSchema,
  columns: columnsSchema,
  convert: convertSchema,
  doctor: doctorSchema,
  draft: draftSchema,
  lockfile: lockfileSchema,
  media: mediaSchema,
  plan: planSchema,
  platforms: platformsSchema,
  posts: postsSchema,
  publish: publishRunSchema,
  pull: pullSchema,
  resolve: resolveSchema,
  rules: rulesSchema,
  status: statusRunSchema,
  validate: validateSchema,
  webhooks: webhooksSchema,
} as const satisfies Readonly<Record<string, z.ZodType>>;

/** With --all: a document for several projects. */
export const ALL_DOCUMENTS = {
  apply: ofSeveral("apply", applySchema),
  plan: ofSeveral("plan", planSchema),
  status: ofSeveral("status", statusRunSchema),
  validate: ofSeveral("validate", validateSchema),
} as const satisfies Readonly<Record<string, z.ZodType>>;

function ofSeveral<Schema extends z.ZodType>(name: string, schema: Schema) {
  const project = z.string().describe("Folder of the project, relative to the working folder, with `/`.");
  const ended = z.object({ project, exit_code: z.int().min(0).describe("Exit code of this project.") });
  const notStarted = z.object({ project, exit_code: z.never().optional() });
  return z
    .object({
      version,
      projects: z.array(z.union([z.intersection(ended, schema), notStarted])),
      problems: problems.optional().describe("What stopped the run before the first project."),
    })
    .describe(`What \`plancast ${name} --all --format json\` prints.`);
}

/** By file name below `schemas/`. They allow unknown fields, because later versions may add some. */
export function documentSchemas(): Readonly<Record<string, unknown>> {
  const documents = [
    ...Object.entries(DOCUMENTS),
    ...Object.entries(ALL_DOCUMENTS).map(([name, schema]) => [`${name}-all`, schema] as const),
  ];
  return Object.fromEntries(
    documents.map(([name, schema]) => [
      `${name}.output.schema.json`,
      z.toJSONSchema(schema, { io: "input" }),
    ]),
  );
}
