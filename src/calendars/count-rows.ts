/** What happens to the rows of calendars. All commands take their counts from here, so that they agree. */

import { isExpired } from "../model/extras.ts";
import { type Post, rowIdsOf } from "../model/post.ts";
import type { Problem } from "../model/problem.ts";
import { type RawRow, RowIndex, rowMark } from "../model/row.ts";
import { countUnplanned } from "../checks/validate.ts";
import type { CheckedCalendars } from "./check.ts";

/** Rows and posts in scope, each in one group. A row can become several posts. */
export interface RowCounts {
  /** Posts that are still due. */
  readonly upcoming: number;
  /** Posts that were due, or are due too soon to be scheduled. */
  readonly past: number;
  /** Past posts that nobody may publish any more. */
  readonly expired: number;
  /** Rows with errors, except drafts and skipped rows. */
  readonly invalid: number;
  readonly drafts: number;
  readonly skipped: number;
  /** Rows that a filter leaves out. */
  readonly filteredOut: number;
}

/** @param problems those of the calendars, and of the service if it was asked */
export function countRows(
  checked: CheckedCalendars,
  problems: readonly Problem[] = checked.problems,
): RowCounts {
  const { inScope, skippedRows, filteredRows, pastUntil, now } = checked;
  const invalid = invalidRows(checked, problems);
  const counts = { upcoming: 0, past: 0, expired: 0 };
  for (const post of checked.posts) {
    if (!inScope(post.source.file) || invalid.has(post)) continue;
    if (isExpired(post, now)) counts.expired += 1;
    else if (post.scheduledAt !== "" && post.scheduledAt < pastUntil) counts.past += 1;
    else counts.upcoming += 1;
  }
  const { drafts, skipped } = countUnplanned(skippedRows, inScope);
  return {
    ...counts,
    invalid: checked.invalidLeftOut + invalid.count,
    drafts,
    skipped,
    filteredOut: filteredRows.count(inScope),
  };
}

/** Errors about a single row. All others concern a column, a file or the project. */
const OF_ROWS =
  /^(?:row|platform|media|content)\/|^schedule\/(?!mixed-dates)|^sheet\/(?:error-value|no-result|merged-cells)$|^csv\/(?:ragged-row|bare-quote|row-too-long)$|^calendar\/shape$/;

/** Errors of rows that plancast cannot read, so it does not know their ids. */
const OF_UNREAD_ROWS = /^csv\/|^calendar\/shape$/;

export function isOfRow({ code, file, line }: Problem): boolean {
  return OF_ROWS.test(code) && file !== undefined && line !== undefined;
}

/** Whether an error is of a row that could not be read. */
export function isOfUnreadRow(each: Problem): boolean {
  return isOfRow(each) && OF_UNREAD_ROWS.test(each.code);
}

interface InvalidRows {
  readonly count: number;
  /** Whether the post's row is one of them. */
  has(post: Pick<Post, "key" | "source">): boolean;
}

const NONE: InvalidRows = { count: 0, has: () => false };

/** The rows with errors. If rows have the same id, all of them count, because it is unclear which one is right. */
function invalidRows(checked: CheckedCalendars, problems: readonly Problem[]): InvalidRows {
  const { calendars, faultyRows, unresolved, skippedRows, inScope } = checked;
  const errors = problems.filter(({ severity, file }) => severity === "error" && inScope(file ?? ""));
  const faulty = [...faultyRows, ...unresolved].filter(({ source }) => inScope(source.file));
  if (errors.length + faulty.length === 0) return NONE;
  const index = new RowIndex(calendars);
  const aside = new Set(skippedRows.map(({ row }) => rowMark(row)));
  const unread = errors.filter(isOfUnreadRow);
  const ofRows = errors.filter((each) => isOfRow(each) && !isOfUnreadRow(each));
  const rows = [
    ...ofRows.flatMap((each) => index.at(each) ?? []),
    ...faulty.flatMap((row) => index.at({ ...row.at(), line: row.source.line }) ?? []),
  ];
  const ids = new Set(rows.flatMap((row) => rowId(row) ?? []));
  const twins =
    ids.size === 0
      ? []
      : calendars
          .flatMap((each) => each.rows)
          .filter((row) => inScope(row.file) && ids.has(rowId(row) ?? ""));
  const marks = new Set([...rows, ...twins].map(rowMark).filter((mark) => !aside.has(mark)));
  return {
    count:
      marks.size + new Set(unread.map(({ file, cell, line }) => JSON.stringify([file, cell, line]))).size,
    has: ({ key, source }) => marks.has(rowMark(source)) || rowIdsOf(key).some((id) => ids.has(id)),
  };
}

/** The id in a row's cell; undefined if it is blank. */
export function rowId({ cells }: RawRow): string | undefined {
  const id = typeof cells.id === "string" ? cells.id.trim().normalize("NFC") : "";
  return id === "" ? undefined : id;
}
