/** One page of a list: its items, and what the answer says about further pages. */

import { isObject } from "../../model/data.ts";
import { Failure } from "../../model/failure.ts";
import { bodyOf } from "../http/refusal.ts";
import type { HttpAnswer } from "../http/request.ts";
import { type Next, type PaginationHint, nextAt, paginationHints, pagingOf, wholeCount } from "./paging.ts";
import { RUN_DOCTOR, itemsIn } from "./record.ts";

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
  const { next, total } = pagingOf(answer);
  return {
    items,
    next: mapped.next === undefined ? next : nextAt(mapped.next, next),
    total: wholeCount(mapped.total) ?? total,
  };
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

/** The hints in an answer whose decoding shows neither a next page nor an end nor a total. */
export function unresolvedHints(answer: HttpAnswer, { items, next, total }: Page): readonly PaginationHint[] {
  return next.kind === "unsaid" && total === undefined ? paginationHints(answer, items.length) : [];
}
