/** The lockfile: what this project owns on the service. The only definition of its format. */

import { hash } from "node:crypto";
import { z } from "zod";
import type { ExtraPart, PostExtras } from "./extras.ts";
import { isObject, withoutUndefined } from "./data.ts";
import { displayAddress } from "./address.ts";
import {
  type KnownBody,
  type MediaFacts,
  type MediaFile,
  type TakenSlot,
  type TakenSlots,
  idOf,
  occurrencesIn,
} from "./post.ts";

const UTC_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const utcTime = z.string().regex(UTC_TIME);

/** The parts that few posts have, in JSON. The embedded service stores them in the same form. */
export const extraFields = {
  alt: z.array(z.string()).optional(),
  thread: z.array(z.string()).optional(),
  thread_media: z.array(z.int().min(0)).optional(),
  first_comment: z.string().optional(),
  reply_to: z.string().optional(),
  quote: z.string().optional(),
  poll: z.array(z.string()).optional(),
  poll_length: z.string().optional(),
  poll_multiple: z.string().optional(),
  expires: utcTime.optional(),
  options: z.array(z.string()).optional(),
} satisfies Record<ExtraPart, z.ZodType>;

/**
 * The fingerprint of a post that a list showed, whose row has parts that the service does not show. It equals no other, so
 * the next plan replaces the post once.
 */
export const UNKNOWN_FINGERPRINT = "unknown";

const ownedPost = z.strictObject({
  post_id: z.string().min(1),
  /** Of what plancast sent; or `UNKNOWN_FINGERPRINT`. */
  fingerprint: z.string(),
  scheduled_at: utcTime,
  file: z.string(),
  /**
   * The content as the service stores it, if its answer showed that it differs from what plancast sent. This difference
   * does not count as a change.
   */
  stored: z
    .strictObject({
      content: z.string().optional(),
      platforms: z.array(z.string()).optional(),
      scheduled_at: utcTime.optional(),
      media_ids: z.array(z.string()).optional(),
      ...extraFields,
    })
    .optional(),
  /** Its row has no time: it took this one as the next free slot for these networks, and keeps it. */
  slot: z.array(z.string()).min(1).optional(),
  /** For a post of a row that repeats: the digest of the rule and the texts with which apply made the post. */
  series: z.string().optional(),
  /** Identifies the text of its row's pool that the post has. */
  pool_text: z.string().optional(),
  /** plancast did not send it, and the service does not show all its parts: it may have media or replies that no row has. */
  unseen: z.literal(true).optional(),
  /** plancast asked the service to cancel it and does not know the result. If the post is missing, this may be why. */
  cancelling: z.literal(true).optional(),
});

/** A post that belonged to a row, under its id. */
const formerPost = ownedPost.omit({ post_id: true, cancelling: true }).extend({ key: z.string() });

const pendingCreate = z.strictObject({
  fingerprint: z.string(),
  attempted_at: utcTime,
  scheduled_at: utcTime,
  content: z.string(),
  platforms: z.array(z.string()),
  media_ids: z.array(z.string()),
  ...extraFields,
  file: z.string(),
  slot: ownedPost.shape.slot,
  series: ownedPost.shape.series,
  pool_text: ownedPost.shape.pool_text,
  /** Posts of others that were already in its place. None of these posts can be the result of this create. */
  besides: z.array(z.string()).optional(),
  /**
   * Id of the row's earlier post, which is no longer scheduled. Once this create is confirmed, the earlier post is
   * forgotten.
   */
  forgets: z.string().optional(),
});

const cachedMedia = z.strictObject({
  id: z.string().min(1),
  type: z.string(),
  bytes: z.int().min(0),
  path: z.string(),
  /** Other ids that adopted posts use for the same file. */
  also: z.array(z.string()).optional(),
  /** The id is only the position in an adopted post: use it to compare posts, never send it. */
  assumed: z.literal(true).optional(),
});

/** The header of a picture or video, as the lockfile stores it. */
export const keptFacts = z.strictObject({
  width: z.number().optional(),
  height: z.number().optional(),
  length_ms: z.number().optional(),
  damage: z.enum(["cut-short", "unreadable"]).optional(),
});

type KeptFacts = z.infer<typeof keptFacts>;

/** The file from a media address, with the facts of its header. The file itself may be missing on this machine. */
const pin = z.strictObject({
  /** The address as plancast shows it. The entry's key identifies the full address. */
  address: z.string(),
  sha256: z.string(),
  mime: z.string(),
  ...keptFacts.shape,
});

/** The version of the lockfile that this program writes. It refuses newer versions. */
export const LOCKFILE_VERSION = 1;

/** `plancast.lock.json`: what this project owns on the service. The only definition of the format. */
export const lockfileSchema = z.strictObject({
  version: z.literal(LOCKFILE_VERSION),
  /** The origin of the service's address, or `embedded`. */
  origin: z.string(),
  /** Ids of the accounts connected at the last apply, sorted. Absent if the service does not show them. */
  accounts: z.array(z.string()).optional(),
  /** Largest number of posts that the service returned as one page, by the requested limit. */
  longest_lists: z.record(z.string().regex(/^\d+$/), z.int().min(0)).optional(),
  /** Keyed by SHA-256 of the file's bytes. */
  media: z.record(z.string(), cachedMedia),
  /** Keyed by SHA-256 of the address. An entry counts only if the file is among the media. */
  urls: z.record(z.string(), pin).optional(),
  /** By key. */
  posts: z.record(z.string(), ownedPost),
  /** Posts to cancel because their replacement exists, by post id. */
  retiring: z.record(z.string(), formerPost).default({}),
  /** Pending creates, by key. */
  unknown: z.record(z.string(), pendingCreate).default({}),
  /**
   * Recently cancelled posts, by id: a list that is out of date may still show them. `hold`: the hold for which the post
   * was cancelled.
   */
  cancelled: z
    .record(z.string(), formerPost.extend({ at: utcTime, hold: z.string().optional() }))
    .default({}),
});

export type Lockfile = z.infer<typeof lockfileSchema>;
/** Largest number of posts that the service returned as one page, by the requested limit. */
export type LongestLists = Readonly<NonNullable<Lockfile["longest_lists"]>>;
export type OwnedPost = z.infer<typeof ownedPost>;
export type PendingCreate = z.infer<typeof pendingCreate>;
export type StoredParts = NonNullable<OwnedPost["stored"]>;
type Pin = z.infer<typeof pin>;
export type CachedMedia = z.infer<typeof cachedMedia>;

/** Reads a lockfile's JSON. The posts are checked in place, because there may be many and zod would copy them. */
export function checkLockfile(value: unknown): z.ZodSafeParseResult<Lockfile> {
  if (!isObject(value) || !areOwnedPosts(value["posts"])) return lockfileSchema.safeParse(value);
  const read = lockfileSchema.safeParse({ ...value, posts: {} });
  return read.success ? { success: true, data: { ...read.data, posts: value["posts"] } } : read;
}

function areOwnedPosts(posts: unknown): posts is Lockfile["posts"] {
  if (!isObject(posts) || Object.hasOwn(posts, "__proto__")) return false;
  // For an object with 100,000 keys, `Object.values` takes twice as long.
  return Object.keys(posts).every(
    (key) => isPlainPost(posts[key]) || ownedPost.safeParse(posts[key]).success,
  );
}

/** Whether a post has the required parts and no others. Nearly all are so, and zod takes several times as long. */
function isPlainPost(post: unknown): boolean {
  if (!isObject(post)) return false;
  const { post_id, fingerprint, scheduled_at, file } = post;
  return (
    Object.keys(post).length === REQUIRED &&
    typeof post_id === "string" &&
    post_id !== "" &&
    typeof fingerprint === "string" &&
    typeof scheduled_at === "string" &&
    UTC_TIME.test(scheduled_at) &&
    typeof file === "string"
  );
}

/** The number of parts that every post has. */
const REQUIRED = 4;

/** The extra parts in a record; undefined if one of them has another form. */
export function readExtras(record: Readonly<Record<string, unknown>>): PostExtras | undefined {
  const given = Object.keys(extraFields).map((part) => [part, record[part] ?? undefined]);
  return extrasSchema.safeParse(Object.fromEntries(given)).data;
}

/** What the lockfile stores of a post's body, in its own format. */
export function keptParts({ content, platforms, scheduledAt, mediaIds, ...extras }: KnownBody): StoredParts {
  return {
    ...(content === undefined ? {} : { content }),
    ...(platforms === undefined ? {} : { platforms: [...platforms] }),
    ...(scheduledAt === undefined ? {} : { scheduled_at: scheduledAt }),
    ...(mediaIds === undefined ? {} : { media_ids: [...mediaIds] }),
    ...keptExtras(extras),
  };
}

const extrasSchema = z.object(extraFields);

/** Copies of the extra parts, as the lockfile stores them. */
export function keptExtras(extras: PostExtras): z.infer<typeof extrasSchema> {
  return extrasSchema.parse(withoutUndefined(extras));
}

/** The reverse of `keptExtras`. A pending create has the whole body. */
export function keptBody({ content, platforms, scheduled_at, media_ids, ...rest }: StoredParts): KnownBody {
  return { content, platforms, scheduledAt: scheduled_at, mediaIds: media_ids, ...keptExtras(rest) };
}

/** A cached file after a second upload: what is known under the old id stays known. */
export function withPreviousIds(old: CachedMedia | undefined, media: CachedMedia): CachedMedia {
  if (old === undefined || old.id === media.id) return media;
  return { ...media, also: [...new Set([...(old.also ?? []), old.id])] };
}

/**
 * The entry of the post that a create made, with what the journal or the lockfile noted before the request.
 * @param mayLackTexts whether only a list showed the post, without the texts after it
 */
export function createdEntry(
  { fingerprint: sent, scheduled_at, file, slot, series, pool_text }: PendingCreate,
  post_id: string,
  stored?: StoredParts,
  mayLackTexts = false,
): OwnedPost {
  const fingerprint = mayLackTexts ? UNKNOWN_FINGERPRINT : sent;
  return withoutUndefined({ post_id, fingerprint, scheduled_at, file, slot, series, pool_text, stored });
}

/** The entry under `retiring` for a post that no longer belongs to its row: its id, and what is known about it. */
export function retiringEntry(
  key: string,
  { post_id, cancelling: _cancelling, ...old }: OwnedPost,
): [string, Lockfile["retiring"][string]] {
  return [post_id, { ...old, key }];
}

/** The cancelled posts after a new post took the place of one that a hold keeps back: its row is out of the hold. */
export function withoutHold(cancelled: Lockfile["cancelled"], id: string | undefined): Lockfile["cancelled"] {
  const former = id === undefined ? undefined : getOwn(cancelled, id);
  if (id === undefined || former?.hold === undefined) return cancelled;
  const { hold: _left, ...rest } = former;
  return { ...cancelled, [id]: rest };
}

/** The cache entry of a file, under its id. `type`: as the service reports it, otherwise as the file's bytes show. */
export function cachedFile({ mime, bytes, path }: MediaFile, id: string, type = ""): CachedMedia {
  return { id, type: type || (mime.split("/")[0] ?? mime), bytes, path };
}

/** What a project owns before its first apply. */
export function emptyLockfile(origin: string): Lockfile {
  return {
    version: LOCKFILE_VERSION,
    origin,
    media: {},
    posts: {},
    retiring: {},
    unknown: {},
    cancelled: {},
  };
}

/** The slots that rows without a time have taken, by key. A pending create has its slot, too. */
export function takenSlots({ posts, unknown }: Pick<Lockfile, "posts" | "unknown">): TakenSlots {
  const found = new Map<string, TakenSlot>();
  for (const entries of [posts, unknown]) {
    for (const [key, { slot, scheduled_at: at }] of Object.entries(entries))
      if (slot !== undefined) found.set(key, { at, networks: slot });
  }
  return found;
}

/** A row that repeats, as it was when its posts were made or reviewed. The digest covers its rule and its texts. */
export function seriesName(row: string, digest: string): string {
  return JSON.stringify([row, digest]);
}

/**
 * The rows that repeat, as they were when apply made their posts.
 * @param isMade whether the service confirms that a post was made
 */
export function knownSeries(
  { posts }: Pick<Lockfile, "posts">,
  isMade: (post: OwnedPost) => boolean,
): ReadonlySet<string> {
  return new Set(
    Object.entries(posts).flatMap(([key, post]) => {
      const { series } = post;
      return series === undefined || !isMade(post)
        ? []
        : occurrencesIn(key).map(({ row }) => seriesName(row, series));
    }),
  );
}

// The files from media addresses at the last apply. Their content should not change.

/** A file from the web. */
type WebFile = MediaFile & { readonly url: string };

export function isWebFile(file: MediaFile): file is WebFile {
  return file.url !== undefined;
}

/** The key under which an address is stored: a hash, because signed addresses are secrets. */
export function addressKey(url: string): string {
  return hash("sha256", url);
}

/** The file at an address; undefined if it was never uploaded or adopted. */
export function pinnedFile(
  { urls = {}, media }: Pick<Lockfile, "urls" | "media">,
  url: string,
): MediaFile | undefined {
  const pin = getOwn(urls, addressKey(url));
  const cached = pin === undefined ? undefined : getOwn(media, pin.sha256);
  if (pin === undefined || cached === undefined) return undefined;
  const { sha256, mime } = pin;
  return {
    kind: "file",
    path: displayAddress(url),
    url,
    sha256,
    bytes: cached.bytes,
    mime,
    facts: fromKeptFacts(pin),
  };
}

/** The lockfile's entry for a file from the web, by its key. */
export function pinEntry({ url, path, sha256, mime, facts = {} }: WebFile): [string, Pin] {
  return [addressKey(url), { address: path, sha256, mime, ...toKeptFacts(facts) }];
}

/** The facts of a media header, as files store them. */
export function toKeptFacts({ lengthMs, ...rest }: MediaFacts): KeptFacts {
  return { ...rest, ...(lengthMs === undefined ? {} : { length_ms: lengthMs }) };
}

/** The reverse of `toKeptFacts`. */
export function fromKeptFacts({ width, height, length_ms: lengthMs, damage }: KeptFacts): MediaFacts {
  return {
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(lengthMs === undefined ? {} : { lengthMs }),
    ...(damage === undefined ? {} : { damage }),
  };
}

/** The row that a post belongs to. */
export interface PostOwner {
  readonly key: string;
  /** The row's id; undefined if it has none. */
  readonly id: string | undefined;
  /** Its calendar. */
  readonly file: string;
  /** Whether its replacement is already scheduled, so that this post only needs cancelling. */
  readonly isRetiring: boolean;
}

/** The owners of all posts that a project owns, by post id. */
export function ownersIn({ posts, retiring }: Lockfile): ReadonlyMap<string, PostOwner> {
  return new Map([
    ...Object.entries(retiring).map(([id, { key, file }]) => [id, ownerOf(key, file, true)] as const),
    ...Object.entries(posts).map(([key, { post_id, file }]) => [post_id, ownerOf(key, file, false)] as const),
  ]);
}

function ownerOf(key: string, file: string, isRetiring: boolean): PostOwner {
  return { key, id: idOf(key), file, isRetiring };
}

/**
 * An own property of a record that was read from a file. A key may be any text, such as the id `constructor`, so
 * inherited properties do not count.
 */
export function getOwn<V>(record: Readonly<Record<string, V>>, key: string): V | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
