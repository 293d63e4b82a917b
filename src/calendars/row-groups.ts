/**
 * What happens to the rows of calendars: how many are in each group, and how --only-valid leaves out those with errors.
 * All commands take their counts from here, so that they agree.
 */

import { countUnplanned } from "../checks/validate.ts";
import { canonicalContent } from "../model/canonical.ts";
import { isExpired } from "../model/extras.ts";
import { type Post, rowIdsOf } from "../model/post.ts";
import { type Position, type Problem, placeName, problem } from "../model/problem.ts";
import type { FilteredRow } from "../model/row-filter.ts";
import { type RawRow, RowIndex, rowMark } from "../model/row.ts";
import { formatNumber } from "../model/text.ts";
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
function isOfUnreadRow(each: Problem): boolean {
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

/**
 * --only-valid: the calendars without the rows that have errors, whose posts are protected. A row with an id keeps its
 * post. Without an id, nobody knows which post it owns, so no post of its file may be replaced, and none at all
 * cancelled. The same calendars if other errors stop the run anyway.
 */
export function withoutInvalidRows(checked: CheckedCalendars): CheckedCalendars {
  const errors = checked.problems.filter(({ severity }) => severity === "error");
  if (errors.length === 0 || !errors.every(isOfRow)) return checked;
  const invalid = rowsToLeaveOut(checked, errors);
  const ids = new Set([...invalid.values()].flatMap((row) => rowId(row) ?? []));
  const isValid = (post: Pick<Post, "key" | "source" | "at">): boolean =>
    !invalid.has(rowMark(post.source)) && !rowIdsOf(post.key).some((id) => ids.has(id));
  const posts = checked.posts.filter(isValid);
  const unread = errors.filter(isOfUnreadRow);
  const count = countRows(checked).invalid;
  const withoutId = [
    ...unread.flatMap(({ file }) => file ?? []),
    ...[...invalid.values()].filter((row) => rowId(row) === undefined).map(({ file }) => file),
  ];
  const planned = new Set(posts.map(({ key }) => key));
  return {
    ...checked,
    posts,
    unresolved: [],
    invalidLeftOut: count,
    faultyRows: [],
    problems: [
      leftOut(errors, count),
      ...checked.problems.map((each) => ({ ...each, severity: "warning" as const })),
    ],
    filteredRows: checked.filteredRows.withInvalid([...invalid.values()].map(toLeftOutRow), planned),
    rowsWithoutId: [...new Set(withoutId)],
  };
}

/** The rows with errors, by their marks. */
function rowsToLeaveOut(checked: CheckedCalendars, errors: readonly Problem[]): ReadonlyMap<string, RawRow> {
  const index = new RowIndex(checked.calendars);
  const found = errors.filter((each) => !isOfUnreadRow(each)).flatMap((each) => index.at(each) ?? []);
  const known = new Set(
    [...checked.posts.map(({ source }) => source), ...checked.skippedRows.map(({ row }) => row)].map(rowMark),
  );
  // One error may affect several rows. A row that did not become a post must not look like a removed row.
  const isFiltered = checked.filteredRows.count(() => true) > 0;
  const rest = isFiltered
    ? checked.faultyRows.flatMap((row) => index.at({ ...row.at(), line: row.source.line }) ?? [])
    : checked.calendars
        .flatMap(({ rows, faultyRows = [] }) => [...rows, ...faultyRows])
        .filter((row) => !known.has(rowMark(row)));
  return new Map([...found, ...rest].map((row) => [rowMark(row), row]));
}

function leftOut(errors: readonly Problem[], count: number): Problem {
  const places = [...new Set(errors.map((each) => placeName(withoutColumn(each))))];
  const shown = places.slice(0, MAX_NAMED).join(", ");
  const more = places.length > MAX_NAMED ? ` and ${formatNumber(places.length - MAX_NAMED)} more places` : "";
  const [rows, posts] =
    count === 1
      ? ["1 row with errors", "its post stays as it is"]
      : [`${formatNumber(count)} rows with errors`, "their posts stay as they are"];
  return problem("plan/rows-left-out", `--only-valid left out ${rows}, and ${posts}: ${shown}${more}.`);
}

const MAX_NAMED = 8;

function withoutColumn({ file, line, cell }: Problem): Partial<Position> {
  return {
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(cell === undefined ? {} : { cell }),
  };
}

function toLeftOutRow(row: RawRow): FilteredRow {
  const { content } = row.cells;
  const id = rowId(row);
  return {
    file: row.file,
    keys: id === undefined ? [] : [id],
    content: canonicalContent(typeof content === "string" ? content : ""),
    places: [],
  };
}
