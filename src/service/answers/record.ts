/** Reads one record in any wrapping: its id, and its fields by the names that services give them. */

import { Failure } from "../../model/failure.ts";
import { isObject } from "../../model/data.ts";
import { bodyOf } from "../http/refusal.ts";
import type { HttpAnswer } from "../http/request.ts";
import type { Json } from "../records.ts";
import { RUN_DOCTOR } from "./list-page.ts";

const ID_KEYS = ["id", "post_id", "postId", "media_id", "mediaId", "_id", "uuid"];

/** One printable word, because it goes into addresses, the lockfile and reports. Addresses lose `.` and `..`. */
const ID = /^(?!\.+$)[\x21-\x7e]{1,200}$/;

export function isId(text: string): boolean {
  return ID.test(text);
}

/** An id as text; undefined for other values. */
export function idFrom(value: unknown): string | undefined {
  const text = typeof value === "number" && Number.isFinite(value) ? String(value) : value;
  return typeof text === "string" && isId(text) ? text : undefined;
}

/** The id in a record; undefined if it has none. */
export function idIn(record: Json): string | undefined {
  return idFrom(pick(record, ID_KEYS));
}

/** The record in an answer. Throws a Failure if there is none. */
export function recordOf(answer: HttpAnswer, endpoint: string): Json {
  const body = bodyOf(answer);
  const { record, missing } = answer.mapped ?? {};
  const found = missing === undefined ? (record ?? recordIn(body)) : undefined;
  if (found !== undefined) return found;
  throw unreadableRecord(endpoint, isObject(body) ? body : {}, missing ?? "a record with an id");
}

/**
 * The part of an answer with an id: the whole, or the value under one wrapping key. Undefined if there is none.
 * @param read returns a record's values under the wanted names
 */
export function recordIn(body: unknown, read = (record: Json): Json => record): Json | undefined {
  if (!isObject(body)) return undefined;
  const whole = read(body);
  if (hasId(whole)) return whole;
  const [wrapped, ...others] = Object.values(body).filter(isObject).map(read).filter(hasId);
  return others.length === 0 ? wrapped : undefined;
}

function hasId(record: Json): boolean {
  return idIn(record) !== undefined;
}

export function decodeId(record: Json, endpoint: string): string {
  const id = idIn(record);
  if (id !== undefined) return id;
  const given = pick(record, ID_KEYS);
  const shown = given === undefined || given === null ? "" : `; it is ${JSON.stringify(given).slice(0, 100)}`;
  throw unreadableRecord(endpoint, record, `an id of printable characters without spaces${shown}`);
}

/** The value under the first of these names that a record has. */
export function pick(record: Json, keys: readonly string[]): unknown {
  for (const key of keys) if (Object.hasOwn(record, key)) return record[key];
  return undefined;
}

/** The text under the first of these names that a record has; undefined if that is not a text. */
export function pickText(record: Json, keys: readonly string[]): string | undefined {
  const value = pick(record, keys);
  return typeof value === "string" ? value : undefined;
}

export function unreadableRecord(endpoint: string, record: Json, missing: string): Failure {
  const keys = Object.keys(record).slice(0, 12).join(", ") || "(none)";
  return new Failure(
    "service/unreadable",
    `${endpoint} returned a record that plancast cannot read: ${missing} is missing. Keys seen: ${keys}.`,
    `plancast does not plan without it. ${RUN_DOCTOR}`,
  );
}
