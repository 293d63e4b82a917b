/**
 * Reads the records of posts in any shape: a post in canonical form, and what happened to it. The interface does not document
 * the latter, so every sensible shape is read. Ignores other fields.
 */

import {
  canonicalContent,
  canonicalExtras,
  canonicalPlatforms,
  isoInstant,
  utcTime,
} from "../../model/canonical.ts";
import { isObject, withoutUndefined } from "../../model/data.ts";
import { type ExtraPart, type PostExtras, EMPTY_EXTRAS, NO_EXTRAS } from "../../model/extras.ts";
import { readExtras } from "../../model/lockfile.ts";
import type { PostStatus, RemotePost, UtcTime } from "../../model/post.ts";
import {
  type PlatformResult,
  type Publication,
  type ReportedPost,
  contentExcerpt,
} from "../../model/publication.ts";
import type { Json, PostRecord } from "../records.ts";
import type { PostState } from "../service.ts";
import { platformName } from "./other-records.ts";
import { decodeId, idFrom, idIn, pick, pickText, unreadableRecord } from "./record.ts";

/** Names that services give the fields. The first is the one that the interface documents. */
export const POST_KEYS = {
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
} as const;

/** The fields by which plancast compares posts. `status` is the service's, in lower case. */
interface DecodedPost {
  readonly post: RemotePost;
  readonly status: string | undefined;
}

/**
 * Reads one post of a list, or throws a Failure that names the endpoint, the keys seen and the part missing.
 * @param supports the extra parts that the service shows; other keys with these names may mean anything
 */
export function decodePost(
  value: unknown,
  endpoint: string,
  supports: ReadonlySet<ExtraPart> = NO_EXTRAS,
): DecodedPost {
  const record = isObject(value) ? value : {};
  const id = decodeId(record, endpoint);
  const content = readContent(record, endpoint);
  const platforms = readPlatforms(record, endpoint);
  const scheduledAt = readTime(record, endpoint);
  const mediaIds = readMediaIds(record);
  const status = pickText(record, POST_KEYS.status)?.toLowerCase();
  const isWhole =
    content !== undefined && platforms !== undefined && scheduledAt !== undefined && mediaIds !== undefined;
  const extras = supports.size === 0 ? undefined : shownExtras(record, endpoint, supports);
  // The usual record: an object that is created at once needs half the memory of one that grows.
  if (isWhole && extras === undefined)
    return { post: { id, content, platforms, scheduledAt, mediaIds }, status };
  return { post: withoutUndefined({ id, content, platforms, scheduledAt, mediaIds, ...extras }), status };
}

/** The parts that the service shows. A part is empty if the record does not contain it. */
function shownExtras(record: Json, endpoint: string, supports: ReadonlySet<ExtraPart>): PostExtras {
  const read = readExtras(record);
  if (read === undefined)
    throw unreadableRecord(endpoint, record, `${[...supports].join(", ")} as plancast sends them`);
  const shown: PostExtras = { ...EMPTY_EXTRAS, ...canonicalExtras(read) };
  return Object.fromEntries([...supports].map((part) => [part, shown[part]]));
}

/** One post with all known fields. */
export function decodePostRecord(value: unknown, endpoint: string): PostRecord {
  const { post, status } = decodePost(value, endpoint);
  return withoutUndefined({ ...post, status, record: isObject(value) ? value : {} });
}

function readContent(record: Json, endpoint: string): string | undefined {
  const content = pick(record, POST_KEYS.content);
  if (content === undefined) return undefined;
  if (content === null) return "";
  if (typeof content !== "string") throw unreadableRecord(endpoint, record, "content that is text");
  return canonicalContent(content);
}

function readPlatforms(record: Json, endpoint: string): readonly string[] | undefined {
  const value = pick(record, POST_KEYS.platforms);
  if (value === undefined || value === null) return undefined;
  const values: readonly unknown[] =
    typeof value === "string" ? value.split(/[,;|]/) : Array.isArray(value) ? value : [value];
  const names = values.map(platformName);
  if (!names.every((name) => name !== undefined))
    throw unreadableRecord(endpoint, record, "platforms with names");
  return canonicalPlatforms(names);
}

/** Fast path for the interface's form, which is canonical, on days that every month has. */
const PLAIN_TIME = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}Z$/;

function readTime(record: Json, endpoint: string): string | undefined {
  const value = pick(record, POST_KEYS.scheduledAt);
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string" && PLAIN_TIME.test(value)) return value;
  const ms = typeof value === "string" ? isoInstant(value, "Z") : epochMs(value);
  if (ms === undefined) throw unreadableRecord(endpoint, record, "a time in an ISO 8601 form");
  return utcTime(ms);
}

/** Seconds or ms since the epoch, distinguished by size. */
function epochMs(value: unknown): number | undefined {
  if (typeof value !== "number" || !Number.isFinite(value) || value < 1e8) return undefined;
  const ms = value >= 1e11 ? value : value * 1_000;
  return ms < 8e15 ? ms : undefined;
}

/** Shared by all posts without media. */
const NO_MEDIA: readonly string[] = [];

/** Media without ids (with addresses, for example) cannot be compared, so they count as unknown. */
function readMediaIds(record: Json): readonly string[] | undefined {
  const value = pick(record, POST_KEYS.mediaIds);
  if (value === null) return [];
  if (!Array.isArray(value)) return undefined;
  if (value.length === 0) return NO_MEDIA;
  const ids = value.map((each: unknown) => idFrom(isObject(each) ? idIn(each) : each));
  return ids.every((each) => each !== undefined && !each.includes("://"))
    ? ids.filter((each) => each !== undefined)
    : undefined;
}

/** The meaning of a record's status. `other`: a post that will not be published as it is. */
type StatusMeaning = Exclude<PostStatus, "missing" | "unknown"> | "other";

/** Only `scheduled` is documented; the others are common words. */
const STATUS_MEANINGS: ReadonlyMap<string, StatusMeaning> = new Map([
  ["scheduled", "scheduled"],
  ["pending", "scheduled"],
  ["queued", "scheduled"],
  ["published", "published"],
  ["publishing", "published"],
  ["posted", "published"],
  ["sent", "published"],
  ["cancelled", "cancelled"],
  ["canceled", "cancelled"],
  ["deleted", "cancelled"],
  ["removed", "cancelled"],
  ["failed", "failed"],
  ["error", "failed"],
  ["draft", "other"],
  ["archived", "other"],
  ["paused", "other"],
  ["expired", "other"],
]);

/** The meaning of the service's status, in lower case; undefined for a missing or unknown one. */
export function statusMeaning(status: string | undefined): StatusMeaning | undefined {
  return STATUS_MEANINGS.get(status ?? "");
}

/** Whether it is being published right now: too late to cancel it, and not published yet. */
function isPublishing(status: string | undefined): boolean {
  return status === "publishing";
}

/** Whether a record in the list of scheduled posts is scheduled: services may ignore the filter, or send no status. */
export function isStillScheduled(status: string | undefined): boolean {
  const meaning = statusMeaning(status);
  return meaning === undefined || meaning === "scheduled";
}

/**
 * Whether the service's status is the wanted one, perhaps by another word. If the service shows no status, it may be
 * the wanted one.
 */
export function matchesStatus(status: string | undefined, asked: string): boolean {
  if (status === undefined || status === asked.toLowerCase()) return true;
  const meaning = STATUS_MEANINGS.get(status);
  return meaning !== undefined && meaning !== "other" && meaning === STATUS_MEANINGS.get(asked.toLowerCase());
}

/** What happened to a post, by the status in its record. */
export function stateOf(status: string | undefined): PostState {
  const meaning = statusMeaning(status);
  return meaning === undefined || meaning === "other" ? { state: "unknown", status } : { state: meaning };
}

// What happened to the post on each network.

const RESULT_KEYS = [
  "results",
  "platform_results",
  "platformResults",
  "deliveries",
  "platforms",
  "platform",
  "networks",
];
const STATUS_KEYS = ["status", "state"];
const URL_KEYS = [
  "url",
  "permalink",
  "post_url",
  "postUrl",
  "published_url",
  "publishedUrl",
  "platform_url",
  "platformUrl",
  "link",
];
/** In the post itself, `url` may be anything, such as its address on the service. */
const POST_URL_KEYS = URL_KEYS.filter((key) => key !== "url" && key !== "link");
const PUBLISHED_AT_KEYS = ["published_at", "publishedAt"];
const REASON_KEYS = [
  "error",
  "error_message",
  "errorMessage",
  "failure_reason",
  "failureReason",
  "fail_reason",
  "reason",
];

/** Longest address or reason that is stored, in UTF-16 units. */
const MAX_TEXT = 2_000;

/** @param post undefined if the service has no post with that id */
export function publicationOf(post: PostRecord | undefined): Publication {
  if (post === undefined) return { state: "missing", results: [] };
  const results = resultsIn(post);
  const state = publishedState(post, results);
  const reason = state === "failed" ? reasonIn(post.record) : unknownReason(state, post);
  const publishedAt = state === "published" ? publishedAtOf(post) : undefined;
  return withoutUndefined({ state, results, publishedAt, reason, post: reportedPost(post) });
}

function publishedAtOf({ record }: PostRecord): UtcTime | undefined {
  const ms = isoInstant(pickText(record, PUBLISHED_AT_KEYS) ?? "", undefined);
  return ms === undefined ? undefined : utcTime(ms);
}

function reportedPost({ content, platforms }: PostRecord): ReportedPost | undefined {
  if (content === undefined && platforms === undefined) return undefined;
  return withoutUndefined({ content: content && contentExcerpt(content), platforms });
}

/** A known status decides. Otherwise, the platforms' results do. */
function publishedState({ status, platforms }: PostRecord, results: readonly PlatformResult[]): PostStatus {
  const meaning = statusMeaning(status);
  // Some platforms may still be missing.
  if (isPublishing(status)) return "scheduled";
  const hasFailed = results.some((each) => each.state !== "published");
  if (meaning === "published" && hasFailed) return "failed";
  if (meaning !== undefined && meaning !== "other") return meaning;
  if (results.length === 0 || results.length < (platforms?.length ?? 0)) return "unknown";
  return hasFailed ? "failed" : "published";
}

function unknownReason(state: PostStatus, { status }: PostRecord): string | undefined {
  if (state !== "unknown") return undefined;
  return status === undefined
    ? "The service does not show its status."
    : `The service shows the status ${JSON.stringify(status)}, which plancast does not know.`;
}

/** The results for each platform, as far as the record has them. */
function resultsIn({ record, status, platforms }: PostRecord): readonly PlatformResult[] {
  for (const key of RESULT_KEYS) {
    const found = entriesOf(record[key]).flatMap(([name, entry]) => resultOf(name, entry) ?? []);
    if (found.length > 0) return found;
  }
  const [only] = platforms ?? [];
  const state = resultState(status);
  const url = pickAddress(record, POST_URL_KEYS);
  if (only === undefined || platforms?.length !== 1 || state !== "published" || url === undefined) return [];
  return [{ platform: only, state, url }];
}

/** A list of results, or an object of them by platform. */
function entriesOf(value: unknown): readonly (readonly [string | undefined, Json])[] {
  if (Array.isArray(value)) return value.filter(isObject).map((each) => [undefined, each]);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, entry]) =>
    isObject(entry) ? [[name.toLowerCase(), entry]] : [],
  );
}

function resultOf(name: string | undefined, entry: Json): PlatformResult | undefined {
  const platform = name ?? platformName(entry)?.trim().toLowerCase();
  const reason = reasonIn(entry);
  const url = pickAddress(entry, URL_KEYS);
  const state =
    resultState(pickText(entry, STATUS_KEYS)?.toLowerCase()) ?? (reason === undefined ? undefined : "failed");
  if (platform === undefined || state === undefined) return undefined;
  if (state === "failed" && hasExpired(entry))
    return withoutUndefined({ platform, state: "expired" as const, reason });
  return withoutUndefined({ platform, state, ...(state === "published" ? { url } : { reason }) });
}

/** The embedded service and the schedule in a repository say it as the code of the error. */
function hasExpired({ error }: Json): boolean {
  return isObject(error) && error["code"] === "expired";
}

function resultState(status: string | undefined): "published" | "failed" | undefined {
  if (status === undefined || isPublishing(status)) return undefined;
  if (status === "success" || status === "succeeded" || status === "ok") return "published";
  const meaning = statusMeaning(status);
  return meaning === "published" || meaning === "failed" ? meaning : undefined;
}

/** A web address; undefined for anything else. */
export function pickAddress(record: Json, keys: readonly string[] = URL_KEYS): string | undefined {
  return keys
    .map((key) => pickText(record, [key]))
    .find((text) => text !== undefined && text.length <= MAX_TEXT && /^https?:\/\/\S+$/i.test(text));
}

/** Why something failed: a text, or the message of an error that is an object. */
export function reasonIn(record: Json): string | undefined {
  for (const key of REASON_KEYS) {
    const value = pick(record, [key]);
    const text = isObject(value) ? pickText(value, ["message", "code"]) : value;
    if (typeof text === "string" && text.trim() !== "") return text.slice(0, MAX_TEXT);
  }
  return undefined;
}
