/** Turns a diff into the plan: the order of changes, uploads, requests, guards, warnings, and the hash. */

import { createHash } from "node:crypto";
import { utcMs } from "../../model/canonical.ts";
import { type Pace, waitMsFor } from "../../model/clock.ts";
import { type PostExtras, filledExtras } from "../../model/extras.ts";
import { type Lockfile, addressKey, isWebFile } from "../../model/lockfile.ts";
import type {
  Change,
  MissingRow,
  PendingChange,
  Plan,
  RequestCosts,
  Summary,
  UploadedFile,
} from "../../model/plan.ts";
import { type MediaFile, type ResolvedMedia, type ResolvedPost, sentMedia } from "../../model/post.ts";
import { type Problem, problem } from "../../model/problem.ts";
import { clipped, compareText } from "../../model/text.ts";
import { timeInZone } from "../../checks/when/local-time.ts";
import { groupBy } from "../../model/data.ts";
import {
  dueBeforeTurnText,
  missingRowText,
  notAsRecordedText,
  olderVersionText,
  pastButScheduledText,
  pastRowText,
  pendingCreateText,
} from "../../problems/plan-texts.ts";
import { notConfirmedTexts } from "../../problems/trust-texts.ts";
import { type Config, EMBEDDED } from "../../settings/config.ts";
import { type DoubtfulCancel, guardsOf, riskyCancels } from "./guards.ts";
import { idToSend } from "./compare.ts";
import type { Trusted } from "./trusted.ts";
import type { Diff, DiffInput } from "./input.ts";

export interface PlanInput {
  readonly input: DiffInput;
  readonly diff: Diff;
  /** Media ids in the lockfile that the service no longer has. */
  readonly missingMedia: ReadonlySet<string>;
  /** Draft rows and skipped rows of the calendars in scope. */
  readonly drafts: number;
  readonly skipped: number;
  /** IANA zone in which messages name times. */
  readonly timezone: string;
  readonly safety: Config["safety"];
  readonly allowCancels: number | undefined;
  readonly afterApply?: Plan["afterApply"];
  /** How fast apply may send, as far as the service has reported. */
  readonly pace: Pace;
  readonly costs: RequestCosts;
  readonly problems: readonly Problem[];
  /** Whether only a journal that others may have written says that this post is the project's. Default: none is. */
  readonly isJournalOnly?: ((postId: string) => boolean) | undefined;
  /** What does not count of the lockfile, which `input` has without it, and the lockfile's name. */
  readonly trusted?:
    | (Pick<Trusted, "unproved" | "refused"> & { readonly file: string; readonly isPullRequest: boolean })
    | undefined;
}

/** Makes the plan. Pure: equal inputs give an equal plan and hash. */
export function makePlan(given: PlanInput): Plan {
  const { input, diff } = given;
  const changes = [...diff.changes].sort(compareChanges);
  const { media } = withoutMissing(input.lockfile, given.missingMedia);
  const uploads = uploadsOf(changes, media);
  const summary = summaryOf(given);
  const { isJournalOnly = () => false, trusted } = given;
  const unproved = trusted?.unproved ?? new Map<string, string>();
  const { count: cancels, doubtful } = riskyCancels(changes, input.lockfile, isJournalOnly, unproved);
  const { safety, allowCancels } = given;
  const kept = new Set(diff.kept.map(({ remote }) => remote.id));
  const guards = guardsOf({
    cancels,
    notAsRecorded: doubtful.length,
    owned: diff.owned.size,
    rows: input.desired.filter((post) => input.inScope(post.source.file)).length + diff.held.length,
    safety,
    allowCancels,
  });
  return {
    hash: () => hashOf(given, changes),
    afterApply: given.afterApply,
    summary,
    guards,
    unproved: new Set([...unproved.keys()].filter((id) => !kept.has(id))),
    uploads,
    changes,
    kept: diff.kept,
    pending: diff.pending,
    held: diff.held,
    missing: diff.missing.toSorted((one, other) => compareChanges(one.create, other.create)),
    whereMissing: whereMissing(input, diff),
    costs: given.costs,
    requests: requestsOf(changes, uploads, given.costs),
    uploadedFiles: () => filesById(input.lockfile),
    problems: [
      ...given.problems,
      ...warningsOf(given),
      ...doubtful.map(notAsRecordedWarning),
      ...(trusted === undefined
        ? []
        : notConfirmedProblems(trusted.file, trusted.refused, addedRows(trusted, doubtful))),
      ...warnDueBeforeSent(changes, media, given, input.now),
    ],
  };
}

/**
 * The plan that also creates these missing rows again, because a person decided so.
 * @param media the cache of the lockfile that apply starts with
 */
export function withRecreated(plan: Plan, rows: readonly MissingRow[], { media }: Lockfile): Plan {
  if (rows.length === 0) return plan;
  const again = rows.map(({ create, postId }): Change => ({
    ...create,
    reason: "allowed-again",
    forgets: postId,
  }));
  const changes = [...plan.changes, ...again].sort(compareChanges);
  const uploads = uploadsOf(changes, media);
  const { create, missing } = plan.summary;
  return {
    ...plan,
    summary: { ...plan.summary, create: create + rows.length, missing: missing - rows.length },
    uploads,
    changes,
    missing: plan.missing.filter((each) => !rows.includes(each)),
    requests: requestsOf(changes, uploads, plan.costs),
  };
}

function requestsOf(changes: readonly Change[], uploads: readonly MediaFile[], costs: RequestCosts): number {
  const count = new RequestCount(costs);
  for (const change of changes) count.add(change, 0);
  return count.total + (costs.hasUploads ? uploads.length : 0);
}

/** Counts the requests of changes, in the order of apply. */
class RequestCount {
  readonly #costs: RequestCosts;
  #single = 0;
  #creates = 0;
  #others = 0;

  constructor(costs: RequestCosts) {
    this.#costs = costs;
  }

  get total(): number {
    const { changesPerRequest: most = 1 } = this.#costs;
    return this.#single + Math.ceil(this.#creates / most) + Math.ceil(this.#others / most);
  }

  /** Adds a change. @param files to upload first  @returns the number of the request with it, or the first of them */
  add({ action }: Change, files: number): number {
    const { changesPerRequest, hasUploads } = this.#costs;
    if (hasUploads) this.#single += files;
    const first = this.total + 1;
    if (changesPerRequest === undefined) this.#single += REQUESTS_PER_CHANGE[action];
    else if (action === "create") this.#creates += 1;
    else if (action !== "adopt") this.#others += 1;
    return changesPerRequest === undefined ? first : this.total;
  }
}

/** If none of the project's posts is on the service, perhaps they are in another account, or on another machine. */
function whereMissing(
  { lockfile }: DiffInput,
  { missing, owned, kept, changes }: Diff,
): Plan["whereMissing"] {
  const isFound = owned.size + kept.length > 0 || changes.some(({ action }) => action === "adopt");
  if (isFound || missing.every(({ postId }) => postId === undefined)) return "here";
  return lockfile.origin === EMBEDDED ? "other-machine" : "other-account";
}

/** The lockfile without the cached media that the service no longer has. */
export function withoutMissing(lockfile: Lockfile, missing: ReadonlySet<string>): Lockfile {
  if (missing.size === 0) return lockfile;
  const media = Object.entries(lockfile.media).filter(([, cached]) => !missing.has(cached.id));
  return { ...lockfile, media: Object.fromEntries(media) };
}

function filesById({ media }: Lockfile): Map<string, UploadedFile> {
  const found = Object.values(media).flatMap((file) => {
    return [file.id, ...(file.also ?? [])].map((id) => [id, file] as const);
  });
  return new Map(found);
}

/** Earliest first, so that an interrupted run has made the urgent changes. */
function compareChanges(one: Change, other: Change): number {
  return (
    compareText(dueAt(one), dueAt(other)) ||
    compareText(one.key, other.key) ||
    compareText(one.action, other.action)
  );
}

function dueAt(change: Change): string {
  return change.action === "cancel" ? change.dueAt : change.desired.scheduledAt;
}

function summaryOf({ input, diff, drafts, skipped }: PlanInput): Summary {
  const count = (action: Change["action"]): number =>
    diff.changes.filter((change) => change.action === action).length;
  return {
    create: count("create"),
    replace: count("replace"),
    cancel: count("cancel"),
    adopt: count("adopt"),
    missing: diff.missing.length,
    held: diff.held.length,
    keep: diff.kept.length,
    past: diff.past.length,
    expired: diff.past.filter(({ key }) => input.expired.has(key)).length,
    draft: drafts,
    skipped,
    unmanaged: diff.unmanaged.length,
  };
}

function warningsOf({ input, diff, timezone }: PlanInput): Problem[] {
  return [
    ...pastRows(input, diff, timezone),
    ...stillScheduled(input, diff, timezone),
    ...olderVersions(diff),
    ...diff.pending.map((each) => pendingCreateWarning(each, timezone)),
    ...diff.missing.map((row) => problem("apply/missing", missingRowText(row), row.create.desired.at())),
  ];
}

/**
 * One warning per file for past rows that were never scheduled: the year may be wrong. A series may have begun before, and
 * a row that has expired meant it.
 */
function pastRows({ lockfile, now, expired, holds }: DiffInput, { past }: Diff, timezone: string): Problem[] {
  const never = past.filter(
    (post) =>
      post.series === undefined &&
      !Object.hasOwn(lockfile.posts, post.key) &&
      !expired.has(post.key) &&
      holds.holdWhenDue(post) === undefined,
  );
  return [...groupBy(never, ({ source }) => source.file).values()].flatMap((posts) => {
    const [first, ...rest] = posts;
    if (first === undefined) return [];
    // The parts of a row for several platforms count as one row.
    const others = new Set(rest.map(shortPlace));
    others.delete(shortPlace(first));
    const isTooClose = Date.parse(first.scheduledAt) > now;
    const message = pastRowText(timeInZone(first.scheduledAt, timezone), isTooClose, [...others]);
    return [problem("schedule/past", message, first.at("scheduled_at"))];
  });
}

/** The row without its file: `line 4`, or `Plan!A4` in a sheet. */
function shortPlace(post: ResolvedPost): string {
  return post.at().cell ?? `line ${post.source.line}`;
}

/** A row that was moved to the past while its post is still due: the intention is unclear. */
function stillScheduled({ now, leadTimeMs }: DiffInput, { past, owned }: Diff, timezone: string): Problem[] {
  return past.flatMap((post) => {
    const scheduled = owned.get(post.key);
    if (scheduled === undefined || utcMs(scheduled.dueAt) <= now + leadTimeMs) return [];
    const message = pastButScheduledText(
      timeInZone(post.scheduledAt, timezone),
      utcMs(post.scheduledAt) > now,
      scheduled.remote.id,
      timeInZone(scheduled.dueAt, timezone),
    );
    return [problem("plan/past-but-scheduled", message, post.at("scheduled_at"))];
  });
}

function olderVersions({ changes, unmanaged }: Diff): Problem[] {
  const left = new Set(unmanaged.map((post) => post.id));
  return changes.flatMap((change) => {
    const conflictingId =
      change.action === "create" ? change.conflictingIds.find((id) => left.has(id)) : undefined;
    if (change.action !== "create" || conflictingId === undefined) return [];
    return [
      problem("plan/possible-older-version", olderVersionText(conflictingId), change.desired.at("content")),
    ];
  });
}

function pendingCreateWarning(each: PendingChange, timezone: string): Problem {
  const when = each.until === undefined ? each : { until: timeInZone(each.until, timezone) };
  const message = pendingCreateText(each.key, when, each.desired !== undefined);
  return problem("plan/unsettled", message, { file: each.file });
}

/**
 * What the lockfile says and nothing confirms.
 * @param added keys of rows whose posts only the lockfile of a pull request names
 */
export function notConfirmedProblems(
  file: string,
  refused: Trusted["refused"],
  added: readonly string[],
): readonly Problem[] {
  return notConfirmedTexts(refused, [...new Set(added)], clipped).map((message) =>
    problem("lockfile/not-confirmed", message, { file }),
  );
}

/** A post that the plan cancels or replaces has a warning of its own. */
function addedRows(
  { unproved, isPullRequest }: NonNullable<PlanInput["trusted"]>,
  doubtful: readonly DoubtfulCancel[],
): readonly string[] {
  const inDoubt = new Set(doubtful.map(({ remote }) => remote.id));
  return [...unproved].flatMap(([id, key]) => (isPullRequest && !inDoubt.has(id) ? [key] : []));
}

function notAsRecordedWarning({ key, remote, dueAt, file, why }: DoubtfulCancel): Problem {
  const message = notAsRecordedText(key, { id: remote.id, dueAt, content: remote.content ?? "", why });
  return problem("plan/not-as-recorded", message, { file });
}

/** Covers rows, lockfile, remote posts and the decisions: everything that a reviewer saw, and its inputs. */
function hashOf({ input, diff, afterApply }: PlanInput, changes: readonly Change[]): string {
  const parts = [
    input.desired.map((post) => [
      post.key,
      post.content,
      post.platforms,
      post.scheduledAt,
      sentMedia(post).map(mediaMark),
      ...extrasMark(post),
    ]),
    [input.lockfile.posts, input.lockfile.media, input.lockfile.retiring].map(sortedEntries),
    input.remote.map((post) => [
      post.id,
      post.content,
      post.platforms,
      post.scheduledAt,
      post.mediaIds,
      ...extrasMark(post),
    ]),
    changes.map(({ action, key }) => [action, key]),
    [
      ...diff.pending.map(({ key }) => key),
      ...diff.missing.map(({ key, postId }) => ["missing", key, postId]),
    ],
    ...(afterApply === undefined ? [] : [[afterApply.id, afterApply.input]]),
  ];
  const hash = createHash("sha256");
  for (const part of parts)
    hash.update(`${JSON.stringify(part.map((each) => JSON.stringify(each)).sort())}\n`);
  return `sha256:${hash.digest("hex")}`;
}

/** Absent for a post without extra parts, so that plans of earlier versions stay valid. */
function extrasMark(post: PostExtras): readonly PostExtras[] {
  const extras = filledExtras(post);
  return Object.keys(extras).length === 0 ? [] : [extras];
}

function mediaMark(media: ResolvedMedia): string {
  switch (media.kind) {
    case "id":
      return media.id;
    case "url":
      return media.url;
    case "file":
      // The row has the address with its query, so the query is part of the review.
      return isWebFile(media) ? `${media.sha256} ${addressKey(media.url)}` : media.sha256;
    default:
      return media satisfies never;
  }
}

function sortedEntries(record: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(record).sort(([one], [other]) => compareText(one, other));
}

/** Requests of each change that has its own, without its uploads. */
const REQUESTS_PER_CHANGE: Readonly<Record<Change["action"], number>> = {
  create: 1,
  replace: 2,
  cancel: 1,
  adopt: 0,
};

/** The media of the posts that the change will create. */
export function mediaToSend(change: Change): ResolvedPost["media"] {
  return change.action === "create" || change.action === "replace" ? sentMedia(change.desired) : [];
}

/** Distinct files without an id, in the order in which the changes need them. */
function uploadsOf(changes: readonly Change[], cache: Lockfile["media"]): readonly MediaFile[] {
  const files = new Map<string, MediaFile>();
  for (const media of changes.flatMap(mediaToSend)) {
    if (isToUpload(media, cache) && !files.has(media.sha256)) files.set(media.sha256, media);
  }
  return [...files.values()];
}

function isToUpload(media: ResolvedMedia, cache: Lockfile["media"]): media is MediaFile {
  return media.kind === "file" && idToSend(media, cache) === undefined;
}

/**
 * Posts that are due before the service's limit lets plancast create them, one warning each.
 * @param changes in the order of apply
 */
export function warnDueBeforeSent(
  changes: readonly Change[],
  cache: Lockfile["media"],
  { pace, costs, timezone }: Pick<PlanInput, "pace" | "costs" | "timezone">,
  now: number,
): Problem[] {
  const uploaded = new Set<string>();
  const requests = new RequestCount(costs);
  return changes.flatMap((change) => {
    const files = mediaToSend(change).filter((media) => isToUpload(media, cache));
    const fresh = files.filter((media) => !uploaded.has(media.sha256));
    for (const media of fresh) uploaded.add(media.sha256);
    const nth = requests.add(change, fresh.length);
    if (change.action !== "create" && change.action !== "replace") return [];
    const waitMs = waitMsFor(pace, nth);
    if (waitMs === 0 || utcMs(change.desired.scheduledAt) > now + waitMs) return [];
    const message = dueBeforeTurnText(timeInZone(change.desired.scheduledAt, timezone), waitMs);
    return [problem("plan/due-before-turn", message, change.desired.at("scheduled_at"))];
  });
}
