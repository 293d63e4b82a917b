/** Reasons to stop before cancelling. Each a small function; a new guard is a function and a line below. */
import type { Guard } from "../calendar/change.ts";
import type { Config } from "../calendar/config.ts";

export interface GuardInput {
  /** Posts to cancel, without the old halves of replacements. */
  readonly cancels: number;
  /** Owned posts that are scheduled. */
  readonly owned: number;
  /** Ready rows that the run is about. */
  readonly rows: number;
  readonly safety: Config["safety"];
  /** The count of cancels that a person has allowed, if any. */
  readonly allowCancels: number | undefined;
}

type GuardRule = (input: GuardInput) => Guard | undefined;

const tooManyCancels: GuardRule = ({ cancels, safety }) =>
  cancels > safety.max_cancels
    ? {
        code: "guard/too-many-cancels",
        message: `${countPosts(cancels)} would be cancelled; safety.max_cancels allows ${safety.max_cancels}. ${overrideHint(cancels)}`,
      }
    : undefined;

const tooManyCancelsPercent: GuardRule = ({ cancels, owned, safety }) => {
  const percent = owned === 0 ? 0 : (cancels / owned) * 100;
  if (percent <= safety.max_cancel_percent) return undefined;
  const share = `${cancels} of ${countPosts(owned)} (${Math.round(percent)} %)`;
  const message = `${share} would be cancelled; safety.max_cancel_percent allows ${safety.max_cancel_percent} %. ${overrideHint(cancels)}`;
  return { code: "guard/too-many-cancels-percent", message };
};

const noRows: GuardRule = ({ cancels, rows }) =>
  cancels > 0 && rows === 0
    ? {
        code: "guard/no-rows",
        message: `No row is left, so every post would be cancelled. Are the calendars where they should be? ${overrideHint(cancels)}`,
      }
    : undefined;

const otherCountAllowed: GuardRule = ({ cancels, allowCancels }) =>
  allowCancels !== undefined && cancels > 0
    ? {
        code: "guard/too-many-cancels",
        message: `${countPosts(cancels)} would be cancelled; --allow-cancels names ${allowCancels}. ${overrideHint(cancels)}`,
      }
    : undefined;

const GUARDS: readonly GuardRule[] = [otherCountAllowed, tooManyCancels, tooManyCancelsPercent, noRows];

/** What would make apply refuse. Nothing, where a person has allowed exactly this number of cancels. */
export function guardsOf(input: GuardInput): Guard[] {
  if (input.cancels === input.allowCancels) return [];
  return GUARDS.flatMap((guard) => guard(input) ?? []);
}

function overrideHint(cancels: number): string {
  return (
    `If that is meant: apply --allow-cancels ${cancels}, ` +
    "or save the plan (plan --out FILE), review it, and apply --plan FILE."
  );
}

function countPosts(count: number): string {
  return count === 1 ? "1 post" : `${count} posts`;
}
