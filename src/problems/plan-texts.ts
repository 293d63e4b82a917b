/**
 * The sentences of the problems that planning finds. Planning itself decides on data; what it tells people is written
 * here, next to the catalogue. Times are UTC.
 */

/** Why a pending create may neither be repeated nor dropped until a person has looked at the service. */
export type UncertainBecause = "list-may-be-incomplete" | "posts-not-comparable" | "similar-post-exists";

/** When a pending create is looked at again; or why only a person can find out what became of it. */
export type RetryCondition =
  | { readonly until: string; readonly unsure?: undefined }
  | { readonly until?: undefined; readonly unsure: UncertainBecause };

/** Why posts whose rows seem gone are not cancelled. `posts`: how many. */
export type WithheldCancels =
  | { readonly why: "broken-calendars"; readonly files: readonly string[] }
  | { readonly why: "narrowed-run"; readonly posts: number }
  | { readonly why: "filtered-rows"; readonly posts: number };

const UNCERTAIN: Readonly<Record<UncertainBecause, string>> = {
  "list-may-be-incomplete":
    "The service's list of posts may be cut short; `service.list_limit` in plancast.yaml, if you know the largest page that it gives, would settle it.",
  "posts-not-comparable": "The service does not tell enough of its posts to find out.",
  "similar-post-exists": "A post that may be it, told otherwise than it was sent, stands at that time.",
};

export function uncertainText(unsure: UncertainBecause): string {
  return UNCERTAIN[unsure];
}

/** @param hasRow whether a row still asks for the post */
export function pendingCreateText(key: string, { until, unsure }: RetryCondition, hasRow: boolean): string {
  const when =
    until === undefined
      ? `${uncertainText(unsure)} Look at the service, then say what you found with \`plancast resolve\`.`
      : `It is left alone until ${until}; then apply looks again${hasRow ? ", and creates it only if it is still absent" : ""}.`;
  return `It is not known whether "${key}" was scheduled by an earlier run. ${when}`;
}

export function withheldCancelsText(withheld: WithheldCancels): string {
  switch (withheld.why) {
    case "broken-calendars":
      return (
        `Nothing is cancelled in this run: ${withheld.files.join(", ")} cannot be understood, and a row that is gone here may have moved there. ` +
        "Mend that calendar, then run again."
      );
    case "narrowed-run":
      return `${goneRowsText(withheld.posts)}. A run that --only narrows cancels nothing for that; run without it.`;
    case "filtered-rows":
      return `${goneRowsText(withheld.posts)}, and may be rows that \`only:\` leaves out, edited since. The posts are left alone. Give such rows ids.`;
    default:
      return withheld satisfies never;
  }
}

function goneRowsText(posts: number): string {
  return posts === 1
    ? "The row of 1 scheduled post seems gone"
    : `The rows of ${posts} scheduled posts seem gone`;
}

/** @param others how many more rows of the file are past */
export function pastRowText(dueAt: string, others: number): string {
  const more = others === 0 ? "" : `, and ${others} more rows of this file are past too`;
  return `The row was due ${dueAt}, which is past, so it is not scheduled${more}.`;
}

/** @param dueAt when the row's post is due, by the service */
export function pastButScheduledText(rowTime: string, postId: string, dueAt: string): string {
  return (
    `The row says ${rowTime}, which is past, but its post (${postId}) is still scheduled for ${dueAt}. ` +
    "Give the row a time to come, or remove it to cancel the post."
  );
}

export function olderVersionText(postId: string): string {
  return (
    `${postId}, which this project does not own, is scheduled at the same time on the same platform. ` +
    "If it is an older version of this row, cancel it in the service."
  );
}

/** Ids that a message names at most. */
const MAX_IDS = 5;

/**
 * @param from what names the known accounts: the lockfile, or the plan that was reviewed
 * @param connected ids of the accounts that are connected now
 */
export function otherAccountText(
  from: "lockfile" | "plan",
  known: readonly string[],
  connected: readonly string[],
): { readonly message: string; readonly hint: string } {
  const now = connected.length === 0 ? "none" : listIds(connected);
  const whose = from === "lockfile" ? "This project's posts are on" : "The plan was made for";
  return {
    message: `The key leads to other accounts. ${whose} ${listIds(known)}; connected now: ${now}. Nothing was changed.`,
    hint:
      from === "lockfile"
        ? "Check whose key is set. If this project's accounts really changed, run `plancast lockfile accept-account`."
        : "Check whose key is set. If the accounts really changed, make the plan again and review it.",
  };
}

function listIds(ids: readonly string[]): string {
  const more = ids.length - MAX_IDS;
  return ids.slice(0, MAX_IDS).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** @param aheadMs how far the service's clock is ahead of this machine's, ms; negative: behind */
export function otherClockText(aheadMs: number): { readonly message: string; readonly hint: string } {
  const minutes = Math.round(Math.abs(aheadMs) / 60_000);
  return {
    message: `The service's clock is ${minutes} minutes ${aheadMs > 0 ? "ahead of" : "behind"} this machine's, so it is not clear which posts are past. Nothing was changed.`,
    hint: "Set this machine's clock. If it is right, the service's is wrong: ask whoever runs it.",
  };
}

/** @param waitMs until the service's rate limit lets the post be created */
export function dueBeforeTurnText(dueAt: string, waitMs: number): string {
  return (
    `The row is due ${dueAt}, but its turn under the service's rate limit may come only ${Math.ceil(waitMs / 60_000)} min from now. ` +
    "It may not be scheduled in time: give it a later time, or apply this calendar before the others."
  );
}
