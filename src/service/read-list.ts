/** A list read to its end, with the proof that it is whole, or a Failure: an absent post is only absent in a whole list. */
import { Failure } from "../calendar/failure.ts";
import { decodePage, type Next, type Page } from "./decode-list.ts";
import type { HttpAnswer } from "./http.ts";
import type { Listed } from "./records.ts";

/**
 * Asks for one page. Gives a Failure when it was refused with a validation error, which may mean that the page is
 * larger than the service gives; throws any other.
 */
export type GetPage = (path: string) => Promise<HttpAnswer | Failure>;

type WholeList = Listed<unknown>;

/** Page sizes to ask for, largest first; smaller ones only where the service refuses the larger. */
const PAGE_SIZES = [1_000, 500, 250, 100, 50, 20, 10] as const;
/** Larger pages to ask for where an answer fills the page and names no next one. */
const LARGER_PAGES = [10_000, 100_000, 1_000_000] as const;
/** Lengths at which services cap lists. */
const CAPS = new Set([
  10, 20, 25, 30, 40, 50, 60, 75, 100, 150, 200, 250, 300, 400, 500, 1_000, 2_000, 5_000, 10_000,
]);
const MAX_PAGES = 100_000;

/** What is read: the path below the base, its query without the limit, and the endpoint's name for messages. */
export interface ListQuery {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/** @param listLimit the page size that the project says the service honours */
export async function readList(
  query: ListQuery,
  listLimit: number | undefined,
  get: GetPage,
): Promise<WholeList> {
  const endpoint = `GET /v1${query.path}`;
  const { limit, page } = await firstPage(query, listLimit, get, endpoint);
  const all = await followPages(query, limit, page, get, endpoint);
  if (all.paged) return { items: all.items, wholeness: "end", isTold: true };
  if (all.items.length < limit) return shorterThanAsked(all.items, listLimit);
  return growPage(query, all.items.length, listLimit, get, endpoint);
}

/**
 * Reads pages of a list until `take`, which gets each, wants no more. Shows nothing whole: where the service does not
 * tell how to go on, that is the end.
 */
export async function readPages(
  query: ListQuery,
  listLimit: number | undefined,
  get: GetPage,
  take: (items: readonly unknown[]) => boolean,
): Promise<void> {
  const endpoint = `GET /v1${query.path}`;
  try {
    const { limit, page } = await firstPage(query, listLimit, get, endpoint);
    if (take(page.items)) await followPages(query, limit, page, get, endpoint, take);
  } catch (error) {
    if (!(error instanceof Failure && error.code === "service/list-not-whole")) throw error;
  }
}

async function firstPage(query: ListQuery, listLimit: number | undefined, get: GetPage, endpoint: string) {
  let refusal = "";
  for (const limit of listLimit === undefined ? PAGE_SIZES : [listLimit]) {
    // Each size is asked for only when the service refused the one before.
    // oxlint-disable-next-line no-await-in-loop
    const answer = await get(pathOf(query, limit));
    if (!(answer instanceof Failure)) return { limit, page: decodePage(answer, endpoint) };
    refusal = answer.message;
  }
  const why = `it accepts none of the page sizes asked for; ${refusal.replace(/\.$/, "")}`;
  throw notWhole(endpoint, why, NAME_THE_LIMIT);
}

interface Followed {
  readonly items: readonly unknown[];
  /** Whether the service itself showed where the list ends. */
  readonly paged: boolean;
}

async function followPages(
  query: ListQuery,
  limit: number,
  first: Page,
  get: GetPage,
  endpoint: string,
  take: (items: readonly unknown[]) => boolean = () => true,
): Promise<Followed> {
  const items = [...first.items];
  const seen = new Set<string>();
  let page = first;
  let path: string | undefined;
  while ((path = nextPath(page.next, query, limit, path, endpoint)) !== undefined) {
    if (seen.has(path) || seen.size >= MAX_PAGES) throw notWhole(endpoint, "its pages go round in a circle");
    seen.add(path);
    // oxlint-disable-next-line no-await-in-loop
    const answer = await get(path);
    if (answer instanceof Failure) throw notWhole(endpoint, "it refuses to give its next page");
    page = decodePage(answer, endpoint);
    for (const item of page.items) items.push(item);
    if (!take(page.items)) break;
  }
  const total = page.total ?? first.total;
  if (total !== undefined && items.length < total) {
    throw notWhole(endpoint, `it gives ${items.length} of the ${total} that it says there are`);
  }
  return { items, paged: page.next.kind === "end" || seen.size > 0 || total !== undefined };
}

function nextPath(
  next: Next,
  query: ListQuery,
  limit: number,
  current: string | undefined,
  endpoint: string,
): string | undefined {
  switch (next.kind) {
    case "url":
      // Relative addresses are meant from where the page was; the transport refuses another origin.
      if (next.url.startsWith("?")) return query.path + next.url;
      return next.url.startsWith("/") ? next.url.replace(/^.*?\/v1(?=\/)/, "") : next.url;
    case "cursor":
      return pathOf({ ...query, query: { ...query.query, [next.as ?? "cursor"]: next.cursor } }, limit);
    case "unfollowable":
      throw notWhole(endpoint, next.why);
    case "end":
    case "unsaid":
      return undefined;
  }
}

function shorterThanAsked(items: readonly unknown[], listLimit: number | undefined): WholeList {
  const isCapLike = listLimit === undefined && CAPS.has(items.length);
  return { items, wholeness: isCapLike ? "cap-like" : "end", isTold: listLimit !== undefined };
}

/** The answer was as long as asked for: more is asked for until it is shorter, or stops growing. */
async function growPage(
  query: ListQuery,
  length: number,
  listLimit: number | undefined,
  get: GetPage,
  endpoint: string,
): Promise<WholeList> {
  let known = length;
  for (const limit of LARGER_PAGES.filter((size) => size > length)) {
    // oxlint-disable-next-line no-await-in-loop
    const answer = await get(pathOf(query, limit));
    if (answer instanceof Failure) break;
    // oxlint-disable-next-line no-await-in-loop
    const { items, paged } = await followPages(query, limit, decodePage(answer, endpoint), get, endpoint);
    if (paged) return { items, wholeness: "end", isTold: true };
    if (items.length < limit && items.length > known) return shorterThanAsked(items, listLimit);
    if (items.length < limit) {
      if (listLimit !== undefined) break;
      return { items, wholeness: "cap-like" };
    }
    known = items.length;
  }
  throw notWhole(endpoint, `it gives ${known} and no more, however many are asked for`, NAME_THE_LIMIT);
}

function pathOf({ path, query }: ListQuery, limit: number): string {
  return `${path}?${new URLSearchParams({ ...query, limit: String(limit) }).toString()}`;
}

const RUN_AGAIN = "Run again in a moment. If it stays so, look at the scheduled posts in the service.";
/** For lists whose end cannot be seen. */
export const NAME_THE_LIMIT =
  "If you know the largest page that the service gives, set service.list_limit to it in the project file.";

/** Ends the run: nothing may be created or cancelled on the strength of half a list. */
export function notWhole(endpoint: string, why: string, hint = RUN_AGAIN): Failure {
  return new Failure(
    "service/list-not-whole",
    `The list of ${endpoint} cannot be shown whole: ${why}. Nothing was changed.`,
    hint,
  );
}
