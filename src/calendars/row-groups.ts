/**
 * What happens to the rows of calendars: how many are in each group, and how --only-valid leaves out those with errors.
 * All commands take their counts from here, so that they agree.
 */

import { countUnplanned } from "../checks/validate.ts";
import { canonicalContent } from "../model/canonical.ts";
import { isExpired } from "../model/extras.ts";
import { type Post, rowIdsOf } from "../model/post.ts";
import { type Position, type Problem, placeName, problem } from "../model/problem.ts";
import { type StayingRow, countFiltered } from "../model/row-filter.ts";
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
  const { inScope, skippedRows, leftOut, pastUntil, now } = checked;
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
    filteredOut: countFiltered(leftOut.rows, inScope),
  };
}

/** Errors about a single row. All others concern a column, a file or the project. */
const OF_ROWS =
  /^(?:row|platform|media|content)\/|^schedule\/(?!mixed-dates|date-order)|^sheet\/(?:formula|merged-cells)$|^csv\/syntax$|^calendar\/shape$/;

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
  /** Those that could be read, by their marks. */
  readonly rows: ReadonlyMap<string, RawRow>;
  /** Those in scope, with those that could not be read, and without drafts and skipped rows. */
  readonly count: number;
  /** Whether the post's row is one of them. */
  has(post: Pick<Post, "key" | "source">): boolean;
}

const NONE: InvalidRows = { rows: new Map(), count: 0, has: () => false };

/**
 * The rows with errors: those at the place of an error, and those that became no post. If rows have the same id, all of
 * them count, because it is unclear which one is right.
 */
function invalidRows(checked: CheckedCalendars, problems: readonly Problem[]): InvalidRows {
  const { calendars, faultyRows, unresolved, skippedRows, inScope } = checked;
  const errors = problems.filter(({ severity }) => severity === "error");
  const faulty = [...faultyRows, ...unresolved].filter(({ source }) => inScope(source.file));
  if (errors.length + faulty.length === 0) return NONE;
  const index = new RowIndex(calendars);
  const places = [
    ...errors.filter((each) => isOfRow(each) && !isOfUnreadRow(each)),
    ...faulty.map((row) => ({ ...row.at(), line: row.source.line })),
  ];
  const found = new Set(places.flatMap((place) => index.at(place) ?? []));
  const ids = new Set([...found].flatMap((row) => rowId(row) ?? []));
  const all = ids.size === 0 ? [] : calendars.flatMap((each) => each.rows);
  for (const row of all) if (ids.has(rowId(row) ?? "")) found.add(row);
  const rows = new Map([...found].map((row) => [rowMark(row), row]));
  const aside = new Set(skippedRows.map(({ row }) => rowMark(row)));
  const counted = [...rows].filter(([mark, { file }]) => inScope(file) && !aside.has(mark));
  const unread = errors
    .filter(isOfUnreadRow)
    .map(({ file, cell, line }) => JSON.stringify([file, cell, line]));
  return {
    rows,
    count: counted.length + new Set(unread).size,
    has: ({ key, source }) => rows.has(rowMark(source)) || rowIdsOf(key).some((id) => ids.has(id)),
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
  const invalid = invalidRows(checked, errors);
  const rows = [...invalid.rows.values()];
  const withoutId = [...errors.filter(isOfUnreadRow), ...rows.filter((row) => rowId(row) === undefined)];
  return {
    ...checked,
    posts: checked.posts.filter((post) => !invalid.has(post)),
    unresolved: [],
    invalidLeftOut: invalid.count,
    faultyRows: [],
    problems: [
      leftOut(errors, invalid.count),
      ...checked.problems.map((each) => ({ ...each, severity: "warning" as const })),
    ],
    leftOut: {
      ...checked.leftOut,
      rows: [...checked.leftOut.rows, ...rows.map(toLeftOutRow)],
      rowsWithoutId: [...new Set(withoutId.flatMap(({ file }) => file ?? []))],
    },
  };
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

function toLeftOutRow(row: RawRow): StayingRow {
  const { content } = row.cells;
  const id = rowId(row);
  return {
    why: "errors",
    file: row.file,
    keys: id === undefined ? [] : [id],
    content: canonicalContent(typeof content === "string" ? content : ""),
    places: [],
  };
}
