/**
 * --only-valid: leaves out rows with errors, and protects their posts. A row with an id keeps its post. Without an id,
 * nobody knows which post it owns, so no post of its file may be replaced, and none at all cancelled.
 */

import { canonicalContent } from "../model/canonical.ts";
import { type Post, rowIdsOf } from "../model/post.ts";
import { type Position, type Problem, placeName, problem } from "../model/problem.ts";
import type { FilteredRow } from "../model/row-filter.ts";
import { type RawRow, RowIndex, rowMark } from "../model/row.ts";
import { formatNumber } from "../model/text.ts";
import type { CheckedCalendars } from "./check.ts";
import { countRows, isOfRow, isOfUnreadRow, rowId } from "./count-rows.ts";

/** The calendars without the rows that have errors. The same calendars if other errors stop the run anyway. */
export function withoutInvalidRows(checked: CheckedCalendars): CheckedCalendars {
  const errors = checked.problems.filter(({ severity }) => severity === "error");
  if (errors.length === 0 || !errors.every(isOfRow)) return checked;
  const invalid = invalidRows(checked, errors);
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
function invalidRows(checked: CheckedCalendars, errors: readonly Problem[]): ReadonlyMap<string, RawRow> {
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
