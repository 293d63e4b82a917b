/** Finds the record of a table that names its columns: usually the first one with all names that a post needs. */

import { type Problem, problem } from "../../model/problem.ts";
import { presetNamed } from "../../settings/presets/presets.ts";
import { namesDay } from "../columns/cell-kinds.ts";
import { guardedName } from "../columns/formula-guard.ts";
import { STANDARD_FIELDS } from "../../model/fields.ts";
import { type Columns, isComplete, mapColumns, mapPositions } from "../columns/columns.ts";
import type { Cell } from "../../model/row.ts";
import { isBlank } from "../../model/text.ts";
import type { ReadOptions, TableSource } from "./format.ts";

/** Number of records with content that are searched for the header. */
const HEADER_SEARCH = 25;

/** A record of a table: its cells, and its number in the source. */
export interface TableRecord {
  readonly cells: readonly string[];
  readonly number: number;
  /** Whether its cells are merged over the table's columns. */
  readonly isTitle?: boolean;
  /** By column, what is more than the text of its cell: a list, or a blank that clears a field for one platform. */
  readonly values?: ReadonlyMap<number, Cell> | undefined;
  /** Whether it has a fault, so that its cells decide nothing. */
  readonly isFaulty?: boolean;
}

/** The header as plancast understood it. */
export interface Header {
  readonly columns: Columns;
  /**
   * Names of the columns; with two header rows, the names in the lower row. Without a header, the names that a preset
   * uses in messages, if any.
   */
  readonly names: readonly string[];
  /** With two header rows: the name of each column in the upper row. */
  readonly groups: readonly string[];
  /** Number of the record; without a header, of the first. */
  readonly record: number;
  /** Number of the record with the groups. */
  readonly groupRecord: number | undefined;
  /** Whether there is a header. If not, columns are known by their positions. */
  readonly isNamed: boolean;
}

export interface FoundHeader {
  readonly header: Header;
  /** Index of the first record that is a row. */
  readonly firstRow: number;
  readonly problems: readonly Problem[];
}

/** Whether the records seen so far are enough to find the header. The last one is new. */
export function hasEnoughForHeader(
  seen: readonly TableRecord[],
  source: TableSource,
  options: ReadOptions,
): boolean {
  const last = seen.at(-1);
  if (last === undefined) return false;
  const row = headerRow(options);
  if (row === "none") return true;
  if (row !== undefined) return source.lineOf(last.number) >= row;
  return seen.length >= HEADER_SEARCH || isComplete(mapColumns(last.cells, options.columns));
}

/** Finds the header among the first records, or its faults. Undefined without a record. */
export function findHeader(
  seen: readonly TableRecord[],
  source: TableSource,
  options: ReadOptions,
): FoundHeader | Problem | undefined {
  const [first] = seen;
  if (first === undefined) return undefined;
  // Settings for files with another layout do not apply to a file that plancast wrote.
  if (isWrittenHeader(first.cells) && !namesHeader(seen, source, options))
    return {
      header: headerAt(0, seen, source, { ...options, header_row: undefined }),
      firstRow: 1,
      problems: [],
    };
  const row = headerRow(options);
  if (row === "none") {
    const columns = mapPositions(options.columns);
    const header = {
      columns,
      names: presetLabels(options),
      groups: [],
      record: first.number,
      groupRecord: undefined,
      isNamed: false,
    };
    const isHeader = isComplete(mapColumns(first.cells, {}));
    return { header, firstRow: 0, problems: isHeader ? [unexpectedHeader(first, source)] : [] };
  }
  if (row === undefined) return searchHeader(seen, source, options);
  const index = seen.findIndex(({ number }) => source.lineOf(number) === row);
  if (index === -1) return missingHeaderRow(row, source);
  return { header: headerAt(index, seen, source, options), firstRow: index + 1, problems: [] };
}

/** Whether a first row is the header of a file that plancast wrote. */
export function isWrittenHeader(cells: readonly string[]): boolean {
  const names = new Set(cells.map((cell) => guardedName(cell) ?? cell));
  return (
    STANDARD_FIELDS.every((field) => names.has(field)) && (names.has("scheduled_at") || names.has("date"))
  );
}

/** Whether `header_row:` names a row that is a header. */
function namesHeader(seen: readonly TableRecord[], source: TableSource, options: ReadOptions): boolean {
  const row = headerRow(options);
  const named = seen.find(({ number }) => source.lineOf(number) === row);
  return named !== undefined && isComplete(mapColumns(named.cells, options.columns));
}

/** The first row names columns although the project, or its preset, says that there is no header. */
function unexpectedHeader({ number }: TableRecord, source: TableSource): Problem {
  const message =
    "This row is a header, but `header_row: none` in plancast.yaml, or a preset for files without a header, says that there is none. " +
    `Set \`header_row: ${source.lineOf(number)}\` for this file, or remove the row.`;
  return problem("csv/missing-header", message, source.at(number));
}

function presetLabels({ preset }: ReadOptions): readonly string[] {
  const known = presetNamed(preset);
  return known?.settings.header_row === "none" ? known.header : [];
}

function headerRow({ header_row }: ReadOptions): number | "none" | undefined {
  return typeof header_row === "object" ? header_row[1] : header_row;
}

function missingHeaderRow(row: number, { file }: TableSource): Problem {
  const message =
    `\`header_row\` in plancast.yaml names row ${row}, but no row with content starts there. ` +
    "Correct it, or remove it.";
  return problem("csv/missing-header", message, { file, line: row, column: 1 });
}

/** The number of different meanings in a record of unknown names: none is one. */
const NO_NAME = 1;

/**
 * The first record with all names that a post needs, otherwise the one with the most names. If two records have
 * equally many names, it skips titles, which fill only a few cells.
 */
function searchHeader(seen: readonly TableRecord[], source: TableSource, options: ReadOptions): FoundHeader {
  const widest = Math.max(...seen.map(filledCount));
  const known = seen.map((record) => {
    const columns = mapColumns(record.cells, options.columns);
    const isTitle = filledCount(record) < widest / 2;
    if (isComplete(columns)) return Infinity;
    // A row with dates is a post or a grid: a network's name in it does not name a column.
    const names = record.cells.some(namesDay) ? NO_NAME : new Set(columns.fields).size;
    return names - (isTitle ? 0.5 : 0);
  });
  const most = Math.max(...known);
  const firstDay = seen.findIndex(({ cells }) => cells.some(namesDay));
  // Without a known name, the header is the last row above the dates: names of groups may be above it.
  const above = most === NO_NAME ? known.slice(0, Math.max(firstDay, 0)).lastIndexOf(most) : -1;
  const index = above === -1 ? known.indexOf(most) : above;
  const header = headerAt(index, seen, source, options);
  const posts = isComplete(header.columns)
    ? seen.slice(0, index).filter((each) => isLikePost(each, header))
    : [];
  return {
    header,
    firstRow: index + 1,
    problems: posts.map((each) => postAboveHeader(each, header, source)),
  };
}

function filledCount({ cells }: TableRecord): number {
  return cells.filter((cell) => !isBlank(cell)).length;
}

function headerAt(
  index: number,
  seen: readonly TableRecord[],
  source: TableSource,
  options: ReadOptions,
): Header {
  const { cells = [], number = 0 } = seen[index] ?? {};
  const group = groupRow(index, seen, source, options);
  const groupCells = group?.cells ?? [];
  const names = cells.length < groupCells.length ? groupCells.map((_, column) => cells[column] ?? "") : cells;
  const groups = fillRight(groupCells);
  // If the lower row is blank in a column, the upper one's cell applies.
  const full = names.map((name, column) => (isBlank(name) ? (groupCells[column] ?? "") : name));
  return {
    columns: mapColumns(full, options.columns, groups),
    names: full,
    groups,
    record: number,
    groupRecord: group?.number,
    isNamed: true,
  };
}

/** The row above a header that names groups of columns: the row that the settings name, or a row with several names. */
function groupRow(
  index: number,
  seen: readonly TableRecord[],
  source: TableSource,
  { header_row }: ReadOptions,
): TableRecord | undefined {
  if (typeof header_row === "object") {
    return seen.find(({ number }) => source.lineOf(number) === header_row[0]);
  }
  if (header_row !== undefined) return undefined;
  const above = seen[index - 1];
  return above !== undefined && filledCount(above) > 1 ? above : undefined;
}

/** A merged cell holds its text once, at its start. */
function fillRight(cells: readonly string[]): string[] {
  let last = "";
  return cells.map((cell) => {
    if (!isBlank(cell)) last = cell;
    return last;
  });
}

/** Whether a record above the header would be a post: it has a text, and a time with digits. */
function isLikePost({ cells }: TableRecord, { columns: { fields } }: Header): boolean {
  const holds = (field: string, pattern: RegExp): boolean =>
    fields.some((each, column) => each === field && pattern.test(cells[column] ?? ""));
  const hasText = holds("content", /\S/) || holds("media", /\S/);
  return hasText && (holds("date", /\d/) || holds("scheduled_at", /\d/) || holds("time", /\d/));
}

function postAboveHeader({ number }: TableRecord, header: Header, source: TableSource): Problem {
  const row = source.lineOf(header.record);
  const message =
    `This row looks like a post, but it is above row ${row}, which plancast read as the header. ` +
    `Set \`header_row:\` in plancast.yaml to the header's row. \`header_row: ${row}\` leaves out all rows above it.`;
  return problem("csv/row-above-header", message, source.at(number));
}

/** The columns from which a post gets a whole field. */
function fieldColumns({ columns: { fields, variants } }: Header): readonly number[] {
  const own = [...fields.keys()].filter((column) => fields[column] !== undefined);
  return [...own, ...variants.map(({ column }) => column)];
}

/** Tables that people merged from several repeat the header. `reordered`: in another order, so it is another table. */
export function isHeaderAgain(header: Header, cells: readonly string[]): "same" | "reordered" | undefined {
  const isFilled = (text: string): boolean => header.isNamed && !isBlank(text);
  // Nearly every record ends here.
  if (!header.names.includes(cells.find(isFilled) ?? "")) return undefined;
  const filled = cells.filter(isFilled);
  const columns = fieldColumns(header);
  if (columns.every((column) => cells[column] === header.names[column])) return "same";
  const names = new Set(columns.map((column) => header.names[column]));
  return filled.length > 2 && filled.every((text) => names.has(text)) ? "reordered" : undefined;
}
