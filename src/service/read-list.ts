/** A list read to its end, with the proof that it is whole, or a Failure: an absent post is only absent in a whole list. */
import { Failure } from "../calendar/failure.ts";
import { decodePage } from "./decode-list.ts";
import { followPages, listPath, type Followed, type GetPage, type ListQuery } from "./follow-pages.ts";
import { RUN_DOCTOR_OR_SET_LIMIT, SET_LIST_LIMIT, incompleteList } from "./not-whole.ts";
import type { Listed } from "./records.ts";

type WholeList = Listed<unknown>;

/** Page sizes to ask for, largest first; smaller ones only where the service refuses the larger. */
const PAGE_SIZES = [1_000, 500, 250, 100, 50, 20, 10] as const;
/** Larger pages to ask for where an answer fills the page and names no next one. */
const LARGER_PAGES = [10_000, 100_000, 1_000_000] as const;
/** Lengths at which services cap lists. */
const COMMON_CAPS = new Set([
  10, 20, 25, 30, 40, 50, 60, 75, 100, 150, 200, 250, 300, 400, 500, 1_000, 2_000, 5_000, 10_000,
]);

/** @param listLimit the page size that the project says the service honours */
export async function readList(
  query: ListQuery,
  listLimit: number | undefined,
  get: GetPage,
): Promise<WholeList> {
  const endpoint = `GET /v1${query.path}`;
  const { limit, answer } = await firstPage(query, listLimit, get, endpoint);
  const all = await followPages(query, limit, answer, get, endpoint);
  if (all.paged) return { items: all.items, wholeness: "end", isTold: true };
  if (all.items.length < limit) return shorterThanAsked(all, listLimit);
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
    const { limit, answer } = await firstPage(query, listLimit, get, endpoint);
    const { items } = decodePage(answer, endpoint);
    if (take(items)) await followPages(query, limit, answer, get, endpoint, take);
  } catch (error) {
    if (!(error instanceof Failure && error.code === "service/list-not-whole")) throw error;
  }
}

async function firstPage(query: ListQuery, listLimit: number | undefined, get: GetPage, endpoint: string) {
  let refusal = "";
  for (const limit of listLimit === undefined ? PAGE_SIZES : [listLimit]) {
    // Each size is asked for only when the service refused the one before.
    // oxlint-disable-next-line no-await-in-loop
    const answer = await get(listPath(query, limit));
    if (!(answer instanceof Failure)) return { limit, answer };
    refusal = answer.message;
  }
  const why = `it accepts none of the page sizes asked for; ${refusal.replace(/\.$/, "")}`;
  throw incompleteList(endpoint, why, SET_LIST_LIMIT);
}

function shorterThanAsked({ items, hints: signs }: Followed, listLimit: number | undefined): WholeList {
  if (listLimit !== undefined) return { items, wholeness: "end", isTold: true };
  const [sign] = signs;
  if (sign !== undefined) {
    const why = `its answer may tell of more (${sign.says})`;
    return { items, wholeness: "cap-like", doubt: { why, hint: RUN_DOCTOR_OR_SET_LIMIT } };
  }
  return COMMON_CAPS.has(items.length) ? possiblyCut(items) : { items, wholeness: "end", isTold: false };
}

function possiblyCut(items: readonly unknown[]): WholeList {
  const why = `it holds exactly ${items.length}, a number that services cut lists at`;
  return { items, wholeness: "cap-like", doubt: { why, hint: SET_LIST_LIMIT } };
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
    const answer = await get(listPath(query, limit));
    if (answer instanceof Failure) break;
    // oxlint-disable-next-line no-await-in-loop
    const all = await followPages(query, limit, answer, get, endpoint);
    const { items } = all;
    if (all.paged) return { items, wholeness: "end", isTold: true };
    if (items.length < limit && items.length > known) return shorterThanAsked(all, listLimit);
    if (items.length < limit) {
      if (listLimit !== undefined) break;
      return possiblyCut(items);
    }
    known = items.length;
  }
  throw incompleteList(endpoint, `it gives ${known} and no more, however many are asked for`, SET_LIST_LIMIT);
}
