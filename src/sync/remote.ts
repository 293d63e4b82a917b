/**
 * The service's side of a run: the list of scheduled posts, and the status of owned posts that it lacks.
 *
 * One list may be old or incomplete. So the caller says which conclusions depend on only this list. If there are any,
 * the service is asked again until two lists in a row give the same conclusions.
 *
 * Also says which changes of a plan depend on the list, up to which time the list matters, and what it cannot prove.
 */

import { utcTime } from "../model/canonical.ts";
import type { Clock } from "../model/clock.ts";
import { type SupportedExtras, NO_EXTRAS } from "../model/extras.ts";
import { Failure } from "../model/failure.ts";
import { type Lockfile, getOwn, keptExtras } from "../model/lockfile.ts";
import { indexById } from "../model/post.ts";
import { compareText, sameList } from "../model/text.ts";
import { incompleteList, MAP_STATUS_AND_PAGES } from "../service/answers/results.ts";
import type { DateRange, PostState, ReadService, RemoteList } from "../service/service.ts";
import { isComparable } from "./plan/compare.ts";
import type { Absence, Diff, DiffInput } from "./plan/input.ts";
import {
  type Conclusion,
  type ListVerdict,
  type MissingPost,
  hasNoStatus,
  judgeList,
  missingOwnedPosts,
} from "./plan/reconcile.ts";
import { SLOT_HORIZON_MS } from "../checks/slots/choose-slots.ts";
import type { CheckedCalendars } from "../calendars/check.ts";
import { absence } from "./plan/diff.ts";

/** The list of scheduled posts, and what else the service says. */
export type Remote = RemoteList & {
  /** Owned posts that are due later and not in the list. */
  readonly missing: readonly MissingPost[];
  /** By id: the status of the missing posts, as far as the service shows it. */
  readonly absent: ReadonlyMap<string, Absence>;
  /** Ids of listed posts with the status scheduled that this project has cancelled. */
  readonly stillScheduled: ReadonlySet<string>;
  /** The extra parts of posts that the service stores and shows. */
  readonly supports: SupportedExtras;
  /** See `ReadService`. */
  readonly isSettled: boolean;
};

export interface RemoteOptions {
  readonly service: ReadService;
  readonly lockfile: Lockfile;
  readonly clock: Clock;
  /** When the latest row is due. A service that lists by date is asked up to then. */
  readonly until?: string;
  /** Ids of owned posts that were due, although their rows are due later: were they published, or did somebody remove them? */
  readonly movedRows?: readonly string[];
  /** Whether this run may change the row of an owned post. Default: yes. */
  readonly isConcerned?: (postId: string) => boolean;
  /** Whether posts are useful that cannot be compared with rows. Default: no. */
  readonly takesIncomparable?: boolean;
}

/** Waits before a list is read again that may be incomplete or old, in ms: some services are slow to list posts. */
const WAITS_MS = [500, 1_000, 3_000, 6_000] as const;

/** Reads the service's side of a run as often as needed to prove the conclusions. */
export class RemoteReader {
  readonly #options: RemoteOptions;
  readonly #looks: ListVerdict[] = [];

  constructor(options: RemoteOptions) {
    this.#options = options;
  }

  /**
   * What the service has now. Costs one list, and a request for each owned post that the list lacks. Throws a Failure.
   */
  read(): Promise<Remote> {
    return readOnce(this.#options);
  }

  /**
   * Whether the conclusions from `remote`, the latest reading, are proved. If not, this waits a little: read and
   * compare again. Throws a Failure if the list cannot be proved whole in time.
   * @param unconfirmed what would be wrong if the list is old or incomplete; if empty, no second reading is needed
   */
  async isProved(remote: Remote, unconfirmed: readonly Conclusion[]): Promise<boolean> {
    const own = judgeList(this.#options.lockfile, remote.posts, remote.missing);
    this.#looks.push({ ...own, unconfirmed: [...own.unconfirmed, ...unconfirmed] });
    const next = afterLooks(this.#looks);
    if (next === "unproved") throw unproved(remote);
    if (next === "proved") refuseUnknownStatus(remote, this.#options.isConcerned);
    else await this.#options.clock.sleep(next.waitMs);
    return next === "proved";
  }
}

/** What to do after these readings, the latest last. Pure. */
export function afterLooks(
  looks: readonly ListVerdict[],
): "proved" | "unproved" | { readonly waitMs: number } {
  const [latest, before] = looks.toReversed();
  const waitMs = WAITS_MS[looks.length - 1];
  // An incomplete list confirms nothing.
  const earlier = before === undefined || before.verdict === "incomplete" ? [] : before.unconfirmed;
  const isConfirmed = latest !== undefined && sameConclusions(latest.unconfirmed, earlier);
  const isBelieved = latest?.verdict === "believe" || (latest?.verdict === "wait" && waitMs === undefined);
  if (isConfirmed && isBelieved) return "proved";
  return waitMs === undefined ? "unproved" : { waitMs };
}

function sameConclusions(a: readonly Conclusion[], b: readonly Conclusion[]): boolean {
  return sameList(inOrder(a), inOrder(b));
}

function inOrder(all: readonly Conclusion[]): readonly string[] {
  return all.map(({ what, of }) => `${what} ${of}`).sort(compareText);
}

async function readOnce(options: RemoteOptions): Promise<Remote> {
  const { service, lockfile, clock } = options;
  const range = service.listsByDate ? rangeOf(options) : undefined;
  const listed = await service.listScheduled(range, lockfile.longest_lists);
  const list = await withDuplicates(listed, options);
  checkUsable(list, options);
  const ids = missingOwnedPosts(lockfile, list.posts, clock.now());
  const missing = await Promise.all(ids.map(async (id) => ({ id, state: await service.getPost(id) })));
  return {
    ...list,
    missing,
    absent: new Map([...absencesOf(missing, list), ...(await findRemoved(list, options))]),
    stillScheduled: await findStillScheduled(list, options),
    supports: service.supports ?? NO_EXTRAS,
    isSettled: service.isSettled === true,
  };
}

/** From now to the latest time of a row or an owned post. */
function rangeOf({ lockfile, clock, until = "" }: RemoteOptions): DateRange {
  const from = utcTime(clock.now());
  const owned = [lockfile.posts, lockfile.retiring, lockfile.unknown].flatMap((posts) =>
    Object.values(posts).map(({ scheduled_at }) => scheduled_at),
  );
  const to = [until, ...owned].reduce((latest, due) => (due > latest ? due : latest), from);
  return { from, to };
}

/** The list with the posts of pending creates that the service finds although its list lacks them. */
async function withDuplicates(list: RemoteList, { service, lockfile }: RemoteOptions): Promise<RemoteList> {
  const found = await Promise.all(
    Object.values(lockfile.unknown).map(async ({ content, platforms, scheduled_at, media_ids, ...rest }) =>
      service.findDuplicate?.({
        content,
        platforms,
        scheduledAt: scheduled_at,
        mediaIds: media_ids,
        ...keptExtras(rest),
      }),
    ),
  );
  const listed = indexById(list.posts);
  const more = found.flatMap((post) => (post === undefined || listed.has(post.id) ? [] : [post]));
  return more.length === 0 ? list : { ...list, posts: [...list.posts, ...indexById(more).values()] };
}

function absencesOf(missing: readonly MissingPost[], list: RemoteList): ReadonlyMap<string, Absence> {
  const known = missing.flatMap(({ id, state }): [string, Absence][] => {
    const why = absenceOf(state, list);
    return why === undefined ? [] : [[id, why]];
  });
  return new Map(known);
}

function absenceOf(state: PostState, list: RemoteList): Absence | undefined {
  if (state.state === "scheduled") return undefined;
  if (state.state !== "unknown") return state.state;
  // Records without a status: the list decides, if its end is beyond doubt.
  if (!hasNoStatus(state) || list.wholeness !== "end") return undefined;
  return list.isTold === true ? "missing" : "unknown";
}

/** Those of the moved rows' posts that somebody removed before they were due. */
async function findRemoved(
  { posts }: RemoteList,
  { service, movedRows = [] }: RemoteOptions,
): Promise<readonly (readonly [string, Absence])[]> {
  const listed = indexById(posts);
  const ids = movedRows.filter((id) => !listed.has(id));
  const states = await Promise.all(ids.map(async (id) => [id, (await service.getPost(id)).state] as const));
  return states.flatMap(([id, state]) => (state === "missing" || state === "cancelled" ? [[id, state]] : []));
}

/** A list may show cancelled posts for a while. A cancel may also have been confirmed and not done. */
async function findStillScheduled(
  { posts }: RemoteList,
  { service, lockfile }: RemoteOptions,
): Promise<Set<string>> {
  const listed = indexById(posts);
  const shown = Object.keys(lockfile.cancelled).flatMap((id) => listed.get(id) ?? []);
  const states = await Promise.all(shown.map(async ({ id }) => ({ id, ...(await service.getPost(id)) })));
  return new Set(states.filter(({ state }) => state === "scheduled").map(({ id }) => id));
}

/** Without owned posts nothing can contradict the list, so its end must be beyond doubt. */
function checkUsable(list: RemoteList, { lockfile, takesIncomparable }: RemoteOptions): void {
  const blank = takesIncomparable === true ? undefined : list.posts.find((post) => !isComparable(post));
  if (blank === undefined && list.doubt === undefined) return;
  if (Object.keys(lockfile.posts).length > 0) return;
  refuseDoubt(list);
  if (blank === undefined) return;
  throw new Failure(
    "service/not-comparable",
    `The service's list does not show content, platforms and time of posts such as ${blank.id}, and this project's lockfile has none of them. ` +
      "plancast cannot know which posts belong to rows of this calendar. Nothing was changed.",
    "If the lockfile is lost, restore it from git. If this is the first run, start with an account that has no scheduled posts.",
  );
}

/**
 * Owned posts that are not scheduled now, and that the service may still publish, by id with its word for their status.
 * For example, somebody made one a draft.
 */
export function pausedPosts({
  missing,
  absent,
}: Pick<Remote, "missing" | "absent">): ReadonlyMap<string, string> {
  return new Map(
    missing.flatMap(({ id, state }) =>
      state.state !== "unknown" || state.status === undefined || absent.has(id) ? [] : [[id, state.status]],
    ),
  );
}

/** Throws a Failure if the service does not show whether a post that the list lacks is scheduled. */
function refuseUnknownStatus(remote: Remote, isConcerned: (id: string) => boolean = () => true): void {
  for (const { id, state } of remote.missing) {
    // A post with a word for its status only concerns its own row: see `pausedPosts`.
    if (state.state !== "unknown" || state.status !== undefined || remote.absent.has(id)) continue;
    refuseDoubt(remote);
    if (!isConcerned(id)) continue;
    throw new Failure(
      "service/unknown-status",
      `${id} belongs to this project but is not in the list of scheduled posts. The service shows no status for it, and plancast cannot know if it will be published.`,
      "Schedule or delete the post on the service. Run again when it is scheduled, published or gone.",
    );
  }
}

function refuseDoubt({ name, doubt }: RemoteList): void {
  if (doubt !== undefined) throw incompleteList(name, doubt.why, doubt.hint);
}

function unproved({ name, missing }: Remote): Failure {
  const scheduled = missing.find(({ state }) => state.state === "scheduled");
  const why =
    scheduled === undefined
      ? "it differs from one reading to the next"
      : `it does not contain ${scheduled.id}, which is scheduled`;
  return incompleteList(name, why);
}

/**
 * The conclusions that are wrong if the list is old: it may show a cancelled post, or lack one for a row without an
 * entry in the lockfile.
 */
export function conclusionsOf({ changes, missing }: Diff, lockfile: Lockfile): Conclusion[] {
  return [...changes, ...missing.map(({ create }) => create)].flatMap((change): Conclusion[] => {
    if (change.action === "adopt") return [{ what: "adopt", of: change.remote.id }];
    const isForgotten = change.action === "create" && !Object.hasOwn(lockfile.posts, change.key);
    return isForgotten ? [{ what: "create", of: change.key }] : [];
  });
}

/** Throws a Failure if a post would be created again although it may still exist. */
export function refuseDuplicateCreates({ missing }: Diff, input: DiffInput, { name }: Remote): void {
  for (const { key } of missing) {
    const id = getOwn(input.lockfile.posts, key)?.post_id;
    if (id === undefined || absence({ key }, input) !== "unknown") continue;
    const why = `it does not contain ${id}, which the service still has with an unknown status, and nothing marks the end of the list`;
    throw incompleteList(name, why, MAP_STATUS_AND_PAGES);
  }
}

/**
 * The time up to which posts matter: when the latest row is due. Empty without rows. If a row has no slot yet, its
 * post may be on the service at any of its slots.
 * @param now ms since the epoch
 */
export function latestOf({ posts }: Pick<CheckedCalendars, "posts">, now: number): string {
  if (posts.some(({ slot }) => slot?.isTaken === false)) return utcTime(now + SLOT_HORIZON_MS);
  return posts.reduce((latest, { scheduledAt }) => (scheduledAt > latest ? scheduledAt : latest), "");
}
