/** Whether a row is another than the post that was applied for it. Pure: no file is opened for it. */
import { posix } from "node:path";
import { getOwn } from "../calendar/entry.ts";
import { contentExcerpt, type ReportedPost } from "../calendar/fate.ts";
import type { CachedMedia, Lockfile, OwnedPost } from "../calendar/lockfile.ts";
import { pinnedFile } from "../calendar/pinned-media.ts";
import type { MediaReference, Post } from "../calendar/post.ts";
import { fingerprint } from "../plan/fingerprint.ts";

/** The media ids under which files were uploaded, by the paths at which they were seen last. */
export type IdsByPath = ReadonlyMap<string, readonly string[]>;

export function idsByPath({ media }: Lockfile): IdsByPath {
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
 * @param told undefined where the service told nothing of the post
 */
export function isEdited(
  post: Post,
  owned: OwnedPost,
  lockfile: Lockfile,
  paths: IdsByPath,
  told: ReportedPost | undefined,
): boolean {
  if (post.scheduledAt !== owned.scheduled_at) return true;
  const ids = post.media.map((each) => idsOf(each, post, lockfile, paths));
  if (choices(ids).some((mediaIds) => fingerprint({ ...post, mediaIds }) === owned.fingerprint)) return false;
  const ways = ids.reduce((product, { length }) => product * length, 1);
  const isSure = ways > 0 && ways <= MAX_CHOICES;
  return isSure || differsFromRemote(post, owned, told);
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
  told: ReportedPost | undefined,
): boolean {
  const isText = told?.content === undefined || sameStart(told.content, [content, stored?.content]);
  const isPlaces =
    told?.platforms === undefined ||
    [platforms, stored?.platforms].some((each) => each?.join(" ") === told.platforms?.join(" "));
  return !isText || !isPlaces;
}

function sameStart(told: string, texts: readonly (string | undefined)[]): boolean {
  return texts.some((text) => text !== undefined && contentExcerpt(text) === told);
}
