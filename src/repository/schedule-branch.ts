/**
 * The schedule on the branch of the remote, which all runs share. A change counts only if its push is accepted, on top of
 * everything that others pushed. The checkout does not change.
 */

import type { Clock } from "../model/clock.ts";
import { Failure } from "../model/failure.ts";
import {
  type Git,
  commitFiles,
  fetchTip,
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
import { type Schedule, PUBLISHED_FILE, SCHEDULE_FILE, readable } from "./schedule.ts";

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

  private constructor(options: BranchOptions, folder: string) {
    this.#options = options;
    this.#folder = folder;
  }

  static async open(options: BranchOptions): Promise<ScheduleBranch> {
    return new ScheduleBranch(options, await folderInCommit(options.git));
  }

  /** The newest pushed schedule. Throws a Failure if it cannot be fetched, or plancast did not write it. */
  async read(): Promise<PushedSchedule> {
    const { git, branch } = this.#options;
    const tip = await fetchTip(git, branch);
    return this.#pushed(await this.#layersAt(tip), tip);
  }

  async #layersAt(tip: string): Promise<ScheduleLayers> {
    const { git, clock } = this.#options;
    const [schedule, published] = await Promise.all(
      [SCHEDULE_FILE, PUBLISHED_FILE].map((name) => textAt(git, tip, this.#folder + name)),
    );
    return parseLayers({ schedule: schedule ?? "", published: published ?? "" }, clock.now());
  }

  #pushed(layers: ScheduleLayers, tip: string): PushedSchedule {
    const { git } = this.#options;
    const confirmed = async (): Promise<Schedule | undefined> => {
      const at = { commit: tip, folder: this.#folder };
      const files = await confirmedFiles(git, at, [SCHEDULE_FILE]);
      return files && readable((await files.read(SCHEDULE_FILE)) ?? "");
    };
    const holds = async (): Promise<readonly Hold[]> =>
      parseHolds(await textAt(git, tip, this.#folder + HOLDS_FILE));
    return { schedule: joinLayers(layers), confirmed, holds };
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
      const tip = await fetchTip(git, branch);
      // The answer to a push may get lost.
      for (const { commit, value } of tip === before ? [] : tried)
        if (await this.#contains(tip, commit)) return value;
      const layers = await this.#layersAt(tip);
      const pushed = this.#pushed(layers, tip);
      const { schedule, message, value } = await change(pushed);
      if (schedule === pushed.schedule) return value;
      const files = this.#changedFiles(publishedTexts(schedule, layers, clock.now()), layers.texts);
      if (files.size === 0) return value;
      const commit = await commitFiles(git, files, { on: tip, parents: [tip], message });
      const { code, stderr } = await pushTo(git, commit, branch);
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
