/** Finds the array of a list in any wrapping, and what the answer says about further pages. */

import { parseUrl } from "../../model/address.ts";
import { isObject } from "../../model/data.ts";
import { Failure } from "../../model/failure.ts";
import { bodyOf } from "../http/refusal.ts";
import { type HttpAnswer, type MappedAnswer, nextLink } from "../http/request.ts";
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
function holdersIn(body: Json): readonly Folded[] {
  const inBody = Object.values(body).filter(isObject).map(folded);
  const deeper = inBody.flatMap((each) => valuesOf(each, "holder").filter(isObject));
  return [folded(body), ...inBody, ...deeper.map(folded)];
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

/**
 * What fields beside a list say, by their names. A name counts in any spelling: `next_page`, `nextPage` and `next-page` are
 * one. Other names that may mean more pages are hints: see `unresolvedHints`.
 */
const PAGING_NAMES = {
  /** Objects that are about pages. */
  holder: ["pagination", "paging", "pages", "page", "links", "meta"],
  /** An address of the next page. */
  next: ["next", "nexturl", "nextpageurl", "nextlink", "nextpage"],
  /** A text to send back as `cursor`. */
  cursor: ["nextcursor"],
  /** A text to send back in an unknown query parameter. */
  token: ["nextpagetoken", "nexttoken", "continuation"],
  /** Whether there is more. */
  more: ["hasmore", "hasnext", "hasnextpage"],
  total: ["total", "totalcount", "totalitems", "totalresults"],
  pages: ["totalpages", "lastpage", "pagecount"],
  page: ["page", "currentpage", "pagenumber"],
} as const;

const TOTAL_HEADERS = ["x-total-count", "x-total", "x-pagination-total-count"];

function nextOf({ headers }: HttpAnswer, holders: readonly Folded[]): Next {
  const link = nextLink(headers["link"]);
  if (isNextAddress(link)) return { kind: "url", url: link };
  if (link !== undefined)
    return { kind: "unfollowable", why: `it names its next page as ${JSON.stringify(link)}` };
  const cursor = firstOf(holders, "cursor");
  if (isText(cursor)) return { kind: "cursor", cursor: String(cursor) };
  const next = firstOf(holders, "next");
  if (isNextAddress(next)) return { kind: "url", url: next };
  const unknown = isText(next) ? next : firstOf(holders, "token");
  if (isText(unknown))
    return { kind: "unfollowable", why: `it names its next page as ${JSON.stringify(unknown)}` };
  const more = firstOf(holders, "more");
  if (more === true)
    return { kind: "unfollowable", why: "it says that there is more, but not how to get it" };
  const saysEnd = more === false || next === null || cursor === null || next === "" || cursor === "";
  if (saysEnd) return { kind: "end" };
  const pages = firstOf(holders, "pages");
  const page = firstOf(holders, "page");
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
  if (isObject(beside) && firstOf([folded(beside)], "more") === false) return { kind: "end" };
  if (isNextAddress(value)) return { kind: "url", url: value };
  if (isText(value)) return { kind: "cursor", cursor: String(value), as };
  return value === undefined ? otherwise : { kind: "end" };
}

export function isNextAddress(value: unknown): value is string {
  return (
    typeof value === "string" &&
    /^(https?:\/\/|\/|\?)/.test(value) &&
    parseUrl(value, "https://any.example") !== undefined
  );
}

function isText(value: unknown): value is string | number {
  return (typeof value === "string" && value !== "") || typeof value === "number";
}

function totalOf({ headers }: HttpAnswer, holders: readonly Folded[]): number | undefined {
  const header = TOTAL_HEADERS.map((name) => single(headers[name])).find((each) => each !== undefined);
  const total = firstOf(holders, "total") ?? (/^\d{1,9}$/.test(header ?? "") ? Number(header) : undefined);
  return wholeCount(total);
}

function wholeCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) ? value : undefined;
}

/** The fields of an object, by their folded names. Of two spellings of one name, the first counts. */
type Folded = ReadonlyMap<string, unknown>;

function folded(object: Json): Folded {
  return new Map(
    Object.entries(object)
      .reverse()
      .map(([name, value]) => [fold(name), value]),
  );
}

/** The values under names with a meaning, in the order of the table. */
function valuesOf(holder: Folded, means: keyof typeof PAGING_NAMES): unknown[] {
  return PAGING_NAMES[means].flatMap((name) => (holder.has(name) ? [holder.get(name)] : []));
}

function firstOf(holders: readonly Folded[], means: keyof typeof PAGING_NAMES): unknown {
  return holders.flatMap((holder) => valuesOf(holder, means).slice(0, 1))[0];
}

// Fields that may mean more pages, in words that decoding does not know. If plancast treated a part of a list as the whole
// list, it would create posts twice. So every possible hint counts until somebody says what it means.

export interface PaginationHint {
  /** A cursor or an address of the next page, a flag for more, or a number larger than the list. */
  readonly kind: "next" | "more" | "total";
  /** Where the hint is in the body; undefined if it is in a header, or if no path leads to it. */
  readonly path: readonly string[] | undefined;
  /** For people, such as `paging.after says "abc"`. Hostile text, not yet escaped. */
  readonly says: string;
}

/** Limits for the depth and number of names: services put paging fields near the top. */
const MAX_DEPTH = 5;
const MAX_NAMES = 2_000;

/** The hints in an answer whose decoding shows neither a next page nor an end nor a total. */
export function unresolvedHints(answer: HttpAnswer, { items, next, total }: Page): readonly PaginationHint[] {
  return next.kind === "unsaid" && total === undefined ? paginationHints(answer, items.length) : [];
}

/** All pagination hints in an answer, including those that the decoder reads. @param shown number of items in the answer */
export function paginationHints(answer: HttpAnswer, shown: number): readonly PaginationHint[] {
  const body = bodyOf(answer);
  const inBody = isObject(body) ? leavesOf(body).flatMap((leaf) => hintIn(leaf, shown) ?? []) : [];
  return [...inBody, ...hintsInHeaders(answer, shown)];
}

interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
  /** The fields beside it. */
  readonly holder: Json;
}

/** Names under which counts and cursors belong to something else. */
const UNRELATED_NAMES =
  /^(rate|rates?limits?|limits?|quotas?|usage|credits?|plan|billing|stats?|statistics|analytics|prev|previous|before|first|self|current)$/;

/** Values beside the list, level by level. Lists are skipped, except links that say what they are. */
function leavesOf(body: Json): readonly Leaf[] {
  const leaves: Leaf[] = [];
  let level: { readonly path: readonly string[]; readonly holder: Json }[] = [{ path: [], holder: body }];
  while (level.length > 0 && leaves.length < MAX_NAMES) {
    const below: typeof level = [];
    for (const { path, holder } of level) {
      for (const [name, value] of Object.entries(holder).slice(0, MAX_NAMES)) {
        const here = [...path, name];
        if (!isObject(value)) leaves.push({ path: here, value, holder });
        else if (here.length < MAX_DEPTH && !UNRELATED_NAMES.test(fold(name)))
          below.push({ path: here, holder: value });
      }
    }
    level = below.slice(0, MAX_NAMES);
  }
  return leaves.slice(0, MAX_NAMES);
}

function hintIn(leaf: Leaf, shown: number): PaginationHint | undefined {
  const { path, value } = leaf;
  if (Array.isArray(value))
    return value.some(isNextLink) ? hint("next", undefined, path, "a next page") : undefined;
  if (isNext(leaf) && !saysEnd(leaf.holder))
    return hint("next", path, path, JSON.stringify(value).slice(0, 60));
  if (isMore(leaf)) return hint("more", path, path, String(value));
  if (isTotal(leaf, shown)) return hint("total", path, path, String(value));
  return undefined;
}

function hint(
  kind: PaginationHint["kind"],
  path: PaginationHint["path"],
  shownPath: readonly string[],
  value: string,
): PaginationHint {
  return { kind, path, says: `${shownPath.map((name) => name.slice(0, 40)).join(".")} says ${value}` };
}

const NEXT = /^next/;
/** In this case, "next" means a time or a post. */
const NEXT_TIME = /(^| )(at|on|date|time|run|slot|publish|post|reset|retry|due|scheduled)$/;
const DATE = /^\d{4}-\d\d-\d\d/;
const CURSOR =
  /^((end|after|following)?cursor|cursor(next|end|after)|after(id|key|token)?|startafter|startingafter|continuation(token|key|id)?|continue|last(evaluated)?key|pagetoken|scroll(id|token)|marker|bookmark|resumetoken|forwardtoken)$/;
/** Names of the cursor in an object that is called `next`, or `cursors`. */
const NESTED_NAMES: readonly (readonly [RegExp, RegExp])[] = [
  [/^next(page|link)?$/, /^(href|url|uri|link|cursor|token|page|offset|after|id|key|number)$/],
  [/^cursors?$/, /^(after|next|end|forward)$/],
];

function isNext({ path, value }: Leaf): boolean {
  const isTold = (typeof value === "string" && value !== "") || (typeof value === "number" && value > 0);
  if (!isTold) return false;
  if (DATE.test(String(value))) return false;
  const [name = "", above = ""] = path.slice(-2).reverse().map(fold);
  return (
    (NEXT.test(name) && !NEXT_TIME.test(wordsOf(path.at(-1) ?? ""))) ||
    CURSOR.test(name) ||
    NESTED_NAMES.some(([outer, inner]) => outer.test(above) && inner.test(name))
  );
}

function isNextLink(value: unknown): boolean {
  return isObject(value) && typeof value["rel"] === "string" && fold(value["rel"]) === "next";
}

const MORE =
  /^(has|is|are|thereis|thereare)?(any)?(more|next|truncated|incomplete|partial)(pages?|items|results|records|data|available)?$/;
const END = /^(is)?(last|final|end|complete|exhausted|done|eof)(page|batch|reached)?$/;
const LEFT = /^(remaining|left)(items?|results?|records?|posts?)(count)?$/;
const PAGES = /^((total|num|number|last|max)(of)?pages?|pages?(total|count)|pages|lastpage|of)$/;
const PAGE = /^(current|this)?page(number|num|index|no|nr)?$/;

/** Places for paging fields: beside the list, or in an object with a paging name. */
const PAGING = /page|paging|pagination|meta|cursor|link|list|result|position|next/;

export function isAboutPages(path: readonly string[]): boolean {
  return path.length === 1 || PAGING.test(fold(path.at(-2) ?? ""));
}

/** Whether a field for the end is beside it: some services send a cursor on the last page too. */
function saysEnd(holder: Json): boolean {
  return Object.entries(holder).some(([name, value]) => {
    return (value === false && MORE.test(fold(name))) || (value === true && END.test(fold(name)));
  });
}

function isMore({ path, value, holder }: Leaf): boolean {
  const name = fold(path.at(-1) ?? "");
  if (!isAboutPages(path)) return false;
  if (typeof value === "boolean") return value ? MORE.test(name) : END.test(name);
  if (typeof value !== "number") return false;
  if (LEFT.test(name)) return value > 0;
  if (!PAGES.test(name) || value <= 1) return false;
  const [, page] = Object.entries(holder).find(([each]) => PAGE.test(fold(each))) ?? [];
  return typeof page !== "number" || page < value;
}

const TOTAL =
  /(^| )(total|found|matche?[sd]|hits|overall)( |$)|^((all|items?|posts?|results?|records?) )?count$/;
const NO_TOTAL =
  /(page|limit|max|min|per|size|rate|retry|time|took|ms$|byte|token|request|char|word|view|like|follow|click|share|comment|impression|account|user|member|unread|error|id$)/;

function isTotal({ path, value }: Leaf, shown: number): boolean {
  const [last = "", above = ""] = path.slice(-2).reverse();
  const name = wordsOf(fold(last) === "value" ? above : last);
  const isCount = typeof value === "number" && value > shown;
  return isCount && TOTAL.test(name) && !NO_TOTAL.test(fold(name));
}

const NEXT_HEADERS =
  /^x-(?!.*rate)(.*-)?(next(-(page|cursor|token|link|url))?|cursor|continuation(-token)?|has-more|more)$/;

function hintsInHeaders({ headers }: HttpAnswer, shown: number): PaginationHint[] {
  return Object.keys(headers).flatMap((name): PaginationHint[] => {
    const text = single(headers[name]) ?? "";
    const says = `the header ${name} says ${JSON.stringify(text.slice(0, 60))}`;
    const isTold = !/^(|0|false|null|none)$/i.test(text.trim());
    if (NEXT_HEADERS.test(name) && isTold) return [{ kind: "next", path: undefined, says }];
    // Source: RFC 9110, section 14.4, with a unit of the service's own.
    const [, all = "0"] = /\/(\d{1,12})$/.exec(text.trim()) ?? [];
    if (name === "content-range" && Number(all) > shown) return [{ kind: "total", path: undefined, says }];
    return [];
  });
}

/** Services write one name as next_page, nextPage, next-page and NextPage. */
function fold(name: string): string {
  return wordsOf(name).replaceAll(" ", "");
}

/** The words of a name, lower case, with spaces between. */
function wordsOf(name: string): string {
  return name
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .toLowerCase();
}
