/**
 * Derives lockfiles from others. Pure. One is the start of an apply: with adopted posts and new keys, without posts
 * that are over. The other has no unnecessary media entries. Also finds the entries that only a pull request adds.
 */

import { utcMs } from "../../model/canonical.ts";
import { groupBy } from "../../model/data.ts";
import {
  type CachedMedia,
  type Lockfile,
  type OwnedPost,
  type StoredParts,
  UNKNOWN_FINGERPRINT,
  cachedFile,
  getOwn,
  isWebFile,
  pinEntry,
  retiringEntry,
} from "../../model/lockfile.ts";
import {
  type RemotePost,
  type ResolvedPost,
  DERIVED_KEY_PREFIX,
  sentMedia,
  unseenParts,
  withMediaIds,
} from "../../model/post.ts";
import { mediaOptions } from "../../model/options/catalogue.ts";
import { desiredFingerprint, fingerprint, mediaIdOf } from "./compare.ts";
import type { Diff, DiffInput } from "./input.ts";
import { PendingCreates } from "./reconcile.ts";

/** The lockfile to start an apply with. Pure; equal to the given one if nothing changed. */
export function nextLockfile(input: DiffInput, { changes, kept, missing, owned }: Diff): Lockfile {
  const media = withPaths(input);
  const posts = new Map(Object.entries(input.lockfile.posts));
  const retiring = new Map(Object.entries(input.lockfile.retiring));
  const keyOf = new Map([...posts].map(([key, owned]) => [owned.post_id, key]));
  const move = (key: string, id: string, entry: OwnedPost | undefined): void => {
    posts.delete(keyOf.get(id) ?? "");
    if (entry !== undefined) posts.set(key, entry);
  };
  const known = (id: string): OwnedPost | undefined => getOwn(input.lockfile.posts, keyOf.get(id) ?? "");
  for (const change of changes) {
    if (change.action === "adopt") adoptMedia(change.desired, change.remote, media);
  }
  const over = isOver(input);
  // With the key of another account, every post is missing.
  const isRightAccount = owned.size > 0 || kept.length > 0;
  const desired = new Set(input.desired.map((post) => post.key));
  const isAllHeld = input.holds.forAll(input.now) !== undefined;
  const heldFiles = new Set([...input.held.values()].map((row) => row.desired.source.file));
  const rowsOf = groupBy(missing, ({ postId }) => postId);
  for (const [key, { post_id: id, scheduled_at: dueAt, file }] of posts) {
    // A hold for the whole project is also for rows that the run leaves out.
    const hasRow = desired.has(key) || input.held.has(key) || isAllHeld;
    const rowGone = !hasRow && !input.staying.has(key) && input.inScope(file);
    const isSure = isRightAccount || input.absent.get(id) !== "missing";
    // It may be the older version of a row that waits, that is held, or that a filter leaves out.
    const mayBeOlder = !input.staying.isEmpty || heldFiles.has(file);
    const isClaimed = rowsOf.has(id) || (key.startsWith(DERIVED_KEY_PREFIX) && mayBeOlder);
    if (rowGone && isSure && !isClaimed && over(id, dueAt)) posts.delete(key);
  }
  // The next run must know that the row had a post. A post whose row is only a guess stays with none.
  for (const [id, [row, ...others]] of rowsOf) {
    if (id === undefined || row === undefined || others.length > 0) continue;
    if (row.why === "perhaps" || row.why === "withheld") continue;
    move(row.key, id, known(id));
  }
  for (const [id, old] of retiring) if (over(id, old.scheduled_at)) retiring.delete(id);
  for (const { key, desired, remote } of kept) {
    const before = known(remote.id);
    // A kept post does not show that anybody reviewed later posts of its series.
    const { series: _new, ...entry } = ownedEntry(desired, remote, media, before?.stored);
    const { series, unseen } = before ?? {};
    move(key, remote.id, {
      ...entry,
      ...(series === undefined ? {} : { series }),
      ...(unseen === undefined ? {} : { unseen }),
    });
  }
  for (const change of changes) {
    if (change.action === "replace") move(change.key, change.remote.id, known(change.remote.id));
    if (change.action !== "cancel" || !change.retiring) continue;
    const entry = posts.get(change.key);
    if (entry?.post_id === change.remote.id) retiring.set(...retiringEntry(change.key, entry));
  }
  for (const change of changes) {
    if (change.action !== "adopt") continue;
    retiring.delete(change.remote.id);
    // A row that gets its former post back knows what was sent.
    const isFormer = Object.hasOwn(input.lockfile.retiring, change.remote.id);
    posts.set(change.key, (isFormer ? ownedEntry : adoptedEntry)(change.desired, change.remote, media));
  }
  const unknown = remainingPendingCreates(input, kept);
  return {
    ...withPins(input),
    media,
    posts: Object.fromEntries(posts),
    retiring: Object.fromEntries(retiring),
    unknown,
    cancelled: changes.length === 0 ? input.lockfile.cancelled : recentlyCancelled(input, rowsOf),
  };
}

/** No list is older than this, in ms. */
const KEEP_CANCELLED_MS = 86_400_000;

/**
 * After a hold, the run schedules new posts. From then on, the entry does not say that the hold cancelled the old one.
 * @param missing what a person must decide about, by post id
 */
function recentlyCancelled(
  { lockfile, holds, inScope, staying, now }: DiffInput,
  missing: ReadonlyMap<string | undefined, unknown>,
): Lockfile["cancelled"] {
  const entries = Object.entries(lockfile.cancelled).flatMap(([id, { hold, ...entry }]) => {
    const isHeld = missing.has(id) || holds.keepsBack(id, hold, now);
    if (!isHeld && utcMs(entry.at) <= now - KEEP_CANCELLED_MS) return [];
    const isOpen = isHeld || staying.has(entry.key) || !inScope(entry.file);
    return [[id, hold !== undefined && isOpen ? { ...entry, hold } : entry] as const];
  });
  return Object.fromEntries(entries);
}

function ownedEntry(
  desired: ResolvedPost,
  remote: RemotePost,
  media: Lockfile["media"],
  stored?: StoredParts,
): OwnedPost {
  const sent = sentMedia(desired).map((each) => mediaIdOf(each, media) ?? "");
  const ids = remote.mediaIds ?? sent.slice(0, desired.media.length);
  return {
    post_id: remote.id,
    fingerprint:
      desiredFingerprint(desired, media) ?? fingerprint({ ...withMediaIds(desired, sent), mediaIds: ids }),
    scheduled_at: desired.scheduledAt,
    file: desired.source.file,
    ...(desired.slot === undefined ? {} : { slot: [...desired.platforms] }),
    ...(desired.series?.digest === undefined ? {} : { series: desired.series.digest }),
    ...(desired.series?.text === undefined ? {} : { pool_text: desired.series.text }),
    ...(stored === undefined ? {} : { stored }),
  };
}

/**
 * If the service does not show all parts of an adopted post, nobody knows them. The next plan then replaces the post,
 * even if the row has lost these parts by then.
 */
function adoptedEntry(desired: ResolvedPost, remote: RemotePost, media: Lockfile["media"]): OwnedPost {
  const own = ownedEntry(desired, remote, media);
  const entry: OwnedPost = remote.mediaIds === undefined ? { ...own, unseen: true } : own;
  return unseenParts(desired, remote).length === 0 ? entry : { ...entry, fingerprint: UNKNOWN_FINGERPRINT };
}

/** Whether a post is certainly not scheduled any more: it was due, or the service says so. */
function isOver(input: DiffInput): (id: string, scheduledAt: string) => boolean {
  const scheduled = new Set(input.remote.map((post) => post.id));
  return (id, scheduledAt) => !scheduled.has(id) && (input.absent.has(id) || utcMs(scheduledAt) <= input.now);
}

/** Pending creates are kept until they are resolved. One that is repeated now is recorded again. */
function remainingPendingCreates(input: DiffInput, kept: Diff["kept"]): Lockfile["unknown"] {
  const { lockfile, inScope, staying } = input;
  const open = new Set(new PendingCreates(input).left(kept).map((each) => each.key));
  return Object.fromEntries(
    Object.entries(lockfile.unknown).filter(
      ([key, attempt]) => open.has(key) || !inScope(attempt.file) || staying.has(key),
    ),
  );
}

function adoptMedia(desired: ResolvedPost, remote: RemotePost, media: Record<string, CachedMedia>): void {
  const ofOptions = mediaOptions(desired.options).map(
    ({ platform, option }) =>
      mediaOptions(remote.options).find((each) => each.platform === platform && each.option === option)
        ?.value,
  );
  for (const [index, part] of sentMedia(desired).entries()) {
    const own = desired.media.length;
    const id = index < own ? remote.mediaIds?.[index] : ofOptions[index - own];
    if (part.kind !== "file" || id === undefined) continue;
    const cached = media[part.sha256];
    if (cached === undefined) media[part.sha256] = { ...cachedFile(part, id), assumed: true };
    else if (cached.id !== id)
      media[part.sha256] = { ...cached, also: [...new Set([...(cached.also ?? []), id])] };
  }
}

/** The media cache with the latest paths of the files. */
function withPaths({ lockfile, desired }: DiffInput): Record<string, CachedMedia> {
  const paths = new Map<string, Set<string>>();
  for (const part of desired.flatMap(sentMedia)) {
    if (part.kind === "file") paths.set(part.sha256, (paths.get(part.sha256) ?? new Set()).add(part.path));
  }
  const media = { ...lockfile.media };
  for (const [sha256, seen] of paths) {
    const cached = media[sha256];
    const [path] = seen;
    if (cached !== undefined && path !== undefined && !seen.has(cached.path))
      media[sha256] = { ...cached, path };
  }
  return media;
}

/** The lockfile with the files of the rows' addresses; other entries stay. */
function withPins({ lockfile, desired }: DiffInput): Lockfile {
  const pins = desired
    .flatMap(sentMedia)
    .flatMap((part) => (part.kind === "file" && isWebFile(part) ? [pinEntry(part)] : []));
  return pins.length === 0
    ? lockfile
    : { ...lockfile, urls: { ...lockfile.urls, ...Object.fromEntries(pins) } };
}

export interface PruneInput {
  readonly lockfile: Lockfile;
  /** Ids of the whole media library. */
  readonly library: ReadonlySet<string>;
  /** The scheduled posts. */
  readonly posts: readonly RemotePost[];
}

export interface PruneResult {
  readonly lockfile: Lockfile;
  readonly pruned: readonly { readonly sha256: string; readonly id: string; readonly path: string }[];
  /** Number of entries that stay although the service does not list them, because scheduled posts use them. */
  readonly inUse: number;
}

/**
 * Forgets media that the library lacks, except those of scheduled posts and pending creates. Without its media entry, a
 * post would no longer match its row, and be replaced. Undefined if the service does not show the media of the
 * project's posts.
 */
export function pruneMediaCache({ lockfile, library, posts }: PruneInput): PruneResult | undefined {
  const owned = new Set(Object.values(lockfile.posts).map((post) => post.post_id));
  const isTold = posts.some(({ mediaIds }) => mediaIds !== undefined);
  if (!isTold && posts.some(({ id }) => owned.has(id))) return undefined;
  const held = new Set([
    ...posts.flatMap(({ mediaIds = [] }) => mediaIds),
    ...Object.values(lockfile.unknown).flatMap((attempt) => attempt.media_ids),
  ]);
  const missing = Object.entries(lockfile.media).filter(
    ([, { id, also = [] }]) => ![id, ...also].some((each) => library.has(each)),
  );
  const gone = missing.filter(([, { id, also = [] }]) => ![id, ...also].some((each) => held.has(each)));
  const hashes = new Set(gone.map(([sha256]) => sha256));
  const media = Object.fromEntries(Object.entries(lockfile.media).filter(([sha256]) => !hashes.has(sha256)));
  return {
    lockfile: { ...lockfile, media },
    pruned: gone.map(([sha256, { id, path }]) => ({ sha256, id, path })),
    inUse: missing.length - gone.length,
  };
}
