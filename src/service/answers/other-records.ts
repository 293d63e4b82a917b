/**
 * Reads records of accounts, media, automations, texts, pictures and webhooks, in the interface's form. Where the interface
 * shows no answer, the form is that of the embedded service.
 */

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
import { decodeId, holdersIn, idFrom, idIn, textIn, unreadableRecord } from "./record.ts";

/** Reads one connected account; a text is both its platform and its id. Throws a Failure for anything else. */
export function decodePlatform(value: unknown, endpoint: string): PlatformRecord {
  const record = isObject(value) ? value : {};
  const id = isObject(value) ? idIn(value) : idFrom(value);
  const platform = platformName(value);
  if (id === undefined && platform === undefined) throw unreadableRecord(endpoint, record, "an account");
  return withoutUndefined({ id, platform, name: textIn(record, "name"), record });
}

/** The platform of a connected account, lower case: the value itself, or its field `platform`. */
export function platformName(value: unknown): string | undefined {
  const name = isObject(value) ? value["platform"] : value;
  return typeof name === "string" ? name.trim().toLowerCase() : undefined;
}

const DOWN = /^(disconnected|expired|revoked|inactive|disabled|error|invalid|needs_re\w+|reauth\w*)$/i;

/** Whether the record says that the account is disabled or not connected any more. */
export function isDown({ record }: PlatformRecord): boolean {
  const { status } = record;
  const isOff = ["connected", "active", "enabled"].some((key) => record[key] === false);
  return isOff || (typeof status === "string" && DOWN.test(status));
}

/** Reads one media item, or throws a Failure that names the endpoint, the keys seen and the part missing. */
export function decodeMedia(value: unknown, endpoint: string): MediaRecord {
  const record = isObject(value) ? value : {};
  const [type, url] = [textIn(record, "type"), textIn(record, "url")];
  return withoutUndefined({ id: decodeId(record, endpoint), type, url, record });
}

export function decodeAutomation(value: unknown, endpoint: string): AutomationRecord {
  const record = isObject(value) ? value : {};
  return withoutUndefined({ id: decodeId(record, endpoint), name: textIn(record, "name"), record });
}

/** The new text: `content`, or `text`. */
export function decodeGeneratedText(answer: HttpAnswer, endpoint: string): TextRecord {
  const body = bodyOf(answer);
  const text = firstOf(body, (holder) => textIn(holder, "content") ?? textIn(holder, "text"));
  const record = isObject(body) ? body : {};
  if (text === undefined || text.trim() === "") throw unreadableRecord(endpoint, record, "the text");
  return { text, record };
}

/** The new picture: an item of the media library, its address, or its bytes. */
export function decodeImage(answer: HttpAnswer, endpoint: string): ImageRecord {
  const body = bodyOf(answer);
  const image = firstOf(body, imageIn);
  const record = isObject(body) ? body : {};
  if (image === undefined) throw unreadableRecord(endpoint, record, "a picture's id, address or bytes");
  return { ...image, record };
}

function imageIn(holder: Json): Omit<ImageRecord, "record"> | undefined {
  // Source: the interface's form `media_<id>`. Another id may be that of the request.
  const mediaId = [holder["media_id"], holder["id"]].map(idFrom).find((id) => id?.startsWith("media_"));
  const [url, base64] = [textIn(holder, "url"), textIn(holder, "base64")];
  const image = {
    ...(mediaId !== undefined && { mediaId }),
    ...(url !== undefined && /^https?:\/\//i.test(url) && parseUrl(url) !== undefined && { url }),
    ...(base64 !== undefined && /^[\w+/-]+={0,2}\s*$/.test(base64) && { base64 }),
  };
  return Object.keys(image).length > 0 ? image : undefined;
}

/** Whatever the answer says, the automation was triggered. Returns the readable parts. */
export function decodeTrigger(answer: HttpAnswer): TriggerRecord {
  const body = bodyOf(answer);
  const id = firstOf(body, idIn);
  const status = firstOf(body, (holder) => textIn(holder, "status"))?.toLowerCase();
  return withoutUndefined({ id, status, record: isObject(body) ? body : {} });
}

export function decodeWebhook(answer: HttpAnswer): WebhookRecord {
  const body = bodyOf(answer);
  const id = firstOf(body, idIn);
  const url = firstOf(body, (holder) => textIn(holder, "url"));
  const events = firstOf(body, ({ events: all }) => (isTexts(all) ? all : undefined));
  return withoutUndefined({ id, url, events, record: isObject(body) ? body : {} });
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function firstOf<T>(body: unknown, find: (holder: Json) => T | undefined): T | undefined {
  for (const holder of holdersIn(body)) {
    const found = find(holder);
    if (found !== undefined) return found;
  }
  return undefined;
}
