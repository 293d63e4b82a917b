/** `plancast publish` as real processes on clones of one remote, at a moved time, which are killed. */
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterThisTest } from "../support/after-test.ts";
import { GIT_ENV, makeRepository } from "../support/github/repository.ts";
import { type TestAccounts, publishingFaults, startAccounts } from "../support/networks/accounts.ts";
import { runCommand } from "../support/run-command.ts";
import { type RunningProcess, startProcess } from "../support/run-process.ts";
import { pushedSchedule } from "../repository/world.ts";
import { TestClock } from "./test-clock.ts";

const PRELOAD = pathToFileURL(new URL("../support/kill-at-step.js", import.meta.url).pathname).href;
const MINUTE_MS = 60_000;

/** A pushed schedule whose posts are due, and their accounts. */
export interface RepositoryChaos extends Pick<TestAccounts, "bluesky" | "mastodon" | "received"> {
  /** Starts publish in a new clone, to die at a step. */
  publish(step?: number): Promise<RunningProcess & { readonly step: () => Promise<string> }>;
  /** Runs publish again and again, later each time, until every post has a result on every account. */
  finish(): Promise<void>;
  /** Runs a shell script in the remote before or after each push. */
  onPush(moment: "pre-receive" | "post-receive", script: string): Promise<void>;
  /** What is wrong on the accounts; empty if each post is there once, and on the webhook at most once. */
  faults(): string[];
}

export async function startRepositoryChaos(posts: number): Promise<RepositoryChaos> {
  const world = await startAccounts({ ignoresKeys: true });
  const texts = Array.from({ length: posts }, (_, index) => `Post number ${index}`);
  const start = Date.now() - 10 * MINUTE_MS;
  const rows = texts.map((content, index) => {
    const due = new Date(start + 3 * MINUTE_MS + Math.floor((index * 300) / posts) * 1_000);
    return `p${index},${due.toISOString().replace(/\.\d+Z/, "Z")},"bluesky,mastodon,webhook",${content}`;
  });
  const env = { ...GIT_ENV, ...world.env };
  const repository = await makeRepository(
    { "calendars/a.csv": `id,scheduled_at,platforms,content\n${rows.join("\n")}\n` },
    { service: { url: "repository" }, accounts: world.accounts, timezone: "UTC" },
  );
  const { project, origin } = repository;
  const clock = { now: () => start, sleep: () => Promise.resolve() };
  const applied = await runCommand(["apply", "--yes"], { cwd: project.root, env, clock });
  if (applied.code !== 0) throw new Error(applied.stderr);
  repository.push("applied");
  const folder = await mkdtemp(join(tmpdir(), "plancast-clones-"));
  afterThisTest(() => rm(folder, { recursive: true, force: true }));
  const time = new TestClock(join(folder, "clock"));
  let clones = 0;
  const publish: RepositoryChaos["publish"] = async (step = 0) => {
    const own = join(folder, String((clones += 1)));
    await mkdir(own);
    const cwd = join(own, "checkout");
    const cloned = spawnSync("git", ["clone", "-q", origin, cwd], {
      env: { PATH: process.env["PATH"], ...GIT_ENV },
      encoding: "utf8",
    });
    if (cloned.status !== 0) throw new Error(cloned.stderr);
    const report = join(own, "report");
    await writeFile(report, "");
    const chaos = {
      NODE_OPTIONS: `--import=${PRELOAD}`,
      CHAOS_CLOCK: time.file,
      CHAOS_REPORT: report,
      CHAOS_KILL_AT: String(step),
    };
    const running = startProcess(["publish", "--late", "30d"], { cwd, env: { ...env, ...chaos } });
    return { ...running, step: async () => spawnSync("cat", [report], { encoding: "utf8" }).stdout };
  };
  const results = (): readonly Record<string, StoredResult>[] => {
    return Object.values(pushedSchedule(repository).posts).map(({ publications = {} }) => publications);
  };
  const isOver = (): boolean =>
    results().every((publications) => {
      const all = Object.values(publications);
      return all.length === 3 && all.every(({ state, next_at: next }) => isDone(state, next));
    });
  const failures = (): string[] =>
    results().flatMap((publications) =>
      Object.entries(publications).flatMap(([account, { state, reason }]) =>
        state === "failed" ? [`failed on ${account}: ${reason}`] : [],
      ),
    );
  return {
    ...world,
    publish,
    async finish() {
      for (let runs = 0; !isOver(); runs += 1) {
        if (runs === 30) throw new Error(JSON.stringify(pushedSchedule(repository)));
        const { ended } = await publish();
        const { code, stderr } = await ended;
        if (code === null) throw new Error(stderr);
        // The next run of the workflow, after all claims are over.
        time.advance(20 * MINUTE_MS);
      }
    },
    async onPush(moment, script) {
      await mkdir(join(origin, "hooks"), { recursive: true });
      await writeFile(join(origin, "hooks", moment), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    },
    faults: () => [...publishingFaults(world, texts), ...failures()],
  };
}

interface StoredResult {
  readonly state: string;
  readonly next_at?: string | undefined;
  readonly reason?: string | undefined;
}

function isDone(state: string, next: string | undefined): boolean {
  return state === "published" || state === "failed" || (state === "unknown" && next === undefined);
}
