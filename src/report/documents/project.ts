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
          snippet: z.string().optional().describe("Lines for plancast.yaml."),
        }),
      ),
      requests: count.describe("Requests that were sent."),
    }),
    failedSchema,
  ])
  .describe("What `plancast doctor --format json` prints.");

const limits = z.record(z.string(), z.unknown()).describe("In the form of `limits:` in plancast.yaml.");

export const rulesSchema = z
  .object({
    version,
    rules: z.array(
      z.object({
        code: z.string(),
        severity: z.enum(["error", "warning", "off"]).describe("In this project."),
        default: z.enum(["error", "warning", "off"]),
        rule: z.string(),
      }),
    ),
    networks: z.array(
      z.object({
        title: z.string(),
        names: z.array(z.string()),
        checked: z.string().optional().describe("Year and month of the last comparison with the sources."),
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
          name: z.string().describe("In `accounts:`."),
          platform: z.string().describe("What rows call it."),
          server: z.string(),
          variable: z.string().describe("The environment variable with its secret."),
          secret: z.enum(["set", "missing"]),
          check: z
            .union([
              z.object({
                state: z.literal("ready"),
                name: z.string().describe("On the network."),
                url: z.string().optional(),
                limits: z
                  .object({ server: serverLimits, checked: serverLimits })
                  .optional()
                  .describe("Limits of the server that differ from those that plancast checks."),
              }),
              z.object({ state: z.literal("failed"), reason: z.string() }),
            ])
            .optional()
            .describe("Only with `check`."),
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
        posts: count.optional().describe("Posts that the lockfile owns, or owned."),
        scheduled_twice: z
          .array(z.object({ key: z.string(), post_id: z.string() }))
          .optional()
          .describe("After `merge`: rows for which both sides scheduled a post."),
        origin: z.string().optional().describe("After `forget`: the service that the lockfile was for."),
        due: count.optional().describe("After `forget`: its posts that are still due."),
        before: z
          .array(z.string())
          .optional()
          .describe("After `accept-account`: ids of the accounts before."),
        accounts: z.array(z.string()).optional().describe("After `accept-account`: their ids now."),
      }),
    }),
    failedSchema,
  ])
  .describe("What `plancast lockfile --format json` prints.");
