/** The fields of a row, and the fixed values that settings and cells choose from. */

import { foldName } from "./text.ts";

/** The fields of a row, named as in a spreadsheet header. */
export const FIELDS = [
  "id",
  "scheduled_at",
  "date",
  "time",
  "timezone",
  "expires",
  "repeat",
  "except",
  "pool",
  "spacing",
  "platforms",
  "content",
  "media",
  "alt",
  "thread",
  "thread_media",
  "thread_alt",
  "first_comment",
  "reply_to",
  "quote",
  "poll",
  "poll_length",
  "poll_multiple",
  "options",
  "campaign",
  "status",
  "type",
  "prompt",
  "tone",
  "image_prompt",
  "size",
  "result_time",
  "result_url",
  "result_error",
] as const;

export type Field = (typeof FIELDS)[number];

/** The fields that say when a post is due. */
export const TIME_FIELDS = ["scheduled_at", "date", "time"] as const satisfies Field[];

export function isTimeField(name: string): boolean {
  return TIME_FIELDS.some((field) => field === name);
}

/** What `plancast status --write` can write into a row. Nothing reads it. Each has the field `result_…`. */
export const RESULT_PARTS = ["time", "url", "error"] as const;

export type ResultPart = (typeof RESULT_PARTS)[number];

export function resultField(part: ResultPart): Extract<Field, `result_${string}`> {
  return `result_${part}`;
}

/** The field with this name, in any case, with spaces or `-` for `_`. */
export function fieldNamed(name: string): Field | undefined {
  const folded = foldName(name);
  return FIELDS.find((field) => field === folded);
}

/**
 * Columns of every table that plancast writes, so that people can fill them in. `scheduled_at` or a `date` is there too.
 */
export const STANDARD_FIELDS = ["id", "platforms", "content", "media", "status"] as const satisfies Field[];

/**
 * The fields that decide which post a row is, when and where it is published, and with what text. A post need not have any
 * other field.
 */
export const DECISIVE_FIELDS: ReadonlySet<Field> = new Set([
  ...TIME_FIELDS,
  "id",
  "timezone",
  "platforms",
  "content",
  "status",
  "type",
]);

/** Fields whose value is a list with one item for each medium, so that several columns can hold it: `Image 1`, `Image 2`. */
export const MEDIA_LIST_FIELDS: ReadonlySet<Field> = new Set(["media", "alt"]);

/** Fields that several columns can hold if `columns:` names each of them: networks, parts of a thread, and choices of a poll. */
export const JOINED_FIELDS: ReadonlySet<Field> = new Set(["platforms", "thread", "poll"]);

/** Fields that several columns can have: lists, and what columns say together. */
export const SHARED_FIELDS: ReadonlySet<Field> = new Set([...MEDIA_LIST_FIELDS, "status", "type"]);

/** Fields that can differ for each platform. */
export const VARIANT_FIELDS = [
  "content",
  "media",
  "alt",
  "thread",
  "thread_media",
  "thread_alt",
  "first_comment",
  "scheduled_at",
  "date",
  "time",
  "status",
] as const satisfies Field[];

export type VariantField = (typeof VARIANT_FIELDS)[number];

/** What a row's status means for the plan: planned, or only counted. */
export const STATUSES = ["ready", "draft", "skip"] as const;

export type Status = (typeof STATUSES)[number];

/** What a status cell says; `unknown`: somebody must say what its word means. */
export type StatusReading = Status | "unknown";

export function isStatus(word: string): word is Status {
  return STATUSES.some((status) => status === word);
}

/** The order of day, month and year in dates that are only numbers. */
export const DATE_ORDERS = ["dmy", "mdy", "ymd"] as const;

export type DateOrder = (typeof DATE_ORDERS)[number];

/** The orders as people read them. */
export const ORDER_NAMES: Readonly<Record<DateOrder, string>> = {
  dmy: "day, month, year",
  mdy: "month, day, year",
  ymd: "year, month, day",
};

/** Encodings in which spreadsheet programs save CSV, named as in the Encoding Standard of WHATWG. */
export const ENCODINGS = [
  "windows-1250",
  "windows-1251",
  "windows-1252",
  "windows-1253",
  "windows-1254",
  "windows-1255",
  "windows-1256",
  "windows-1257",
  "windows-1258",
  "windows-874",
  "macintosh",
  "shift_jis",
  "gb18030",
  "big5",
  "euc-kr",
] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** The encoding a text was read in. `unicode`: its bytes show it. `project`: a setting names it. */
export type TextEncoding =
  | { readonly name: "utf-8" | "utf-16le" | "utf-16be"; readonly by: "unicode" }
  | { readonly name: Encoding; readonly by: "project" };
