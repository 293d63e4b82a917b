/** Records of the service in whatever shape, brought to canonical form. What comes besides is ignored. */
import { canonicalContent, canonicalPlatforms, isoInstant, utcTime } from "../calendar/canonical.ts";
import { Failure } from "../calendar/failure.ts";
import type { RemotePost } from "../calendar/post.ts";
import { bodyOf } from "./decode-error.ts";
import { isObject } from "./decode-list.ts";
import type { HttpAnswer } from "./http.ts";

/** Names under which services keep the fields, the documented request's own first. */
const KEYS = {
  id: ["id", "post_id", "postId", "media_id", "mediaId", "_id", "uuid"],
  content: ["content", "text", "caption", "message", "body"],
  platforms: ["platforms", "platform", "networks", "channels"],
  scheduledAt: [
    "scheduled_at",
    "scheduledAt",
    "scheduled_for",
    "scheduledFor",
    "publish_at",
    "publishAt",
    "scheduled_time",
  ],
  mediaIds: ["media_ids", "mediaIds", "media", "attachments"],
  status: ["status", "state"],
  type: ["type", "media_type", "mediaType", "kind"],
} as const;

/** One printable word: it goes into addresses, the lockfile and reports. */
const ID = /^[\x21-\x7e]{1,200}$/;

/** An id as text; undefined when the value is none. */
function idFrom(value: unknown): string | undefined {
  const text = typeof value === "number" && Number.isFinite(value) ? String(value) : value;
  return typeof text === "string" && ID.test(text) ? text : undefined;
}

type Json = Readonly<Record<string, unknown>>;

/** A post's record. `status` is as the service says it, lower case. */
export interface PostRecord {
  readonly post: RemotePost;
  readonly status: string | undefined;
}

/** Reads one post of a list, or throws a Failure that names the endpoint, the keys seen and the part missing. */
export function decodePost(value: unknown, endpoint: string): PostRecord {
  const record = isObject(value) ? value : {};
  const status = pick(record, KEYS.status);
  const post: { -readonly [K in keyof RemotePost]: RemotePost[K] } = { id: decodeId(record, endpoint) };
  const content = readContent(record, endpoint);
  if (content !== undefined) post.content = content;
  const platforms = readPlatforms(record, endpoint);
  if (platforms !== undefined) post.platforms = platforms;
  const scheduledAt = readTime(record, endpoint);
  if (scheduledAt !== undefined) post.scheduledAt = scheduledAt;
  const mediaIds = readMediaIds(record);
  if (mediaIds !== undefined) post.mediaIds = mediaIds;
  return { post, status: typeof status === "string" ? status.toLowerCase() : undefined };
}

/** The record in an answer: bare, or under one wrapping key. */
export function recordOf(answer: HttpAnswer, endpoint: string): Json {
  const body = bodyOf(answer);
  if (isObject(body)) {
    if (hasId(body)) return body;
    const wrapped = Object.values(body).filter(isObject).filter(hasId);
    if (wrapped[0] !== undefined && wrapped.length === 1) return wrapped[0];
  }
  throw unreadable(endpoint, isObject(body) ? body : {}, "a record with an id");
}

export function decodeId(record: Json, endpoint: string): string {
  const told = pick(record, KEYS.id);
  const id = idFrom(told);
  if (id !== undefined) return id;
  const shown = told === undefined || told === null ? "" : `; it is ${JSON.stringify(told).slice(0, 100)}`;
  throw unreadable(endpoint, record, `an id of printable characters without blanks${shown}`);
}

/** The medium's kind in the service's word, such as `image`. */
export function decodeMediaType(record: Json): string | undefined {
  const type = pick(record, KEYS.type);
  return typeof type === "string" ? type : undefined;
}

/**
 * The platform of a connected account's record, lower case: what tells it plainly, else every name that may be it;
 * undefined when there is none.
 */
export function platformNames(value: unknown): readonly string[] | undefined {
  const names = typeof value === "string" ? [value] : isObject(value) ? namesIn(value) : [];
  return names.length === 0 ? undefined : names.map((name) => name.trim().toLowerCase());
}

/** Keys that name a platform and nothing else, before those that may name the account. */
const TELLING_KEYS = ["platform", "identifier", "slug", "network", "provider", "service"];

function namesIn(record: Json): string[] {
  const telling = TELLING_KEYS.map((key) => record[key]).find((each) => each !== undefined && each !== null);
  if (typeof telling === "string") return [telling];
  if (isObject(telling)) return namesIn(telling);
  return ["type", "name", "id"].map((key) => record[key]).filter((each) => typeof each === "string");
}

function hasId(record: Json): boolean {
  return idFrom(pick(record, KEYS.id)) !== undefined;
}

function readContent(record: Json, endpoint: string): string | undefined {
  const content = pick(record, KEYS.content);
  if (content === undefined) return undefined;
  if (content === null) return "";
  if (typeof content !== "string") throw unreadable(endpoint, record, "content that is text");
  return canonicalContent(content);
}

function readPlatforms(record: Json, endpoint: string): readonly string[] | undefined {
  const value = pick(record, KEYS.platforms);
  if (value === undefined || value === null) return undefined;
  const values: readonly unknown[] =
    typeof value === "string" ? value.split(/[,;|]/) : Array.isArray(value) ? value : [value];
  const names = values.map(platformName);
  if (!names.every((name) => name !== undefined)) throw unreadable(endpoint, record, "platforms with names");
  return canonicalPlatforms(names);
}

/** A platform's identifier: the value itself, or of an object the most telling of its names. */
function platformName(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!isObject(value)) return undefined;
  const [first] = namesIn(value);
  const isTold = TELLING_KEYS.some((key) => typeof value[key] === "string");
  // `{ id: "twitter", name: "X (Twitter)" }`, but also `{ id: "acc_12", name: "twitter" }`.
  const plain = typeof value["id"] === "string" && /^[a-z]+$/.test(value["id"]) ? value["id"] : undefined;
  return isTold ? first : (plain ?? first);
}

/** The form of the service's interface, which is the canonical one, on days that every month has. */
const PLAIN_TIME = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}Z$/;

function readTime(record: Json, endpoint: string): string | undefined {
  const value = pick(record, KEYS.scheduledAt);
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string" && PLAIN_TIME.test(value)) return value;
  const ms = typeof value === "string" ? isoInstant(value, "Z") : epochMs(value);
  if (ms === undefined) throw unreadable(endpoint, record, "a time in an ISO 8601 form");
  return utcTime(ms);
}

/** Seconds or ms since the epoch, told apart by size. */
function epochMs(value: unknown): number | undefined {
  if (typeof value !== "number" || !Number.isFinite(value) || value < 1e8) return undefined;
  const ms = value >= 1e11 ? value : value * 1_000;
  return ms < 8e15 ? ms : undefined;
}

/** Media that are told without ids (by their addresses, say) cannot be compared: that is as if they were not told. */
function readMediaIds(record: Json): readonly string[] | undefined {
  const value = pick(record, KEYS.mediaIds);
  if (value === null) return [];
  if (!Array.isArray(value)) return undefined;
  const ids = value.map((each: unknown) => idFrom(isObject(each) ? pick(each, KEYS.id) : each));
  return ids.every((each) => each !== undefined && !each.includes("/"))
    ? ids.filter((each) => each !== undefined)
    : undefined;
}

function pick(record: Json, keys: readonly string[]): unknown {
  for (const key of keys) if (Object.hasOwn(record, key)) return record[key];
  return undefined;
}

function unreadable(endpoint: string, record: Json, missing: string): Failure {
  const keys = Object.keys(record).slice(0, 12).join(", ") || "(none)";
  return new Failure(
    "service/unreadable",
    `${endpoint} answered a record that plancast cannot read: ${missing} is missing. Keys seen: ${keys}.`,
    "Nothing is planned on what cannot be read. Check that service.url is the publishing service.",
  );
}
