/**
 * Reads the records of posts: a post in canonical form, and what happened to it. The fields have the names that the
 * interface documents for requests; `service.shape` maps other names to them. Ignores other fields.
 */

import {
  canonicalContent,
  canonicalExtras,
  canonicalPlatforms,
  isoInstant,
  utcTime,
} from "../../model/canonical.ts";
import { isObject, withoutUndefined } from "../../model/data.ts";
import { Failure } from "../../model/failure.ts";
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
import { decodeId, idFrom, idIn, textIn, unreadableRecord } from "./record.ts";

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
  const status = textIn(record, "status")?.toLowerCase();
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

/** The fields of a post that a list must show, and their names under `service.shape.post`. */
export const COMPARED_FIELDS = ["content", "platforms", "scheduled_at"] as const;

/**
 * A scheduled post of a list must show what plancast compares, or another post could be taken for it. Throws a Failure
 * that names the record. With a path in `service.shape`, a field may be missing: then the lockfile is compared.
 */
export function requireFields(record: Json, id: string, endpoint: string): void {
  const missing = COMPARED_FIELDS.filter((field) => !Object.hasOwn(record, field));
  if (missing.length === 0) return;
  const names = missing.join(" and ");
  const paths = missing.map((field) => `${field}: ${field}`).join(", ");
  throw new Failure(
    "service/unreadable",
    `${endpoint} returned the post ${id} without ${names}. Nothing was changed.`,
    `If the service has ${names} under other names, \`plancast doctor\` shows the lines to fill in under service.shape. If it does not show ${names}, write this into plancast.yaml, and plancast compares with the lockfile instead: service: { shape: { post: { ${paths} } } }`,
  );
}

function readContent(record: Json, endpoint: string): string | undefined {
  const { content } = record;
  if (content === undefined) return undefined;
  if (content === null) return "";
  if (typeof content !== "string") throw unreadableRecord(endpoint, record, "content that is text");
  return canonicalContent(content);
}

/** A list of names, or the only one. */
function readPlatforms(record: Json, endpoint: string): readonly string[] | undefined {
  const { platforms } = record;
  if (platforms === undefined || platforms === null) return undefined;
  const names: readonly unknown[] = Array.isArray(platforms) ? platforms : [platforms];
  const texts = names.filter((name) => typeof name === "string" && !/[,;|]/.test(name)).map(String);
  if (texts.length < names.length) throw unreadableRecord(endpoint, record, "platforms as a list of names");
  return canonicalPlatforms(texts);
}

/** Fast path for the interface's form, which is canonical, on days that every month has. */
const PLAIN_TIME = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}Z$/;

function readTime(record: Json, endpoint: string): string | undefined {
  const value = record["scheduled_at"];
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
  const value = record["media_ids"];
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
  const ms = isoInstant(textIn(record, "published_at") ?? "", undefined);
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
  const ended = results.filter((each) => each.state !== "scheduled");
  const hasFailed = ended.some((each) => each.state !== "published");
  if (meaning === "published" && hasFailed) return "failed";
  if (meaning !== undefined && meaning !== "other") return meaning;
  if (ended.length === 0 || ended.length < (platforms?.length ?? 0)) return "unknown";
  return hasFailed ? "failed" : "published";
}

/** The reason for every post of a service that shows no status. */
export const NO_STATUS = "The service does not show its status.";

function unknownReason(state: PostStatus, { status }: PostRecord): string | undefined {
  if (state !== "unknown") return undefined;
  return status === undefined
    ? NO_STATUS
    : `The service shows the status ${JSON.stringify(status)}, which plancast does not know.`;
}

/** The results for each platform, as far as the record has them. */
function resultsIn({ record }: PostRecord): readonly PlatformResult[] {
  const { results } = record;
  return Array.isArray(results) ? results.filter(isObject).flatMap((each) => resultOf(each) ?? []) : [];
}

function resultOf(entry: Json): PlatformResult | undefined {
  const platform = platformName(entry);
  const reason = reasonIn(entry);
  const url = webAddressIn(entry);
  const state =
    resultState(textIn(entry, "status")?.toLowerCase()) ?? (reason === undefined ? undefined : "failed");
  if (platform === undefined || state === undefined) return undefined;
  if (state === "failed" && hasExpired(entry))
    return withoutUndefined({ platform, state: "expired" as const, reason });
  const said = reason ?? textIn(entry, "note")?.slice(0, MAX_TEXT);
  // On most services, every network of a scheduled post says so. Only an attempt that failed is a result.
  if (state === "scheduled" && said === undefined) return undefined;
  return withoutUndefined({ platform, state, ...(state === "published" ? { url } : {}), reason: said });
}

/** The embedded service and the schedule in a repository say it as the code of the error. */
function hasExpired({ error }: Json): boolean {
  return isObject(error) && error["code"] === "expired";
}

function resultState(status: string | undefined): "published" | "failed" | "scheduled" | undefined {
  if (isPublishing(status)) return undefined;
  const meaning = statusMeaning(status);
  return meaning === "published" || meaning === "failed" || meaning === "scheduled" ? meaning : undefined;
}

/** The web address in `url`; undefined for anything else. */
export function webAddressIn(record: Json): string | undefined {
  const url = textIn(record, "url");
  return url !== undefined && url.length <= MAX_TEXT && /^https?:\/\/\S+$/i.test(url) ? url : undefined;
}

/** Why something failed: the text in `error`, or the message of an error that is an object. */
export function reasonIn({ error }: Json): string | undefined {
  const text = isObject(error) ? (textIn(error, "message") ?? textIn(error, "code")) : error;
  return typeof text === "string" && text.trim() !== "" ? text.slice(0, MAX_TEXT) : undefined;
}
