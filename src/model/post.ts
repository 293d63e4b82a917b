/** A post, as calendars describe it and as the service has it, and its media. */

import { type ExtraPart, type PostExtras, EMPTY_EXTRAS, EXTRA_PARTS } from "./extras.ts";
import type { Position } from "./problem.ts";
import type { Field } from "./fields.ts";
import { withOptionMedia } from "./options/catalogue.ts";
import { sameList } from "./text.ts";

/** A UTC time in the form `YYYY-MM-DDTHH:MM:SSZ`, which sorts as text. Source: the service's `scheduled_at`. */
export type UtcTime = string;

/**
 * The status of a post, as far as the service shows it. `failed`: on at least one platform. `cancelled`: by anybody, or
 * by plancast. `missing`: the service does not have the post. `unknown`: the service has it, with no status that
 * plancast understands.
 */
export type PostStatus = "scheduled" | "published" | "failed" | "cancelled" | "missing" | "unknown";

/** The origin of a post: the row in its calendar. */
interface Source {
  readonly file: string;
  /** The sheet of a workbook. */
  readonly sheet?: string | undefined;
  readonly line: number;
}

/** A media part of a row: a file (its path), an id of the service, or a web address. */
export type MediaReference =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "id"; readonly id: string }
  | MediaAddress;

interface MediaAddress {
  readonly kind: "url";
  /** As `readAddress` returns it. */
  readonly url: string;
}

/** The header of a picture or video. Unknown facts are absent. */
export interface MediaFacts {
  /** Pixels of a picture as it is shown, after the camera's rotation. */
  readonly width?: number;
  readonly height?: number;
  /** Duration of a video or an animated picture, in ms. */
  readonly lengthMs?: number;
  /** The end of the file is missing, or its content does not match its type. */
  readonly damage?: "cut-short" | "unreadable";
}

/** A file with known bytes. */
export interface MediaFile {
  readonly kind: "file";
  /** Relative to the project root, with `/`. For a file from the web, its address as it is shown. */
  readonly path: string;
  /** Where the file comes from, if it is from the web: it is not in the project. */
  readonly url?: string;
  /** Hex SHA-256 of the bytes. */
  readonly sha256: string;
  readonly bytes: number;
  /** Media type by the bytes, for example `image/png`. */
  readonly mime: string;
  readonly facts?: MediaFacts;
}

/** An address stays an address if nobody needs its file: the row is past, or outside this run. */
export type ResolvedMedia = MediaFile | Exclude<MediaReference, { kind: "file" }>;

/** A validated row. Its media have no ids yet. */
export interface Post extends Omit<PostBody, "mediaIds"> {
  /** The row's id, or `row:` and a hash of its content. */
  readonly key: string;
  readonly source: Source;
  /** The place of a field in the row, for problems that are found later. */
  at(field?: Field, item?: number): Position;
  /**
   * IANA zone in which people read its time: the row's, otherwise the file's, otherwise the project's. Absent without
   * any.
   */
  readonly timezone?: string;
  /** The campaign that the row belongs to, for people and links. It is not published. Absent without one. */
  readonly campaign?: string;
  readonly media: readonly MediaReference[];
  /** The media that its options name, such as a cover, in the order of `mediaOptions`. Absent without any. */
  readonly optionMedia?: readonly MediaReference[];
  /** How a row without a time gets one. Absent for a row that says its time. */
  readonly slot?: SlotWish;
  /** Which post of its row it is. Absent for a row that does not repeat. */
  readonly series?: Occurrence;
  /** What the whole row publishes, if the post is shown for a row that repeats. */
  readonly repeats?: Repetition;
}

/** Everything that a row that repeats publishes, for people who read or approve it as one post. */
interface Repetition {
  /** The rule as written. */
  readonly rule: string;
  /** When the post of the row's own day is due. Unlike the next post, it stays the same as time passes. */
  readonly start: UtcTime;
  /** The last day, `2027-06-30`; undefined for a row that never stops. */
  readonly until: string | undefined;
  /** The exceptions as written. */
  readonly except: readonly string[];
  /** The texts of its pool, with their variables. */
  readonly pool: readonly string[];
  /** The posts that are planned so far, earliest first. */
  readonly posts: readonly Post[];
  /** Everything above that a person can edit, and what its days and texts depend on. */
  readonly mark: readonly unknown[];
}

/** A hash of each part of a post: an answer or an approval is about exactly these. */
export interface PostSeal {
  readonly text: string;
  readonly networks: string;
  readonly time: string;
  readonly media: string;
  /** Only of a row that repeats: its rule, exceptions and pool. */
  readonly series?: string | undefined;
}

/** One post of a row that repeats. */
export interface Occurrence {
  /** The row's id. */
  readonly row: string;
  /** The local day that the rule gives: `2027-03-01`. An exception may move the post to another day. */
  readonly day: string;
  /** From 1, by the rule: a post that is left out counts. */
  readonly number: number;
  /** The rule as written. */
  readonly rule: string;
  /**
   * Equal for all posts of the row, until somebody edits its rule, texts, time, networks or media. Absent for a post that
   * an exception moves.
   */
  readonly digest?: string;
  /** Identifies its text in the pool of the row. Absent without a pool. */
  readonly text?: string;
}

/** A row's request for a slot. Until the post has a slot, `scheduledAt` is empty. */
export interface SlotWish {
  /** The local day that the row asks for, such as `2027-03-01`. Absent for the next free slot. */
  readonly day?: string;
  /** Whether the lockfile has the row's slot. If not, the slot may still change until the next apply. */
  readonly isTaken: boolean;
  /** How long after its slot the post expires, in ms. Absent if the row says when, or never. */
  readonly lastsMs?: number;
  /**
   * The times of a network: minutes after midnight by weekday, where 1 is Monday. Undefined if it has none. Networks
   * with the same times give the same object.
   */
  readonly weekOf: (network: string) => ReadonlyMap<number, readonly number[]> | undefined;
}

/** A slot that a row has: its time, and the networks for which the row took it. */
export interface TakenSlot {
  readonly at: UtcTime;
  readonly networks: readonly string[];
}

/** Each slot with the key of its post. */
export type TakenSlots = ReadonlyMap<string, TakenSlot>;

/** A post with known media files. */
export interface ResolvedPost extends Omit<Post, "media" | "optionMedia"> {
  readonly media: readonly ResolvedMedia[];
  readonly optionMedia?: readonly ResolvedMedia[];
}

interface MediaOf<Medium> {
  readonly media: readonly Medium[];
  readonly optionMedia?: readonly Medium[];
}

/** Everything that is uploaded for a post: its media, and then those of its options. */
export function sentMedia<Medium>({ media, optionMedia }: MediaOf<Medium>): readonly Medium[] {
  return optionMedia === undefined ? media : [...media, ...optionMedia];
}

/** A post whose media are faulty, or do not matter. */
export function withoutMedia({
  optionMedia: _media,
  ...post
}: Omit<Post, "media" | "optionMedia"> & {
  readonly media: unknown;
  readonly optionMedia?: unknown;
}): ResolvedPost {
  return { ...post, media: [] };
}

/** A post with the service's ids for its media. @param ids in the order of `sentMedia` */
export function withMediaIds<Given extends PostExtras & MediaOf<unknown>>(
  post: Given,
  ids: readonly string[],
): Given & Pick<PostBody, "mediaIds"> {
  if (post.optionMedia === undefined) return { ...post, mediaIds: ids };
  const own = post.media.length;
  return { ...post, mediaIds: ids.slice(0, own), options: withOptionMedia(post.options, ids.slice(own)) };
}

/** What the service publishes, in canonical form (see canonical.ts). */
export interface PostBody extends PostExtras {
  readonly content: string;
  /** Sorted, unique. */
  readonly platforms: readonly string[];
  readonly scheduledAt: UtcTime;
  readonly mediaIds: readonly string[];
}

/** The parts of a post, in the order in which they are shown. */
export type BodyPart = keyof PostBody;
export const BODY_PARTS: readonly BodyPart[] = [
  "content",
  "platforms",
  "scheduledAt",
  "mediaIds",
  ...EXTRA_PARTS,
];

/** The known parts of a body. An absent part is unknown, which is not the same as empty. */
export type KnownBody = { readonly [Part in BodyPart]?: PostBody[Part] | undefined };

/** A post as the service describes it. Fields that the service's records lack are absent. */
export interface RemotePost extends Partial<PostBody> {
  readonly id: string;
  /**
   * Why a row made from the record would be another post: the service repeats it, or a network of the post has its own
   * text, media or time. Absent if nothing is known to be lost.
   */
  readonly noRow?: "repeats" | "own-parts";
}

type Parts = { -readonly [Part in BodyPart]?: PostBody[Part] | undefined };

/** Only these parts of a body. */
export function onlyParts(body: KnownBody, parts: readonly BodyPart[]): KnownBody {
  const found: Parts = {};
  for (const part of parts) copyPart(part, body, found);
  return found;
}

function copyPart<Part extends BodyPart>(part: Part, from: Pick<Parts, Part>, to: Pick<Parts, Part>): void {
  to[part] = from[part];
}

/** The parts of `known` that differ in `body`. A part that is absent from `known` does not differ. */
export function differingParts(known: KnownBody, body: KnownBody): BodyPart[] {
  return BODY_PARTS.filter((part) => known[part] !== undefined && !isSamePart(part, known, body));
}

/**
 * The parts that a row has, but that the service does not show: nobody knows what the post has there. Only a service
 * that does not show media leaves parts out.
 */
export function unseenParts(
  row: Pick<ResolvedPost, "media"> & PostExtras,
  remote: RemotePost,
): ("mediaIds" | ExtraPart)[] {
  if (remote.mediaIds !== undefined) return [];
  const extras = EXTRA_PARTS.filter((part) => remote[part] === undefined && !isSamePart(part, row, {}));
  return [...(row.media.length > 0 ? (["mediaIds"] as const) : []), ...extras];
}

/** The value that an absent part counts as. */
const ABSENT: KnownBody = EMPTY_EXTRAS;

/** Whether two bodies have the same content in a part. Also true if the part is absent from both. */
export function isSamePart(part: BodyPart, a: KnownBody, b: KnownBody): boolean {
  // Without destructuring, which would create a list for each part of each post.
  const one = a[part] ?? ABSENT[part];
  const other = b[part] ?? ABSENT[part];
  if (typeof one !== "object" || typeof other !== "object") return one === other;
  return sameList(one, other);
}

/** Keys of rows without an id start with this; an id must not. */
export const DERIVED_KEY_PREFIX = "row:";

/** The key, if a person chose it; undefined if it is derived from the row. */
export function idOf(key: string): string | undefined {
  return key.startsWith(DERIVED_KEY_PREFIX) ? undefined : key;
}

/** The key of one post of a row that repeats: `news/2027-03-01`. */
export function occurrenceKey(id: string, day: string): string {
  return `${id}/${day}`;
}

/**
 * Every id that the row of a post may have, by its key. `launch@twitter` is the part of the row `launch` for one
 * platform, and `news/2027-03-01` is one post of the row `news`.
 */
export function rowIdsOf(key: string): readonly string[] {
  return [key, withoutPlatform(key)]
    .filter((each) => each !== "")
    .flatMap((each) => [each, each.replace(OCCURRENCE, "")]);
}

const OCCURRENCE = /\/(\d{4}-\d\d-\d\d)$/;

/** The rows that repeat whose posts can have this key, each with the day. */
export function occurrencesIn(key: string): readonly { readonly row: string; readonly day: string }[] {
  return [key, withoutPlatform(key)].flatMap((each) => {
    const [end, day] = OCCURRENCE.exec(each) ?? [];
    return end === undefined || day === undefined ? [] : { row: each.slice(0, -end.length), day };
  });
}

/** Whether the first key is of a row's post for one platform, and the second of the whole row. */
export function isPartOf(key: string, whole: string): boolean {
  return withoutPlatform(key) === whole;
}

function withoutPlatform(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf("@")));
}

/** The media of a row that plancast could read. Valid files are known by their bytes. */
export type ListedMedia = MediaFile | MediaReference;

/** A post for reading through a calendar: it may not be planned yet, or have faulty media. */
export interface ListedPost extends Omit<Post, "media" | "optionMedia"> {
  readonly status: "ready" | "draft" | "skip";
  readonly media: readonly ListedMedia[];
  readonly optionMedia?: readonly ListedMedia[];
}

/** The posts of a list by their ids. If several posts have one id, the last counts. */
export function indexById(posts: readonly RemotePost[]): ReadonlyMap<string, RemotePost> {
  return new Map(posts.map((post) => [post.id, post]));
}

/** A medium as people write it. */
export function writtenMedia(media: MediaReference): string {
  switch (media.kind) {
    case "file":
      return media.path;
    case "url":
      return media.url;
    case "id":
      return media.id;
  }
}
