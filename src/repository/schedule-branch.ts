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
import { type Schedule, SCHEDULE_FILE, parseSchedule, scheduleText } from "./schedule.ts";
import { readable } from "./trusted-schedule.ts";

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

  get #path(): string {
    return this.#folder + SCHEDULE_FILE;
  }

  /** The newest pushed schedule. Throws a Failure if it cannot be fetched, or plancast did not write it. */
  async read(): Promise<PushedSchedule> {
    const { git, branch } = this.#options;
    const tip = await fetchTip(git, branch);
    return this.#pushed(await textAt(git, tip, this.#path), tip);
  }

  #pushed(text: string, tip: string): PushedSchedule {
    const { git, clock } = this.#options;
    const confirmed = async (): Promise<Schedule | undefined> => {
      const at = { commit: tip, folder: this.#folder };
      const files = await confirmedFiles(git, at, [SCHEDULE_FILE]);
      return files && readable((await files.read(SCHEDULE_FILE)) ?? "");
    };
    const holds = async (): Promise<readonly Hold[]> =>
      parseHolds(await textAt(git, tip, this.#folder + HOLDS_FILE));
    return { schedule: parseSchedule(text, clock.now()), confirmed, holds };
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
      const text = await textAt(git, tip, this.#path);
      const { schedule, message, value } = await change(this.#pushed(text, tip));
      const changed = scheduleText(schedule);
      if (changed === text || (text === "" && Object.keys(schedule.posts).length === 0)) return value;
      const files = new Map([[this.#path, changed]]);
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

  async #contains(tip: string, commit: string): Promise<boolean> {
    return (await this.#options.git.try(["merge-base", "--is-ancestor", commit, tip])).code === 0;
  }
}

function pushFailure(branch: string, stderr: string): Failure {
  return new Failure(
    "repository/push",
    `git cannot push ${SCHEDULE_FILE} to ${branch}: ${lastLines(stderr)}.`,
    "Give the job `permissions:` with `contents: write`. If the branch is protected, check out with a deploy key or an app that may push.",
  );
}
