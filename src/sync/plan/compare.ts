/** Compares a row with a post of the service: their differences, and whether the post is what the row asks for. */

import { hash } from "node:crypto";
import {
  type CachedMedia,
  type Lockfile,
  type OwnedPost,
  type StoredParts,
  UNKNOWN_FINGERPRINT,
  keptBody,
  keptParts,
} from "../../model/lockfile.ts";
import {
  BODY_PARTS,
  type BodyPart,
  type PostBody,
  type RemotePost,
  type ResolvedMedia,
  type ResolvedPost,
  differingParts,
  isSamePart,
  onlyParts,
  sentMedia,
  withMediaIds,
} from "../../model/post.ts";
import { readAddress } from "../../model/address.ts";
import { type PostExtras, filledExtras } from "../../model/extras.ts";
import { mediaOptions, withOptionMedia } from "../../model/options/catalogue.ts";
import { withoutUndefined } from "../../model/data.ts";
import type { OwnedRemote } from "./input.ts";

/** Whether the service's records have the fields that the comparison needs. */
export function isComparable(remote: RemotePost): boolean {
  return remote.content !== undefined && remote.platforms !== undefined && remote.scheduledAt !== undefined;
}

/** The differences between the service's record and the row. `sameMedia` compares the media. */
export function differingFromRow(
  post: ResolvedPost,
  remote: RemotePost,
  sameMedia: (media: ResolvedMedia, id: string) => boolean,
): BodyPart[] {
  const differing: BodyPart[] = [];
  for (const part of BODY_PARTS) {
    if (remote[part] === undefined) continue;
    const isSame =
      part === "mediaIds"
        ? hasMedia(post.media, remote[part], sameMedia)
        : isSamePart(
            part,
            remote,
            part === "options" ? withKnownMedia(post, remote.options, sameMedia) : post,
          );
    if (!isSame) differing.push(part);
  }
  return differing;
}

/** A row whose options name their media as the service does, where they are the same. */
function withKnownMedia(
  { options, optionMedia }: ResolvedPost,
  shown: readonly string[] | undefined,
  isSame: (media: ResolvedMedia, id: string) => boolean,
): PostExtras {
  if (optionMedia === undefined) return { options };
  const theirs = mediaOptions(shown);
  const values = mediaOptions(options).map(({ platform, option, value }, index) => {
    const known = theirs.find((each) => each.platform === platform && each.option === option);
    const own = optionMedia[index];
    return known !== undefined && own !== undefined && isSame(own, known.value) ? known.value : value;
  });
  return { options: withOptionMedia(options, values) };
}

function hasMedia(
  media: readonly ResolvedMedia[],
  ids: readonly string[],
  isSame: (media: ResolvedMedia, id: string) => boolean,
): boolean {
  return ids.length === media.length && media.every((each, index) => isSame(each, ids[index] ?? ""));
}

/** Whether a media part is the service's `id`, as far as the lockfile knows. Some services use addresses as ids. */
export function matchesMediaId(media: ResolvedMedia, id: string, cache: MediaCache): boolean {
  if (media.kind === "id") return media.id === id;
  if (media.url !== undefined && isAddress(id, media.url)) return true;
  if (media.kind === "url") return false;
  const cached: CachedMedia | undefined = cache[media.sha256];
  return cached !== undefined && (cached.id === id || cached.also?.includes(id) === true);
}

function isAddress(id: string, url: string): boolean {
  const read = readAddress(id);
  return "url" in read && read.url === url;
}

/**
 * Whether an owned post on the service is as the row describes it. The lockfile provides the fields that the service
 * does not return.
 */
export function isSamePost(
  post: ResolvedPost,
  { remote, fingerprint, stored }: Pick<OwnedRemote, "remote" | "fingerprint" | "stored">,
  { media }: Lockfile,
): boolean {
  // Most records are complete and as they were sent, so the fingerprint is not needed.
  const isTold = isComparable(remote) && remote.mediaIds !== undefined;
  const isUnchanged = (isTold && stored === undefined) || desiredFingerprint(post, media) === fingerprint;
  // Content that the service stores in another form is not a change while it stays the same.
  const kept = isUnchanged && stored !== undefined ? keptBody(stored) : {};
  const differing = differingFromRow(post, remote, (each, id) => matchesMediaId(each, id, media));
  // An extra part that is missing from the lockfile was stored as sent, which is not the same as empty.
  const isAsKept = (part: BodyPart): boolean => kept[part] !== undefined && isSamePart(part, remote, kept);
  return differing.every(isAsKept) && (isTold || isUnchanged);
}

/** The differences between the answer to a create and what was sent; undefined if there are none. */
export function storedDifferences(sent: PostBody, answered: RemotePost): StoredParts | undefined {
  const differing = differingParts(answered, sent);
  if (differing.length === 0) return undefined;
  return keptParts(onlyParts(answered, differing));
}

/**
 * The parts that an update did not change: the answer to it shows them as before. A part that the service stores in its
 * own form, or that the post did not have, says nothing: the service may not keep it as sent.
 */
export function notUpdatedParts(
  sent: PostBody,
  answered: RemotePost,
  { remote, stored }: { readonly remote: RemotePost; readonly stored: StoredParts | undefined },
): BodyPart[] {
  const kept = stored === undefined ? {} : keptBody(stored);
  return differingParts(answered, sent).filter(
    (part) =>
      remote[part] !== undefined &&
      kept[part] === undefined &&
      isSamePart(part, answered, remote) &&
      !isSamePart(part, remote, {}),
  );
}

/** Equal for equal posts: a hash of content, platforms, time and media ids, and of the extra parts that are filled. */
export function fingerprint(post: PostBody): string {
  const extras = filledExtras(post);
  const parts = [
    post.content,
    post.platforms,
    post.scheduledAt,
    post.mediaIds,
    ...(Object.keys(extras).length === 0 ? [] : [extras]),
  ];
  return `sha256:${hash("sha256", JSON.stringify(parts))}`;
}

/** Whether a post certainly differs from the one in the lockfile: the service shows all of it, and it differs. */
export function isOtherThanRecorded(
  remote: RemotePost,
  { fingerprint: recorded, stored, scheduled_at }: Pick<OwnedPost, "fingerprint" | "stored" | "scheduled_at">,
  media: MediaCache,
): boolean {
  if (recorded === UNKNOWN_FINGERPRINT) return false;
  // The fingerprint is of what was sent. What the service keeps otherwise is in the lockfile next to it.
  if (stored !== undefined && Object.keys(stored).length > 0) {
    const kept = { scheduledAt: scheduled_at, ...withoutUndefined(keptBody(stored)) };
    return differingParts(kept, remote).some((part) => isShown(part, remote));
  }
  const { content, platforms, scheduledAt, mediaIds } = remote;
  if (content === undefined || platforms === undefined) return false;
  if (scheduledAt === undefined || mediaIds === undefined) return false;
  const isRecorded = (ids: readonly string[]): boolean =>
    fingerprint({ ...remote, content, platforms, scheduledAt, mediaIds: ids }) === recorded;
  return !isRecorded(mediaIds) && !idsOfSameFiles(mediaIds, media).some(isRecorded);
}

function isShown(part: BodyPart, remote: RemotePost): boolean {
  return remote[part] !== undefined;
}

/** More are a mistake: few files have several ids. */
const MAX_WAYS = 1_000;

/**
 * All ways to name the same files, because a fingerprint contains the first id that a file had at the time, and an
 * upload can give it another one.
 */
function idsOfSameFiles(ids: readonly string[], cache: MediaCache): readonly (readonly string[])[] {
  const files = Object.values(cache).map(({ id, also = [] }) => [id, ...also]);
  let ways: readonly (readonly string[])[] = [[]];
  for (const id of ids) {
    const names = files.find((each) => each.includes(id)) ?? [id];
    ways = ways.flatMap((way) => names.map((name) => [...way, name])).slice(0, MAX_WAYS);
  }
  return ways;
}

export type MediaCache = Lockfile["media"];

/** The media's id, if it is in the cache. */
export function mediaIdOf(media: ResolvedMedia, cache: MediaCache): string | undefined {
  if (media.kind === "id") return media.id;
  return media.kind === "url" ? undefined : cache[media.sha256]?.id;
}

/** The id for sending a post with this media. An assumed id may belong to another file, so it does not count. */
export function idToSend(media: ResolvedMedia, cache: MediaCache): string | undefined {
  const isAssumed = media.kind === "file" && cache[media.sha256]?.assumed === true;
  return isAssumed ? undefined : mediaIdOf(media, cache);
}

/** The fingerprint that the post would have; undefined while one of its files has no id. */
export function desiredFingerprint(post: ResolvedPost, cache: MediaCache): string | undefined {
  const mediaIds: string[] = [];
  for (const media of sentMedia(post)) {
    const id = mediaIdOf(media, cache);
    if (id === undefined) return undefined;
    mediaIds.push(id);
  }
  return fingerprint(withMediaIds(post, mediaIds));
}
