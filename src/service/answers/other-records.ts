/** Reads records of accounts, media, automations, texts, pictures and webhooks, whatever names their fields have. */

import { isObject, withoutUndefined } from "../../model/data.ts";
import { parseUrl } from "../../model/address.ts";
import { bodyOf } from "../http/refusal.ts";
import type { HttpAnswer } from "../http/request.ts";
import type {
  AutomationRecord,
  ImageRecord,
  Json,
  MediaRecord,
  PlatformRecord,
  TextRecord,
  TriggerRecord,
  WebhookRecord,
} from "../records.ts";
import { decodeId, idFrom, idIn, pick, pickText, unreadableRecord } from "./record.ts";

/**
 * The platform of a connected account's record, lower case: from a plain field, otherwise every name that may be it;
 * undefined if there is none.
 */
export function platformNames(value: unknown): readonly string[] | undefined {
  const names = typeof value === "string" ? [value] : isObject(value) ? namesIn(value) : [];
  return names.length === 0 ? undefined : names.map((name) => name.trim().toLowerCase());
}

/** Reads one connected account; a text is both its platform and its id. Throws a Failure for anything else. */
export function decodePlatform(value: unknown, endpoint: string): PlatformRecord {
  const record = isObject(value) ? value : {};
  const id = isObject(value) ? idIn(value) : idFrom(value);
  const platform = platformName(value)?.trim().toLowerCase();
  if (id === undefined && platform === undefined) throw unreadableRecord(endpoint, record, "an account");
  return withoutUndefined({ id, platform, name: pickText(record, ACCOUNT_KEYS), record });
}

const DOWN = /^(disconnected|expired|revoked|inactive|disabled|error|invalid|needs_re\w+|reauth\w*)$/i;

/** Whether the record says that the account is disabled or not connected any more. */
export function isDown({ record }: PlatformRecord): boolean {
  const flags = ["connected", "is_connected", "isConnected", "active", "is_active", "enabled"];
  const words = ["status", "state", "connection_status"].map((key) => record[key]);
  return (
    flags.some((key) => record[key] === false) ||
    words.some((word) => typeof word === "string" && DOWN.test(word))
  );
}

const ACCOUNT_KEYS = [
  "account_name",
  "accountName",
  "username",
  "handle",
  "display_name",
  "displayName",
  "name",
];

/** Keys that always name a platform, before those that may name the account. */
const PLATFORM_KEYS = ["platform", "identifier", "slug", "network", "provider", "service"];

function namesIn(record: Json): string[] {
  const telling = PLATFORM_KEYS.map((key) => record[key]).find((each) => each !== undefined && each !== null);
  if (typeof telling === "string") return [telling];
  if (isObject(telling)) return namesIn(telling);
  return ["type", "name", "id"].map((key) => record[key]).filter((each) => typeof each === "string");
}

/** A platform's identifier: the value itself, or the best name in an object. */
export function platformName(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!isObject(value)) return undefined;
  const [first] = namesIn(value);
  const isTold = PLATFORM_KEYS.some((key) => typeof value[key] === "string");
  // `{ id: "twitter", name: "X (Twitter)" }`, but also `{ id: "acc_12", name: "twitter" }`.
  const plain = typeof value["id"] === "string" && /^[a-z]+$/.test(value["id"]) ? value["id"] : undefined;
  return isTold ? first : (plain ?? first);
}

const MEDIA_TYPE_KEYS = ["type", "media_type", "mediaType", "kind"];
const MEDIA_URL_KEYS = ["url", "src", "href", "file_url", "fileUrl"];

/** Reads one media item, or throws a Failure that names the endpoint, the keys seen and the part missing. */
export function decodeMedia(value: unknown, endpoint: string): MediaRecord {
  const record = isObject(value) ? value : {};
  const type = pickText(record, MEDIA_TYPE_KEYS);
  const url = pickText(record, MEDIA_URL_KEYS);
  return withoutUndefined({ id: decodeId(record, endpoint), type, url, record });
}

// The interface does not document the answers to requests that make something, so every sensible shape is read.

const NAME_KEYS = ["name", "title", "label"];
const TEXT_KEYS = [
  "content",
  "text",
  "caption",
  "generated_text",
  "generatedText",
  "output",
  "result",
  "message",
];
const IMAGE_URL_KEYS = ["url", "image_url", "imageUrl", "href", "src"];
const MEDIA_ID_KEYS = ["media_id", "mediaId"];
const BASE64_KEYS = ["base64", "b64_json", "b64", "image_base64", "data"];
const RUN_ID_KEYS = ["run_id", "runId", "execution_id", "executionId", "id"];
const STATUS_KEYS = ["status", "state"];

export function decodeAutomation(value: unknown, endpoint: string): AutomationRecord {
  const record = isObject(value) ? value : {};
  return withoutUndefined({ id: decodeId(record, endpoint), name: pickText(record, NAME_KEYS), record });
}

/** The new text: the answer itself, or the value under one of its names, at most two levels down. */
export function decodeGeneratedText(answer: HttpAnswer, endpoint: string): TextRecord {
  const body = bodyOf(answer);
  const record = isObject(body) ? body : {};
  const text =
    typeof body === "string" ? body : firstOf(holders(body), (holder) => pickText(holder, TEXT_KEYS));
  if (text === undefined || text.trim() === "") throw unreadableRecord(endpoint, record, "the text");
  return { text, record };
}

/** The new picture: an id of the media library, an address, or its bytes, at most two levels down. */
export function decodeImage(answer: HttpAnswer, endpoint: string): ImageRecord {
  const body = bodyOf(answer);
  const record = isObject(body) ? body : {};
  const image = typeof body === "string" ? placeOf(body) : firstOf(holders(body), imageIn);
  if (image === undefined) throw unreadableRecord(endpoint, record, "a picture's id, address or bytes");
  return { ...image, record };
}

type Image = Omit<ImageRecord, "record">;

function imageIn(holder: Json): Image | undefined {
  const mediaId = idFrom(pick(holder, MEDIA_ID_KEYS)) ?? mediaIdOnly(idIn(holder));
  const address = pickText(holder, IMAGE_URL_KEYS) ?? pickText(holder, ["image"]);
  const bytes = pickText(holder, BASE64_KEYS);
  const image = {
    ...(mediaId !== undefined && { mediaId }),
    ...(address !== undefined && placeOf(address)),
    ...(bytes !== undefined && isBase64(bytes) && { base64: bytes }),
  };
  return Object.keys(image).length > 0 ? image : undefined;
}

/** An id with the form of the media library. Source: the interface's form `media_<id>`. */
function mediaIdOnly(id: string | undefined): string | undefined {
  return id?.startsWith("media_") === true ? id : undefined;
}

/** A web address, or the bytes in a `data:` address. */
function placeOf(text: string): Image | undefined {
  const [, bytes] = /^data:image\/[\w.+-]+;base64,(.*)$/s.exec(text) ?? [];
  if (bytes !== undefined) return isBase64(bytes) ? { base64: bytes } : undefined;
  if (/^https?:\/\//i.test(text) && parseUrl(text) !== undefined) return { url: text };
  return isBase64(text) && text.length >= 64 ? { base64: text } : undefined;
}

function isBase64(text: string): boolean {
  return text !== "" && /^[\w+/-]*={0,2}\s*$/.test(text);
}

/** Whatever the answer says, the automation was triggered. Returns the readable parts. */
export function decodeTrigger(answer: HttpAnswer): TriggerRecord {
  const body = bodyOf(answer);
  const all = holders(body);
  const id = firstOf(all, (holder) => idFrom(pick(holder, RUN_ID_KEYS)));
  const status = firstOf(all, (holder) => pickText(holder, STATUS_KEYS))?.toLowerCase();
  return withoutUndefined({ id, status, record: isObject(body) ? body : {} });
}

export function decodeWebhook(answer: HttpAnswer): WebhookRecord {
  const body = bodyOf(answer);
  const all = holders(body);
  const id = firstOf(all, idIn);
  const url = firstOf(all, (holder) => pickText(holder, ["url", "endpoint", "target_url", "targetUrl"]));
  const events = firstOf(all, (holder) => textsIn(pick(holder, ["events", "event_types", "eventTypes"])));
  return withoutUndefined({ id, url, events, record: isObject(body) ? body : {} });
}

function textsIn(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((each) => typeof each === "string") ? value : undefined;
}

/** The objects to search: the body, what it wraps, and what that wraps. For a list, its only item. */
function holders(body: unknown): readonly Json[] {
  const top = unwrapped(body);
  const below = top.flatMap((each) => Object.values(each).flatMap(unwrapped));
  return [...top, ...below, ...below.flatMap((each) => Object.values(each).flatMap(unwrapped))];
}

function unwrapped(value: unknown): Json[] {
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return isObject(only) ? [only] : [];
}

function firstOf<T>(all: readonly Json[], find: (holder: Json) => T | undefined): T | undefined {
  for (const holder of all) {
    const found = find(holder);
    if (found !== undefined) return found;
  }
  return undefined;
}
