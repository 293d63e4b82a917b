/**
 * Plays a history: people with clones of one repository, the machines that they work on, and one service. Every run is the
 * real command, from its arguments to its exit code.
 */

import { Readable } from "node:stream";
import { main } from "../../src/commands/main.ts";
import type { Shell } from "../../src/commands/shell/shell.ts";
import { type Machine, mountMachine } from "../../src/disk/machine.ts";
import { lockfileText } from "../../src/sync/state/lockfile.ts";
import { mergeVersions } from "../../src/sync/state/merge-lockfiles.ts";
import { Disk, SOUND, machineFor } from "./disk.ts";
import { type Held, type History, type Step, type Trouble, HELD } from "./history.ts";
import { Network } from "./network.ts";
import { type Moment, type Row, GUARANTEES, contentOf, rowNameIn } from "./oracle.ts";
import { Random } from "./random.ts";
import { Process, Scheduler } from "./scheduler.ts";
import { Service } from "./service.ts";

const START = Date.UTC(2036, 0, 1, 8);
const HOUR_MS = 3_600_000;
const SETTLE_MS = 121_000;
/** Nobody edits a row that is due sooner: it may be published at any moment. */
const TOO_SOON_MS = 900_000;
const LOCKFILE = "plancast.lock.json";
const HOLDS = "plancast.holds.yaml";
const MAX_CALM_RUNS = 6;

/** Nobody deletes it: a calendar without rows is a question. */
const UNTOUCHED: Row = { name: "kept", version: 0, dueMs: START + 9_000 * HOUR_MS };

export class Violation extends Error {
  readonly guarantee: string;
  story: readonly string[] = [];

  constructor(guarantee: string, details: string) {
    super(`${guarantee}: ${details}`);
    this.guarantee = guarantee;
  }
}

/** A commit of the repository. */
interface Commit {
  readonly rows: readonly Row[];
  readonly lockfile: string;
  readonly holds: string;
  readonly settled: ReadonlySet<number>;
}

interface Clone {
  readonly disk: Disk;
  rows: readonly Row[];
  /** Position of the newest commit that it has. */
  at: number;
  /** Removals after which somebody deleted the row, too: who brings the row back wants its post. */
  settled: ReadonlySet<number>;
}

interface Ran {
  /** Null if the process died. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly beganMs: number;
}

export class World {
  readonly scheduler: Scheduler;
  readonly service: Service;
  readonly story: string[] = [];
  /** Runs of the command. */
  runs = 0;
  readonly #history: History;
  readonly #clones: Clone[] = [];
  readonly #commits: Commit[] = [];
  /** Rows whose post somebody removed, with the number of the removal. */
  readonly #removed = new Map<string, number>();
  #removals = 0;
  #version = 0;
  #names = 0;
  #boots = 0;
  #isReverted = false;
  /** The holds that count, and all rows that each has kept back so far. */
  readonly #holds = new Map<string, { readonly what: Held; readonly names: Set<string> }>();
  /** Position of the newest release. A job on an older commit learns from git that posts are newer. */
  #releasedAt = 0;
  /** When a run of each clone last changed the service. */
  readonly #wrote = new Map<Clone, number>();
  /** The clones that made posts, and the positions of the commits with their lockfile. */
  readonly #fresh = new Map<string, { readonly owner: Clone; readonly at: number }>();
  /** Rows at the last calm run that nobody has changed since. */
  #standing: readonly Row[] = [];
  /** Whether the last run was calm, and nobody has edited or removed anything since. */
  #isInStep = false;

  constructor(history: History) {
    this.#history = history;
    const random = new Random(history.seed);
    this.scheduler = new Scheduler(START, random);
    this.service = new Service(history.traits, random, () => this.scheduler.now);
    const rows = [...Array.from({ length: history.rows }, () => this.#newRow()), UNTOUCHED];
    for (let person = 0; person < history.people; person += 1)
      this.#clones.push({
        disk: new Disk(random, () => this.scheduler.now),
        rows,
        at: 0,
        settled: new Set(),
      });
    this.#commits.push({ rows, lockfile: "", holds: "", settled: new Set() });
    this.#tell(
      `${history.rows} rows ${history.hasIds ? "with" : "without"} ids; the service: ${traitsTold(history)}`,
    );
  }

  /** Throws a Violation. */
  async play(): Promise<void> {
    const unmount = mountMachine("/", NO_MACHINE);
    const giveBack = this.scheduler.takeTimers();
    try {
      for (const clone of this.#clones) this.#save(clone);
      if (this.#history.people > 1) {
        await this.#calm(0);
        this.#push(0);
        this.#pull(1);
      }
      for (const step of this.#history.steps) await this.#take(step);
      await this.#end();
    } catch (error) {
      if (error instanceof Violation) error.story = this.story;
      throw error;
    } finally {
      giveBack();
      unmount();
    }
  }

  #tell(text: string): void {
    this.story.push(`${new Date(this.scheduler.now).toISOString().slice(5, 23).replace("T", " ")}  ${text}`);
  }

  #newRow(): Row {
    const name = String.fromCharCode(97 + (this.#names % 26)).repeat(1 + Math.floor(this.#names / 26));
    this.#names += 1;
    return { name, version: 0, dueMs: START + (5 + 19 * this.#names) * HOUR_MS };
  }

  #person(index: number): Clone {
    const clone = this.#clones[index % this.#clones.length];
    if (clone === undefined) throw new Error("There are no people.");
    return clone;
  }

  #commit(at: number): Commit {
    const commit = this.#commits[Math.max(0, Math.min(at, this.#commits.length - 1))];
    if (commit === undefined) throw new Error("There are no commits.");
    return commit;
  }

  /** Writes the calendar and the settings of a clone. */
  #save({ disk, rows }: Clone): void {
    const { hasIds } = this.#history;
    const lines = rows.map((row) =>
      [
        ...(hasIds ? [row.name] : []),
        new Date(row.dueMs).toISOString().slice(0, 16).replace("T", " "),
        "linkedin",
        contentOf(row),
        teamOf(row),
      ].join(","),
    );
    const header = [...(hasIds ? ["id"] : []), "scheduled_at", "platforms", "content", "team"].join(",");
    disk.put("/p/calendars/a.csv", `${[header, ...lines].join("\n")}\n`);
    disk.put("/p/plancast.yaml", SETTINGS);
  }

  async #take(step: Step): Promise<void> {
    const random = new Random(step.seed);
    switch (step.do) {
      case "edit":
        return this.#edit(this.#person(step.person), step.row, step.what, random);
      case "add": {
        const clone = this.#person(step.person);
        const row = this.#newRow();
        return this.#addRows(step.person, [...clone.rows, row], `Somebody adds ${told(row)}.`);
      }
      case "remove": {
        const clone = this.#person(step.person);
        const row = this.#editable(clone, step.row);
        if (row === undefined) return;
        this.#tell(`Person ${step.person} deletes ${row.name}.`);
        return this.#change(
          clone,
          clone.rows.filter((each) => each !== row),
        );
      }
      case "apply":
        return this.#applyIn(step.person, step.trouble, step.at, random);
      case "hold":
        this.scheduler.pass(this.#history.people > 1 ? this.#history.traits.listLagMs : 0);
        return this.#hold(step.person, step.what, step.trouble, random);
      case "release":
        return this.#release(step.person, step.row);
      case "cancel by hand":
        return this.#cancelByHand(step.row);
      case "foreign post": {
        const dueMs = START + (30 + random.below(200)) * HOUR_MS;
        const post = this.service.add({
          content: `Other ${step.row}`,
          platforms: ["linkedin"],
          dueMs,
          madeBy: "hand",
        });
        return this.#tell(`Somebody else schedules ${post.id}.`);
      }
      case "wait":
        return this.#wait(step.ms);
      case "pull":
        return this.#pull(step.person);
      case "push":
        return this.#push(step.person);
      case "revert": {
        this.#push(step.person);
        const clone = this.#person(step.person);
        const { rows } = this.#commit(Math.max(1, clone.at - 1 - step.back));
        const isBack = rows.some(({ name }) => find(clone.rows, name) === undefined);
        const text = `Person ${step.person} reverts the calendar.`;
        if (isBack) return this.#addRows(step.person, rows, text);
        this.#tell(text);
        return this.#change(clone, rows);
      }
      case "old job":
        return this.#oldJob(step.back, random);
      default:
        return this.#makeException(step, random);
    }
  }

  /** If a clone has a row without the post that another one made, both may schedule a version: an exception. */
  async #addRows(person: number, rows: readonly Row[], text: string): Promise<void> {
    const isTeam = this.#history.people > 1;
    if (isTeam && this.#holds.size > 0) return;
    this.#tell(text);
    this.#change(this.#person(person), rows);
    if (!isTeam) return;
    await this.#calm(person);
    this.#push(person);
  }

  /** A row that is due late enough to edit it. */
  #editable({ rows }: Clone, index: number): Row | undefined {
    const later = rows.filter(
      (row) => row.name !== UNTOUCHED.name && row.dueMs > this.scheduler.now + TOO_SOON_MS,
    );
    return later[index % Math.max(1, later.length)];
  }

  #edit(clone: Clone, index: number, what: "text" | "time" | "both", random: Random): void {
    const row = this.#editable(clone, index);
    if (row === undefined) return;
    this.#version += 1;
    const laterMs = random.percent(30) ? 30 * 60_000 : (1 + random.below(300)) * HOUR_MS;
    const minute = Math.ceil((this.scheduler.now + laterMs) / 60_000) * 60_000;
    const isFree = !clone.rows.some(({ dueMs }) => dueMs === minute);
    const edited = {
      name: row.name,
      version: what === "time" ? row.version : this.#version,
      dueMs: what === "text" || !isFree ? row.dueMs : minute,
    };
    this.#tell(`Somebody changes ${told(row)} to ${told(edited)}.`);
    this.#change(
      clone,
      clone.rows.map((each) => (each === row ? edited : each)),
    );
  }

  #change(clone: Clone, rows: readonly Row[]): void {
    clone.rows = rows;
    this.#standing = this.#standing.filter((each) => rows.some((row) => isSame(row, each)));
    this.#isInStep = false;
    this.#save(clone);
  }

  /** Somebody removes the post of a row that stands, on the service's page. */
  #cancelByHand(index: number): void {
    if (!this.#isInStep) return;
    const later = this.#standing.filter(
      ({ name, dueMs }) => dueMs > this.scheduler.now + TOO_SOON_MS && !this.#removed.has(name),
    );
    const row = later[index % Math.max(1, later.length)];
    const post =
      row &&
      this.service.live().find(({ content, madeBy }) => madeBy === "api" && content === contentOf(row));
    if (row === undefined || post === undefined) return;
    this.service.cancelByHand(post);
    this.#remove(row.name);
    this.#tell(`Somebody removes ${post.id} (${post.content}) on the service's page.`);
    this.scheduler.pass(this.#history.traits.listLagMs + 1_000);
  }

  #remove(name: string): void {
    this.#removals += 1;
    this.#removed.set(name, this.#removals);
  }

  async #wait(ms: number): Promise<void> {
    // Somebody who leaves in the middle of a replacement publishes both versions: an exception.
    if (ms > 300_000 && !this.#isInStep) await this.#calm(0);
    this.#tell(`${Math.round(ms / 1_000)} seconds pass.`);
    this.scheduler.pass(ms);
  }

  async #applyIn(person: number, trouble: Trouble, at: number, random: Random): Promise<void> {
    const clone = this.#person(person);
    const [ran, other] = await this.#suffer(clone, trouble, at, random);
    this.#tell(
      `Person ${person} applies (${trouble}): ${endTold(ran)}${other ? `, and the other run: ${endTold(other)}` : ""}.`,
    );
    this.scheduler.pass(other === undefined ? 0 : SETTLE_MS);
    this.#check(clone, ran);
    if (this.#history.people > 1 && !isDone(ran)) await this.#calm(person);
  }

  /** Somebody holds posts. The line is on the main branch at once, and the lockfile only in the clone. */
  async #hold(person: number, what: Held, trouble: Trouble, random: Random): Promise<void> {
    this.#pull(person);
    const clone = this.#person(person);
    const before = clone.disk.text(`/p/${HOLDS}`) ?? "";
    const [ran] = await this.#suffer(clone, trouble, 5, random, [
      "hold",
      ...HELD[what],
      "--reason",
      "Stop",
      "--yes",
    ]);
    this.#tell(`Person ${person} holds ${what}: ${endTold(ran)}.`);
    const holds = clone.disk.text(`/p/${HOLDS}`) ?? "";
    const id = /"hold":"([^"]+)"/.exec(holds.slice(before.length))?.[1];
    if (id !== undefined) {
      this.#holds.set(id, { what, names: new Set() });
      this.#commits.push({ ...this.#commit(clone.at), holds });
      clone.at = this.#commits.length - 1;
    }
    this.#noteHeld(clone);
    this.#isInStep = false;
    this.#check(clone, { ...ran, code: ran.code === 0 ? 1 : ran.code });
    // Nobody leaves in the middle of a hold, and another person may act next.
    if (this.#history.people > 1) await this.#calm(person);
    this.scheduler.pass(this.#history.traits.listLagMs);
  }

  /** Somebody merges the release of a hold, and a job applies it. */
  async #release(person: number, index: number): Promise<void> {
    const id = [...this.#holds.keys()][index % Math.max(1, this.#holds.size)];
    if (id === undefined) return;
    this.#push(person);
    const ran = await this.#run(this.#person(person), ["release", id, "--yes"], new Random(1), {});
    this.#tell(`Person ${person} releases ${id}: ${endTold(ran)}.`);
    if (ran.code !== 0) throw new Violation("a hold can be released", ran.stderr);
    this.#holds.delete(id);
    this.#push(person);
    this.#releasedAt = this.#commits.length - 1;
    if (this.#history.people === 1) return;
    this.scheduler.pass(SETTLE_MS + this.#history.traits.listLagMs);
    await this.#oldJob(0, new Random(index));
    this.#releasedAt = this.#commits.length - 1;
    for (const each of this.#clones.keys()) this.#pull(each);
  }

  /** The rows that are held, as far as a clone knows. */
  #heldNames({ disk }: Clone, rows: readonly Row[]): ReadonlySet<string> {
    const text = disk.text(`/p/${HOLDS}`) ?? "";
    const what = [...this.#holds].flatMap(([id, hold]) => (text.includes(id) ? hold.what : []));
    return new Set(rows.filter((row) => what.some((each) => isHeld(row, each))).map(({ name }) => name));
  }

  /** Remembers the rows that are held, and that their posts may be gone. */
  #noteHeld(clone: Clone): void {
    for (const { what, names } of this.#holds.values())
      for (const row of clone.rows) if (isHeld(row, what)) names.add(row.name);
    const held = this.#heldNames(clone, clone.rows);
    this.#standing = this.#standing.filter(({ name }) => !held.has(name));
  }

  async #suffer(
    clone: Clone,
    trouble: Trouble,
    at: number,
    random: Random,
    args = APPLY,
  ): Promise<readonly [Ran, Ran?]> {
    const apply = (limits: Limits): Promise<Ran> => this.#run(clone, args, random, limits);
    switch (trouble) {
      case "none":
        return [await apply({})];
      case "network":
        return [await apply({ isTroubled: true })];
      case "kill":
        return [await apply({ diesAt: at })];
      case "kill after a write":
        return [await apply({ diesAfterWrite: 1 + (at % 12) })];
      case "power": {
        const ran = await apply(at % 2 === 0 ? { diesAt: at } : { diesAfterWrite: 1 + (at % 24) });
        if (ran.code === null) clone.disk.losePower();
        return [ran];
      }
      case "stop":
        return [await apply({ stopsAt: at })];
      case "cut list":
        // It notices one wrong list of a run, but not two equal ones.
        this.service.cutLists = this.#isInStep || this.#standing.length > 0 ? 1 : 0;
        return [await apply({})];
      case "two at once":
        return Promise.all([apply({}), apply({})]);
      case "storm": {
        const ran = await apply({ isTroubled: true, isDiskTroubled: true, diesAt: at * 2 });
        if (ran.code === null && random.percent(50)) clone.disk.losePower();
        return [ran];
      }
      case "disk":
        return [await apply({ isDiskTroubled: true })];
    }
  }

  async #run(clone: Clone, args: readonly string[], random: Random, limits: Limits): Promise<Ran> {
    this.#boots += 1;
    this.runs += 1;
    const { scheduler, service } = this;
    const process = new Process(1_000 + this.#boots);
    const prefix = `/m${this.#boots}`;
    const { disk } = clone;
    if (limits.isDiskTroubled === true) disk.trouble = { ...SOUND, fails: 15, full: 15 };
    process.diesAt = limits.diesAt ?? Number.POSITIVE_INFINITY;
    process.stopsAt = limits.stopsAt ?? Number.POSITIVE_INFINITY;
    const unmount = mountMachine(prefix, machineFor(prefix, { disk, scheduler, process, random }));
    const told = { stdout: "", stderr: "", beganMs: scheduler.now };
    let ended: Ran | undefined;
    const onEvent = (text: string): void => {
      this.#tell(`  ${prefix.slice(1)} ${text}`);
      if (limits.diesAfterWrite === undefined || text.startsWith("GET")) return;
      process.diesAt = Math.min(process.diesAt, process.steps + limits.diesAfterWrite);
    };
    const network = new Network({
      scheduler,
      process,
      service,
      random,
      isTroubled: limits.isTroubled === true,
      onEvent,
    });
    scheduler.living.add(process.pid);
    process.onDeath = () => {
      this.#tell(`  ${prefix.slice(1)} dies.`);
      ended = { code: null, ...told };
    };
    const shell = shellFor({ prefix, told, process, network, random, scheduler });
    void main(args, shell).then(
      (code) => (ended ??= { code, ...told }),
      (error: unknown) => (ended ??= { code: 1, ...told, stderr: `internal/fault ${String(error)}` }),
    );
    const [known, { writes }] = [service.posts.length, service];
    await scheduler.until(() => ended !== undefined);
    for (const { id } of service.posts.slice(known)) this.#fresh.set(id, { owner: clone, at: Infinity });
    if (service.writes > writes) this.#wrote.set(clone, scheduler.now);
    process.isDead = true;
    scheduler.living.delete(process.pid);
    unmount();
    disk.trouble = { ...SOUND, lies: disk.trouble.lies };
    service.cutLists = 0;
    if (ended === undefined) throw new Error("A run did not end.");
    return ended;
  }

  /** Compares the service with what the run may have left. */
  #check(clone: Clone, ran: Ran): void {
    this.#noteHeld(clone);
    // Shortly after a run of another clone, a list may still show what it has replaced.
    const known = ran.beganMs - this.#history.traits.listLagMs;
    const isStale = [...this.#wrote].some(([by, at]) => by !== clone && at > known);
    const isCalm = isDone(ran) && !isStale;
    const missing = isCalm ? missingIn(ran.stdout) : new Set<string>();
    const names = new Set(clone.rows.map(({ name }) => name));
    const wantedBack = [...this.#removed]
      .filter(([, removal]) => clone.settled.has(removal))
      .map(([name]) => name);
    for (const name of wantedBack)
      if (this.service.live().some((post) => rowNameIn(post) === name)) this.#removed.delete(name);
    const moment: Moment = {
      service: this.service,
      nowMs: this.scheduler.now,
      rows: clone.rows,
      code: ran.code,
      stderr: ran.stderr,
      isDone: isDone(ran),
      isCalm,
      standing: this.#standing,
      removed: new Set(this.#removed.keys()),
      missing,
      held: this.#heldNames(clone, clone.rows),
      mayBeMissing: (name) => this.#mayBeMissing(name),
      unknown: new Set(
        [...this.#fresh].flatMap(([id, { owner, at }]) => (owner === clone || clone.at >= at ? [] : [id])),
      ),
      isReverted: this.#isReverted || this.#history.people > 1,
    };
    for (const [guarantee, check] of Object.entries(GUARANTEES)) {
      const [wrong] = check(moment);
      if (wrong === undefined) continue;
      for (const line of `${ran.stdout}${ran.stderr}`.split("\n").filter(Boolean).slice(0, 12))
        this.#tell(`    ${line}`);
      throw new Violation(guarantee, wrong);
    }
    if (!isCalm) return;
    const settled = [...this.#removed].flatMap(([name, removal]) => (names.has(name) ? [] : [removal]));
    clone.settled = new Set([...clone.settled, ...settled]);
    if (this.#history.people === 1)
      for (const name of this.#removed.keys()) if (!names.has(name)) this.#removed.delete(name);
    this.#isInStep = true;
    this.#standing = clone.rows.filter(
      (row) =>
        row.dueMs > this.scheduler.now + SETTLE_MS &&
        !missing.has(row.name) &&
        !this.#removed.has(row.name) &&
        !moment.held.has(row.name) &&
        this.#clones.every(({ rows }) => rows.some((each) => isSame(each, row))),
    );
  }

  /** Without ids, a row may be the new version of another one. */
  #mayBeMissing(name: string): boolean {
    const gone = new Set([...this.#holds.values()].flatMap(({ names }) => [...names]));
    return this.#history.hasIds ? gone.has(name) : gone.size + this.#removed.size > 0;
  }

  /** Applies until nothing is left to do, or only a person can decide. */
  async #calm(person: number): Promise<void> {
    const clone = this.#person(person);
    for (let run = 0; run < MAX_CALM_RUNS; run += 1) {
      this.scheduler.pass(SETTLE_MS + this.#history.traits.listLagMs);
      const ran = await this.#run(clone, APPLY, new Random(run), {});
      this.#tell(`Person ${person} applies again: ${endTold(ran)}.`);
      this.#check(clone, ran);
      if (isDone(ran)) return;
      if (run === MAX_CALM_RUNS - 1) this.#tell(ran.stderr);
    }
    throw new Violation("runs end", `After ${MAX_CALM_RUNS} quiet runs, apply is still not done.`);
  }

  async #end(): Promise<void> {
    while (this.#holds.size > 0) await this.#release(0, 0);
    if (this.#history.people > 1)
      for (const person of [0, 1, 0, 1]) {
        this.#push(person);
        await this.#calm(person);
        this.#push(person);
      }
    this.#pull(0);
    await this.#calm(0);
    const { writes } = this.service;
    await this.#calm(0);
    if (this.service.writes !== writes)
      throw new Violation("a run that is done changes nothing again", "It wrote again.");
  }

  /** Like `git pull` with plancast's merge driver. Of a row that both changed, theirs counts. */
  #pull(person: number): void {
    const clone = this.#person(person);
    const base = this.#commit(clone.at);
    const theirs = this.#commit(this.#commits.length - 1);
    const merged = mergedText(base.lockfile, clone.disk.text(`/p/${LOCKFILE}`) ?? "", theirs.lockfile);
    clone.settled = new Set([...clone.settled, ...theirs.settled]);
    clone.at = this.#commits.length - 1;
    if (merged !== "") clone.disk.put(`/p/${LOCKFILE}`, merged);
    clone.disk.put(`/p/${HOLDS}`, withLines(theirs.holds, clone.disk.text(`/p/${HOLDS}`) ?? ""));
    this.#change(clone, mergedRows(base.rows, clone.rows, theirs.rows));
  }

  #push(person: number): void {
    this.#pull(person);
    const clone = this.#person(person);
    this.#commits.push({
      rows: clone.rows,
      lockfile: clone.disk.text(`/p/${LOCKFILE}`) ?? "",
      holds: clone.disk.text(`/p/${HOLDS}`) ?? "",
      settled: clone.settled,
    });
    this.#publish(clone);
    clone.at = this.#commits.length - 1;
    this.#tell(`Person ${person} pulls and pushes.`);
  }

  /** Whoever pulls the newest commit knows the posts of a clone. */
  #publish(clone: Clone): void {
    for (const [id, { owner, at }] of this.#fresh)
      if (owner === clone && at === Infinity) this.#fresh.set(id, { owner, at: this.#commits.length - 1 });
  }

  /** A job runs again on an old commit. Its lockfile goes to the branch. */
  async #oldJob(back: number, random: Random): Promise<void> {
    const at = Math.max(1, this.#releasedAt, this.#commits.length - 1 - back);
    const { rows, lockfile, settled } = this.#commit(at);
    if (lockfile === "") return;
    const clone: Clone = { disk: new Disk(random, () => this.scheduler.now), rows, at, settled };
    clone.disk.put(`/p/${LOCKFILE}`, lockfile);
    clone.disk.put(`/p/${HOLDS}`, this.#commit(this.#commits.length - 1).holds);
    this.#save(clone);
    const before = this.service.live().map(rowNameIn);
    const ran = await this.#run(clone, APPLY, random, {});
    this.#tell(`A job applies an old commit: ${endTold(ran)}.`);
    // An old commit may lack rows that came back since. Its job may cancel their posts.
    const after = new Set(this.service.live().map(rowNameIn));
    // What it cancels for a hold comes back with the release.
    const held = this.#heldNames(clone, [...rows, ...this.#commit(this.#commits.length - 1).rows]);
    for (const name of before) if (!after.has(name) && !held.has(name)) this.#remove(name);
    this.#standing = [];
    this.#check(clone, ran);
    const newest = this.#commit(this.#commits.length - 1);
    const merged = mergedText(lockfile, clone.disk.text(`/p/${LOCKFILE}`) ?? "", newest.lockfile);
    if (merged !== newest.lockfile) this.#commits.push({ ...newest, lockfile: merged });
    this.#publish(clone);
  }

  /** Does what the page excludes. */
  async #makeException(step: Extract<Step, { person: number; row: number }>, random: Random): Promise<void> {
    const clone = this.#person(step.person);
    this.#tell(`Exception: ${step.do}.`);
    switch (step.do) {
      case "late list":
      case "rewritten text":
        return this.#applyIn(step.person, "network", 0, random);
      case "equal short lists":
        if (clone.disk.find(`/p/${LOCKFILE}`) !== undefined) clone.disk.remove(`/p/${LOCKFILE}`);
        this.service.cutLists = 10;
        return this.#check(clone, await this.#run(clone, APPLY, random, {}));
      case "same post by hand": {
        const row = this.#editable(clone, step.row);
        if (row)
          this.service.add({
            content: contentOf(row),
            platforms: ["linkedin"],
            dueMs: row.dueMs,
            madeBy: "hand",
          });
        return;
      }
      case "lost state":
        this.#edit(clone, step.row, "both", random);
        await this.#run(clone, APPLY, random, { diesAfterWrite: 1 + random.below(8) });
        for (const name of [LOCKFILE, `.plancast/${LOCKFILE}.journal`])
          if (clone.disk.find(`/p/${name}`) !== undefined) clone.disk.remove(`/p/${name}`);
        return this.#edit(clone, step.row, "both", random);
      case "left in the middle":
        this.#edit(clone, step.row, "time", random);
        await this.#run(clone, APPLY, random, { diesAfterWrite: 1 + random.below(8) });
        return this.scheduler.pass(400 * HOUR_MS);
      case "two machines": {
        const disk = new Disk(random, () => this.scheduler.now);
        const lockfile = clone.disk.text(`/p/${LOCKFILE}`);
        if (lockfile !== undefined) disk.put(`/p/${LOCKFILE}`, lockfile);
        const other: Clone = { ...clone, disk };
        this.#save(other);
        const [ran] = await Promise.all([
          this.#run(clone, APPLY, random, {}),
          this.#run(other, APPLY, random, {}),
        ]);
        return this.#check(clone, ran);
      }
      case "lying disk":
        clone.disk.trouble = { ...SOUND, lies: true };
        await this.#run(clone, APPLY, random, { diesAfterWrite: 1 + random.below(40) });
        return clone.disk.losePower();
      case "quick hold":
        this.#edit(clone, step.row, "both", random);
        await this.#run(clone, APPLY, random, {});
        return this.#hold(step.person + 1, "all", "none", random);
      case "old clone":
        this.#edit(clone, step.row, "both", random);
        await this.#run(clone, APPLY, random, {});
        return;
      default:
        return;
    }
  }
}

interface Limits {
  readonly isTroubled?: boolean;
  readonly isDiskTroubled?: boolean;
  /** Its process dies at this event. */
  readonly diesAt?: number;
  /** Its process dies so many events after the service got something to write. */
  readonly diesAfterWrite?: number;
  readonly stopsAt?: number;
}

const APPLY = ["apply", "--yes"];

const SETTINGS = `timezone: UTC
columns: { team: ignore }
service:
  url: https://service.example/v1
safety:
  max_cancels: 1000
  max_cancel_percent: 100
`;

function isDone({ code, stderr }: Ran): boolean {
  const errors = [...stderr.matchAll(/^error (\S+)/gm)].map(([, named]) => named);
  return code === 0 || (code === 1 && errors.length > 0 && errors.every((each) => each === "apply/missing"));
}

function endTold({ code, stderr }: Ran): string {
  if (code === null) return "it dies";
  const [reason] = /\b[a-z]+\/[a-z-]+\b/.exec(stderr) ?? [];
  return code === 0 ? "exit 0" : `exit ${code}, ${reason ?? ""}`;
}

/** The names of the rows that a run calls missing. */
function missingIn(stdout: string): ReadonlySet<string> {
  return new Set(
    [...stdout.matchAll(/^ *! \d\d:\d\d .*\n *│ (.*)$/gm)].map(([, content = ""]) => rowNameIn({ content })),
  );
}

function told(row: Row): string {
  return `${contentOf(row)} at ${new Date(row.dueMs).toISOString().slice(5, 16).replace("T", " ")}`;
}

function traitsTold({ traits }: History): string {
  return Object.entries(traits)
    .filter(([, value]) => value !== 0 && value !== false && value !== 600)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}

function isSame(one: Row, other: Row): boolean {
  return one.name === other.name && one.version === other.version && one.dueMs === other.dueMs;
}

function teamOf({ name }: Row): number {
  return name.charCodeAt(0) % 2;
}

const HELD_DAYS_END = Date.UTC(2036, 0, 5);

function isHeld(row: Row, what: Held): boolean {
  return what === "all" || (what === "team" ? teamOf(row) === 1 : row.dueMs < HELD_DAYS_END);
}

/** As git's merge driver `union` merges it. */
function withLines(theirs: string, ours: string): string {
  const known = new Set(theirs.split("\n"));
  return (
    theirs +
    ours
      .split("\n")
      .flatMap((line) => (known.has(line) ? [] : `${line}\n`))
      .join("")
  );
}

/** As git merges it. */
function mergedText(base: string, ours: string, theirs: string): string {
  if (ours === base) return theirs;
  return theirs === base || theirs === ours
    ? ours
    : lockfileText(mergeVersions({ base, ours, theirs }).lockfile);
}

function find(rows: readonly Row[], name: string): Row | undefined {
  return rows.find((each) => each.name === name);
}

function mergedRows(base: readonly Row[], ours: readonly Row[], theirs: readonly Row[]): readonly Row[] {
  const added = [...theirs, ...ours].filter(({ name }) => find(base, name) === undefined);
  const kept = base.flatMap((before) => {
    const [mine, other] = [find(ours, before.name), find(theirs, before.name)];
    const isTheirs = other === undefined || !isSame(other, before);
    return (isTheirs ? other : mine) ?? [];
  });
  return [
    ...kept,
    ...added.filter(({ name }, index) => added.findIndex((each) => each.name === name) === index),
  ];
}

interface ShellUse {
  readonly prefix: string;
  readonly told: { stdout: string; stderr: string };
  readonly process: Process;
  readonly network: Network;
  readonly random: Random;
  readonly scheduler: Scheduler;
}

function shellFor({ prefix, told, process, network, random, scheduler }: ShellUse): Shell {
  return {
    stdout: { write: (text) => void (told.stdout += text), isTerminal: false, columns: 100 },
    stderr: { write: (text) => void (told.stderr += text), isTerminal: false, columns: 100 },
    env: {
      PLANCAST_BASE_URL: "https://service.example/v1",
      PLANCAST_API_KEY: "sk_simulated",
      HOME: `${prefix}/home`,
    },
    cwd: `${prefix}/p`,
    node: { version: "22.0.0", zones: "2026a" },
    clock: scheduler.clockOf(process),
    random: () => random.next() / 2 ** 32,
    randomBytes: (bytes) => random.bytes(bytes),
    connections: network,
    stop: process.stop.signal,
    isInteractive: false,
    answered: new Map(),
    confirm: async () => false,
    ask: async () => undefined,
    input: () => Readable.from([]),
    abandoned: () => new Promise(() => undefined),
    prepareForLongRun: () => undefined,
  };
}

/** What is outside of the machines: an empty disk. A dead process waits forever. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing but these is used outside of a machine
const NO_MACHINE = new Proxy(
  {},
  {
    get: (_, operation) => {
      if (operation === "pid") return 1;
      if (operation === "holdsFolders") return false;
      if (operation === "hasProcess") return () => false;
      if (operation === "randomBytes") return (bytes: number) => new Uint8Array(bytes);
      return (path: unknown) => {
        if (String(path).startsWith("/m")) return new Promise(() => undefined);
        if (path === "/")
          return Promise.resolve({ dev: 1, ino: 1, isSymbolicLink: () => false, isDirectory: () => true });
        return Promise.reject(Object.assign(new Error(`ENOENT, ${String(path)}`), { code: "ENOENT" }));
      };
    },
  },
) as Machine;
