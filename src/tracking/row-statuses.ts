/** Computes the status of each row from its posts, and whether the row was edited since. Pure. */

import { posix } from "node:path";
import { utcMs, utcTime } from "../model/canonical.ts";
import { type CachedMedia, type Lockfile, type OwnedPost, getOwn, pinnedFile } from "../model/lockfile.ts";
import { type SupportedExtras, isExpired, supportedPosts } from "../model/extras.ts";
import {
  type MediaReference,
  type Post,
  DERIVED_KEY_PREFIX,
  rowIdsOf,
  sentMedia,
  withMediaIds,
} from "../model/post.ts";
import { rowName } from "../model/problem.ts";
import {
  type PlatformResult,
  type Publication,
  type ReportedPost,
  type RowSince,
  type RowState,
  type RowStatus,
  contentExcerpt,
} from "../model/publication.ts";
import { type Hold, holdFacts } from "../model/holds.ts";
import { holdSentence } from "../problems/hold-texts.ts";
import { compareText, sameList } from "../model/text.ts";
import { fingerprint } from "../sync/plan/compare.ts";

/** A row, or a post whose row is gone. */
export interface TrackedRow {
  readonly row: Omit<RowStatus, "state" | "results" | "publishedAt" | "reason" | "since">;
  /** When it expires. */
  readonly expires?: string | undefined;
  /** What withholds it. */
  readonly hold?: Hold | undefined;
  /** Whether its create has an unknown result. */
  readonly isInDoubt: boolean;
  /** What happened to the row since its post was applied, given the service's answer about the post. */
  readonly since: (reported: ReportedPost | undefined) => RowSince | undefined;
}

/** A row outside the plan. */
export interface SkippedRow extends Pick<RowStatus, "file" | "sheet" | "line" | "place"> {
  /** Its id, or the keys of the posts that it would be; empty if they are unknown. */
  readonly keys: readonly string[];
}

interface TrackingInput {
  /** Rows in the scope of the run. */
  readonly posts: readonly Post[];
  /** The extra parts that the service stores: others do not make a row another one. Default: none. */
  readonly supports?: SupportedExtras | undefined;
  /** What withholds a row. Default: nothing. */
  readonly holdOf?: ((post: Post) => Hold | undefined) | undefined;
  /** Draft and skipped rows. */
  readonly skippedRows: readonly SkippedRow[];
  readonly lockfile: Lockfile;
  /** Whether to show a post without a row, by its key and its calendar. */
  readonly isShown: (key: string, file: string) => boolean;
  /** Whether a calendar has rows that plancast cannot read. */
  readonly isBroken: (file: string) => boolean;
}

/** The posts to track, in the order of their due times. */
export function trackedRows(given: TrackingInput): readonly TrackedRow[] {
  const { posts, supports, lockfile, holdOf = () => undefined } = given;
  const paths = idsByPath(lockfile);
  const rows = supportedPosts(posts, supports).map((post, index) => {
    const owned = getOwn(lockfile.posts, post.key);
    // An edited row is not applied yet: its post keeps the old time.
    const row = {
      ...rowOf(post),
      scheduledAt: owned?.scheduled_at ?? post.scheduledAt,
      postId: owned?.post_id,
    };
    const since = (reported: ReportedPost | undefined): RowSince | undefined =>
      owned !== undefined && isEdited(post, owned, lockfile, paths, reported) ? "edited" : undefined;
    return { row, since, expires: posts[index]?.expires, hold: holdOf(post) };
  });
  return [...rows, ...rowless(given)]
    .map((each) => ({ ...each, isInDoubt: Object.hasOwn(lockfile.unknown, each.row.key) }))
    .sort((one, other) => compareText(orderOf(one), orderOf(other)));
}

function rowOf(post: Post): Omit<TrackedRow["row"], "scheduledAt" | "postId"> {
  const { key, content, platforms, source, timezone, campaign } = post;
  const { file, sheet, line } = source;
  return {
    key,
    file,
    sheet,
    line,
    place: rowName(source, post.at()),
    platforms,
    content,
    timezone,
    campaign,
  };
}

/** The posts without a row, or whose row is skipped. */
function rowless({
  posts,
  skippedRows,
  lockfile,
  isShown,
  isBroken,
}: TrackingInput): Omit<TrackedRow, "isInDoubt">[] {
  const keys = new Set(posts.map(({ key }) => key));
  const skippedByKey = new Map(skippedRows.flatMap((row) => row.keys.map((key) => [key, row] as const)));
  const unclear = new Set(skippedRows.filter((row) => row.keys.length === 0).map(({ file }) => file));
  return Object.entries(lockfile.posts).flatMap(([key, { post_id, scheduled_at, file }]) => {
    if (keys.has(key) || !isShown(key, file)) return [];
    const [row] = rowIdsOf(key).flatMap((id) => skippedByKey.get(id) ?? []);
    const { sheet, line, place } = row ?? { sheet: undefined, line: undefined, place: file };
    const post = { scheduledAt: scheduled_at, platforms: [], content: "", postId: post_id };
    const isUnclear = isBroken(file) || (key.startsWith(DERIVED_KEY_PREFIX) && unclear.has(file));
    const since = row !== undefined ? "set_aside" : isUnclear ? "unreadable" : "gone";
    return { row: { key, file: row?.file ?? file, sheet, line, place, ...post }, since: () => since };
  });
}

function orderOf({ row }: Pick<TrackedRow, "row">): string {
  return `${row.scheduledAt} ${row.key}`;
}

/** A post that is still scheduled this long after it was due gets a note, in ms. */
const LATE_MS = 600_000;

/** A row that was never applied is shown for this long after its time, in ms. Older rows are archives. */
const MISSED_MS = 30 * 24 * 3_600_000;

/**
 * The status of a row.
 * @param publication of its post; undefined if it has none
 * @param now Unix time, in ms
 */
export function rowStatus(
  { row, isInDoubt, since, expires, hold }: TrackedRow,
  publication: Publication | undefined,
  now: number,
): RowStatus {
  const results = publication?.results ?? [];
  const publishedAt = publication?.publishedAt;
  const reported = publication?.post;
  const became = since(reported);
  const shown = became === undefined ? row : { ...row, ...shownPost(reported, results) };
  if (isInDoubt) {
    return { ...shown, state: "unknown", results, reason: { kind: "unknown-create" }, since: became };
  }
  const found = stateOf(
    { ...row, expires, isWanted: became === undefined || became === "edited" },
    publication,
    now,
  );
  const isHeld = hold !== undefined && row.scheduledAt > utcTime(now) && HELD_STATES.has(found.state);
  const state = isHeld
    ? ({ state: "held", reason: { kind: "said", text: holdSentence(holdFacts(hold)) } } as const)
    : found;
  return { ...shown, results, publishedAt, since: became, ...state };
}

/** A post that is published or still scheduled shows what it is, also if its row is held since. */
const HELD_STATES: ReadonlySet<RowState> = new Set(["cancelled", "missing", "not_applied"]);

/** A post with a row that has changed since, as far as the service shows it. */
function shownPost(
  reported: ReportedPost | undefined,
  results: readonly PlatformResult[],
): Pick<RowStatus, "platforms" | "content"> {
  const platforms = reported?.platforms ?? results.map(({ platform }) => platform);
  return { platforms, content: reported?.content ?? "" };
}

function stateOf(
  {
    scheduledAt,
    postId,
    expires,
    isWanted,
  }: Pick<RowStatus, "scheduledAt" | "postId"> &
    Pick<TrackedRow, "expires"> & {
      /** Whether a row asks for the post. */
      readonly isWanted: boolean;
    },
  publication: Publication | undefined,
  now: number,
): Pick<RowStatus, "state" | "reason"> {
  const isDue = scheduledAt <= utcTime(now);
  if (publication === undefined || postId === undefined) {
    const isMissed = isDue && now - utcMs(scheduledAt) <= MISSED_MS;
    const kind = isExpired({ expires }, now) ? "expired" : "missed";
    return { state: "not_applied", reason: isMissed ? { kind } : undefined };
  }
  const { state, results, reason: said } = publication;
  switch (state) {
    case "scheduled":
      return { state, reason: now - utcMs(scheduledAt) > LATE_MS ? { kind: "late" } : undefined };
    case "missing":
      return isDue
        ? { state: "unknown", reason: { kind: "gone-when-due" } }
        : { state: isWanted ? "missing" : "cancelled", reason: { kind: "gone" } };
    case "failed":
      if (results.length > 0 && results.every((each) => each.state === "expired"))
        return { state: "expired", reason: undefined };
      return { state, reason: said === undefined ? undefined : { kind: "said", text: said } };
    case "cancelled":
      if (isWanted && !isDue) return { state: "missing", reason: { kind: "removed" } };
      return { state, reason: said === undefined ? undefined : { kind: "said", text: said } };
    case "published":
    case "unknown":
      return { state, reason: said === undefined ? undefined : { kind: "said", text: said } };
    default:
      return state satisfies never;
  }
}

/** The media ids of uploaded files, by the paths at which they were last seen. */
type IdsByPath = ReadonlyMap<string, readonly string[]>;

function idsByPath({ media }: Lockfile): IdsByPath {
  const ids = new Map<string, string[]>();
  for (const cached of Object.values(media))
    ids.set(cached.path, [...(ids.get(cached.path) ?? []), ...idsIn(cached)]);
  return ids;
}

/** Maximum number of combinations of media ids that are tried. */
const MAX_CHOICES = 64;

/**
 * If the ids of the row's media are known, the lockfile's fingerprint decides. Otherwise, the service's facts about the
 * post do. Files that were saved again at the same path are not detected, because only a plan reads them.
 * @param reported undefined if the service shows nothing about the post
 */
function isEdited(
  post: Post,
  owned: OwnedPost,
  lockfile: Lockfile,
  paths: IdsByPath,
  reported: ReportedPost | undefined,
): boolean {
  if (post.scheduledAt !== owned.scheduled_at) return true;
  const ids = sentMedia(post).map((each) => idsOf(each, post, lockfile, paths));
  if (choices(ids).some((sent) => fingerprint(withMediaIds(post, sent)) === owned.fingerprint)) return false;
  const ways = ids.reduce((product, { length }) => product * length, 1);
  const isSure = ways > 0 && ways <= MAX_CHOICES;
  return isSure || differsFromRemote(post, owned, reported);
}

function idsOf(
  media: MediaReference,
  { source }: Post,
  lockfile: Lockfile,
  paths: IdsByPath,
): readonly string[] {
  switch (media.kind) {
    case "id":
      return [media.id];
    case "url": {
      const file = pinnedFile(lockfile, media.url);
      const cached = file === undefined ? undefined : getOwn(lockfile.media, file.sha256);
      return cached === undefined ? [] : idsIn(cached);
    }
    case "file": {
      const places = [posix.join(posix.dirname(source.file), media.path), posix.normalize(media.path)];
      return [...new Set(places)].flatMap((place) => paths.get(place) ?? []);
    }
    default:
      return media satisfies never;
  }
}

function idsIn({ id, also = [] }: CachedMedia): readonly string[] {
  return [id, ...also];
}

/** Each way to choose one id for each part. */
function choices(parts: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return parts.reduce<readonly (readonly string[])[]>(
    (taken, ids) => taken.flatMap((each) => ids.map((id) => [...each, id])).slice(0, MAX_CHOICES),
    [[]],
  );
}

/** According to the service's answer. A text that the service stores in another form is not an edit. */
function differsFromRemote(
  { content, platforms }: Post,
  { stored }: OwnedPost,
  reported: ReportedPost | undefined,
): boolean {
  const isSameText =
    reported?.content === undefined || sameStart(reported.content, [content, stored?.content]);
  const isSamePlatforms =
    reported?.platforms === undefined ||
    sameList(reported.platforms, platforms) ||
    (stored?.platforms !== undefined && sameList(reported.platforms, stored.platforms));
  return !isSameText || !isSamePlatforms;
}

function sameStart(reported: string, texts: readonly (string | undefined)[]): boolean {
  return texts.some((text) => text !== undefined && contentExcerpt(text) === reported);
}
