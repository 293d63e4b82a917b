/** Finds lists and records in their common wrappings, and reads ids. */

import { Failure } from "../../model/failure.ts";
import { isObject } from "../../model/data.ts";
import { bodyOf } from "../http/refusal.ts";
import type { HttpAnswer } from "../http/request.ts";
import type { Json } from "../records.ts";

/** What to do about an answer in an unknown shape. */
export const RUN_DOCTOR =
  "Check that service.url is the address of the publishing service. If it is, `plancast doctor` shows the paths in its answers and the lines to fill in under service.shape.";

/** A table of names, as text. */
export function names(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** Names under which services wrap a list or a record. Any other place needs `service.shape`. */
const WRAPPERS =
  names(`data result results response items item records record posts post media platforms platform
    accounts account automations automation run webhooks webhook`);

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
export function idIn({ id }: Json): string | undefined {
  return idFrom(id);
}

/** The list in an answer: an array, or the only one in its wrapping. Undefined otherwise. */
export function itemsIn(body: unknown): readonly unknown[] | undefined {
  return onlyOne(levelsOf(body).map((level) => level.filter(Array.isArray)));
}

/**
 * The part of an answer with an id: the whole, or the only one in its wrapping. Undefined if there is none.
 * @param read returns a record's values under the wanted names
 */
export function recordIn(body: unknown, read = (record: Json): Json => record): Json | undefined {
  return onlyOne(levelsOf(body).map((level) => level.filter(isObject).map(read).filter(hasId)));
}

function hasId(record: Json): boolean {
  return idIn(record) !== undefined;
}

/** The objects of an answer that may hold what it says: the whole, then what it wraps. */
export function holdersIn(body: unknown): readonly Json[] {
  return levelsOf(body).flatMap((level) => level.filter(isObject));
}

/** The answer, what it wraps, and what that wraps, as in `{ data: { items: [] } }`. */
function levelsOf(body: unknown): readonly (readonly unknown[])[] {
  const wrapped = valuesOf(body);
  return [[body], wrapped, wrapped.flatMap(valuesOf)];
}

function valuesOf(value: unknown): readonly unknown[] {
  return isObject(value) ? WRAPPERS.flatMap((name) => (Object.hasOwn(value, name) ? [value[name]] : [])) : [];
}

/** What the outermost level has, if it has only one. */
function onlyOne<T>(levels: readonly (readonly T[])[]): T | undefined {
  const found = levels.find((level) => level.length > 0);
  return found?.length === 1 ? found[0] : undefined;
}

/** The record in an answer. Throws a Failure if there is none. */
export function recordOf(answer: HttpAnswer, endpoint: string): Json {
  const body = bodyOf(answer);
  const { record, missing } = answer.mapped ?? {};
  const found = missing === undefined ? (record ?? recordIn(body)) : undefined;
  if (found !== undefined) return found;
  throw unreadableRecord(endpoint, isObject(body) ? body : {}, missing ?? "a record with an id");
}

export function decodeId(record: Json, endpoint: string): string {
  const id = idIn(record);
  if (id !== undefined) return id;
  const given = record["id"];
  const shown = given === undefined || given === null ? "" : `; it is ${JSON.stringify(given).slice(0, 100)}`;
  throw unreadableRecord(endpoint, record, `an id of printable characters without spaces${shown}`);
}

/** The text under a name of a record; undefined if that is not a text. */
export function textIn(record: Json, name: string): string | undefined {
  const value = record[name];
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
