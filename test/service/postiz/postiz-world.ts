/** A project whose service is a Postiz, one clock for both, and what must be true in its database. */
import { createHash } from "node:crypto";
import { expect } from "vitest";
import { afterThisTest } from "../../support/after-test.ts";
import { type PostizOptions, type PostizServer, startPostiz } from "../../support/contract/postiz-server.ts";
import { type TestProject, makeProject } from "../../support/project.ts";
import { type CommandResult, runCommand } from "../../support/run-command.ts";
import { TestClock } from "../../support/test-clock.ts";

export const NOW = Date.parse("2030-01-01T00:00:00Z");

export interface PostizWorld {
  readonly postiz: PostizServer;
  readonly project: TestProject;
  readonly clock: TestClock;
  /** Writes the calendar: `id,scheduled_at,platforms,content,media,alt,thread`. */
  readonly write: (...rows: readonly string[]) => Promise<void>;
  readonly run: (...args: readonly string[]) => Promise<CommandResult>;
  /** `apply --yes`, which must end with this code. */
  readonly apply: (code?: number) => Promise<Applied>;
  /** The counts of a plan that are not zero. */
  readonly planned: () => Promise<Record<string, number>>;
  /** `network text` of each scheduled root post, sorted. */
  readonly scheduled: () => readonly string[];
}

interface Applied extends CommandResult {
  readonly outcomes: readonly string[];
}

export const HEAD = "id,scheduled_at,platforms,content,media,alt,thread\n";

export function row(id: string, day: string, platforms: string, content: string, rest = ",,"): string {
  return `${id},2030-02-${day}T09:00:00Z,"${platforms}","${content}",${rest}\n`;
}

export async function startPostizWorld(
  options: PostizOptions = {},
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<PostizWorld> {
  const clock: TestClock = new TestClock(() => postiz.isBusy(), NOW);
  const postiz: PostizServer = await startPostiz({ now: () => clock.now(), ...options });
  afterThisTest(() => postiz.close());
  const project = await makeProject({
    config: {
      timezone: "UTC",
      calendars: ["calendar.csv", "pulled.yaml"],
      service: { type: "postiz", url: postiz.url },
      safety: { max_cancels: 100, max_cancel_percent: 100 },
    },
    files,
  });
  const env = { PLANCAST_API_KEY: postiz.key, PLANCAST_BASE_URL: postiz.url };
  const run = (...args: readonly string[]): Promise<CommandResult> =>
    runCommand(args, { cwd: project.root, env, clock });
  return {
    postiz,
    project,
    clock,
    run,
    write: (...rows) => project.write("calendar.csv", HEAD + rows.join("")),
    apply: async (code = 0) => {
      const ran = await run("apply", "--yes", "--format", "json");
      expect([ran.code, ran.stderr]).toEqual([code, code === 0 ? expect.anything() : ran.stderr]);
      const { results = [] } = JSON.parse(ran.stdout) as {
        results?: { action: string; key: string; status: string }[];
      };
      return { ...ran, outcomes: results.map(({ action, key, status }) => `${action} ${key} ${status}`).sort() };
    },
    planned: async () => {
      const ran = await run("plan", "--format", "json");
      expect([ran.code, ran.stderr]).toEqual([0, ran.stderr]);
      const { summary } = JSON.parse(ran.stdout) as { summary: Record<string, number> };
      return Object.fromEntries(Object.entries(summary).filter(([, count]) => count > 0));
    },
    scheduled: () =>
      postiz
        .scheduled()
        .map((post) => `${post.integration} ${postiz.publishedText(post)}`)
        .sort(),
  };
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
