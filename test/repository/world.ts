/** A project whose schedule is in a real git repository, with stand-ins for its accounts. */
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../../src/model/clock.ts";
import { PUBLISHED_FILE, SCHEDULE_FILE, type Schedule } from "../../src/repository/schedule.ts";
import { joinLayers, parseLayers } from "../../src/repository/schedule-layers.ts";
import { afterThisTest } from "../support/after-test.ts";
import { GIT_ENV, type TestRepository, makeRepository } from "../support/github/repository.ts";
import { type TestAccounts, startAccounts } from "../support/networks/accounts.ts";
import { type CommandResult, runCommand } from "../support/run-command.ts";

/** Before every post of the calendars is due. */
const APPLIED = Date.UTC(2027, 2, 1, 7);
export const DUE = Date.UTC(2027, 2, 1, 8);
const MINUTE_MS = 60_000;

/** Time that moves forward only with sleeps, which take no real time. */
export class SkippingClock implements Clock {
  #ms: number;

  constructor(ms: number) {
    this.#ms = ms;
  }

  now(): number {
    return this.#ms;
  }

  async sleep(ms: number): Promise<void> {
    this.#ms += Math.max(0, ms);
    await wait(1);
  }
}

export interface RepositoryWorld extends TestAccounts {
  readonly repository: TestRepository;
  /** Runs a command in the checkout, at a time. */
  run(args: readonly string[], at?: number, cwd?: string): Promise<CommandResult>;
  /** Applies the calendars and pushes the result. */
  apply(at?: number): Promise<void>;
  /** `publish` in a fresh clone, as in its own job. */
  publish(at?: number, ...flags: string[]): Promise<CommandResult>;
  /** A fresh clone of main. */
  clone(): Promise<string>;
  /** The schedule on main, of both files. */
  schedule(): Schedule;
  /** Changes the pushed schedule by hand. */
  editSchedule(edit: (text: string) => string): Promise<void>;
}

/** The schedule on main, of both files. */
export function pushedSchedule({ remoteFile }: Pick<TestRepository, "remoteFile">): Schedule {
  return joinLayers(
    parseLayers({ schedule: remoteFile(SCHEDULE_FILE), published: remoteFile(PUBLISHED_FILE) }),
  );
}

interface WorldOptions {
  readonly files: Readonly<Record<string, string>>;
  readonly config?: Readonly<Record<string, unknown>>;
  /** Whether Mastodon ignores every Idempotency-Key, so that only looking prevents a second post. */
  readonly ignoresKeys?: boolean;
}

export async function startWorld({
  files,
  config = {},
  ignoresKeys = true,
}: WorldOptions): Promise<RepositoryWorld> {
  const world = await startAccounts({ ignoresKeys, now: () => DUE });
  const repository = await makeRepository(files, {
    service: { url: "repository" },
    accounts: world.accounts,
    ...config,
  });
  const env = { ...GIT_ENV, ...world.env };
  const { project, origin } = repository;
  const run: RepositoryWorld["run"] = (args, at = APPLIED, cwd = project.root) =>
    runCommand(args, { cwd, env, clock: new SkippingClock(at) });
  const clone = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), "plancast-clone-"));
    afterThisTest(() => rm(folder, { recursive: true, force: true }));
    const done = spawnSync("git", ["clone", "-q", origin, join(folder, "checkout")], {
      env: { PATH: process.env["PATH"], ...GIT_ENV },
      encoding: "utf8",
    });
    if (done.status !== 0) throw new Error(done.stderr);
    return join(folder, "checkout");
  };
  return {
    ...world,
    env,
    repository,
    run,
    clone,
    apply: async (at) => {
      const { code, stdout, stderr } = await run(["apply", "--yes"], at);
      if (code !== 0) throw new Error(stdout + stderr);
      repository.push("applied");
    },
    publish: async (at = DUE + MINUTE_MS, ...flags) => run(["publish", ...flags], at, await clone()),
    schedule: () => pushedSchedule(repository),
    editSchedule: async (edit) => {
      const other = await clone();
      const path = join(other, "plancast.schedule.json");
      await writeFile(path, edit(await readFile(path, "utf8")));
      await project.write("plancast.schedule.json", await readFile(path, "utf8"));
      repository.push("edited by hand");
    },
  };
}

/** A calendar with one post on all accounts. */
export const ONE_POST = `timezone: UTC
posts:
  - { id: launch, date: 2027-03-01, time: "08:00", platforms: [bluesky, mastodon, webhook], content: "Open 🌱" }
`;
