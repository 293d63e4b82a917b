/** Does to a project what a mixture says, waits until nothing changes any more, and checks the posts on the service. */
import { existsSync } from "node:fs";
import { expect } from "vitest";
import type { Fault, Matcher } from "../support/foreign/faults.ts";
import type { StoredPost } from "../support/foreign/post-book.ts";
import { isLyingList } from "./all-faults.ts";
import { calendarFiles, wantedOf } from "./calendar-model.ts";
import { ChaosWorld, SETTLE_MS, missingIn, type Ran } from "./chaos-world.ts";
import { EditedRows } from "./edited-rows.ts";
import type { Figures } from "./figures.ts";
import { checkNone, violations, violationsMeanwhile } from "./invariants.ts";
import type { Disaster, Mixture, Round } from "./random-mixture.ts";

const LOCKFILE = "plancast.lock.json";
const JOURNAL = ".plancast/plancast.lock.json.journal";
const KEYS = 16;

/** Throws when the promise is broken. */
export async function runMixture(mixture: Mixture, figures: Figures): Promise<void> {
  const { service } = mixture;
  // After a lost lockfile, a list of exactly ten posts stops the run, until the project sets the service's largest
  // page.
  const settings = { list_limit: service.refuseLimitAbove ?? 1_000 };
  const world = await ChaosWorld.start({ service, keys: KEYS, settings });
  try {
    await new Course(world, mixture, figures).run();
  } finally {
    figures.count("requests", world.service.requests.length);
    await world.close();
  }
}

class Course {
  readonly #world: ChaosWorld;
  readonly #mixture: Mixture;
  readonly #figures: Figures;
  readonly #rows: EditedRows;
  readonly #foreign: readonly StoredPost[];
  /** Calendars that are on disk. */
  #files: readonly string[] = [];
  /** The content of rows at the last apply that ended with 0, for rows that have not changed since. */
  #stands = new Set<string>();
  /** There was no edit since an apply ended with 0, so everything is on the service. */
  #isInStep = false;
  /** Files were lost. Until an apply ends with 0, lists must not hide posts, because plancast could not notice it. */
  #isBlind = false;
  /** Somebody cancelled posts. Until an apply ends with 0, no list may be old, because it would still show them. */
  #hasVanished = false;
  #olderLockfiles: string[] = [];
  #traced = 0;

  constructor(world: ChaosWorld, mixture: Mixture, figures: Figures) {
    this.#world = world;
    this.#mixture = mixture;
    this.#figures = figures;
    this.#rows = new EditedRows(mixture.rows);
    this.#foreign = Array.from({ length: mixture.foreign }, (_, index) =>
      world.service.addForeignPost({
        content: `Somebody else's ${index}`,
        scheduled_at: `2036-03-0${index + 1}T09:00:00Z`,
      }),
    );
  }

  async run(): Promise<void> {
    await this.#writeCalendars();
    for (const round of this.#mixture.rounds) {
      await this.#round(round);
    }
    await this.#calm();
    const planned = await this.#world.planned();
    const { foreign } = this.#mixture;
    expect(planned).toEqual({ keep: this.#rows.rows.length, ...(foreign > 0 && { unmanaged: foreign }) });
  }

  async #round({ vanished, edits, loss, runs, isCalmAfter }: Round): Promise<void> {
    if (loss !== undefined && this.#isInStep) await this.#lose(loss);
    if (!this.#isBlind) this.#cancelByHand(vanished);
    if (!this.#isBlind && edits.length > 0) {
      for (const edit of edits) this.#rows.edit(edit);
      this.#trace(`${loss ?? ""} ${JSON.stringify(edits)}`, null, "");
      this.#isInStep = false;
      await this.#writeCalendars();
    }
    for (const { disaster, thenWaitMs } of runs) {
      this.#look(await this.#suffer(disaster), JSON.stringify(disaster));
      // Requests that were sent arrive before the settling time is over.
      await this.#world.service.whenQuiet();
      this.#checkMeanwhile();
      this.#world.clock.advance(thenWaitMs);
    }
    if (isCalmAfter) await this.#calm();
  }

  async #suffer(disaster: Disaster): Promise<Ran> {
    const { service } = this.#world;
    this.#figures.count("commands");
    switch (disaster.kind) {
      case "kill": {
        const ran = await this.#world.applyAndDie(disaster.step);
        if (ran.code === null) this.#figures.count("kills");
        return ran;
      }
      case "stop": {
        const stop = new AbortController();
        service.faults.at(disaster.at, { kind: "run-after", run: () => stop.abort() });
        const ran = await this.#world.apply({ stop: stop.signal });
        if (service.faults.waiting === 0) this.#figures.count("stops");
        service.faults.clear();
        return ran;
      }
      case "faults": {
        const told = believable(disaster.faults, this.#isBlind || this.#hasVanished);
        for (const { at, fault } of told) service.faults.at(at, fault, victimsOf(fault, at));
        const ran = await this.#world.apply();
        this.#figures.count("faults", told.length - service.faults.waiting);
        service.faults.clear();
        const wasRevoked = told.some(({ fault }) => fault === "unauthorized-from-now-on");
        if (wasRevoked) this.#world.useNextKey();
        return ran;
      }
    }
  }

  /** A post that somebody else cancels is missing until an apply creates it again. */
  #cancelByHand(count: number): void {
    const { service } = this.#world;
    const own = service.scheduled().filter(({ madeBy }) => madeBy === "api");
    const gone = new Set(own.slice(0, count).map(({ id }) => service.cancelByHand(id).content));
    this.#figures.count("vanished", gone.size);
    if (gone.size > 0) [this.#isInStep, this.#hasVanished] = [false, true];
    this.#stands = new Set([...this.#stands].filter((text) => !gone.has(contentOf(text))));
  }

  #look({ code, stdout, stderr }: Ran, what: string): void {
    if (missingIn({ code, stdout, stderr }) !== undefined) this.#figures.count("guard stops");
    this.#trace(what, code, stdout);
    if (/internal\/fault/.test(stdout + stderr)) throw new Error(`exit ${code}\n${stderr}`);
    if (code === 0) this.#ended();
  }

  /** An apply ended with 0: the promise must hold. */
  #ended(): void {
    const found = violations(this.#world.service, wantedOf(this.#rows.rows), this.#foreign);
    this.#figures.countViolations(found);
    checkNone(found, "in the end");
    this.#isInStep = true;
    this.#isBlind = false;
    this.#hasVanished = false;
    this.#stands = new Set(this.#texts());
  }

  async #calm(): Promise<void> {
    this.#figures.count("commands", await this.#world.converge());
    this.#trace("calm", 0, "");
    this.#ended();
    const lockfile = await this.#world.project.read(LOCKFILE);
    this.#olderLockfiles.push(lockfile);
  }

  /** To investigate a failure: the requests to the service and their results. */
  #trace(what: string, code: number | null, stdout: string): void {
    if (process.env["CHAOS_TRACE"] !== "1") return;
    const { requests } = this.#world.service;
    const asked = requests.slice(this.#traced).map(({ method, path, status, fault }) => {
      const struck = fault === undefined ? "" : ` ${JSON.stringify(fault)}`;
      return `  ${method} ${path} ${status ?? "-"}${struck}`;
    });
    this.#traced = requests.length;
    const outcomes = [...stdout.matchAll(/"(?:key|action|status|post_id)": "([^"]*)"/g)].map(
      (match) => match[1],
    );
    process.stdout.write(`${what}: exit ${code}\n${asked.join("\n")}\n  ${outcomes.join(" ")}\n`);
  }

  #checkMeanwhile(): void {
    const standing = wantedOf(this.#rows.rows).filter((post) => this.#stands.has(JSON.stringify(post)));
    checkNone(violationsMeanwhile(this.#world.service, standing, this.#foreign), "meanwhile");
  }

  #texts(): string[] {
    return wantedOf(this.#rows.rows).map((post) => JSON.stringify(post));
  }

  async #writeCalendars(): Promise<void> {
    const { project } = this.#world;
    const files = calendarFiles(this.#rows.rows);
    for (const old of this.#files.filter((path) => !Object.hasOwn(files, path))) {
      await project.remove(old);
    }
    for (const [path, contents] of Object.entries(files)) {
      await project.write(path, contents);
    }
    this.#files = Object.keys(files).filter((path) => path.startsWith("calendars/"));
    const said = new Set(this.#texts());
    this.#stands = new Set([...this.#stands].filter((text) => said.has(text)));
  }

  async #lose(loss: NonNullable<Round["loss"]>): Promise<void> {
    const { project, clock } = this.#world;
    const [older] = this.#olderLockfiles;
    if (loss.startsWith("older") && older === undefined) return;
    this.#figures.count("files lost");
    this.#isBlind = true;
    clock.advance(SETTLE_MS);
    const drop = async (path: string): Promise<void> => {
      if (existsSync(`${project.root}/${path}`)) await project.remove(path);
    };
    if (loss !== "lockfile" && loss !== "older lockfile") await drop(JOURNAL);
    if (loss === "lockfile" || loss === "both") await drop(LOCKFILE);
    if (loss.startsWith("older") && older !== undefined) await project.write(LOCKFILE, older);
  }
}

/** Of a post that must be scheduled, as text. */
function contentOf(text: string): string {
  const { content }: { content: string } = JSON.parse(text);
  return content;
}

/** If a service says twice that a post does not exist, plancast believes it until the next list. */
function victimsOf(fault: Fault, at: number): Matcher {
  const isDenial = typeof fault === "object" && fault.kind === "refused" && fault.code === "not_found";
  return isDenial ? { method: at % 2 === 0 ? "DELETE" : "POST" } : {};
}

type Faults = Extract<Disaster, { kind: "faults" }>["faults"];

/** Leaves out faults that look exactly like a correct answer. */
function believable(faults: Faults, isBlind: boolean): Faults {
  // plancast notices one wrong list, but not two equal ones in one run, and none if it knows nothing else.
  const [firstLie] = faults.filter(({ fault }) => isLyingList(fault));
  const revoked = faults.find(({ fault }) => fault === "unauthorized-from-now-on");
  return faults.filter((each) => {
    // A service that refuses every request never answers that it did them.
    if (revoked !== undefined && each !== revoked && each.at >= revoked.at) return false;
    return !isLyingList(each.fault) || (!isBlind && each === firstLie);
  });
}
