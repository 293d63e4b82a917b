/** Finds the array of a list in any wrapping, and what the answer says about further pages. */

import { Failure } from "../../model/failure.ts";
import { isObject } from "../../model/data.ts";
import { parseUrl } from "../../model/address.ts";
import { type HttpAnswer, type MappedAnswer, nextLink } from "../http/request.ts";
import { bodyOf } from "../http/refusal.ts";
import { single } from "../rate/rate-headers.ts";
import type { Json } from "../records.ts";

/** What an answer says about the next page. `unfollowable`: there is more, in a form that plancast cannot request. */
export type Next =
  | { readonly kind: "url"; readonly url: string }
  /** `as`: the query parameter for sending it back, if known. */
  | { readonly kind: "cursor"; readonly cursor: string; readonly as?: string | undefined }
  | { readonly kind: "end" }
  | { readonly kind: "unsaid" }
  | { readonly kind: "unfollowable"; readonly why: string };

export interface Page {
  readonly items: readonly unknown[];
  readonly next: Next;
  /** Number of items in all pages, if the answer has it. */
  readonly total: number | undefined;
}

/** Reads a list. Throws a Failure if the answer holds none. */
export function decodePage(answer: HttpAnswer, endpoint: string): Page {
  const body = bodyOf(answer);
  const { missing, ...mapped } = answer.mapped ?? {};
  const items = missing === undefined ? (mapped.items ?? itemsIn(body)) : undefined;
  if (items === undefined) throw unreadable(endpoint, body, answer.text, missing ?? "one list");
  const holders = isObject(body) ? holdersIn(body) : [];
  const found = nextOf(answer, holders);
  return {
    items,
    next: mapped.next === undefined ? found : nextAt(mapped.next, found),
    total: wholeCount(mapped.total) ?? totalOf(answer, holders),
  };
}

/** The list in an answer: an array, or an object that holds exactly one, at most one level down. Undefined otherwise. */
export function itemsIn(body: unknown): readonly unknown[] | undefined {
  return Array.isArray(body) ? body : isObject(body) ? onlyArray(body) : undefined;
}

/** Where an answer may have paging data: the body, its properties, and those among them that are about pages. */
function holdersIn(body: Json): Json[] {
  const inBody = Object.values(body).filter(isObject);
  const deeper = inBody.flatMap((each) => PAGING_KEYS.map((key) => each[key]).filter(isObject));
  return [body, ...inBody, ...deeper];
}

function onlyArray(body: Json): readonly unknown[] | undefined {
  const direct = Object.values(body).filter(Array.isArray);
  const arrays = direct.length > 0 ? direct : Object.values(body).filter(isObject).flatMap(arraysIn);
  return arrays.length === 1 ? arrays[0] : undefined;
}

function arraysIn(value: Json): unknown[][] {
  return Object.values(value).filter(Array.isArray);
}

function unreadable(endpoint: string, body: unknown, text: string, wanted: string): Failure {
  const keys = isObject(body)
    ? `an object with the keys ${Object.keys(body).slice(0, 12).join(", ") || "(none)"}`
    : "";
  const other =
    body === undefined ? `text that is not JSON, starting ${JSON.stringify(text.slice(0, 40))}` : "";
  const seen = keys || other || `the JSON value ${JSON.stringify(body)?.slice(0, 40)}`;
  return new Failure(
    "service/unreadable",
    `${endpoint} returned ${seen}, but plancast needs ${wanted}. Nothing was changed.`,
    RUN_DOCTOR,
  );
}

/** What to do about an answer in an unknown shape. */
export const RUN_DOCTOR =
  "Check that service.url is the address of the publishing service. If it is, `plancast doctor` shows the paths in its answers and the lines to fill in under service.shape.";

const PAGING_KEYS = ["pagination", "paging", "pages", "page", "links", "_links", "meta"];
const NEXT_KEYS = [
  "next",
  "next_url",
  "next_page_url",
  "nextUrl",
  "next_link",
  "nextLink",
  "next_page",
  "nextPage",
];
const CURSOR_KEYS = ["next_cursor", "nextCursor"];
/** Cursors whose query parameter is unknown. */
const TOKEN_KEYS = ["next_page_token", "nextPageToken", "next_token", "nextToken", "continuation"];
const MORE_KEYS = ["has_more", "hasMore", "has_next", "hasNext", "has_next_page", "hasNextPage"];
const TOTAL_KEYS = ["total", "total_count", "totalCount", "total_items", "totalItems", "total_results"];
const TOTAL_HEADERS = ["x-total-count", "x-total", "x-pagination-total-count"];
const PAGES_KEYS = ["total_pages", "totalPages", "last_page", "lastPage", "page_count", "pageCount"];
const PAGE_KEYS = ["page", "current_page", "currentPage", "page_number", "pageNumber"];

function nextOf({ headers }: HttpAnswer, holders: readonly Json[]): Next {
  const link = nextLink(headers["link"]);
  if (isAddress(link)) return { kind: "url", url: link };
  if (link !== undefined)
    return { kind: "unfollowable", why: `it names its next page as ${JSON.stringify(link)}` };
  const cursor = firstOf(holders, CURSOR_KEYS);
  if (isText(cursor)) return { kind: "cursor", cursor: String(cursor) };
  const next = firstOf(holders, NEXT_KEYS);
  if (isAddress(next)) return { kind: "url", url: next };
  const unknown = isText(next) ? next : firstOf(holders, TOKEN_KEYS);
  if (isText(unknown))
    return { kind: "unfollowable", why: `it names its next page as ${JSON.stringify(unknown)}` };
  const more = firstOf(holders, MORE_KEYS);
  if (more === true)
    return { kind: "unfollowable", why: "it says that there is more, but not how to get it" };
  const saysEnd = more === false || next === null || cursor === null || next === "" || cursor === "";
  if (saysEnd) return { kind: "end" };
  const pages = firstOf(holders, PAGES_KEYS);
  const page = firstOf(holders, PAGE_KEYS);
  if (typeof pages === "number" && pages > (typeof page === "number" ? page : 1))
    return { kind: "unfollowable", why: `it says that it is one of ${pages} pages` };
  return { kind: "unsaid" };
}

/**
 * The value at the shape's path for the next page. If nothing is there, the path may be wrong, so the rest of the
 * answer counts: a shape must never make half a list look whole. Some services send a cursor on the last page too,
 * together with a field that says that there is no more.
 */
function nextAt({ value, beside, as }: NonNullable<MappedAnswer["next"]>, otherwise: Next): Next {
  if (isObject(beside) && firstOf([beside], MORE_KEYS) === false) return { kind: "end" };
  if (isAddress(value)) return { kind: "url", url: value };
  if (isText(value)) return { kind: "cursor", cursor: String(value), as };
  return value === undefined ? otherwise : { kind: "end" };
}

export function isAddress(value: unknown): value is string {
  return (
    typeof value === "string" &&
    /^(https?:\/\/|\/|\?)/.test(value) &&
    parseUrl(value, "https://any.example") !== undefined
  );
}

function isText(value: unknown): value is string | number {
  return (typeof value === "string" && value !== "") || typeof value === "number";
}

function totalOf({ headers }: HttpAnswer, holders: readonly Json[]): number | undefined {
  const header = TOTAL_HEADERS.map((name) => single(headers[name])).find((each) => each !== undefined);
  const total = firstOf(holders, TOTAL_KEYS) ?? (/^\d{1,9}$/.test(header ?? "") ? Number(header) : undefined);
  return wholeCount(total);
}

function wholeCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) ? value : undefined;
}

function firstOf(holders: readonly Json[], keys: readonly string[]): unknown {
  for (const holder of holders) {
    for (const key of keys) if (Object.hasOwn(holder, key)) return holder[key];
  }
  return undefined;
}
