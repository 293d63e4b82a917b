/**
 * The copy of a sheet: what plancast reads in it, and how two versions differ. Exports of a sheet that nobody edited
 * have different bytes each time, so only cells are compared.
 */

import { createHash } from "node:crypto";
import { type SheetResult, columnLetters, sheetResultNamed } from "../model/columns.ts";
import { groupBy, isSameJson } from "../model/data.ts";
import type { Problem } from "../model/problem.ts";
import type { Code } from "../problems/catalogue.ts";
import type { CalendarSettings } from "../settings/calendar-settings.ts";
import { readContents } from "./read-calendar.ts";

/** A row of a sheet, also one above its header. */
export interface SheetLine {
  /** From 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface SheetVersion {
  readonly lines: readonly SheetLine[];
  /** By column, from 0. Empty if plancast does not understand the header. */
  readonly headers: ReadonlyMap<number, string>;
  /** What else its rows say: notes, lines through texts, hidden rows. */
  readonly marks: readonly unknown[];
  /** Why it cannot be read at all. */
  readonly unreadable: Problem | undefined;
}

/** The contents are not a calendar: no setting would make them one. */
const UNREADABLE: ReadonlySet<string> = new Set<Code>(["calendar/unknown-format", "calendar/too-large"]);

/** @param file relative to the project, with `/`; its ending decides the format */
export async function readVersion(
  file: string,
  bytes: Uint8Array,
  settings: CalendarSettings,
): Promise<SheetVersion> {
  const understood = await readContents(file, bytes, settings);
  const sheet = understood.table?.sheet;
  const only = sheet === undefined ? settings.sheet : [...(sheet.all ?? [sheet.value])];
  const columns = understood.table?.columns ?? [];
  const results = resultColumns(columns);
  const lines = (await rawLines(file, bytes, settings, only)).map((each) => withoutResults(each, results));
  const named = columns.filter(({ column, name }) => name !== "" && !results.has(column));
  return {
    lines: lines.filter(({ cells }) => cells.length > 0),
    headers: new Map(named.map(({ column, name }) => [placeWithout(column, results), name])),
    marks: [
      understood.rows.map(({ cells, doubts = [] }) => [cells, doubts.map(({ message }) => message)]),
      understood.problems.map(({ code, message }) => [code, message]),
    ],
    unreadable: understood.problems.find(({ code }) => UNREADABLE.has(code)),
  };
}

/** Every row of some sheets, also one above the header. */
async function rawLines(
  file: string,
  bytes: Uint8Array,
  settings: CalendarSettings,
  sheet: CalendarSettings["sheet"],
): Promise<readonly SheetLine[]> {
  const lines: SheetLine[] = [];
  await readContents(file, bytes, {
    ...settings,
    ...(sheet === undefined ? {} : { sheet }),
    columns: {},
    header_row: "none",
    eachRow: (cells, line) => lines.push({ line, cells: withoutBlankEnd(cells) }),
  });
  return lines;
}

/** The columns of plancast's results, by column from 0. Their cells are never news. */
type ResultColumns = ReadonlyMap<number, SheetResult>;

function resultColumns(
  columns: readonly { readonly column: number; readonly name: string }[],
): ResultColumns {
  return new Map(
    columns.flatMap(({ column, name }) => {
      const result = sheetResultNamed(name);
      return result === undefined ? [] : [[column, result] as const];
    }),
  );
}

function withoutResults({ line, cells }: SheetLine, results: ResultColumns): SheetLine {
  const own = results.size === 0 ? cells : cells.filter((_cell, column) => !results.has(column));
  return { line, cells: withoutBlankEnd(own) };
}

function placeWithout(column: number, results: ResultColumns): number {
  return column - [...results.keys()].filter((each) => each < column).length;
}

/** One tab of a sheet, in which plancast writes its results. */
export interface SheetTab {
  /** Undefined in a text file. */
  readonly name: string | undefined;
  /** The number of the header's row, from 1. */
  readonly header: number;
  /** Without the cells of results. */
  readonly lines: readonly SheetLine[];
  /** The column of the ids among these cells; undefined if there is none. */
  readonly ids: number | undefined;
  readonly results: ResultColumns;
  /** The cells of results that have a text. */
  readonly written: readonly { readonly line: number; readonly column: number; readonly text: string }[];
  /** Columns with a text in any row. */
  readonly width: number;
}

/** Undefined if plancast does not understand its header. @param tab its name; undefined if the file has only one */
export async function readTab(
  file: string,
  bytes: Uint8Array,
  settings: CalendarSettings,
  tab: string | undefined,
): Promise<SheetTab | undefined> {
  const own = tab === undefined ? settings : { ...settings, sheet: tab };
  const { table } = await readContents(file, bytes, own);
  const header = [table?.headerRow.value ?? "none"].flat().at(-1);
  if (table === undefined || typeof header !== "number") return undefined;
  const name = table.sheet?.value ?? tab;
  const raw = await rawLines(file, bytes, own, name);
  const results = resultColumns(table.columns);
  const ids = table.columns.find(
    ({ meaning }) => meaning.kind === "used" && meaning.as.field === "id",
  )?.column;
  return {
    name,
    header,
    lines: raw.map((each) => withoutResults(each, results)),
    ids: ids === undefined ? undefined : placeWithout(ids, results),
    results,
    written: raw.flatMap(({ line, cells }) =>
      [...results.keys()].flatMap((column) => {
        const text = cells[column] ?? "";
        return text === "" || line <= header ? [] : [{ line, column, text }];
      }),
    ),
    width: Math.max(0, ...raw.map(({ cells }) => cells.length)),
  };
}

function withoutBlankEnd(cells: readonly string[]): readonly string[] {
  const last = cells.findLastIndex((cell) => cell !== "");
  return cells.slice(0, last + 1);
}

/** `edited`: only the copy. `kept`: the copy, as somebody said. `conflict`: a person must say. */
type SheetState = "new" | "changed" | "same" | "edited" | "kept" | "conflict";

/**
 * Whether the sheet replaces its copy. Nothing that a person edited is lost without an answer.
 * @param base the digest of the sheet at the last fetch; undefined if it was never fetched
 * @param take the side that somebody chose
 */
export function whichCounts(
  sheet: SheetVersion,
  file: SheetVersion | undefined,
  base: string | undefined,
  take: "sheet" | "file" | undefined,
): SheetState {
  if (file === undefined) return "new";
  if (isSameVersion(sheet, file)) return "same";
  if (take !== undefined) return take === "sheet" ? "changed" : "kept";
  if (digestOf(file) === base) return "changed";
  return digestOf(sheet) === base ? "edited" : "conflict";
}

export function isSameVersion(one: SheetVersion, other: SheetVersion): boolean {
  return digestOf(one) === digestOf(other) && isSameJson(one.marks, other.marks);
}

/** Of the cells, whatever the settings are. */
export function digestOf({ lines }: SheetVersion): string {
  return createHash("sha256")
    .update(JSON.stringify(lines.map(({ cells }) => cells)))
    .digest("hex");
}

/** A cell whose text differs. */
interface CellChange {
  /** Its header, or its letter. */
  readonly column: string;
  readonly before: string;
  readonly after: string;
}

/** How a row differs. `line`: in the new version, or in the old one for a row that is gone. */
export type RowChange =
  | { readonly kind: "added" | "gone"; readonly line: number; readonly text: string }
  | { readonly kind: "changed"; readonly line: number; readonly cells: readonly CellChange[] };

/**
 * The rows that differ, in the order of the new version; then the rows that are gone. A row that only moved is not among
 * them. Two rows are versions of one row if they follow the same row and have at least half of their cells in common.
 */
export function rowChanges(before: SheetVersion, after: SheetVersion): readonly RowChange[] {
  const { leftBefore, leftAfter } = unmatched(before.lines, after.lines);
  const gaps = groupBy(leftBefore, ({ follows }) => follows);
  const nameOf = (column: number): string =>
    after.headers.get(column) ?? before.headers.get(column) ?? columnLetters(column);
  const paired = new Set<SheetLine>();
  const changes = leftAfter.map(({ line: now, follows }): RowChange => {
    const was = (gaps.get(follows) ?? [])
      .slice(0, MOST_COMPARED)
      .find(({ line }) => !paired.has(line) && isVersionOf(line.cells, now.cells))?.line;
    if (was === undefined) return { kind: "added", line: now.line, text: textOf(now) };
    paired.add(was);
    return { kind: "changed", line: now.line, cells: cellChanges(was.cells, now.cells, nameOf) };
  });
  const gone = leftBefore.filter(({ line }) => !paired.has(line));
  return [
    ...changes,
    ...gone.map(({ line }): RowChange => ({ kind: "gone", line: line.line, text: textOf(line) })),
  ];
}

/** Rows compared with one changed row. A longer run of changed rows is a new sheet. */
const MOST_COMPARED = 100;

interface LeftLine {
  readonly line: SheetLine;
  /** The row before it that both versions have: its number in the old version, or -1. */
  readonly follows: number;
}

/** Leaves out what both versions have, wherever it is. */
function unmatched(
  before: readonly SheetLine[],
  after: readonly SheetLine[],
): { readonly leftBefore: readonly LeftLine[]; readonly leftAfter: readonly LeftLine[] } {
  const places = groupBy(before.keys(), (index) => JSON.stringify(before[index]?.cells));
  const matched = new Set<number>();
  const leftAfter: LeftLine[] = [];
  let follows = -1;
  for (const line of after) {
    const same = places.get(JSON.stringify(line.cells))?.shift();
    if (same === undefined) leftAfter.push({ line, follows });
    else {
      matched.add(same);
      follows = same;
    }
  }
  const leftBefore: LeftLine[] = [];
  let last = -1;
  for (const [index, line] of before.entries()) {
    if (matched.has(index)) last = index;
    else leftBefore.push({ line, follows: last });
  }
  return { leftBefore, leftAfter };
}

function isVersionOf(before: readonly string[], after: readonly string[]): boolean {
  const filled = before.flatMap((cell, index) => (cell === "" ? [] : [index]));
  const same = filled.filter((index) => before[index] === after[index]).length;
  return same * 2 >= filled.length;
}

function cellChanges(
  before: readonly string[],
  after: readonly string[],
  nameOf: (column: number) => string,
): CellChange[] {
  const width = Math.max(before.length, after.length);
  return Array.from({ length: width }, (_none, column) => ({
    column: nameOf(column),
    before: before[column] ?? "",
    after: after[column] ?? "",
  })).filter((each) => each.before !== each.after);
}

/** The cells of a row, for people. */
function textOf({ cells }: SheetLine): string {
  return cells.filter((cell) => cell !== "").join(" · ");
}
