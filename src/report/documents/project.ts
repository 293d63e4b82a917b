/** `doctor`, `rules`, `accounts` and `lockfile` with `--format json`. */

import { z } from "zod";
import { count, failedSchema, problems, version } from "./parts.ts";

export const doctorSchema = z
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

export const rulesSchema = z
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

export const accountsSchema = z
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

export const lockfileSchema = z
  .union([
    z.object({
      version,
      outcome: z.object({
        status: z.literal("done"),
        posts: count.optional().describe("Number of posts that the lockfile owns, or owned before `forget`."),
        scheduled_twice: z
          .array(z.object({ key: z.string(), post_id: z.string() }))
          .optional()
          .describe("After `merge`: the second posts of rows for which both sides scheduled a post."),
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
