/** `plancast serve` as a real process that publishes on stand-ins, at a moved time, and is killed. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { accountsOf } from "../../src/embedded/publishing/accounts.ts";
import { startEmbedded } from "../../src/embedded/start-embedded.ts";
import { StateFolder } from "../../src/disk/state-folder.ts";
import { embeddedFolder } from "../../src/embedded/open-embedded.ts";
import { accountNames } from "../../src/networks/open-accounts.ts";
import { accountsSchema } from "../../src/settings/accounts.ts";
import { type TestAccounts, publishingFaults, startAccounts } from "../support/networks/accounts.ts";
import { makeProject } from "../support/project.ts";
import { type RunningProcess, startProcess } from "../support/run-process.ts";

const PRELOAD = pathToFileURL(new URL("../support/kill-at-step.js", import.meta.url).pathname).href;
const MINUTE_MS = 60_000;

/** `serve` in a project whose posts are due. */
export interface PublishingProject {
  readonly texts: readonly string[];
  /** Starts serve, to die at a step. */
  serve(step?: number): Promise<RunningProcess & { readonly step: () => Promise<string> }>;
  /** Runs serve until every post has a result. */
  finish(): Promise<void>;
}

interface ProjectOptions {
  /** How many posts are due, on all accounts. They were scheduled ten minutes ago, and became due within five minutes. */
  readonly posts: number;
  /** As in plancast.yaml. */
  readonly accounts: Readonly<Record<string, object>>;
  /** With the accounts' secrets. */
  readonly env: Readonly<Record<string, string>>;
}

export async function startPublishingOn({
  posts,
  accounts,
  env,
}: ProjectOptions): Promise<PublishingProject> {
  const project = await makeProject({
    config: { service: { url: "embedded" }, accounts, safety: { settle: "0s" } },
    files: { clock: "0" },
  });
  const texts = Array.from({ length: posts }, (_, index) => `Post number ${index}`);
  const names = accountNames(accountsSchema.parse(accounts));
  const start = Date.now() - 10 * MINUTE_MS;
  const service = await startEmbedded({
    folder: embeddedFolder(StateFolder.at(project.root)),
    access: "read-write",
    plan: "business",
    random: randomBytes,
    now: () => start,
    accounts: accountsOf(names),
  });
  const headers = { authorization: `Bearer ${service.keys.write}`, "content-type": "application/json" };
  for (const [index, content] of texts.entries()) {
    const due = start + 2 * MINUTE_MS + Math.floor((index * 300) / posts) * 1_000;
    const scheduled_at = new Date(due).toISOString().replace(/\.\d+Z/, "Z");
    const body = JSON.stringify({ content, platforms: names.map(({ platform }) => platform), scheduled_at });
    const answer = await fetch(`${service.url}/posts`, { method: "POST", headers, body });
    if (answer.status !== 201) throw new Error(await answer.text());
  }
  await service.close();
  const serve: PublishingProject["serve"] = async (step = 0) => {
    await project.write("report", "");
    const chaos = {
      NODE_OPTIONS: `--import=${PRELOAD}`,
      CHAOS_CLOCK: join(project.root, "clock"),
      CHAOS_REPORT: join(project.root, "report"),
      CHAOS_KILL_AT: String(step),
    };
    const running = startProcess(["serve", "--port", "0", "--stay"], {
      cwd: project.root,
      env: { ...env, ...chaos },
    });
    return { ...running, step: () => project.read("report") };
  };
  return {
    texts,
    serve,
    async finish() {
      const running = await serve();
      await running.waitFor('"accounts"');
      const { url } = JSON.parse(running.stdout());
      const keys = JSON.parse(await project.read(".plancast/embedded/keys.json"));
      const read = { authorization: `Bearer ${keys.read}` };
      const page = z.object({ data: z.array(z.unknown()) });
      for (let left = 1; left > 0;) {
        // Less often than the rate limit allows.
        await wait(200);
        const answer = await fetch(`${url}/posts?status=scheduled&limit=1`, { headers: read });
        left = page.parse(await answer.json()).data.length;
      }
      running.kill("SIGTERM");
      const { code, signal } = await running.ended;
      if (code !== 0) throw new Error(`serve ended with ${signal ?? code}\n${running.stderr()}`);
    },
  };
}

export interface PublishingWorld extends PublishingProject, TestAccounts {
  /** What is wrong on the networks; empty if each post is there once. */
  faults(): string[];
}

/**
 * Starts publishing on stand-ins for Bluesky and Mastodon, and on a webhook.
 * @param ignoresKeys whether Mastodon ignores every Idempotency-Key, so that only looking prevents a second post
 */
export async function startPublishing(posts: number, ignoresKeys = false): Promise<PublishingWorld> {
  const world = await startAccounts({ ignoresKeys });
  const project = await startPublishingOn({ posts, accounts: world.accounts, env: world.env });
  return { ...project, ...world, faults: () => publishingFaults(world, project.texts) };
}
