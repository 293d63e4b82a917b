/**
 * Reads a complete list with proof that it is whole, or throws a Failure: only a whole list proves that a post is
 * missing.
 */

import { Failure } from "../../model/failure.ts";
import type { LongestLists } from "../../model/lockfile.ts";
import { formatNumber } from "../../model/text.ts";
import type { HttpAnswer } from "../http/request.ts";
import {
  RUN_DOCTOR_FOR_PAGES,
  RUN_DOCTOR_OR_SET_LIMIT,
  SET_LIST_LIMIT,
  UnfollowablePages,
  incompleteList,
} from "./results.ts";
import type { Listed } from "../records.ts";
import { type Page, decodePage, unresolvedHints } from "./list-page.ts";
import type { Next, PaginationHint } from "./paging.ts";

type WholeList = Listed<unknown>;

/**
 * Page sizes to request, the largest first. plancast tries a smaller size only if the service refuses the larger one.
 */
const PAGE_SIZES = [1_000, 500, 250, 100, 50, 20, 10] as const;
/** Larger page sizes to try if an answer fills the page and names no next one. */
const LARGER_PAGES = [10_000, 100_000, 1_000_000] as const;
/** Lengths at which services often cut lists. */
const COMMON_CAPS = new Set([
  10, 20, 25, 30, 40, 50, 60, 75, 100, 150, 200, 250, 300, 400, 500, 1_000, 2_000, 5_000, 10_000,
]);

/** What proves that a list is whole, if its answers do not say so. */
export interface ListProof {
  /** The page size that the service honours, according to the project. */
  readonly listLimit?: number | undefined;
  /** The longest lists that the service returned before. Undefined if the list is not important enough for more requests. */
  readonly longest?: LongestLists | undefined;
}

export async function readList(query: ListRequest, proof: ListProof, get: GetPage): Promise<WholeList> {
  const endpoint = `GET /v1${query.path}`;
  const { limit, answer } = await firstPage(query, proof.listLimit, get, endpoint);
  const all = await followPages(query, limit, answer, get, endpoint);
  const list = all.paged
    ? toldWhole(all)
    : all.items.length < limit
      ? shorterThanAsked(all, limit, proof)
      : await growPage(query, all.items.length, proof, get, endpoint);
  const isMaybeCut = list.wholeness === "cap-like" && !all.hints.length && proof.longest !== undefined;
  return (isMaybeCut ? await readByOtherLimits(query, limit, list.items.length, get) : undefined) ?? list;
}

function toldWhole({ items }: Followed): WholeList {
  return { items, wholeness: "end", isTold: true };
}

/**
 * Reads pages of a list until `take`, which gets each, wants no more. Proves nothing: a page without a next one counts
 * as the last.
 */
export async function readPages(
  query: ListRequest,
  listLimit: number | undefined,
  get: GetPage,
  take: (items: readonly unknown[]) => boolean,
): Promise<void> {
  const endpoint = `GET /v1${query.path}`;
  try {
    const { limit, answer } = await firstPage(query, listLimit, get, endpoint);
    const { items } = decodePage(answer, endpoint);
    if (take(items)) await followPages(query, limit, answer, get, endpoint, take);
  } catch (error) {
    if (!(error instanceof Failure && error.code === "service/list-not-whole")) throw error;
  }
}

async function firstPage(query: ListRequest, listLimit: number | undefined, get: GetPage, endpoint: string) {
  let refusal = "";
  for (const limit of listLimit === undefined ? PAGE_SIZES : [listLimit]) {
    // Requests each size only if the service refused the previous one.
    const answer = await get(listPath(query, limit));
    if (!(answer instanceof Failure)) return { limit, answer };
    refusal = answer.message;
  }
  const why = `the service accepts none of the page sizes that plancast tried; ${refusal.replace(/\.$/, "")}`;
  throw incompleteList(endpoint, why, SET_LIST_LIMIT);
}

function shorterThanAsked(
  { items, hints }: Followed,
  limit: number,
  { listLimit, longest }: ListProof,
): WholeList {
  if (listLimit !== undefined) return { items, wholeness: "end", isTold: true };
  const page = { limit, items: items.length };
  const [hint] = hints;
  if (hint !== undefined) {
    const why = `its answer may mention more (${hint.says})`;
    return { items, wholeness: "cap-like", doubt: { why, hint: RUN_DOCTOR_OR_SET_LIMIT }, page };
  }
  if (COMMON_CAPS.has(items.length)) return possiblyCut(items, limit, longest);
  return { items, wholeness: "end", isTold: false, page };
}

/** A list that was longer before, with the same limit, was not cut at this length. */
function possiblyCut(items: readonly unknown[], limit: number, longest: LongestLists | undefined): WholeList {
  const page = { limit, items: items.length };
  const before = longest?.[limit] ?? 0;
  if (before > items.length) return { items, wholeness: "end", isTold: false, page };
  const why = `it has exactly ${items.length} entries, a common page size`;
  return { items, wholeness: "cap-like", doubt: { why, hint: SET_LIST_LIMIT }, page };
}

/**
 * Requests a list again that may have been cut at its length, with two other limits. A larger limit can help because some services ignore a limit above their maximum, and return more with one below it. A smaller limit can help because some services show their paging, and so the end, only if there is more. Undefined if neither shows anything.
 * @param asked the limit that gave `length` items
 */
async function readByOtherLimits(
  query: ListRequest,
  asked: number,
  length: number,
  get: GetPage,
): Promise<WholeList | undefined> {
  const endpoint = `GET /v1${query.path}`;
  for (const limit of [Math.max(USUAL_LARGEST_PAGE, length * 2), length - 1]) {
    if (limit === asked) continue;
    const all = await readOnePage(query, limit, get, endpoint);
    const count = all?.items.length ?? 0;
    if (all?.paged === true && count >= length) return toldWhole(all);
    if (all === undefined || all.paged || count <= length) continue;
    if (count < limit) return shorterThanAsked(all, limit, {});
    const why = `it has ${length} entries with a limit of ${asked}, and ${count} with a limit of ${limit}`;
    throw incompleteList(endpoint, why, SET_LIST_LIMIT);
  }
  return undefined;
}

/** The largest page of most services that limit it. */
const USUAL_LARGEST_PAGE = 100;

/** Undefined if the service refuses the limit, or its pages cannot be followed. */
async function readOnePage(
  query: ListRequest,
  limit: number,
  get: GetPage,
  endpoint: string,
): Promise<Followed | undefined> {
  try {
    const answer = await get(listPath(query, limit));
    return answer instanceof Failure ? undefined : await followPages(query, limit, answer, get, endpoint);
  } catch (error) {
    if (error instanceof Failure && error.code === "service/list-not-whole") return undefined;
    throw error;
  }
}

/** The answer was as long as requested: increases the limit until the answer is shorter, or stops growing. */
async function growPage(
  query: ListRequest,
  length: number,
  proof: ListProof,
  get: GetPage,
  endpoint: string,
): Promise<WholeList> {
  let known = length;
  for (const limit of LARGER_PAGES.filter((size) => size > length)) {
    const answer = await get(listPath(query, limit));
    if (answer instanceof Failure) break;
    const all = await followPages(query, limit, answer, get, endpoint);
    const { items } = all;
    if (all.paged) return toldWhole(all);
    if (items.length < limit && items.length > known) return shorterThanAsked(all, limit, proof);
    if (items.length < limit) {
      if (proof.listLimit !== undefined) break;
      return possiblyCut(items, limit, proof.longest);
    }
    known = items.length;
  }
  throw incompleteList(endpoint, `it has ${known} entries, whatever limit plancast sends`, SET_LIST_LIMIT);
}

// Reads a list from its first page, up to the last page that its answers lead to.

/**
 * Requests one page. Returns a Failure for a validation error, which may mean that the page is too large; throws any
 * other.
 */
export type GetPage = (path: string) => Promise<HttpAnswer | Failure>;

/** Limits for one list over all its pages: ten times the largest calendar. */
const LIST_LIMITS = {
  pages: 10_000,
  items: 1_000_000,
  /** UTF-16 units of all answers together. */
  units: 512 * 1_048_576,
  /** Empty pages in a row. */
  emptyPages: 100,
};

/** The path below the base, its query without the limit, and the endpoint's name for messages. */
export interface ListRequest {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

interface Followed {
  readonly items: readonly unknown[];
  /** Whether the service showed where the list ends. */
  readonly paged: boolean;
  /** Hints in the last page that there may be more. */
  readonly hints: readonly PaginationHint[];
}

async function followPages(
  query: ListRequest,
  limit: number,
  answer: HttpAnswer,
  get: GetPage,
  endpoint: string,
  take: (items: readonly unknown[]) => boolean = () => true,
): Promise<Followed> {
  const first = decodePage(answer, endpoint);
  const items = [...first.items];
  const seen = new Set<string>();
  let page = first;
  let path: string | undefined;
  let [units, emptyPages] = [answer.text.length, 0];
  while ((path = nextPath(page.next, query, limit, path, endpoint)) !== undefined) {
    if (seen.has(path)) throw incompleteList(endpoint, "its pages repeat in a circle", hintFor(page.next));
    seen.add(path);
    const following = await get(path);
    if (following instanceof Failure) throw incompleteList(endpoint, "the service refuses its next page");
    const before = page;
    page = decodePage(following, endpoint);
    if (isSamePage(before, page))
      throw incompleteList(endpoint, "the next page is the same page again", hintFor(before.next));
    for (const item of page.items) items.push(item);
    units += following.text.length;
    emptyPages = page.items.length === 0 ? emptyPages + 1 : 0;
    const passed = limitPassed({ pages: seen.size + 1, items: items.length, units, emptyPages });
    if (passed !== undefined) throw incompleteList(endpoint, passed, hintFor(page.next));
    if (!take(page.items)) break;
  }
  const total = page.total ?? first.total;
  if (total !== undefined && items.length < total) {
    const why = `it has ${items.length} entries, but the service says that there are ${total}`;
    throw new UnfollowablePages(
      endpoint,
      why,
      `Run again in a moment. If it still fails, ${RUN_DOCTOR_FOR_PAGES}`,
    );
  }
  const paged = page.next.kind === "end" || seen.size > 0 || total !== undefined;
  return { items, paged, hints: paged ? [] : unresolvedHints(answer, first) };
}

/** The limit that a list exceeds, as the reason to stop reading. */
function limitPassed(read: typeof LIST_LIMITS): string | undefined {
  if (read.pages > LIST_LIMITS.pages) return `it has more than ${formatNumber(LIST_LIMITS.pages)} pages`;
  if (read.items > LIST_LIMITS.items) return `it has more than ${formatNumber(LIST_LIMITS.items)} entries`;
  if (read.units > LIST_LIMITS.units) return "its pages together are larger than 512 MB";
  if (read.emptyPages > LIST_LIMITS.emptyPages)
    return `more than ${formatNumber(LIST_LIMITS.emptyPages)} pages in a row are empty`;
  return undefined;
}

/**
 * A service that does not know the cursor's query parameter returns the first page again, perhaps with a new cursor.
 */
function isSamePage({ items: before }: Page, { items: after }: Page): boolean {
  return after.length > 0 && lengthAndEnds(before) === lengthAndEnds(after);
}

function lengthAndEnds(items: readonly unknown[]): string {
  return JSON.stringify([items.length, items[0], items.at(-1)]);
}

function hintFor(next: Next): string | undefined {
  if (next.kind !== "cursor") return undefined;
  return `The service may not know the query parameter ${next.as ?? "cursor"}. Find the right name in its documentation, and set it as service.shape.next_as.`;
}

function nextPath(
  next: Next,
  query: ListRequest,
  limit: number,
  current: string | undefined,
  endpoint: string,
): string | undefined {
  switch (next.kind) {
    case "url":
      // Relative addresses are relative to the page. The transport refuses another origin.
      if (next.url.startsWith("?")) return query.path + next.url;
      return next.url.startsWith("/") ? next.url.replace(/^.*?\/v1(?=\/)/, "") : next.url;
    case "cursor":
      return listPath({ ...query, query: { ...query.query, [next.as ?? "cursor"]: next.cursor } }, limit);
    case "unfollowable":
      throw new UnfollowablePages(endpoint, next.why, RUN_DOCTOR_FOR_PAGES);
    case "end":
    case "unsaid":
      return undefined;
  }
}

function listPath({ path, query }: ListRequest, limit: number): string {
  return `${path}?${new URLSearchParams({ ...query, limit: String(limit) }).toString()}`;
}
