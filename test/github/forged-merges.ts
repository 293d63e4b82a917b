/**
 * The ways in which a forged commit can get into the branch. After each of them, either a plan showed what happened, or a
 * run refused.
 */
import { FOREIGN } from "../support/github/foreign-post.ts";
import { expect } from "vitest";
import { lockfileSchema } from "../../src/model/lockfile.ts";
import {
  type Hub,
  type Person,
  type Pull,
  type Push,
  type RanJob,
  DEEP_WORKFLOW,
  USUAL_WORKFLOW,
  WORKFLOW,
  startHub,
} from "../support/github/hub.ts";
import { runCommand } from "../support/run-command.ts";
import { tinyPng } from "../support/tiny-media.ts";
import { type Draft, type Forgery, CALENDAR, LOCKFILE, ROWS, SETTINGS, calendar } from "./forgeries.ts";

/** How the project began: with an apply on somebody's machine, or with a job. Also how many commits a job checks out. */
const STARTS = [
  "laptop",
  "job",
  "laptop whose run is dropped",
  "laptop, all commits",
  "job, all commits",
] as const;
export type Start = (typeof STARTS)[number];

interface World {
  readonly hub: Hub;
  readonly team: Person;
  readonly foreign: string;
}

async function startApplied(start: Start): Promise<World> {
  const hub = await startHub(
    {
      "plancast.yaml": SETTINGS,
      [CALENDAR]: calendar(ROWS),
      "media/red.png": tinyPng(1),
      "media/blue.png": tinyPng(2),
      [WORKFLOW]: start.endsWith("all commits") ? DEEP_WORKFLOW : USUAL_WORKFLOW,
    },
    { service: { accountIds: ["acc_1"], platforms: ["linkedin"] } },
  );
  const team = await hub.clone();
  if (start.startsWith("laptop")) {
    const push = await applyOnLaptop(hub, team);
    if (!start.endsWith("dropped")) quiet(await hub.pushed(push));
  } else {
    team.start("first");
    await team.commit("first posts", { "README.md": "Posts" });
    const pull = hub.open(team);
    await hub.plan(pull);
    expectDone(await hub.pushed(hub.merge(pull)));
  }
  const { id } = hub.service.addForeignPost(FOREIGN);
  return { hub, team, foreign: id };
}

async function applyOnLaptop(hub: Hub, person: Person): Promise<Push> {
  person.start("work");
  const env = { PLANCAST_BASE_URL: hub.service.url, PLANCAST_API_KEY: hub.service.key };
  const { code, stdout, stderr } = await runCommand(["apply", "--yes"], {
    cwd: person.root,
    env,
    clock: hub.clock,
  });
  expect([code, stdout + stderr]).toEqual([0, expect.anything()]);
  await person.commit("Apply");
  return hub.push(person);
}

/** The job finds nothing to do, and nothing to say. */
function quiet(jobs: readonly RanJob[]): void {
  const log = logOf(jobs);
  expect(
    jobs.map(({ outputs, failed }) => [outputs["result"], outputs["warnings"], failed]),
    log,
  ).toEqual([["nothing", "0", false]]);
}

function expectDone(jobs: readonly RanJob[]): void {
  expect(
    jobs.map(({ outputs, failed }) => [outputs["result"], failed]),
    logOf(jobs),
  ).toEqual([["applied", false]]);
}

/** Commits a forgery on a branch of a clone. */
async function forge({ hub, foreign }: World, [what, change]: Forgery): Promise<Person> {
  const attacker = await hub.clone();
  attacker.start("attack");
  const lockfile = lockfileSchema.parse(JSON.parse(await attacker.read(LOCKFILE)));
  const draft: Draft = { lockfile, foreign, rows: ROWS, settings: SETTINGS, files: {} };
  change(draft);
  await attacker.write({
    "plancast.yaml": draft.settings,
    [CALENDAR]: calendar(draft.rows),
    [LOCKFILE]: draft.text ?? `${JSON.stringify(draft.lockfile, null, 2)}\n`,
    ...draft.files,
  });
  attacker.git("add", "--all", "--force");
  attacker.git("commit", "-q", "--allow-empty", "-m", `Tidy up: ${what}`);
  return attacker;
}

type Jobs = readonly RanJob[];

/** How the commit gets into the branch. */
export interface Shape {
  readonly how: string;
  readonly isFork: boolean;
  /** Returns the jobs that ran. */
  readonly land: (world: World, pull: Pull) => Promise<Jobs>;
}

async function otherWork({ hub, team }: World): Promise<Pull> {
  team.start("notes");
  await team.commit("notes", { "NOTES.md": "Notes" });
  return hub.open(team);
}

/** Fetches the commit of a pull request into a new clone. */
async function fetched(hub: Hub, ...pulls: readonly Pull[]): Promise<Person> {
  const person = await hub.clone();
  for (const { number } of pulls)
    person.git("fetch", "-q", "origin", `refs/pull/${number}/head:pull-${number}`);
  return person;
}

async function pushed({ hub }: World, person: Person, pull: Pull, ...args: string[]): Promise<Jobs> {
  const push = hub.push(person, ...args);
  hub.close(pull);
  return hub.pushed(push);
}

const MERGE = ["merge", "-q", "--no-ff", "--no-edit"];

export const SHAPES: readonly Shape[] = [
  { how: "the merge button", isFork: false, land: ({ hub }, pull) => hub.pushed(hub.merge(pull)) },
  { how: "a squash", isFork: false, land: ({ hub }, pull) => hub.pushed(hub.merge(pull, "squash")) },
  { how: "a rebase", isFork: false, land: ({ hub }, pull) => hub.pushed(hub.merge(pull, "rebase")) },
  { how: "a fork's merge", isFork: true, land: ({ hub }, pull) => hub.pushed(hub.merge(pull)) },
  { how: "a fork's squash", isFork: true, land: ({ hub }, pull) => hub.pushed(hub.merge(pull, "squash")) },
  {
    how: "a fork's squash whose run is dropped, and a daily run",
    isFork: true,
    land: async ({ hub }, pull) => {
      hub.merge(pull, "squash");
      return hub.run("schedule");
    },
  },
  {
    how: "a fork's merge whose run is dropped, and a run by hand",
    isFork: true,
    land: async ({ hub }, pull) => {
      hub.merge(pull);
      return hub.run("workflow_dispatch", { inputs: { plan: "" } });
    },
  },
  {
    how: "a fork's merge whose run is dropped, and a pull request of the team",
    isFork: true,
    land: async (world, pull) => {
      const { hub } = world;
      hub.merge(pull);
      const other = await otherWork(world);
      return [...(await hub.plan(other)), ...(await hub.pushed(hub.merge(other)))];
    },
  },
  {
    how: "a squash whose run is dropped, and a push of somebody else",
    isFork: false,
    land: async (world, pull) => {
      const { hub, team } = world;
      hub.merge(pull, "squash");
      team.start("notes");
      await team.commit("notes", { "NOTES.md": "Notes" });
      return hub.pushed(hub.push(team));
    },
  },
  {
    how: "a merge by hand of main into the fork's branch",
    isFork: true,
    land: async (world, pull) => {
      const { hub } = world;
      hub.merge(await otherWork(world));
      const person = await fetched(hub, pull);
      person.git("checkout", "-q", `pull-${pull.number}`);
      person.git(...MERGE, "origin/main");
      return pushed(world, person, pull);
    },
  },
  {
    how: "one push with two merges by hand",
    isFork: true,
    land: async (world, pull) => {
      const other = await otherWork(world);
      const person = await fetched(world.hub, pull, other);
      for (const { number } of [pull, other]) person.git(...MERGE, `pull-${number}`);
      return pushed(world, person, pull);
    },
  },
  {
    how: "an octopus merge",
    isFork: true,
    land: async (world, pull) => {
      const other = await otherWork(world);
      const person = await fetched(world.hub, pull, other);
      person.git(...MERGE, `pull-${pull.number}`, `pull-${other.number}`);
      return pushed(world, person, pull);
    },
  },
  {
    how: "a forced push of the fork's history",
    isFork: true,
    land: async (world, pull) => {
      const person = await fetched(world.hub, pull);
      person.git("checkout", "-q", `pull-${pull.number}`);
      person.git("commit", "-q", "--amend", "-m", "Rewritten");
      return pushed(world, person, pull, "--force");
    },
  },
];

/** Every way to attack, without the forgery. */
const WAYS: readonly (readonly [Start, Shape])[] = STARTS.flatMap((start) =>
  SHAPES.map((shape) => [start, shape] as const),
);

export const COUNT_OF_WAYS = WAYS.length;

export function wayAt(index: number): readonly [Start, Shape] {
  const way = WAYS[index % WAYS.length];
  if (way === undefined) throw new Error("There are no ways.");
  return way;
}

function logOf(jobs: Jobs): string {
  return jobs.map((job) => job.steps.map(({ log, summary }) => `${log}\n${summary}`).join("\n")).join("\n");
}

/**
 * Every part of an effect must be in what reviewers saw; otherwise nothing may have happened. A run that says that all is
 * well leaves the posts as the rows on the branch say.
 */
export async function attack(start: Start, forgery: Forgery, { isFork, land }: Shape): Promise<void> {
  const world = await startApplied(start);
  const { hub, foreign } = world;
  const { service } = hub;
  const before = new Map([...service.posts].map(([id, post]) => [id, { ...post }]));
  const pull = hub.open(await forge(world, forgery), { isFork });
  const planned = await hub.plan(pull);
  const jobs = await land(world, pull);
  // A plan of another pull request, too: it was made before its merge.
  const seen = logOf([...planned, ...jobs.filter(({ job }) => job === "plan")]);
  const ran = logOf(jobs.filter(({ job }) => job !== "plan"));
  const unseen: string[] = [];
  for (const [id, post] of service.posts) {
    const was = before.get(id);
    const isChanged = was === undefined || was.status !== post.status || was.content !== post.content;
    if (isChanged && !seen.includes(was?.content ?? post.content))
      unseen.push(`${post.status}: ${post.content}`);
  }
  expect(unseen, ran).toEqual([]);
  expect(service.duplicates()).toEqual([]);
  const isWarned = /not-confirmed|not-as-recorded|setting-changed/.test(seen + ran);
  if (jobs.at(-1)?.failed !== false || isWarned) return;
  const wanted = wantedPosts(hub.remoteFile(CALENDAR));
  const has = service
    .scheduled()
    .filter(({ id, content }) => id !== foreign || wanted.some((each) => each.endsWith(content)))
    .map(({ content, scheduled_at: at }) => `${at} ${content}`)
    .toSorted();
  expect(has, seen + ran).toEqual(wanted);
}

function wantedPosts(text: string): string[] {
  return text
    .trim()
    .split("\n")
    .slice(1)
    .flatMap((line) => {
      const [, date = "", time = "", repeat = "", , content = ""] = line.slice(1, -1).split('","');
      const days = repeat === "" ? [date] : ["2036-03-05", "2036-03-12", "2036-03-19"];
      return days.map((day) => `${day}T${time}:00Z ${content}`);
    })
    .toSorted();
}
