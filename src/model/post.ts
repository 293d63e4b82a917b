/** A post, as calendars want it and as the service has it, and its media. */

import type { Position } from "./problem.ts";
import type { Field } from "./fields.ts";
import { sameList } from "./text.ts";

/** A UTC time in the form `YYYY-MM-DDTHH:MM:SSZ`, which sorts as text. Source: the service's `scheduled_at`. */
export type UtcTime = string;

/**
 * What became of a post, as far as the service tells. `failed`: on one platform at least. `cancelled`: by somebody, or by
 * plancast. `missing`: the service has no such post. `unknown`: it has, and says nothing of its status that plancast
 * understands.
 */
export type PostStatus = "scheduled" | "published" | "failed" | "cancelled" | "missing" | "unknown";

/** Where a post comes from: the row in its calendar. */
interface Source {
  readonly file: string;
  readonly line: number;
}

/** A media part as a row names it: a file (its path), an id of the service, or an address on the web. */
export type MediaReference =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "id"; readonly id: string }
  | MediaAddress;

interface MediaAddress {
  readonly kind: "url";
  /** As readAddress gives it. */
  readonly url: string;
}

/** What a picture's or video's own header tells. What it does not tell is absent. */
export interface MediaFacts {
  /** Px of a picture, as it is shown: turned the way its camera says. */
  readonly width?: number;
  readonly height?: number;
  /** Ms that a video lasts. */
  readonly lengthMs?: number;
  /** Its end is missing, or it cannot be read for what it says it is. */
  readonly damage?: "cut-short" | "unreadable";
}

/** A file whose bytes are known. */
export interface MediaFile {
  readonly kind: "file";
  /** Relative to the project root, with `/`; of a file from the web, its address as it is shown. */
  readonly path: string;
  /** Where the file is from, if it is from the web: it does not lie in the project. */
  readonly url?: string;
  /** Hex SHA-256 of the bytes. */
  readonly sha256: string;
  readonly bytes: number;
  /** Media type by the bytes, for example `image/png`. */
  readonly mime: string;
  readonly facts?: MediaFacts;
}

/** An address is left where nobody needs to know what it gives: the row is past, or not what the run is about. */
export type ResolvedMedia = MediaFile | Exclude<MediaReference, { kind: "file" }>;

/** A validated row. Its media have no ids yet. */
export interface Post extends Omit<PostBody, "mediaIds"> {
  /** The row's id, or `row:` and a hash of what it says. */
  readonly key: string;
  readonly source: Source;
  /** Where a field of the row stands, for problems that are found later. */
  at(field?: Field, item?: number): Position;
  readonly media: readonly MediaReference[];
}

/** A post whose media files have been looked at. */
export interface ResolvedPost extends Omit<Post, "media"> {
  readonly media: readonly ResolvedMedia[];
}

/** What the service publishes, in canonical form (see canonical.ts). */
export interface PostBody {
  readonly content: string;
  /** Sorted, unique. */
  readonly platforms: readonly string[];
  readonly scheduledAt: UtcTime;
  readonly mediaIds: readonly string[];
}

/** The four parts of a post, in the order in which they are shown. */
export type BodyPart = keyof PostBody;
export const BODY_PARTS = [
  "content",
  "platforms",
  "scheduledAt",
  "mediaIds",
] as const satisfies readonly BodyPart[];

/** As much of a body as is known: an absent part is not known, which is not the same as empty. */
export type KnownBody = { readonly [Part in BodyPart]?: PostBody[Part] | undefined };

/** A post as the service tells it. What the service's records do not carry is absent. */
export interface RemotePost extends Partial<PostBody> {
  readonly id: string;
}

/** The parts of `known` that differ in `body`. A part that `known` does not have does not differ. */
export function differingParts(known: KnownBody, body: KnownBody): BodyPart[] {
  return BODY_PARTS.filter((part) => known[part] !== undefined && !isSamePart(part, known, body));
}

/** Whether two bodies have the same in a part. Where neither tells it, that is so too. */
export function isSamePart(part: BodyPart, a: KnownBody, b: KnownBody): boolean {
  const [one, other] = [a[part], b[part]];
  if (typeof one !== "object" || typeof other !== "object") return one === other;
  return sameList(one, other);
}

/** Keys of rows without an id start with this; an id must not. */
export const DERIVED_KEY_PREFIX = "row:";

/** Media of a row as far as they could be looked at: files that are in order are known by their bytes. */
export type ListedMedia = MediaFile | MediaReference;

/** A post as people look through a calendar: also one that is not planned yet, or whose media are not in order. */
export interface ListedPost extends Omit<Post, "media"> {
  readonly status: "ready" | "draft" | "skip";
  readonly media: readonly ListedMedia[];
}

/** Lists are looked into several times, and may be long. */
const indexes = new WeakMap<readonly RemotePost[], ReadonlyMap<string, RemotePost>>();

/** The posts of a list by their ids; of several with one id, the last. */
export function indexById(posts: readonly RemotePost[]): ReadonlyMap<string, RemotePost> {
  const known = indexes.get(posts);
  if (known !== undefined) return known;
  const index = new Map<string, RemotePost>();
  for (const post of posts) index.set(post.id, post);
  indexes.set(posts, index);
  return index;
}
