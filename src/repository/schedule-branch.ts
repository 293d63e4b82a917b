/**
 * The schedule on the branch of the remote, which all runs share. A change counts only if its push is accepted, on top of
 * everything that others pushed. The checkout does not change.
 */

import { createHash } from "node:crypto";
import type { Clock } from "../model/clock.ts";
import { Failure } from "../model/failure.ts";
import {
  type Git,
  commitFiles,
  fetchWithRef,
  folderInCommit,
  lastLines,
  pushTo,
  textAt,
} from "../github/git-branch.ts";
import { confirmedFiles } from "../github/confirmed-files.ts";
import { type Hold, HOLDS_FILE, parseHolds } from "../model/holds.ts";
import {
  type ScheduleLayers,
  type ScheduleTexts,
  joinLayers,
  parseLayers,
  publishedTexts,
} from "./schedule-layers.ts";
import {
  type Schedule,
  PUBLISHED_FILE,
  SCHEDULE_FILE,
  isSameDecision,
  readable,
  withKeptResults,
} from "./schedule.ts";
import { getOwn } from "../model/lockfile.ts";

/** Pushes that others may win before plancast gives up. */
const MAX_RACES = 50;
/** Pushes that may fail although nobody else pushed. */
const MAX_FAILURES = 6;
/** Longest wait before a retry, in ms. */
const MAX_WAIT_MS = 2_000;

export interface BranchOptions {
  /** git in the project's folder. */
  readonly git: Git;
  readonly branch: string;
  readonly clock: Clock;
  readonly random: () => number;
}

/** The schedule as it is pushed. */
export interface PushedSchedule {
  readonly schedule: Schedule;
  /** What jobs have confirmed of it; undefined if all of it counts. */
  readonly confirmed: () => Promise<Schedule | undefined>;
  /** The holds on the branch. Throws a Failure if they cannot be read. */
  readonly holds: () => Promise<readonly Hold[]>;
}

/** A change, for a commit. */
export interface ScheduleChange<T> {
  readonly schedule: Schedule;
  readonly message: string;
  readonly value: T;
}

export class ScheduleBranch {
  readonly #options: BranchOptions;
  /** The project's, from the root of the repository. */
  readonly #folder: string;
  /** The newest commit of publish: a merge or a revert cannot change it. */
  readonly #published: string;

  private constructor(options: BranchOptions, folder: string) {
    this.#options = options;
    this.#folder = folder;
    const name = createHash("sha256")
      .update(JSON.stringify([options.branch, folder]))
      .digest("hex");
    this.#published = `refs/plancast/published-${name.slice(0, 16)}`;
  }

  static async open(options: BranchOptions): Promise<ScheduleBranch> {
    return new ScheduleBranch(options, await folderInCommit(options.git));
  }

  /** The newest pushed schedule. Throws a Failure if it cannot be fetched, or plancast did not write it. */
  async read(): Promise<PushedSchedule> {
    const { git, branch } = this.#options;
    const { tip, other } = await fetchWithRef(git, branch, this.#published);
    return this.#pushed(await this.#layersAt(tip), tip, other);
  }

  async #layersAt(tip: string): Promise<ScheduleLayers> {
    const [schedule, published] = await this.#textsAt(tip);
    return parseLayers({ schedule, published }, this.#options.clock.now());
  }

  /** @param last the newest commit of publish; undefined if nobody knows it */
  async #pushed(layers: ScheduleLayers, tip: string, last: string | undefined): Promise<PushedSchedule> {
    const { git } = this.#options;
    const confirmed = async (): Promise<Schedule | undefined> => {
      const at = { commit: tip, folder: this.#folder };
      const files = await confirmedFiles(git, at, [SCHEDULE_FILE]);
      return files && readable((await files.read(SCHEDULE_FILE)) ?? "");
    };
    const holds = async (): Promise<readonly Hold[]> =>
      parseHolds(await textAt(git, tip, this.#folder + HOLDS_FILE));
    return { schedule: await this.#withResultsAt(last, joinLayers(layers)), confirmed, holds };
  }

  /** A schedule with the results that publish pushed last, if somebody has removed them since then. */
  async #withResultsAt(last: string | undefined, schedule: Schedule): Promise<Schedule> {
    if (last === undefined) return schedule;
    const [first, second] = await this.#textsAt(last);
    const before = joinLayers({ schedule: readable(first), published: readable(second) });
    const changed = Object.entries(schedule.posts).flatMap(([id, post]) => {
      const known = getOwn(before.posts, id);
      if (known === undefined || !isSameDecision(known, post)) return [];
      const whole = withKeptResults(post, known, true);
      return whole === post ? [] : [[id, whole] as const];
    });
    if (changed.length === 0) return schedule;
    return { ...schedule, posts: { ...schedule.posts, ...Object.fromEntries(changed) } };
  }

  async #textsAt(commit: string): Promise<readonly [schedule: string, published: string]> {
    const { git } = this.#options;
    const at = (name: string): Promise<string> => textAt(git, commit, this.#folder + name);
    return [await at(SCHEDULE_FILE), await at(PUBLISHED_FILE)];
  }

  /**
   * Pushes a change of the newest schedule. Throws a Failure if the push is not accepted; then the change did not
   * happen, or nobody but this run acts on it.
   * @param change called again for each new version of the schedule
   */
  async update<T>(change: (pushed: PushedSchedule) => Promise<ScheduleChange<T>>): Promise<T> {
    const { git, branch, clock, random } = this.#options;
    const tried: { readonly commit: string; readonly value: T }[] = [];
    let before: string | undefined;
    for (let races = 0, failures = 0; ;) {
      const { tip, other } = await fetchWithRef(git, branch, this.#published);
      // The answer to a push may get lost.
      for (const { commit, value } of tip === before ? [] : tried)
        if (await this.#contains(tip, commit)) return value;
      const layers = await this.#layersAt(tip);
      const pushed = await this.#pushed(layers, tip, other);
      const { schedule, message, value } = await change(pushed);
      if (schedule === pushed.schedule) return value;
      const files = this.#changedFiles(publishedTexts(schedule, layers, clock.now()), layers.texts);
      if (files.size === 0) return value;
      const commit = await commitFiles(git, files, { on: tip, parents: [tip], message });
      const { code, stderr } = await pushTo(git, commit, branch, this.#published);
      if (code === 0) return value;
      tried.push({ commit, value });
      if (tip === before) failures += 1;
      else races += 1;
      before = tip;
      if (failures === MAX_FAILURES || races === MAX_RACES) throw pushFailure(branch, stderr);
      await clock.sleep(random() * MAX_WAIT_MS);
    }
  }

  /** The texts that differ, by path. */
  #changedFiles(now: ScheduleTexts, before: ScheduleTexts): ReadonlyMap<string, string> {
    const files = new Map<string, string>();
    if (now.schedule !== before.schedule) files.set(this.#folder + SCHEDULE_FILE, now.schedule);
    if (now.published !== before.published) files.set(this.#folder + PUBLISHED_FILE, now.published);
    return files;
  }

  async #contains(tip: string, commit: string): Promise<boolean> {
    return (await this.#options.git.try(["merge-base", "--is-ancestor", commit, tip])).code === 0;
  }
}

function pushFailure(branch: string, stderr: string): Failure {
  return new Failure(
    "repository/push",
    `git cannot push the schedule to ${branch}: ${lastLines(stderr)}.`,
    "Give the job `permissions:` with `contents: write`. If the branch is protected, check out with a deploy key or an app that may push.",
  );
}
