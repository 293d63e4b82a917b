/**
 * A team with one repository and one service: clones of different age, commits, merges, reverts, jobs on old commits, and
 * people who cancel posts on the service's page. Commands run in this process; commits are only texts.
 */

import { execFileSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { z } from "zod";
import { lockfileText } from "../../src/sync/state/lockfile.ts";
import { mergeVersions } from "../../src/sync/state/merge-lockfiles.ts";
import { type ForeignService, startForeignService } from "../support/foreign-service.ts";
import { type TestProject, makeProject } from "../support/project.ts";
import { type CommandResult, runCommand } from "../support/run-command.ts";
import { csv } from "../support/scenario.ts";
import { TestClock } from "../support/test-clock.ts";

/** A row as somebody wrote it. Its text begins with its name, by which posts are recognised. */
interface TeamRow {
  readonly name: string;
  readonly version: number;
  /** Hours after `FIRST`. */
  readonly hour: number;
}

type Rows = readonly TeamRow[];

/** What git has: the calendar, the lockfile and the holds. */
interface Commit {
  readonly rows: Rows;
  readonly lockfile: string;
  readonly holds: string;
  /** Removals after which somebody deleted the row, too, and applied: who brings the row back wants its post. */
  readonly settled: ReadonlySet<number>;
}

interface Clone {
  readonly project: TestProject;
  rows: Rows;
  settled: ReadonlySet<number>;
  /** Position of the newest commit that the clone has. */
  at: number;
}

const FIRST = Date.UTC(2036, 2, 1, 9, 30);
const HOUR_MS = 3_600_000;
const FILE = "calendars/a.csv";
const LOCKFILE = "plancast.lock.json";
const HOLDS = "plancast.holds.yaml";

/** What can be held: everything, half of the rows, or the rows of some days. */
const HELD = {
  all: { only: [], fits: () => true },
  team: { only: ["--only", "team=1"], fits: ({ name }: TeamRow) => teamOf(name) === 1 },
  days: { only: ["--only", "date=2036-03-01..2036-03-03"], fits: ({ hour }: TeamRow) => hour < 62.5 },
} as const satisfies Record<string, { only: readonly string[]; fits: (row: TeamRow) => boolean }>;

export type Held = keyof typeof HELD;

const planDocument = z.object({
  missing: z.array(z.object({ reason: z.string(), post: z.object({ content: z.string() }) })),
});

const holdDocument = z.object({ hold: z.object({ id: z.string() }) });

export type Edited = "text" | "time" | "both";

export class TeamWorld {
  readonly service: ForeignService;
  readonly #hasIds: boolean;
  readonly #clock: TestClock;
  readonly #commits: Commit[];
  readonly #clones: Clone[] = [];
  /** Rows whose post somebody removed by hand, and nobody wants back yet, with the number of the removal. */
  readonly #removed = new Map<string, number>();
  #removals = 0;
  /** The holds that were not released, by id. */
  readonly #holds = new Map<string, Held>();
  /** Posts that an apply made, and that only the lockfile of its clone has. */
  readonly #fresh = new Map<string, Clone>();
  #version = 0;
  /** Position of the commit after the newest release. */
  #releasedAt = 0;
  #isReverted = false;

  private constructor(service: ForeignService, clock: TestClock, hasIds: boolean, rows: Rows) {
    this.service = service;
    this.#clock = clock;
    this.#hasIds = hasIds;
    this.#commits = [{ rows, lockfile: "", holds: "", settled: new Set() }];
  }

  /** Two people, and rows that the first has applied and pushed. */
  static async start(hasIds: boolean, names: readonly string[]): Promise<TeamWorld> {
    const clock: TestClock = new TestClock(() => service.isBusy());
    const service: ForeignService = await startForeignService({ now: () => clock.now() });
    const rows = names.map((name, index) => ({ name, version: 0, hour: 24 * (index + 1) }));
    const world = new TeamWorld(service, clock, hasIds, rows);
    for (let person = 0; person < 2; person += 1) await world.#clone(0);
    await world.apply(0);
    await world.push(0);
    await world.pull(1);
    return world;
  }

  async close(): Promise<void> {
    await this.service.close();
    for (const { project } of this.#clones) await project.dispose();
  }

  async #clone(at: number): Promise<Clone> {
    const { rows, lockfile, holds, settled } = this.#commit(at);
    const config = {
      timezone: "UTC",
      columns: { team: "ignore" },
      safety: { max_cancels: 100, max_cancel_percent: 100 },
    };
    const files = { ...(lockfile === "" ? {} : { [LOCKFILE]: lockfile }), [HOLDS]: holds };
    const project = await makeProject({ config, files });
    const clone = { project, rows, settled, at };
    this.#clones.push(clone);
    await this.#save(clone);
    return clone;
  }

  #commit(at: number): Commit {
    const commit = this.#commits[at];
    if (commit === undefined) throw new Error(`There is no commit ${at}.`);
    return commit;
  }

  #person(index: number): Clone {
    const clone = this.#clones[index];
    if (clone === undefined) throw new Error(`There is no person ${index}.`);
    return clone;
  }

  #save({ project, rows }: Clone): Promise<void> {
    const lines = rows.map(({ name, version, hour }) => [
      ...(this.#hasIds ? [name] : []),
      new Date(FIRST + hour * HOUR_MS).toISOString().slice(0, 16).replace("T", " "),
      "linkedin",
      `${name}: version ${version}`,
      String(teamOf(name)),
    ]);
    return project.write(
      FILE,
      csv([...(this.#hasIds ? ["id"] : []), "scheduled_at", "platforms", "content", "team"], ...lines),
    );
  }

  #lockfileOf({ project }: Clone): Promise<string> {
    return project.read(LOCKFILE).catch(() => "");
  }

  async edit(person: number, row: number, what: Edited): Promise<void> {
    const clone = this.#person(person);
    const name = clone.rows[row % Math.max(1, clone.rows.length)]?.name;
    this.#version += 1;
    const version = this.#version;
    clone.rows = clone.rows.map((each) =>
      each.name !== name
        ? each
        : {
            name: each.name,
            version: what === "time" ? each.version : version,
            hour: what === "text" ? each.hour : 24 * 30 + version,
          },
    );
    await this.#save(clone);
  }

  async remove(person: number, row: number): Promise<void> {
    const clone = this.#person(person);
    if (clone.rows.length > 2) clone.rows = clone.rows.toSpliced(row % clone.rows.length, 1);
    await this.#save(clone);
  }

  /** Somebody cancels a post on the service's page. */
  cancelByHand(index: number): void {
    const posts = this.service.scheduled();
    const post = posts[index % Math.max(1, posts.length)];
    if (post === undefined) return;
    this.service.cancelByHand(post.id);
    this.#remove(nameOf(post.content));
  }

  #remove(name: string): void {
    this.#removals += 1;
    this.#removed.set(name, this.#removals);
  }

  apply(person: number, ...args: readonly string[]): Promise<CommandResult> {
    return this.#apply(this.#person(person), args);
  }

  async #apply(clone: Clone, args: readonly string[] = []): Promise<CommandResult> {
    const before = new Set(this.service.scheduled().map(({ id }) => id));
    const ran = await this.#run(clone.project, "apply", "--yes", ...args);
    for (const { id } of this.service.scheduled()) if (!before.has(id)) this.#fresh.set(id, clone);
    this.#check(ran, clone);
    if (args.length === 0 && clone.at === this.#commits.length - 1) this.#checkHeld(ran, clone);
    const rows = new Set(clone.rows.map(({ name }) => name));
    const settled = [...this.#removed].flatMap(([name, removal]) => (rows.has(name) ? [] : [removal]));
    clone.settled = new Set([...clone.settled, ...settled]);
    return ran;
  }

  /** Never two versions of a row, never a post that somebody removed. */
  #check({ code, stdout, stderr }: CommandResult, { settled }: Clone): void {
    const told = `exit ${code}\n${stdout}\n${stderr}`;
    const names = this.service.scheduled().map(({ content }) => nameOf(content));
    expect(names.toSorted(), told).toEqual([...new Set(names)].toSorted());
    const back = names.filter((name) => this.#removed.has(name));
    expect(
      back.filter((name) => !settled.has(this.#removed.get(name) ?? 0)),
      told,
    ).toEqual([]);
    for (const name of back) this.#removed.delete(name);
    if (code !== 0) expect([code, stderr], told).toEqual([1, expect.stringContaining("apply/missing")]);
  }

  /** Never a held post, as far as the clone can know: another one may have made a post and not pushed its lockfile. */
  #checkHeld({ code, stdout, stderr }: CommandResult, clone: Clone): void {
    const names = this.#heldNames(clone.rows);
    const known = this.service.scheduled().filter(({ id }) => (this.#fresh.get(id) ?? clone) === clone);
    const out = known.flatMap(({ content }) => (names.has(nameOf(content)) ? content : []));
    expect(out, `exit ${code}\n${stdout}\n${stderr}`).toEqual([]);
  }

  #heldNames(rows: Rows): ReadonlySet<string> {
    const held = rows.filter((row) => [...this.#holds.values()].some((what) => HELD[what].fits(row)));
    return new Set(held.map(({ name }) => name));
  }

  /** Somebody holds posts: the line is on the main branch at once, and the lockfile only in the clone. */
  async hold(person: number, what: Held): Promise<void> {
    await this.pull(person);
    const clone = this.#person(person);
    const { only } = HELD[what];
    const ran = await this.#run(
      clone.project,
      "hold",
      ...only,
      "--reason",
      "Stop",
      "--yes",
      "--format",
      "json",
    );
    if (ran.stderr.includes("No row fits")) return;
    const { hold } = holdDocument.parse(JSON.parse(ran.stdout));
    this.#holds.set(hold.id, what);
    expect(ran.code, ran.stderr).toBe(0);
    this.#commits.push({ ...this.#commit(clone.at), holds: await clone.project.read(HOLDS) });
    clone.at += 1;
    this.#checkHeld(ran, clone);
  }

  /**
   * Somebody merges the release of a hold. A job then applies, and pushes its lockfile. Everybody pulls: an older clone
   * does not know the new posts (docs/run/hold.md).
   */
  async release(person: number, index: number): Promise<void> {
    const id = [...this.#holds.keys()][index % Math.max(1, this.#holds.size)];
    if (id === undefined) return;
    await this.push(person);
    const clone = this.#person(person);
    const ran = await this.#run(clone.project, "release", id, "--yes");
    expect(ran.code, ran.stderr).toBe(0);
    this.#holds.delete(id);
    await this.push(person);
    await this.job(0);
    this.#releasedAt = this.#commits.length - 1;
    for (const each of this.#clones.keys()) await this.pull(each);
  }

  /** Like `git pull` with plancast's merge driver. Of a row that both changed, theirs counts. */
  async pull(person: number): Promise<void> {
    const clone = this.#person(person);
    const base = this.#commit(clone.at);
    const theirs = this.#commit(this.#commits.length - 1);
    clone.rows = mergeRows(base.rows, clone.rows, theirs.rows);
    const merged = mergeTexts(base.lockfile, await this.#lockfileOf(clone), theirs.lockfile);
    if (merged !== "") await clone.project.write(LOCKFILE, merged);
    const holds = mergeHolds(await clone.project.read(HOLDS), theirs.holds);
    await clone.project.write(HOLDS, holds);
    clone.settled = new Set([...clone.settled, ...theirs.settled]);
    clone.at = this.#commits.length - 1;
    await this.#save(clone);
  }

  /** Pulls, commits and pushes. */
  async push(person: number): Promise<void> {
    await this.pull(person);
    const clone = this.#person(person);
    const { rows, settled, project } = clone;
    const [lockfile, holds] = [await this.#lockfileOf(clone), await project.read(HOLDS)];
    this.#commits.push({ rows, lockfile, holds, settled });
    for (const [id, owner] of this.#fresh) if (owner === clone) this.#fresh.delete(id);
    clone.at = this.#commits.length - 1;
  }

  /** Pulls, and goes back to an older calendar, with its lockfile or without. */
  async revert(person: number, back: number, withLockfile: boolean): Promise<void> {
    await this.push(person);
    const clone = this.#person(person);
    const at = Math.max(1, clone.at - 1 - (back % 3));
    const { rows, lockfile } = this.#commit(at);
    clone.rows = rows;
    // With a lockfile from before a release, nobody knows which posts came back (docs/change/reliability.md).
    const isKnown = at >= this.#releasedAt;
    this.#isReverted ||= withLockfile && isKnown;
    if (withLockfile && isKnown) await clone.project.write(LOCKFILE, lockfile);
    await this.#save(clone);
  }

  /** A job runs again on an old commit. Its lockfile goes to the branch, if it changed. */
  async job(back: number): Promise<void> {
    const at = Math.max(1, this.#commits.length - 1 - (back % 5));
    const clone = await this.#clone(at);
    const newest = this.#commit(this.#commits.length - 1);
    // It obeys the holds of the newest commit, and knows its lockfile: another post of a row may be newer.
    await writeRepository(clone.project, [this.#commit(at), newest]);
    const before = new Set(this.service.scheduled().map(({ content }) => nameOf(content)));
    await this.#apply(clone);
    // An old commit may lack rows that came back since. Its job may cancel their posts.
    for (const { content } of this.service.scheduled()) before.delete(nameOf(content));
    // What it cancels for a hold comes back with the release.
    const held = this.#heldNames([...clone.rows, ...newest.rows]);
    for (const name of before) if (!held.has(name)) this.#remove(name);
    const { lockfile, ...tip } = newest;
    const merged = mergeTexts(this.#commit(at).lockfile, await this.#lockfileOf(clone), lockfile);
    for (const [id, owner] of this.#fresh) if (owner === clone) this.#fresh.delete(id);
    if (merged !== lockfile) this.#commits.push({ ...tip, lockfile: merged });
  }

  /** Everybody pushes and pulls. Then an apply has at most missing rows left, and a person decides about them. */
  async converge(): Promise<void> {
    for (const person of [0, 1, 0, 1]) await this.push(person);
    for (const person of [0, 1]) {
      await this.pull(person);
      await this.apply(person);
      await this.push(person);
    }
    while (this.#holds.size > 0) await this.release(0, 0);
    await this.pull(0);
    const { rows } = this.#person(0);
    const asked = await this.#missing(0);
    const missing = asked.map(({ name }) => name);
    const isLeft = ({ name }: TeamRow): boolean => missing.includes(name);
    expect(this.#posts(rows).filter((post) => !missing.includes(nameOf(post)))).toEqual(
      wanted(rows.filter((row) => !isLeft(row))),
    );
    // After a revert of the lockfile, nobody knows the newer versions.
    const sure = asked.flatMap(({ name, isSure }) => (isSure ? [name] : []));
    if (!this.#isReverted) expect(sure.filter((name) => !this.#removed.has(name))).toEqual([]);
    if (missing.length === 0) return;
    for (const { id, content } of this.service.scheduled())
      if (missing.includes(nameOf(content))) this.service.cancelByHand(id);
    this.#removed.clear();
    expect((await this.apply(0, "--allow-recreates", String(missing.length))).code).toBe(0);
    expect(this.#posts(rows)).toEqual(wanted(rows));
  }

  async #missing(person: number): Promise<readonly { readonly name: string; readonly isSure: boolean }[]> {
    const { project } = this.#person(person);
    const { stdout } = await this.#run(project, "plan", "--format", "json");
    const { missing } = planDocument.parse(JSON.parse(stdout));
    return missing.map(({ reason, post }) => ({
      name: nameOf(post.content),
      isSure: !reason.includes("it may be a new version"),
    }));
  }

  #run(project: TestProject, ...args: readonly string[]): Promise<CommandResult> {
    const env = { PLANCAST_BASE_URL: this.service.url, PLANCAST_API_KEY: this.service.key };
    return runCommand(args, { cwd: project.root, env, clock: this.#clock });
  }

  /** The scheduled posts. After a revert of the lockfile, nobody knows that the post of a deleted row is the project's. */
  #posts(rows: Rows): readonly string[] {
    const names = new Set(rows.map(({ name }) => name));
    return this.service
      .scheduled()
      .filter(({ content }) => !this.#isReverted || names.has(nameOf(content)))
      .map(({ content, scheduled_at: at }) => `${content} at ${Date.parse(at)}`)
      .toSorted();
  }
}

/** As git's merge driver `union` merges it: only lines are added. */
function mergeHolds(ours: string, theirs: string): string {
  const known = new Set(theirs.split("\n"));
  return (
    theirs +
    ours
      .split("\n")
      .flatMap((line) => (known.has(line) ? [] : `${line}\n`))
      .join("")
  );
}

/** A clone with these commits: it has checked out the first, and knows the last as that of the main branch. */
async function writeRepository({ root }: TestProject, commits: readonly Commit[]): Promise<void> {
  const files = commits.map(({ lockfile, holds }) =>
    Object.entries({ [LOCKFILE]: lockfile, [HOLDS]: holds }),
  );
  const stream = files.flatMap((texts, index) => [
    `commit refs/heads/c${index}`,
    "committer Kim <kim@example.com> 2088000000 +0000",
    "data 0",
    ...(index === 0 ? [] : ["from refs/heads/c0"]),
    ...texts.flatMap(([name, text]) => [`M 100644 inline ${name}`, `data ${Buffer.byteLength(text)}`, text]),
  ]);
  const update = `reset refs/remotes/origin/main\nfrom refs/heads/c${commits.length - 1}\n`;
  await rm(join(root, ".git"), { recursive: true, force: true });
  execFileSync("git", ["init", "--quiet", "--initial-branch", "c0"], { cwd: root });
  execFileSync("git", ["fast-import", "--quiet"], { cwd: root, input: `${stream.join("\n")}\n${update}` });
}

function teamOf(name: string): number {
  return name.charCodeAt(0) % 2;
}

/** As git merges it. */
function mergeTexts(base: string, ours: string, theirs: string): string {
  if (ours === base) return theirs;
  return theirs === base ? ours : lockfileText(mergeVersions({ base, ours, theirs }).lockfile);
}

function wanted(rows: Rows): readonly string[] {
  return rows
    .map(({ name, version, hour }) => `${name}: version ${version} at ${FIRST + hour * HOUR_MS}`)
    .toSorted();
}

function nameOf(content: string): string {
  return content.split(":")[0] ?? "";
}

function mergeRows(base: Rows, ours: Rows, theirs: Rows): Rows {
  const find = (rows: Rows, name: string): TeamRow | undefined => rows.find((each) => each.name === name);
  return base.flatMap((before) => {
    const [mine, other] = [find(ours, before.name), find(theirs, before.name)];
    const isTheirs = JSON.stringify(other) !== JSON.stringify(before);
    return (isTheirs ? other : mine) ?? [];
  });
}
