/** From rows and the posts that they own to the status of each row, and whether the row was edited since. Pure. */

import { posix } from "node:path";
import { utcMs, utcTime } from "../model/canonical.ts";
import { type CachedMedia, type Lockfile, type OwnedPost, getOwn, pinnedFile } from "../model/lockfile.ts";
import { type MediaReference, type Post, DERIVED_KEY_PREFIX } from "../model/post.ts";
import { rowName } from "../model/problem.ts";
import {
  type PlatformResult,
  type Publication,
  type ReportedPost,
  type RowSince,
  type RowStatus,
  contentExcerpt,
} from "../model/publication.ts";
import { compareText, sameList } from "../model/text.ts";
import { fingerprint } from "../sync/plan/compare.ts";

/** A row, or a post whose row is gone. */
export interface TrackedRow {
  readonly row: Omit<RowStatus, "state" | "results" | "reason" | "since">;
  /** Whether the result of a create for it is unknown. */
  readonly isInDoubt: boolean;
  /** What happened to the row since its post was applied, given what the service says of the post. */
  readonly since: (reported: ReportedPost | undefined) => RowSince | undefined;
}

/** A row that is not planned. */
export interface SkippedRow extends Pick<RowStatus, "file" | "line" | "place"> {
  /** Its id, or the keys of the posts that it would be; none where that is not known. */
  readonly keys: readonly string[];
}

interface TrackingInput {
  /** Rows that the run is about. */
  readonly posts: readonly Post[];
  /** Draft and skipped rows. */
  readonly skippedRows: readonly SkippedRow[];
  readonly lockfile: Lockfile;
  /** Whether a post without a row may be shown, by its key and its calendar. */
  readonly isShown: (key: string, file: string) => boolean;
  /** Whether a calendar has rows that cannot be understood. */
  readonly isBroken: (file: string) => boolean;
}

/** What to track, in the order in which it is due. */
export function trackedRows(given: TrackingInput): readonly TrackedRow[] {
  const { posts, lockfile } = given;
  const paths = idsByPath(lockfile);
  const rows = posts.map((post) => {
    const owned = getOwn(lockfile.posts, post.key);
    // An edited row is not applied yet: its post is due when it was.
    const row = {
      ...rowOf(post),
      scheduledAt: owned?.scheduled_at ?? post.scheduledAt,
      postId: owned?.post_id,
    };
    const since = (reported: ReportedPost | undefined): RowSince | undefined =>
      owned !== undefined && isEdited(post, owned, lockfile, paths, reported) ? "edited" : undefined;
    return { row, since };
  });
  return [...rows, ...rowless(given)]
    .map((each) => ({ ...each, isInDoubt: Object.hasOwn(lockfile.unknown, each.row.key) }))
    .sort((one, other) => compareText(orderOf(one), orderOf(other)));
}

function rowOf(post: Post): Omit<TrackedRow["row"], "scheduledAt" | "postId"> {
  const { key, content, platforms, source } = post;
  const { file, line } = source;
  return { key, file, line, place: rowName(source, post.at()), platforms, content };
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
    // `launch@twitter` is what the row `launch` is on one platform.
    const row = skippedByKey.get(key) ?? skippedByKey.get(key.slice(0, Math.max(0, key.lastIndexOf("@"))));
    const { line, place } = row ?? { line: undefined, place: file };
    const post = { scheduledAt: scheduled_at, platforms: [], content: "", postId: post_id };
    const isUnclear = isBroken(file) || (key.startsWith(DERIVED_KEY_PREFIX) && unclear.has(file));
    const since = row !== undefined ? "set_aside" : isUnclear ? "unreadable" : "gone";
    return { row: { key, file: row?.file ?? file, line, place, ...post }, since: () => since };
  });
}

function orderOf({ row }: Pick<TrackedRow, "row">): string {
  return `${row.scheduledAt} ${row.key}`;
}

/** A post that is still scheduled so long after it was due is worth a word, ms. */
const LATE_MS = 600_000;

/**
 * What became of a row.
 * @param publication of its post; undefined where it has none
 * @param now Unix time, ms
 */
export function rowStatus(
  { row, isInDoubt, since }: TrackedRow,
  publication: Publication | undefined,
  now: number,
): RowStatus {
  const results = publication?.results ?? [];
  const reported = publication?.post;
  const became = since(reported);
  const shown = became === undefined ? row : { ...row, ...shownPost(reported, results) };
  if (isInDoubt) {
    return { ...shown, state: "unknown", results, reason: { kind: "unknown-create" }, since: became };
  }
  return { ...shown, results, since: became, ...stateOf(row, publication, now) };
}

/** A post whose row says something else by now, as far as the service tells it. */
function shownPost(
  reported: ReportedPost | undefined,
  results: readonly PlatformResult[],
): Pick<RowStatus, "platforms" | "content"> {
  const platforms = reported?.platforms ?? results.map(({ platform }) => platform);
  return { platforms, content: reported?.content ?? "" };
}

function stateOf(
  { scheduledAt, postId }: TrackedRow["row"],
  publication: Publication | undefined,
  now: number,
): Pick<RowStatus, "state" | "reason"> {
  if (publication === undefined || postId === undefined) return { state: "not_applied", reason: undefined };
  const { state, reason: said } = publication;
  const isDue = scheduledAt <= utcTime(now);
  switch (state) {
    case "scheduled":
      return { state, reason: now - utcMs(scheduledAt) > LATE_MS ? { kind: "late" } : undefined };
    case "missing":
      return isDue
        ? { state: "unknown", reason: { kind: "gone-when-due" } }
        : { state: "cancelled", reason: { kind: "gone" } };
    case "published":
    case "failed":
    case "cancelled":
    case "unknown":
      return { state, reason: said === undefined ? undefined : { kind: "said", text: said } };
    default:
      return state satisfies never;
  }
}

/** The media ids under which files were uploaded, by the paths at which they were seen last. */
type IdsByPath = ReadonlyMap<string, readonly string[]>;

function idsByPath({ media }: Lockfile): IdsByPath {
  const ids = new Map<string, string[]>();
  for (const cached of Object.values(media))
    ids.set(cached.path, [...(ids.get(cached.path) ?? []), ...idsIn(cached)]);
  return ids;
}

/** Of so many choices of media ids, at most, the post's is looked for. */
const MAX_CHOICES = 64;

/**
 * The lockfile's fingerprint decides, as far as it tells which ids the row's media have; else what the service tells of
 * the post does. Files that were saved anew at the same path are not seen: a plan reads them.
 * @param reported undefined where the service says nothing of the post
 */
function isEdited(
  post: Post,
  owned: OwnedPost,
  lockfile: Lockfile,
  paths: IdsByPath,
  reported: ReportedPost | undefined,
): boolean {
  if (post.scheduledAt !== owned.scheduled_at) return true;
  const ids = post.media.map((each) => idsOf(each, post, lockfile, paths));
  if (choices(ids).some((mediaIds) => fingerprint({ ...post, mediaIds }) === owned.fingerprint)) return false;
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

/** Each way to take one id of each part. */
function choices(parts: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return parts.reduce<readonly (readonly string[])[]>(
    (taken, ids) => taken.flatMap((each) => ids.map((id) => [...each, id])).slice(0, MAX_CHOICES),
    [[]],
  );
}

/** By the service's word; a text that it keeps otherwise than it was sent is no edit. */
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
