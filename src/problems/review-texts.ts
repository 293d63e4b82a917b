/** The sentences for a plan that is not, or no longer, the one that people reviewed. */

/** What differs between a saved plan and the one that would be done now. Changes are named as `action key`, or `action file:line`. */
export interface PlanDifference {
  readonly gone: readonly string[];
  readonly added: readonly string[];
  /** Changes that were in the saved plan, but with other contents. */
  readonly changed: readonly string[];
  /** Files with other contents. */
  readonly files: readonly string[];
  /** The same plan, but a guard would stop it that did not stop the saved one. */
  readonly isStoppedByGuard: boolean;
}

const MAX_NAMED = 5;

export function planChangedText({ gone, added, changed, files, isStoppedByGuard }: PlanDifference): string {
  const parts = [
    ...(isStoppedByGuard ? ["a guard would stop it that did not stop it then"] : []),
    ...(gone.length > 0 ? [`no longer to do: ${listSome(gone)}`] : []),
    ...(added.length > 0 ? [`to do now: ${listSome(added)}`] : []),
    ...(changed.length > 0 ? [`changed since the plan was saved: ${listSome(changed)}`] : []),
    ...(files.length > 0 ? [`another file than was reviewed: ${listSome(files)}`] : []),
  ];
  const what = parts.join("; ") || `the same changes, but ${INPUTS_CHANGED}`;
  return `The saved plan is no longer what would be done: ${what}. Nothing was changed.`;
}

const INPUTS_CHANGED = "a row, the lockfile or the service's posts are not as they were";

function listSome(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return names.slice(0, MAX_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** What is to be done and was in no reviewed plan. */
export interface UnreviewedChange {
  /** As `action key`, `action file:line`, or `upload path`. */
  readonly name: string;
  /** Whether a change of that name was reviewed, but another one. */
  readonly isOtherVersion: boolean;
}

/** What a job is about to do, against what was reviewed on pull requests, which are named by their numbers. */
export interface Review {
  readonly seen: readonly number[];
  /** Plans that could not be read, and why, as a sentence. */
  readonly unread: readonly { readonly number: number; readonly why: string }[];
  readonly unreviewed: readonly UnreviewedChange[];
}

const MAX_UNREVIEWED = 10;

export function notReviewedText({ seen, unread, unreviewed }: Review): string {
  const shown = unreviewed
    .slice(0, MAX_UNREVIEWED)
    .map(({ name, isOtherVersion }) => (isOtherVersion ? `${name}, but not like this` : name));
  const more = unreviewed.length - MAX_UNREVIEWED;
  const names = [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
  const where = seen.map((number) => `#${number}`).join(", ");
  const what =
    seen.length === 0
      ? `No merged pull request has a plan${unread.length === 0 ? "" : " that can be read"}, and there is something to do: ${names}`
      : unreviewed.length === 0
        ? `The plan is not exactly the one that was reviewed (${where}): the same changes, but ${INPUTS_CHANGED}`
        : `Not in a plan that was reviewed (${where}): ${names}`;
  const skipped = unread.map(({ number, why }) => `The plan of #${number} counts as none. ${why}`);
  return [`${what}.`, ...skipped, "Nothing was changed."].join(" ");
}

/** @param hash of the plan that the job's inputs name */
export function otherPlanText(hash: string): string {
  return `The plan is no longer the one that the input plan names (${hash}): ${INPUTS_CHANGED}. Nothing was changed.`;
}

/** What to do where a job refuses its plan. */
export function reviewHint(hasUnread: boolean): string {
  return (
    (hasUnread ? "Run the job again, if a download failed. " : "") +
    "Read the plan in this run's summary. To apply just that one, run the workflow by hand, with the hash that stands there as `plan`; or make a pull request that shows it."
  );
}

/** What to do where a guard refuses the plan of a job, which takes inputs and no flags. */
export const GUARD_HINT_IN_JOBS =
  "Here `--allow-cancels` and `--allow-recreates` are the inputs `allow-cancels` and `allow-recreates`; or run the workflow by hand with this plan's hash as `plan`.";
