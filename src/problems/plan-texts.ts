/**
 * The sentences for problems that planning finds, and for a plan that differs from the reviewed one. Planning itself
 * only produces data, with times in the project's zone.
 */

/** Why plancast neither repeats nor drops a pending create until a person has looked at the service. */
export type UncertainBecause = "list-may-be-incomplete" | "posts-not-comparable" | "similar-post-exists";

/** When plancast checks a pending create again, or why only a person can find out its result. */
export type RetryCondition =
  | { readonly until: string; readonly unsure?: undefined }
  | { readonly until?: undefined; readonly unsure: UncertainBecause };

/** Why posts whose rows seem gone are not cancelled. `posts`: how many. */
export type WithheldCancels =
  | { readonly why: "broken-calendars"; readonly files: readonly string[] }
  | { readonly why: "rows-without-id"; readonly files: readonly string[] }
  | { readonly why: "narrowed-run"; readonly posts: number }
  | { readonly why: "filtered-rows"; readonly posts: number };

const UNCERTAIN: Readonly<Record<UncertainBecause, string>> = {
  "list-may-be-incomplete":
    "The service's list of posts may be incomplete. If you know its largest page, set `service.list_limit` in plancast.yaml.",
  "posts-not-comparable": "The service does not show enough of its posts to find out.",
  "similar-post-exists": "A similar post is scheduled for that time.",
};

export function uncertainText(unsure: UncertainBecause): string {
  return UNCERTAIN[unsure];
}

/** @param hasRow whether a row still asks for the post */
export function pendingCreateText(key: string, { until, unsure }: RetryCondition, hasRow: boolean): string {
  const when =
    until === undefined
      ? `${uncertainText(unsure)} Check on the service whether the post exists, then run \`plancast resolve\`.`
      : `Run apply after ${until}: it checks again${hasRow ? ", and creates the post only if it is still missing" : ""}.`;
  return `An earlier run may or may not have scheduled "${key}". ${when}`;
}

/** @param status the service's word */
export function pausedText(id: string, status: string): string {
  return `The post ${id} has the status ${JSON.stringify(status)} on the service. plancast leaves it and its row as they are. Schedule or delete the post there.`;
}

/** @param file the lockfile */
export function lostLockfileText(file: string): string {
  return (
    `The lockfile is missing, although this folder applied before. plancast finds the posts of unchanged rows again, but not those of rows that were edited or deleted. ` +
    `Restore it, for example with \`git checkout ${file}\`. Otherwise, their old posts stay scheduled as they were.`
  );
}

export function withheldCancelsText(withheld: WithheldCancels): string {
  switch (withheld.why) {
    case "broken-calendars":
      return (
        `This run cancels nothing: plancast cannot read ${withheld.files.join(", ")}, and missing rows may have moved there. ` +
        "Fix that calendar, then run again."
      );
    case "rows-without-id":
      return `This run cancels nothing, and replaces no post of ${withheld.files.join(", ")}: rows with errors there have no id, so plancast does not know which posts are theirs. Fix these rows, or give them ids.`;
    case "narrowed-run":
      return `${goneRowsText(withheld.posts)}. A run with --only does not read all rows, so it cancels none of these posts: run without --only.`;
    case "filtered-rows":
      return `${goneRowsText(withheld.posts)}. plancast does not cancel these posts, because their rows may be among those that \`only:\` leaves out. Give those rows ids.`;
    default:
      return withheld satisfies never;
  }
}

function goneRowsText(posts: number): string {
  return posts === 1
    ? "The row of 1 scheduled post seems to be gone"
    : `The rows of ${posts} scheduled posts seem to be gone`;
}

/**
 * Why a row is missing. `gone`, `cancelled`, `failed`: what the service says about its post. `newer`: only the upstream
 * branch's lockfile has a post for the row. `held`: a hold that still counts has cancelled its post. `lost`: there is no lockfile, and a post that may be the row's is on the
 * service. `withheld`: the run must not cancel a post that may be the row's older version.
 */
export type MissingWhy = "gone" | "cancelled" | "failed" | "held" | "perhaps" | "newer" | "lost" | "withheld";

const MISSING: Readonly<Record<MissingWhy, string>> = {
  gone: "It was scheduled, but the service no longer has it.",
  cancelled: "It was scheduled, but somebody cancelled it on the service.",
  perhaps:
    "A post of this calendar is gone from the service. This row has no id, so it may be a new version of it.",
  failed: "It was scheduled, but the service says that it failed.",
  held: "A hold cancelled its post, and the row has moved out of this hold, perhaps in another clone, too.",
  newer: "This clone's lockfile has no post for this row.",
  lost: "The lockfile is lost, so this row may already have a post.",
  withheld: "This run leaves an older post as it is, and this row may be its new version.",
};

/** Why apply does not create the post of a row: what happened, and what may be its newer version. */
export function missingRowText({
  why,
  isBehind,
  besides,
}: {
  readonly why: MissingWhy;
  readonly isBehind: boolean;
  readonly besides: readonly { readonly id: string }[];
}): string {
  const ids = besides.map(({ id }) => id);
  const others = `${ids.length === 1 ? "the unmanaged post" : "the unmanaged posts"} ${listSome(ids, MAX_BESIDES)}`;
  const newer = isBehind
    ? " The lockfile of the upstream branch is newer and says otherwise: run `git pull` first."
    : ids.length === 0
      ? ""
      : ` Perhaps a newer version is scheduled (${others}): pull first.`;
  return `${MISSING[why]}${newer}`;
}

/** The maximum number of posts that the message names. */
const MAX_BESIDES = 3;

/** Where missing posts may be; `here` if the account has other posts of the project. */
export type WhereMissing = "here" | "other-account" | "other-machine";

/** What a person can do about missing rows, with each way on. */
export function missingAdvice(missing: readonly Why[], where: WhereMissing): string {
  const rows = missing.length;
  if (missing.every(isWithheld))
    return `Run again for all rows: without --only, and after you fixed the errors. If no row is a new version, run with \`--allow-recreates ${rows}\`.`;
  if (where === "other-machine") return EMBEDDED_ELSEWHERE;
  const them = rows === 1 ? "the post" : `the ${rows} posts`;
  return (
    (where === "other-account" ? "Check that this is the right key. " : "") +
    "If this clone may be old, run `git pull`. " +
    `To create ${them} again, run \`plancast apply --allow-recreates ${rows}\`, or review a saved plan. ` +
    `Otherwise, delete ${rows === 1 ? "the row" : "the rows"} or set the status to skip.`
  );
}

/** Apply does everything else. */
export function missingRowsText(missing: readonly Why[]): string {
  const rows = missing.length;
  if (missing.every(isWithheld))
    return `${rows === 1 ? "1 row waits" : `${rows} rows wait`}, because this run leaves posts as they are that may be older versions.`;
  return rows === 1
    ? "1 row is missing on the service: its post is gone, and plancast did not create it again."
    : `${rows} rows are missing on the service: their posts are gone, and plancast did not create them again.`;
}

type Why = { readonly why: MissingWhy };

function isWithheld({ why }: Why): boolean {
  return why === "withheld";
}

/** A person allowed another number of missing posts. */
export function otherRecreatesText(allowed: number, rows: number): string {
  return `--allow-recreates allows exactly ${allowed}, but ${rows === 1 ? "1 row is" : `${rows} rows are`} missing on the service. Nothing was changed.`;
}

/**
 * @param isTooClose the time is in the future, but less than `safety.lead_time` away
 * @param others the other past rows of the file, as people name them
 */
export function pastRowText(dueAt: string, isTooClose: boolean, others: readonly string[]): string {
  const more =
    others.length === 0
      ? ""
      : ` ${others.length} more ${others.length === 1 ? "row is" : "rows are"} past in this file: ${listSome(others, MAX_PAST)}.`;
  const why = isTooClose ? `is due ${dueAt}, which is too soon (\`safety.lead_time\`)` : `was due ${dueAt}`;
  return `plancast does not schedule this row, because it ${why}.${more}`;
}

/** @param dueAt when the row's post is due, by the service */
export function pastButScheduledText(
  rowTime: string,
  isTooClose: boolean,
  postId: string,
  dueAt: string,
): string {
  const why = isTooClose ? "is too soon (`safety.lead_time`)" : "has passed";
  return (
    `The row's time ${rowTime} ${why}, but its post (${postId}) is still scheduled for ${dueAt}. ` +
    "Give the row a later time, or remove it to cancel the post."
  );
}

export function perhapsPublishedText(rows: number): string {
  const which = rows === 1 ? "This row has" : `This row and ${rows - 1} more have`;
  return (
    `The service has posts of this project that the lockfile does not know. ${which} no time and no scheduled post. ` +
    "If plancast published it before, apply would schedule it again. Restore the lockfile from git."
  );
}

export function olderVersionText(postId: string): string {
  return (
    `The unmanaged post ${postId} is scheduled at the same time on the same platform. ` +
    "If it is an older version of this row, cancel it on the service."
  );
}

/**
 * @param why after "The row"
 * @param expires when it expires, as people read it
 * @param repeats whether the row makes several posts
 */
export function expiresTooEarlyText(why: string, expires: string, repeats = false): string {
  const advice = repeats
    ? "A date in `expires` ends the series: correct one of the two. Or write a duration such as 2d, which counts for each post of the row."
    : "A post expires after its time: correct one of the two.";
  return `The row ${why}, but it expires ${expires}. ${advice}`;
}

/** @param posts how many are scheduled on the account */
export function disabledText(platform: string, posts: number): string {
  const what = posts === 1 ? "a post is" : `${posts} posts are`;
  return `The account ${platform} is disabled or has lost its connection to the service, and ${what} scheduled there. Enable or connect it again on the service, or nothing is published there.`;
}

/** @param missing names of options */
export function missingOptionsText(platform: string, missing: readonly string[]): string {
  const [first = ""] = missing;
  const [what, them] = missing.length === 1 ? ["the option", "it"] : ["the options", "them"];
  return `The service needs ${what} ${missing.join(", ")} for ${platform}. Add ${them} to the row, in a column such as \`${platform}.${first}\`, or to plancast.yaml, below options.${platform}.`;
}

/**
 * @param name in `options:`
 * @param accounts the names of the network's accounts
 * @param near the name that it may mean
 */
export function unknownAccountText(
  name: string,
  accounts: readonly string[],
  near: string | undefined,
): string {
  const way = near === undefined ? "Correct the name, or remove it." : `Did you mean \`${near}\`?`;
  return `options.${name} has no effect: the service has no account with this name. It has ${accounts.join(", ")}. ${way}`;
}

/** Past rows that a warning names at most. */
const MAX_PAST = 10;

/** Characters of a post's text that a message shows at most. */
const MAX_CONTENT = 200;

interface PostInDoubt {
  readonly id: string;
  /** When the post is due, by the service. */
  readonly dueAt: string;
  readonly content: string;
  /** Whether it differs from the record, or only a journal or a pull request names it. */
  readonly why: "edited" | "journal-only" | "unproved";
}

export function notAsRecordedText(key: string, { id, dueAt, content, why }: PostInDoubt): string {
  const characters = Array.from(content);
  const shown = characters.slice(0, MAX_CONTENT).join("") + (characters.length > MAX_CONTENT ? "…" : "");
  const doubt =
    why === "edited"
      ? "is not as plancast scheduled it: somebody edited it on the service, or the lockfile names another post."
      : why === "unproved"
        ? "is in the lockfile only because this checkout adds it. Unless somebody applied from this branch, it may be somebody else's."
        : "is not in the lockfile. Only the journal in .plancast says that it is this project's, and in CI others may have written the journal.";
  return (
    `The post that would be cancelled for "${key}" (${id}) ${doubt} ` +
    `It is due ${dueAt} and says: ${JSON.stringify(shown)}.`
  );
}

/** Why nothing shows which entries of a lockfile a pull request adds. */
export function noBaseText(file: string): string {
  return `plancast cannot compare ${file} with the base branch, because the checkout has too few commits. Set \`fetch-depth: 2\` for actions/checkout.`;
}

/** Why the posts of a lockfile from another machine are missing, and what to do. */
export const EMBEDDED_ELSEWHERE =
  "These posts are in the embedded service of another machine. Run `plancast lockfile forget`.";

const WHOSE: Readonly<Record<"lockfile" | "plan" | "environment", { text: string; hint: string }>> = {
  lockfile: {
    text: "this project's posts are on",
    hint: "If this project's accounts really changed, run `plancast lockfile accept-account`.",
  },
  plan: {
    text: "the plan was made for",
    hint: "If the accounts really changed, make the plan again and review it.",
  },
  environment: {
    text: "PLANCAST_ACCOUNTS names",
    hint: "If the accounts really changed, change PLANCAST_ACCOUNTS (the Action's input accounts).",
  },
};

/**
 * @param from what names the known accounts: the lockfile, the plan that was reviewed, or the environment
 * @param connected ids of the accounts that are connected now; undefined where the service does not show them
 */
export function otherAccountText(
  from: keyof typeof WHOSE,
  known: readonly string[],
  connected: readonly string[] | undefined,
): { readonly message: string; readonly hint: string } {
  const { text, hint } = WHOSE[from];
  const whose = `${text} ${listIds(known)}`;
  if (connected === undefined)
    return {
      message: `plancast cannot check whose accounts this key is for: ${whose}; connected now: not shown by the service. Nothing was changed.`,
      hint: `Check that the key is the right one, and that \`plancast platforms list\` shows ids with it. ${hint}`,
    };
  return {
    message: `This key gives access to other accounts: ${whose}; connected now: ${listIds(connected)}. Nothing was changed.`,
    hint: `Check that the key is the right one. ${hint}`,
  };
}

/** @param connected ids of the accounts that are connected now */
export function accountsUnknownText(lockfile: string, connected: readonly string[]): string {
  return (
    `${lockfile} lists posts but not the accounts that they are on, so plancast cannot check that the key is the right one. ` +
    `Apply would continue on ${listSome(connected)}.`
  );
}

/**
 * Why accounts cannot be accepted. @param showsIds whether the service shows ids of accounts: if so, none is connected
 */
export function noAccountsText(showsIds: boolean): { readonly message: string; readonly hint: string } {
  return showsIds
    ? {
        message: "No account is connected.",
        hint: "Connect one in the service's settings, then run again.",
      }
    : {
        message: "The service does not show the ids of its accounts, so there is nothing to accept.",
        hint: "Do nothing: plancast compares no accounts on this service. `plancast platforms list` shows the accounts.",
      };
}

function listIds(ids: readonly string[]): string {
  return ids.length === 0 ? "none" : listSome(ids);
}

/** @param aheadMs how far the service's clock is ahead of this machine's, in ms; negative: behind */
export function otherClockText(aheadMs: number): { readonly message: string; readonly hint: string } {
  const minutes = Math.round(Math.abs(aheadMs) / 60_000);
  return {
    message: `The service's clock is ${minutes} minutes ${aheadMs > 0 ? "ahead of" : "behind"} this machine's, so plancast cannot know which posts are past. Nothing was changed.`,
    hint: "Set this machine's clock. If it is right, the service's clock is wrong: ask the people who run the service.",
  };
}

/** @param waitMs until the service's rate limit lets the post be created */
export function dueBeforeTurnText(dueAt: string, waitMs: number): string {
  return (
    `The row is due ${dueAt}, but the service's rate limit may delay it for ${Math.ceil(waitMs / 60_000)} min. ` +
    "Give it a later time, or apply this calendar before the others."
  );
}

/**
 * The differences between a saved plan and the current one. Changes are named as `action key`, or `action file:line`.
 */
export interface PlanDifference {
  readonly gone: readonly string[];
  readonly added: readonly string[];
  /** Changes that were in the saved plan with other content. */
  readonly changed: readonly string[];
  /** Files whose contents differ. */
  readonly files: readonly string[];
  /** The same plan, but now a guard would stop it. */
  readonly isStoppedByGuard: boolean;
}

const MAX_NAMED = 5;

export function planChangedText({ gone, added, changed, files, isStoppedByGuard }: PlanDifference): string {
  const parts = [
    ...(isStoppedByGuard ? ["a guard would now stop it"] : []),
    ...(gone.length > 0 ? [`no longer planned: ${listSome(gone)}`] : []),
    ...(added.length > 0 ? [`newly planned: ${listSome(added)}`] : []),
    ...(changed.length > 0 ? [`changed since the plan was saved: ${listSome(changed)}`] : []),
    ...(files.length > 0 ? [`files that differ from the review: ${listSome(files)}`] : []),
  ];
  const what = parts.join("; ") || `the same changes, but ${INPUTS_CHANGED}`;
  return `The saved plan no longer matches what apply would do: ${what}. Nothing was changed.`;
}

/** The name of a change whose row took a free slot when it was reviewed, and now another one. */
export function otherSlotLabel(name: string, reviewed: string): string {
  return `${name} (its reviewed slot ${reviewed} is no longer free)`;
}

const INPUTS_CHANGED = "a row, the lockfile or the service's posts have changed";

/** The first names, and how many there are more: `a, b and 3 more`. */
export function listSome(names: readonly string[], max = MAX_NAMED): string {
  const more = names.length - max;
  return names.slice(0, max).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Changes to make that no reviewed plan has. */
export interface UnreviewedChange {
  /** As `action key`, `action file:line`, or `upload path`. */
  readonly name: string;
  /** Whether another change with this name was reviewed. */
  readonly isOtherVersion: boolean;
}

/** What a job will do, compared with the plans reviewed on pull requests, which are identified by their numbers. */
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
    .map(({ name, isOtherVersion }) => (isOtherVersion ? `${name}, with other contents` : name));
  const more = unreviewed.length - MAX_UNREVIEWED;
  const names = [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
  const where = seen.map((number) => `#${number}`).join(", ");
  const what =
    seen.length === 0
      ? `No merged pull request has a plan${unread.length === 0 ? "" : " that plancast can read"} for these changes: ${names}`
      : unreviewed.length === 0
        ? `The plan differs from the reviewed one (${where}): the same changes, but ${INPUTS_CHANGED}`
        : `These changes are not in a reviewed plan (${where}): ${names}`;
  const skipped = unread.map(({ number, why }) => `plancast cannot use the plan of #${number}. ${why}`);
  return [`${what}.`, ...skipped, "Nothing was changed."].join(" ");
}

/** @param hash of the plan that the job's inputs name */
export function otherPlanText(hash: string): string {
  return `The plan no longer has the hash in the input plan (${hash}): ${INPUTS_CHANGED}. Nothing was changed.`;
}

/** What to do when a job refuses its plan. */
export function reviewHint(hasUnread: boolean): string {
  return (
    (hasUnread ? "If a download failed, run the job again. " : "") +
    "Read the plan in this run's summary. To apply exactly this plan, run the workflow by hand with its hash as `plan`, or open a pull request that shows it."
  );
}

/** What to do when a guard refuses the plan of a job, which has inputs instead of flags. */
export const GUARD_HINT_IN_JOBS =
  "In this job, use the inputs `allow-cancels` and `allow-recreates` instead of flags, or run the workflow by hand with this plan's hash as `plan`.";

/** The same in a job for several projects, where a number of cancellations would belong to only one of them. */
export const GUARD_HINT_FOR_SEVERAL =
  "To allow it, run the workflow by hand with this plan's hash as `plan`.";

/** The parts of a post that an approval covers. */
export const SEALED_PARTS = {
  text: "text, thread, first comment or alt text",
  networks: "networks",
  time: "time",
  media: "pictures or videos",
  series: "rule, exceptions or pool",
} as const;

/** Why a plan that waits for its merge is out of date, by the number of its changes. */
export function stalePlanText({
  past,
  done,
  gone,
}: Readonly<Record<"past" | "done" | "gone", number>>): string {
  const parts = [
    past === 0 ? "" : `The time of ${postsText(past)} has passed.`,
    done === 0 ? "" : `Another apply has scheduled ${postsText(done)} of it.`,
    gone === 0 ? "" : `Another apply has replaced or cancelled ${postsText(gone)} of it.`,
  ];
  return parts.filter((part) => part !== "").join(" ");
}

function postsText(count: number): string {
  return count === 1 ? "1 post" : `${count} posts`;
}
