/**
 * The step before decoding: looks up the paths of `service.shape` in an answer, and renames them to the names that
 * decoding knows.
 */

import { isObject } from "../../model/data.ts";
import { type ResponseMapping, stepsOf, valueAtPath } from "../../settings/response-mapping.ts";
import { bodyOf, withBodyOf } from "../http/refusal.ts";
import type { HttpAnswer, MappedAnswer } from "../http/request.ts";
import type { Json } from "../records.ts";
import { itemsIn, recordIn } from "./record.ts";

const RECORDS = { posts: "post", media: "media", platforms: "platform", automations: "automation" } as const;

type Kind = (typeof RECORDS)[keyof typeof RECORDS];

/** The names that decoding looks for, if they differ from the shape's. */
const DECODED_AS: Readonly<Partial<Record<Kind, Readonly<Record<string, string>>>>> = {
  post: { media: "media_ids" },
};

/**
 * An answer with the values at the shape's paths. Unchanged without a shape, or without JSON.
 * @param path of the endpoint, below the base, such as `/posts`
 */
export function applyMapping(
  answer: HttpAnswer,
  shape: ResponseMapping | undefined,
  path: string,
  what: "list" | "record",
): HttpAnswer {
  const kind = kindAt(path);
  const body = bodyOf(answer);
  if (shape === undefined || kind === undefined || body === undefined) return answer;
  const mapped = what === "list" ? mappedList(body, shape, kind) : mappedRecord(body, shape, kind);
  return withBodyOf(answer, { ...answer, mapped });
}

function kindAt(path: string): Kind | undefined {
  const [, collection = ""] = /^\/(\w+)/.exec(path) ?? [];
  return Object.entries(RECORDS).find(([name]) => name === collection)?.[1];
}

function mappedList(body: unknown, shape: ResponseMapping, kind: Kind): MappedAnswer {
  const place = shape[kind]?.list ?? shape.list;
  const found = place === undefined ? itemsIn(body) : valueAtPath(body, stepsOf(place));
  if (!Array.isArray(found)) return place === undefined ? {} : { missing: `a list at ${place}` };
  const { next, total } = shape;
  return {
    items: found.map((item: unknown) => normalize(item, shape, kind)),
    ...(next !== undefined && { next: nextAt(body, stepsOf(next), shape.next_as) }),
    ...(total !== undefined && { total: valueAtPath(body, stepsOf(total)) }),
  };
}

function nextAt(
  body: unknown,
  steps: readonly string[],
  as: string | undefined,
): NonNullable<MappedAnswer["next"]> {
  return { value: valueAtPath(body, steps), beside: valueAtPath(body, steps.slice(0, -1)), as };
}

function mappedRecord(body: unknown, shape: ResponseMapping, kind: Kind): MappedAnswer {
  const place = shape[kind]?.record ?? shape.record;
  const read = (record: Json): Json => normalizeRecord(record, shape, kind);
  if (place === undefined) {
    const record = recordIn(body, read);
    return record === undefined ? {} : { record };
  }
  const found = valueAtPath(body, stepsOf(place));
  if (isObject(found)) return { record: read(found) };
  // The answer to an upload has the documented form, because a path for all records need not apply to it.
  const uploaded = kind === "media" && shape.media?.record === undefined ? recordIn(body) : undefined;
  return uploaded === undefined ? { missing: `a record at ${place}` } : { record: uploaded };
}

function normalize(value: unknown, shape: ResponseMapping, kind: Kind): unknown {
  return isObject(value) ? normalizeRecord(value, shape, kind) : value;
}

/** The shape's paths are the only source: if nothing is at a path, the value is missing. */
function normalizeRecord(record: Json, shape: ResponseMapping, kind: Kind): Json {
  const { list: _list, record: _record, ...fields } = shape[kind] ?? {};
  const mapped = Object.entries(fields).flatMap(([field, path]) =>
    path === undefined ? [] : [[DECODED_AS[kind]?.[field] ?? field, valueAtPath(record, stepsOf(path))]],
  );
  const read: Json = { ...record, ...Object.fromEntries(mapped) };
  return kind === "post" && shape.status !== undefined ? withStatus(read, shape.status) : read;
}

function withStatus(record: Json, words: NonNullable<ResponseMapping["status"]>): Json {
  const { status } = record;
  if (!["string", "number", "boolean"].includes(typeof status)) return record;
  const word = fold(String(status));
  const [, meaning] = Object.entries(words).find(([each]) => fold(each) === word) ?? [];
  return meaning === undefined ? record : { ...record, status: meaning };
}

function fold(word: string): string {
  return word.trim().toLowerCase();
}
