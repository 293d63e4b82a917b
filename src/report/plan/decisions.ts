/**
 * The sentences about a plan's decisions: why each change is made, why apply would refuse the plan, what apply will
 * cost, and why the preview shows no plan.
 */

import type { Failure } from "../../model/failure.ts";
import type { Change, CreateReason, Guard } from "../../model/plan.ts";
import { DERIVED_KEY_PREFIX, unseenParts } from "../../model/post.ts";
import { notShownText } from "../../problems/extra-texts.ts";
import { formatBytes, plural, roughDuration } from "../text/numbers.ts";

const CREATE_REASONS: Readonly<Record<CreateReason, string>> = {
  "new-row": "The row is new.",
  "earlier-create-lost": "An earlier run sent it, but it never appeared on the service.",
  "half-replaced": "An earlier run cancelled the old post, and did not schedule the new one.",
  released: "Its hold has ended.",
  "row-rescheduled": "The earlier post of this row is no longer scheduled, and the row has a new time.",
  "allowed-again": "It was missing on the service, and somebody decided to create it again.",
};

/** Why a change is made, in one sentence. */
export function changeReason(change: Change): string {
  switch (change.action) {
    case "create":
      return CREATE_REASONS[change.reason];
    case "replace":
      if (change.fields.length > 0) return "The row has changed.";
      return change.reason === "adopted"
        ? `An earlier apply found this post. ${notShownText(unseenParts(change.desired, change.remote))}, so plancast replaces it once.`
        : "The row changed after it was scheduled. The service does not show what differs.";
    case "cancel":
      return CANCEL_REASONS[change.reason];
    case "adopt": {
      const unseen = unseenParts(change.desired, change.remote);
      const next = unseen.length === 0 ? "" : ` ${notShownText(unseen)}, so the next apply replaces it once.`;
      return `The service already has this post.${next}`;
    }
    default:
      return change satisfies never;
  }
}

const CANCEL_REASONS: Readonly<Record<Extract<Change, { action: "cancel" }>["reason"], string>> = {
  "row-gone": "The row is gone.",
  "row-held": "Its row is held.",
  "row-set-aside": "Its row is now a draft or skipped.",
  "row-regrouped": "Its row no longer makes this post, because its networks or their texts have changed.",
  "not-repeated": "Its row no longer repeats on this day.",
  "replacement-scheduled": "Its replacement is scheduled.",
};

/**
 * The reason of a change, unless it only repeats the action. Text for people leaves out reasons that add nothing, so
 * that people notice the others (drift, an interrupted replacement, a cancel); JSON has every reason.
 */
export function notableReason(change: Change): string | undefined {
  // Without an id, the plan does not know which of these it is.
  if (change.action === "cancel" && change.reason === "row-gone" && change.key.startsWith(DERIVED_KEY_PREFIX))
    return "Its row is gone, or both its time and text have changed. With an id, a row keeps its post.";
  const isObvious =
    (change.action === "create" && change.reason === "new-row") ||
    (change.action === "replace" && change.fields.length > 0);
  return isObvious ? undefined : changeReason(change);
}

/** What a guard stops, and how a person confirms it. */
export function guardMessage(guard: Guard): string {
  return `${guardFinding(guard)} ${guardAdvice([guard])}`;
}

/** What a person can do after a guard, each advice once: first the possible mistakes, then how to confirm the plan. */
export function guardAdvice(guards: readonly Guard[]): string {
  return [...new Set([...guards.flatMap(possibleMistake), ...guards.flatMap(confirmation)])].join(" ");
}

function possibleMistake(guard: Guard): string[] {
  switch (guard.code) {
    case "guard/too-many-cancels":
    case "guard/too-many-cancels-percent":
      return ["Did a filter or a deletion remove rows by mistake? Restore them."];
    case "guard/no-rows":
      return ["Check that the calendars are in place."];
    case "guard/not-as-recorded":
      return ["The warnings show what was found."];
    default:
      return guard satisfies never;
  }
}

function confirmation({ cancels }: Guard): string[] {
  return [
    `If you want to cancel these posts, run \`plancast apply --allow-cancels ${cancels}\`, or review a saved plan: \`plancast plan --out FILE\`, then \`plancast apply --plan FILE\`.`,
  ];
}

/** What a guard stops, in numbers. */
export function guardFinding(guard: Guard): string {
  switch (guard.code) {
    case "guard/too-many-cancels": {
      const setting =
        guard.limitFrom === "settings" ? "safety.max_cancels allows" : "--allow-cancels allows exactly";
      return `${countPosts(guard.cancels)} would be cancelled, but ${setting} ${guard.limit}.`;
    }
    case "guard/too-many-cancels-percent": {
      const share = `${guard.cancels} of ${countPosts(guard.total)} (${Math.round(guard.percent)} %)`;
      return `${share} would be cancelled, but safety.max_cancel_percent allows ${guard.limit} %.`;
    }
    case "guard/no-rows":
      return "No row is planned, so every post would be cancelled.";
    case "guard/not-as-recorded": {
      const found =
        guard.others === 1
          ? "differs from its record in the lockfile"
          : "differ from their records in the lockfile";
      return `${guard.others} of ${countPosts(guard.cancels)} to cancel ${found}.`;
    }
    default:
      return guard satisfies never;
  }
}

/** `plural` without the commas. */
function countPosts(count: number): string {
  return count === 1 ? "1 post" : `${count} posts`;
}

/** What an apply will cost. */
export interface ApplyCost {
  readonly uploads: { readonly files: number; readonly bytes: number };
  /** Undefined if apply only writes files. */
  readonly requests: number | undefined;
  /** Whether apply may send more. */
  readonly isLeast: boolean;
  /** How long the rate limit delays them, in ms; 0 if all can be sent at once. */
  readonly expectedMs: number;
  /** The requests after which a run ends, because the limit then opens too late for it. Undefined if one run is enough. */
  readonly endsAfter?: { readonly requests: number; readonly thenMs: number } | undefined;
}

/** The requests of apply: `Apply will send 6 requests (2 files to upload, 1.2 MB), in about 3 minutes.` */
export function requestsSentence({ uploads, requests, isLeast, expectedMs, endsAfter }: ApplyCost): string {
  if (requests === undefined) return "Apply will only write files of this repository.";
  if (requests === 0) return "Apply will send no requests. It only updates the lockfile.";
  const upload = `${plural(uploads.files, "file")} to upload, ${formatBytes(uploads.bytes)}`;
  const time =
    endsAfter === undefined ? limitText(expectedMs) : `. ${endText(endsAfter.requests, endsAfter.thenMs)}`;
  return `Apply will send ${isLeast ? "at least " : ""}${plural(requests, "request")}${uploads.files === 0 ? "" : ` (${upload})`}${time}.`;
}

function limitText(expectedMs: number): string {
  return expectedMs === 0
    ? ""
    : `. The service's rate limit makes this take about ${roughDuration(expectedMs)}`;
}

function endText(requests: number, thenMs: number): string {
  const now = requests === 0 ? "none of them now" : `only ${requests} of them now, for the earliest posts`;
  return `The service's rate limit allows ${now}. Run apply again in about ${roughDuration(thenMs)} for the rest`;
}

/** Why the page shows no plan. */
export type NoPlan =
  | { readonly why: "offline" | "errors" | "nothing-planned" }
  /** How many web addresses of media a plan would have to download first. */
  | { readonly why: "unknown-media"; readonly addresses: number }
  | { readonly why: "unanswered"; readonly failure: Failure };

export function noPlanText(noPlan: NoPlan): string {
  switch (noPlan.why) {
    case "offline":
      return "Made without the service. The page shows the calendars, not the planned changes.";
    case "errors":
      return "Fix the errors to see the planned changes.";
    case "nothing-planned":
      return "There is no plan, so this page does not show planned changes.";
    case "unknown-media":
      return `To see the planned changes, run plancast plan first: it downloads ${plural(noPlan.addresses, "media address", "media addresses")}.`;
    case "unanswered": {
      const { message, hint } = noPlan.failure;
      return `This page does not show planned changes, because the request to the service failed. ${message}${hint === undefined ? "" : ` ${hint}`}`;
    }
    default:
      return noPlan satisfies never;
  }
}

/** For a page that shows another time (--now). */
export function trialPageText(now: string): string {
  return `This page shows the posts as if it were ${now} (--now).`;
}

export const READING_CALENDARS = "plancast is reading the calendars.";

/** Why the page differs from the files. @param hasPosts whether it shows earlier posts */
export function outdatedText(reason: string, hasPosts: boolean): string {
  return `${reason}${hasPosts ? " The rest of the page shows the previous state." : ""}`;
}
