/**
 * What an answer says about further pages. If plancast treated a part of a list as the whole list, it would create posts
 * twice. So every name that may announce more pages stops the run until somebody says what it means.
 */

import { parseUrl } from "../../model/address.ts";
import { isObject } from "../../model/data.ts";
import { bodyOf } from "../http/refusal.ts";
import { type HttpAnswer, nextLink } from "../http/request.ts";
import { single } from "../rate/rate-headers.ts";
import type { Json } from "../records.ts";
import { names } from "./record.ts";

/** What an answer says about the next page. `unfollowable`: there is more, in a form that plancast cannot request. */
export type Next =
  | { readonly kind: "url"; readonly url: string }
  /** `as`: the query parameter for sending it back, if known. */
  | { readonly kind: "cursor"; readonly cursor: string; readonly as?: string | undefined }
  | { readonly kind: "end" }
  | { readonly kind: "unsaid" }
  | { readonly kind: "unfollowable"; readonly why: string };

type Means = "next" | "cursor" | "more" | "end" | "total" | "left" | "pages" | "page";

/**
 * What fields beside a list say, by their names. A name counts in any spelling: `next_page`, `nextPage` and `next-page` are
 * one. `known` names decide, beside the list or in an object about pages. `maybe` names are only hints, up to five levels
 * deep.
 */
export const PAGING_NAMES: Readonly<
  Record<Means, { readonly known: readonly string[]; readonly maybe: readonly string[] }>
> = {
  /** The address of the next page, or a text to send back in an unknown query parameter. */
  next: {
    known: names("next nexturl nextpageurl nextlink nextpage nextpagetoken nexttoken continuation"),
    maybe: [
      ...names(`after afterid afterkey aftertoken startafter startingafter followingcursor cursor
        cursorafter cursorend cursornext endcursor aftercursor marker bookmark continue
        continuationid continuationkey continuationtoken forwardtoken pagetoken lastkey
        lastevaluatedkey resumetoken scrollid scrolltoken`),
      ...names(`nextafter nextbatch nextbookmark nextcontinuation nextcontinuationtoken nextid nextindex
        nextkey nextmarker nextoffset nextpageid nextpagelink nextpagenumber nextpageuri nextrecord
        nextrecordsurl nextset nextskip nextstart nextsynctoken nexturi nextstarttoken
        nextpagecursor nextcursortoken nexthref`),
    ],
  },
  /** A text to send back as `cursor`. */
  cursor: { known: ["nextcursor"], maybe: [] },
  /** Whether there is more. */
  more: {
    known: ["hasmore", "hasnext", "hasnextpage"],
    maybe: names(`more morepages moreitems moreresults morerecords moredata moreavailable hasmorepages
        hasmoreitems hasmoreresults hasmorerecords hasmoredata ismore hasnextpages hasnextresults
        anymore thereismore therearemore truncated istruncated incomplete incompleteresults
        isincomplete partial ispartial partialresults`),
  },
  /** Whether this is the last page. */
  end: {
    known: [],
    maybe: names(`last lastpage islast islastpage lastbatch final finalpage isfinal end isend endreached
        isendreached complete iscomplete exhausted done isdone eof`),
  },
  total: {
    known: ["total", "totalcount", "totalitems", "totalresults"],
    maybe: [
      ...names(`totalposts totalrecords totalhits totalelements totalentries totalobjects totalrows
        totalnumber totalsize totalmatches totalfound totalavailable numtotal counttotal`),
      ...names(`grandtotal recordstotal resultstotal itemstotal poststotal overall overallcount count
        allcount itemcount itemscount postcount postscount resultcount resultscount recordcount
        recordscount found numfound matched matches hits`),
    ],
  },
  /** How many are left. */
  left: {
    known: [],
    maybe: names(`remaining remainingcount remainingitems remainingitemcount remainingposts left
        remainingresults remainingrecords itemsleft resultsleft leftitems`),
  },
  pages: {
    known: ["totalpages", "lastpage", "pagecount"],
    maybe: ["pages", "of", "numpages", "numberofpages", "totalofpages", "maxpage", "maxpages", "pagestotal"],
  },
  page: {
    known: ["page", "currentpage", "pagenumber"],
    maybe: ["number", "pageno", "pageindex", "thispage", "pagenum"],
  },
};

/** Objects that are about pages. */
const HOLDERS = ["pagination", "paging", "pages", "page", "links", "meta"];
/** Names of a value in an object that says what it is, as in `next: { href }` or `total: { value }`. */
const VALUES = new Set([
  "href",
  "url",
  "uri",
  "link",
  "token",
  "page",
  "offset",
  "id",
  "key",
  "number",
  "value",
]);
/** Names under which counts and cursors belong to something else. */
const UNRELATED = new Set(
  names(`rate ratelimit rateslimit rateslimits ratelimits limit limits quota quotas usage credit
        credits plan billing stat stats statistics analytics prev previous before first self current`),
);
/** Part of a name of an object that may be about pages. */
const ABOUT_PAGES = /page|paging|pagination|meta|cursor|link|list|result|position|next/;

const TOTAL_HEADERS = ["x-total-count", "x-total", "x-pagination-total-count"];
const NEXT_HEADERS = new Set(
  names(`x-next x-next-page x-next-cursor x-next-token x-next-link x-next-url x-page-next x-cursor
        x-continuation x-continuation-token x-ms-continuation x-has-more x-more
        x-pagination-next-page x-pagination-next x-pagination-has-more`),
);

/** Limits for the depth and number of names: services put paging fields near the top. */
const MAX_DEPTH = 5;
const MAX_NAMES = 2_000;

/** A field beside the list. */
interface Field {
  readonly path: readonly string[];
  /** Its own name, or that of the object that it is the value of. */
  readonly name: string;
  readonly value: unknown;
  /** The fields beside it. */
  readonly holder: Json;
}

/** Values beside the list, level by level. Lists are skipped, except links that say what they are. */
function fieldsOf(body: unknown): readonly Field[] {
  const fields: Field[] = [];
  let level: { readonly path: readonly string[]; readonly holder: Json }[] = isObject(body)
    ? [{ path: [], holder: body }]
    : [];
  while (level.length > 0 && fields.length < MAX_NAMES) {
    const below: typeof level = [];
    for (const { path, holder } of level) {
      for (const [own, value] of Object.entries(holder).slice(0, MAX_NAMES)) {
        const [here, name] = [[...path, own], fold(own)];
        if (!isObject(value))
          fields.push({
            path: here,
            name: VALUES.has(name) ? valueName(name, path.at(-1)) : name,
            value,
            holder,
          });
        else if (here.length < MAX_DEPTH && !UNRELATED.has(name)) below.push({ path: here, holder: value });
      }
    }
    level = below.slice(0, MAX_NAMES);
  }
  return fields.slice(0, MAX_NAMES);
}

function valueName(name: string, above = ""): string {
  const outer = fold(above);
  return outer === "total" || /^next(page|link)?$/.test(outer) ? outer : name;
}

function means(meaning: Means, { name }: Pick<Field, "name">): boolean {
  const { known, maybe } = PAGING_NAMES[meaning];
  return known.includes(name) || maybe.includes(name);
}

/** The values that an object has under names with a meaning. */
function named(holder: Json, meaning: Means): readonly unknown[] {
  return Object.entries(holder).flatMap(([name, value]) =>
    means(meaning, { name: fold(name) }) ? [value] : [],
  );
}

/** The fields with a known name: in the body, its objects, and those among them that are about pages. */
function knownIn(fields: readonly Field[], meaning: Means): readonly unknown[] {
  return fields
    .filter(({ path, name }) => {
      const isBeside = path.length <= 2 || (path.length === 3 && HOLDERS.includes(fold(path[1] ?? "")));
      return isBeside && PAGING_NAMES[meaning].known.includes(name);
    })
    .map(({ value }) => value);
}

/** What the answer to a list says about its next page, and the number of items in all pages. */
export function pagingOf(answer: HttpAnswer): { readonly next: Next; readonly total: number | undefined } {
  const fields = fieldsOf(bodyOf(answer));
  const header = TOTAL_HEADERS.map((name) => single(answer.headers[name])).find((each) => each !== undefined);
  const [total = /^\d{1,9}$/.test(header ?? "") ? Number(header) : undefined] = knownIn(fields, "total");
  return { next: nextOf(answer, fields), total: wholeCount(total) };
}

function nextOf({ headers }: HttpAnswer, fields: readonly Field[]): Next {
  const link = nextLink(headers["link"]);
  if (isNextAddress(link)) return { kind: "url", url: link };
  const [cursor] = knownIn(fields, "cursor");
  if (link === undefined && isText(cursor)) return { kind: "cursor", cursor: String(cursor) };
  const nexts = knownIn(fields, "next");
  const address = nexts.find(isNextAddress);
  if (link === undefined && address !== undefined) return { kind: "url", url: address };
  const unknown = link ?? nexts.find(isText);
  if (unknown !== undefined)
    return { kind: "unfollowable", why: `it names its next page as ${JSON.stringify(unknown)}` };
  const [more] = knownIn(fields, "more");
  if (more === true)
    return { kind: "unfollowable", why: "it says that there is more, but not how to get it" };
  const isEnd = [cursor, nexts[0]].some((each) => each === null || each === "");
  if (more === false || isEnd) return { kind: "end" };
  const [[pages], [page = 1]] = [knownIn(fields, "pages"), knownIn(fields, "page")];
  if (typeof pages === "number" && pages > (typeof page === "number" ? page : 1))
    return { kind: "unfollowable", why: `it says that it is one of ${pages} pages` };
  return { kind: "unsaid" };
}

/**
 * The value at the shape's path for the next page. If nothing is there, the path may be wrong, so the rest of the
 * answer counts: a shape must never make half a list look whole. Some services send a cursor on the last page too,
 * together with a field that says that there is no more.
 */
export function nextAt(
  { value, beside, as }: NonNullable<NonNullable<HttpAnswer["mapped"]>["next"]>,
  otherwise: Next,
): Next {
  if (isObject(beside) && named(beside, "more").includes(false)) return { kind: "end" };
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

export function wholeCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) ? value : undefined;
}

export interface PaginationHint {
  /** A cursor or an address of the next page, a flag for more, or a number larger than the list. */
  readonly kind: "next" | "more" | "total";
  /** Where the hint is in the body; undefined if it is in a header, or if no path leads to it. */
  readonly path: readonly string[] | undefined;
  /** For people, such as `paging.after says "abc"`. Hostile text, not yet escaped. */
  readonly says: string;
}

/** Everything in an answer that may mean more pages. @param shown number of items in the answer */
export function paginationHints(answer: HttpAnswer, shown: number): readonly PaginationHint[] {
  const inBody = fieldsOf(bodyOf(answer)).flatMap((field) => hintIn(field, shown) ?? []);
  return [...inBody, ...hintsInHeaders(answer, shown)];
}

function hintIn(field: Field, shown: number): PaginationHint | undefined {
  const { path, value } = field;
  const says = `${path.map((name) => name.slice(0, 40)).join(".")} says`;
  if (Array.isArray(value))
    return value.some(isNextLink)
      ? { kind: "next", path: undefined, says: `${says} a next page` }
      : undefined;
  if (isNext(field)) return { kind: "next", path, says: `${says} ${JSON.stringify(value).slice(0, 60)}` };
  if (isMore(field)) return { kind: "more", path, says: `${says} ${String(value)}` };
  if (means("total", field) && typeof value === "number" && value > shown)
    return { kind: "total", path, says: `${says} ${value}` };
  return undefined;
}

function isNextLink(value: unknown): boolean {
  return isObject(value) && typeof value["rel"] === "string" && fold(value["rel"]) === "next";
}

const DATE = /^\d{4}-\d\d-\d\d/;

function isNext(field: Field): boolean {
  const { value, holder } = field;
  const isTold = (typeof value === "string" && value !== "") || (typeof value === "number" && value > 0);
  if (!isTold || DATE.test(String(value))) return false;
  return (means("next", field) || means("cursor", field)) && !saysEnd(holder);
}

/** Whether a field for the end is beside it: some services send a cursor on the last page too. */
function saysEnd(holder: Json): boolean {
  return named(holder, "more").includes(false) || named(holder, "end").includes(true);
}

function isMore(field: Field): boolean {
  const { path, value, holder } = field;
  if (!isAboutPages(path)) return false;
  if (typeof value === "boolean") return means(value ? "more" : "end", field);
  if (typeof value !== "number") return false;
  if (means("left", field)) return value > 0;
  if (!means("pages", field) || value <= 1) return false;
  const [page] = named(holder, "page");
  return typeof page !== "number" || page < value;
}

/** Whether a field is beside the list, or in an object with a paging name. */
export function isAboutPages(path: readonly string[]): boolean {
  return path.length === 1 || ABOUT_PAGES.test(fold(path.at(-2) ?? ""));
}

function hintsInHeaders({ headers }: HttpAnswer, shown: number): PaginationHint[] {
  return Object.keys(headers).flatMap((name): PaginationHint[] => {
    const text = single(headers[name]) ?? "";
    const says = `the header ${name} says ${JSON.stringify(text.slice(0, 60))}`;
    const isTold = !/^(|0|false|null|none)$/i.test(text.trim());
    if (NEXT_HEADERS.has(name) && isTold) return [{ kind: "next", path: undefined, says }];
    // Source: RFC 9110, section 14.4, with a unit of the service's own.
    const [, all = "0"] = /\/(\d{1,12})$/.exec(text.trim()) ?? [];
    if (name === "content-range" && Number(all) > shown) return [{ kind: "total", path: undefined, says }];
    return [];
  });
}

/** Services write one name as next_page, nextPage, next-page and NextPage. */
function fold(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]+/gu, "").toLowerCase();
}
