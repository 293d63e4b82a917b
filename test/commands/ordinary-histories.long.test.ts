/** Ordinary work of two people in git: no plan says that anything is not confirmed, and no apply asks about it. */
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { afterThisTest } from "../support/after-test.ts";
import { startForeignService } from "../support/foreign-service.ts";
import { GIT_ENV, makeRepository } from "../support/github/repository.ts";
import { type CommandResult, runCommand } from "../support/run-command.ts";
import { csv } from "../support/scenario.ts";
import { TestClock } from "../support/test-clock.ts";

const CALENDAR = "calendars/a.csv";
const HEADER = ["id", "scheduled_at", "platforms", "content"];
const IDS = ["a", "b", "c"];
const NOTICES = /not-confirmed|not-as-recorded|unknown-post/;
const STEPS_EACH = 5;

const planned = z.object({
  guards: z.array(z.object({ code: z.string() })),
  problems: z.array(z.object({ code: z.string(), message: z.string() })),
});

/** The same numbers for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor(state / 65_536) % below;
  };
}

interface Person {
  readonly root: string;
  readonly git: (...args: string[]) => { readonly ok: boolean; readonly out: string };
  readonly plancast: (...args: string[]) => Promise<CommandResult>;
}

async function startPeople(): Promise<readonly [Person, Person]> {
  const clock: TestClock = new TestClock(() => service.isBusy());
  const service = await startForeignService({ now: () => clock.now() });
  afterThisTest(() => service.close());
  const rows = IDS.map((id) => [id, "2036-03-01 10:00", "twitter", `Text ${id}`]);
  const repository = await makeRepository({ [CALENDAR]: csv(HEADER, ...rows) }, { timezone: "Europe/Paris" });
  const folder = await mkdtemp(join(tmpdir(), "plancast-people-"));
  afterThisTest(() => rm(folder, { recursive: true, force: true }));
  const env = { ...GIT_ENV, PLANCAST_BASE_URL: service.url, PLANCAST_API_KEY: service.key };
  const person = (root: string): Person => ({
    root,
    git: (...args) => {
      const ran = spawnSync("git", args, {
        cwd: root,
        encoding: "utf8",
        env: { PATH: process.env["PATH"], ...GIT_ENV },
      });
      return { ok: ran.status === 0, out: ran.stdout.trim() };
    },
    plancast: (...args) => runCommand(args, { cwd: root, env, clock }),
  });
  const other = join(folder, "checkout");
  const first = person(repository.project.root);
  first.git("fetch", "-q", "origin");
  first.git("branch", "-q", "-u", "origin/main");
  spawnSync("git", ["clone", "-q", repository.origin, other], {
    env: { PATH: process.env["PATH"], ...GIT_ENV },
  });
  return [first, person(other)];
}

/** Edits, adds or removes a row, and commits that. */
async function edit({ root, git }: Person, number: (below: number) => number): Promise<void> {
  const path = join(root, CALENDAR);
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  const at = 1 + number(Math.max(1, lines.length - 1));
  const id = `n${number(1000)}`;
  const made = `"${id}","2036-04-0${1 + number(8)} 10:00","twitter","New ${id}"`;
  const changed =
    number(4) === 0
      ? [...lines, made]
      : number(4) === 0 && lines.length > 3
        ? lines.toSpliced(at, 1)
        : lines.map((line, index) => (index === at ? line.replace(/"$/, '!"') : line));
  await writeFile(path, `${changed.join("\n")}\n`);
  git("commit", "-qam", "Edit");
}

/** Takes over main, applies, and pushes the lockfile. */
async function applyMain({ git, plancast }: Person): Promise<void> {
  const { code, stderr } = await plancast("apply", "--yes");
  expect([code, stderr]).toEqual([0, expect.not.stringMatching(NOTICES)]);
  git("add", "--all");
  git("commit", "-qm", "Apply");
  expect(git("push", "-q", "origin", "HEAD:main").ok).toBe(true);
}

/** One step of work on main, with the lockfile of the newest apply. */
async function step(person: Person, number: (below: number) => number): Promise<void> {
  const { git } = person;
  git("fetch", "-q", "origin");
  git("reset", "-q", "--hard", "origin/main");
  const kind = number(6);
  if (kind === 0) await edit(person, number);
  else if (kind === 1) git("revert", "--no-edit", "HEAD");
  else {
    const branch = `work-${number(1_000_000)}`;
    git("checkout", "-q", "-b", branch);
    await edit(person, number);
    if (kind === 2) await edit(person, number);
    git("checkout", "-q", "main");
    if (kind === 3) git("cherry-pick", branch);
    else if (kind === 4) {
      git("commit", "-q", "--allow-empty", "-m", "Other work");
      git("rebase", "-q", "main", branch);
      git("checkout", "-q", "main");
      git("merge", "-q", "--ff-only", branch);
    } else git("merge", "-q", "--no-ff", "--no-edit", branch);
  }
  const { stdout } = await person.plancast("plan", "--format", "json");
  const { guards, problems } = planned.parse(JSON.parse(stdout));
  expect([...guards, ...problems].filter(({ code }) => NOTICES.test(code))).toEqual([]);
  await applyMain(person);
}

test.each(Array.from({ length: 40 }, (_each, index) => index + 1))(
  "history %i has no new message",
  async (seed) => {
    const number = numbers(seed);
    const people = await startPeople();
    await applyMain(people[0]);
    for (let index = 0; index < STEPS_EACH; index += 1) await step(people[number(2)] ?? people[0], number);
  },
  120_000,
);
