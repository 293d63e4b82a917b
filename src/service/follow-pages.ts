/** A list from its first page on, as far as its answers lead. */
import { Failure } from "../calendar/failure.ts";
import { decodePage, type Next, type Page } from "./decode-list.ts";
import type { HttpAnswer } from "./http.ts";
import { RUN_DOCTOR_FOR_PAGES, incompleteList, RUN_AGAIN } from "./not-whole.ts";
import { unresolvedHints, type PaginationHint } from "./signs-of-more.ts";

/**
 * Asks for one page. Gives a Failure when it was refused with a validation error, which may mean that the page is
 * larger than the service gives; throws any other.
 */
export type GetPage = (path: string) => Promise<HttpAnswer | Failure>;

const MAX_PAGES = 100_000;

/** What is read: the path below the base, its query without the limit, and the endpoint's name for messages. */
export interface ListQuery {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

export interface Followed {
  readonly items: readonly unknown[];
  /** Whether the service itself showed where the list ends. */
  readonly paged: boolean;
  /** What the last page says of more, as far as it can be guessed. */
  readonly hints: readonly PaginationHint[];
}

export async function followPages(
  query: ListQuery,
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
  while ((path = nextPath(page.next, query, limit, path, endpoint)) !== undefined) {
    if (seen.has(path) || seen.size >= MAX_PAGES)
      throw incompleteList(endpoint, "its pages go round in a circle", hintFor(page.next));
    seen.add(path);
    // oxlint-disable-next-line no-await-in-loop
    const following = await get(path);
    if (following instanceof Failure) throw incompleteList(endpoint, "it refuses to give its next page");
    const before = page;
    page = decodePage(following, endpoint);
    if (isSamePage(before, page))
      throw incompleteList(endpoint, "it gives the same page again", hintFor(before.next));
    for (const item of page.items) items.push(item);
    if (!take(page.items)) break;
  }
  const total = page.total ?? first.total;
  if (total !== undefined && items.length < total) {
    const why = `it gives ${items.length} of the ${total} that it says there are`;
    throw incompleteList(endpoint, why, `Run again in a moment. If it stays so, ${RUN_DOCTOR_FOR_PAGES}`);
  }
  const paged = page.next.kind === "end" || seen.size > 0 || total !== undefined;
  return { items, paged, hints: paged ? [] : unresolvedHints(answer, first) };
}

/** Whoever does not know a cursor's query parameter gives the first page again, perhaps with a cursor that is new. */
function isSamePage({ items: before }: Page, { items: after }: Page): boolean {
  return after.length > 0 && lengthAndEnds(before) === lengthAndEnds(after);
}

function lengthAndEnds(items: readonly unknown[]): string {
  return JSON.stringify([items.length, items[0], items.at(-1)]);
}

function hintFor(next: Next): string {
  if (next.kind !== "cursor") return RUN_AGAIN;
  return `The service may not know the query parameter ${next.as ?? "cursor"}: see in its documentation how a cursor is sent back, and say so as service.shape.next_as.`;
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
      return listPath({ ...query, query: { ...query.query, [next.as ?? "cursor"]: next.cursor } }, limit);
    case "unfollowable":
      throw incompleteList(endpoint, next.why, RUN_DOCTOR_FOR_PAGES);
    case "end":
    case "unsaid":
      return undefined;
  }
}

export function listPath({ path, query }: ListQuery, limit: number): string {
  return `${path}?${new URLSearchParams({ ...query, limit: String(limit) }).toString()}`;
}
