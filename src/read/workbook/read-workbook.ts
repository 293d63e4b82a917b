import { problem, type Problem } from "../../calendar/problem.ts";
import type { RawCalendar, RawRow } from "../../calendar/row.ts";
import { inFileOrder } from "../file-order.ts";
import type { ReadOptions } from "../format.ts";
import { TableReader } from "../table-reader.ts";
import { checkCells } from "./check-cells.ts";
import { chooseSheet } from "./choose-sheet.ts";
import { hiddenRowProblems } from "./hidden-rows.ts";
import { openWorkbook } from "./open-workbook.ts";
import { SheetSource } from "./sheet-source.ts";
import { spreadMerged } from "./spread-merged.ts";
import type { Sheet, SheetRow } from "./workbook.ts";
import { WorkbookFault } from "./workbook-fault.ts";

/** Reads the calendar in a workbook, XLSX or ODS. A line is a row, a column is a column; places name the cell, too. */
export async function readWorkbook(
  file: string,
  bytes: Uint8Array,
  options: ReadOptions,
): Promise<RawCalendar> {
  try {
    const workbook = await openWorkbook(bytes);
    const fits = (sheet: Sheet, name: string): boolean => looksLikeCalendar(file, name, sheet, options);
    const chosen = await chooseSheet(file, workbook, options.sheet, rowsToLookAt(options), fits);
    if ("problem" in chosen) return asCalendar(file, [], [chosen.problem]);
    const sheet = await workbook.readSheet(chosen.index);
    const { table, ...read } = readSheet(file, chosen.name, sheet, options);
    if (table === undefined) return read;
    const told = { value: chosen.name, isExplicit: options.sheet !== undefined };
    return { ...read, table: { ...table, sheet: { ...told, isOnly: workbook.sheets.length === 1 } } };
  } catch (error) {
    if (!(error instanceof WorkbookFault)) throw error;
    return asCalendar(file, [], [problem(error.code, error.message, { file })]);
  }
}

/** More than anybody reads at a time; they may be millions. */
const MAX_PROBLEMS = 10_000;

/** Rows of a sheet that show whether it is a calendar: as many as its header is looked for in, and some. */
const ROWS_LOOKED_AT = 50;

/** A header that the project places further down must be among them. */
function rowsToLookAt({ header_row }: ReadOptions): number {
  const row = typeof header_row === "object" ? header_row[1] : header_row;
  return typeof row === "number" ? Math.max(ROWS_LOOKED_AT, row + 1) : ROWS_LOOKED_AT;
}

function looksLikeCalendar(file: string, name: string, sheet: Sheet, options: ReadOptions): boolean {
  const { problems } = readRows(new SheetSource(file, name), spreadMerged(sheet), {
    ...options,
    eachRow: undefined,
  });
  return !problems.some(({ code }) => code === "csv/no-header" || code === "csv/missing-header");
}

function readSheet(file: string, name: string, sheet: Sheet, options: ReadOptions): RawCalendar {
  const spread = spreadMerged(sheet);
  const read = options.hidden_rows === "skip" ? spread.filter(({ hidden }) => hidden === undefined) : spread;
  const { rows, problems, table } = readRows(new SheetSource(file, name), read, options);
  const byNumber = new Map(read.map((row) => [row.number, row]));
  const rules = { mergedCells: options.merged_cells ?? "refuse", links: sheet.links };
  const sound: RawRow[] = [];
  const found: Problem[] = [];
  let left = 0;
  for (const row of rows) {
    const sheetRow = byNumber.get(row.line);
    const wrong = sheetRow === undefined ? [] : checkCells(row, sheetRow, rules);
    if (!wrong.some(({ severity }) => severity === "error")) sound.push(row);
    if (found.length < MAX_PROBLEMS) found.push(...wrong);
    else left += wrong.length;
  }
  const hidden = options.hidden_rows === undefined ? hiddenRowProblems(rows, byNumber) : [];
  const all = inFileOrder([...problems, ...withCount(found, left), ...hidden]);
  return { ...asCalendar(file, sound, all), table };
}

/** Says with the last problem how many are left out. */
function withCount(problems: readonly Problem[], left: number): readonly Problem[] {
  const last = problems.at(-1);
  if (last === undefined || left === 0) return problems;
  return [...problems.slice(0, -1), { ...last, message: `${last.message} ${left} more problems follow.` }];
}

function readRows(
  source: SheetSource,
  rows: readonly SheetRow[],
  options: ReadOptions,
): ReturnType<TableReader["finish"]> {
  const reader = new TableReader(source, options);
  const width = rows.reduce((widest, { cells }) => Math.max(widest, cells.length), 0);
  for (const { number, cells } of rows) {
    // As wide as the widest row, so that a note far to the right is an unnamed column and not a broken row.
    const texts = Array.from({ length: width }, (_none, column) => {
      const cell = cells[column] ?? "";
      return typeof cell === "string" ? cell : cell.text;
    });
    reader.visit(texts, number);
  }
  return reader.finish(false);
}

function asCalendar(file: string, rows: readonly RawRow[], problems: readonly Problem[]): RawCalendar {
  // A problem names its cell; a row of a sheet is no line of text to show beside it.
  return { file, rows, problems, sourceLine: () => undefined };
}
