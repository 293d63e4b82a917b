/**
 * Reads what happened to a post from its record. The interface does not document this, so every sensible shape is read.
 */

import { isObject, withoutUndefined } from "../../model/data.ts";
import {
  type PlatformResult,
  type Publication,
  type ReportedPost,
  contentExcerpt,
} from "../../model/publication.ts";
import { isoInstant, utcTime } from "../../model/canonical.ts";
import type { PostStatus, UtcTime } from "../../model/post.ts";
import type { Json, PostRecord } from "../records.ts";
import { platformName } from "./other-records.ts";
import { isPublishing, statusMeaning } from "./post.ts";
import { pick, pickText } from "./record.ts";

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
  const state = stateOf(post, results);
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
function stateOf({ status, platforms }: PostRecord, results: readonly PlatformResult[]): PostStatus {
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
