/** Reads the calendar in a workbook of any format, from the sheet that holds it. */

import type { CalendarAccount } from "../../../model/column-account.ts";
import { STRUCK_THROUGH, yamlKey } from "../../../model/columns.ts";
import { fieldNamed } from "../../../model/fields.ts";
import { didYouMean, nearest } from "../../../model/text.ts";
import { type Position, type Problem, hasErrors, problem } from "../../../model/problem.ts";
import type { RawCalendar, RawRow } from "../../../model/row.ts";
import { mergedAccounts } from "../../columns/account-for.ts";
import { withSharedError } from "../../columns/account-text.ts";
import { namesDay } from "../../columns/cell-kinds.ts";
import type { ReadOptions, TableSource } from "../../read/format.ts";
import { LFS_POINTER } from "../../../media/media-file.ts";
import { startsWith } from "../../read/read-file.ts";
import { inFileOrder } from "../../read/source-text.ts";
import { TableReader } from "../../read/table-reader.ts";
import { serialText } from "./cell-number.ts";
import { openOds } from "./ods.ts";
import { checkCells, hiddenRowProblems, markProblems } from "./sheet-checks.ts";
import { rowStyles, widthOf, withStyles } from "./row-styles.ts";
import {
  type Area,
  type Sheet,
  type SheetCell,
  type SheetInfo,
  type SheetRow,
  type Workbook,
  WorkbookFault,
  cellInSheet,
  damaged,
  macrosNotAllowed,
  passwordNeeded,
  tooLarge,
  wrongKind,
  cellName,
} from "./workbook.ts";
import { openXlsx } from "./xlsx.ts";
import { ZipParts } from "./zip.ts";

/** Reads the calendar in a workbook, XLSX or ODS. A line is a row, a column is a column. Places also name the cell. */
export async function readWorkbook(
  file: string,
  bytes: Uint8Array,
  options: ReadOptions,
): Promise<RawCalendar> {
  try {
    const workbook = await openWorkbook(bytes);
    const fits = (sheet: Sheet, name: string): number => knownColumns(file, name, sheet, options);
    const chosen = await chooseSheets(file, workbook, options.sheet, rowsToLookAt(options), fits);
    const problems = [...chosen.problems];
    const rows: RawRow[] = [];
    const faultyRows: RawRow[] = [];
    let table: RawCalendar["table"];
    let notes: RawCalendar["notes"];
    const accounts: CalendarAccount[] = [];
    for (const { name, index } of chosen.sheets) {
      // One after the other: unpacked bytes are counted over all sheets.
      const read = readSheet(file, name, await workbook.readSheet(index), options);
      for (const row of read.rows) rows.push(row);
      faultyRows.push(...(read.faultyRows ?? []));
      problems.push(...read.problems, ...otherNotes(file, notes, read.notes));
      table ??= read.table;
      notes ??= read.notes;
      if (read.account !== undefined) accounts.push(read.account);
    }
    const account = accounts.length > 1 ? mergedAccounts(accounts) : accounts[0];
    const found =
      accounts.length > 1 && account !== undefined ? withSharedError(problems, account, "column") : problems;
    const calendar = { ...asCalendar(file, rows, found), faultyRows, notes, account };
    const [first] = chosen.sheets;
    if (table === undefined || first === undefined) return calendar;
    const all = chosen.sheets.length > 1 ? { all: chosen.sheets.map(({ name }) => name) } : {};
    const sheet = {
      value: first.name,
      isExplicit: options.sheet !== undefined,
      isOnly: workbook.sheets.length === 1,
    };
    return { ...calendar, table: { ...table, sheet: { ...sheet, ...all } } };
  } catch (error) {
    if (!(error instanceof WorkbookFault)) throw error;
    return asCalendar(file, [], [problem(error.code, error.message, { file })]);
  }
}

/**
 * Reports headers of two sheets that give different zones or orders of dates, because the settings of a file apply to
 * all its sheets.
 */
function otherNotes(file: string, first: RawCalendar["notes"], other: RawCalendar["notes"]): Problem[] {
  if (first === undefined || other === undefined) return [];
  const way = `Read each sheet with its own entry under \`calendars:\` in plancast.yaml, such as \`{ files: ${JSON.stringify(file)}, sheet: … }\`.`;
  const found: Problem[] = [];
  if (first.zone?.name !== other.zone?.name) {
    const message = `The headers of the sheets do not name the same time zone: ${first.zone?.name ?? "none"} and ${other.zone?.name ?? "none"}. ${way}`;
    found.push(problem("csv/header-zone", message, other.zone?.at ?? first.zone?.at ?? { file }));
  }
  if (first.dateOrder?.order !== other.dateOrder?.order) {
    const message = `The headers of the sheets give different orders of dates: ${first.dateOrder?.order ?? "none"} and ${other.dateOrder?.order ?? "none"}. ${way}`;
    found.push(problem("schedule/date-order", message, { file }));
  }
  return found;
}

/** Nobody reads more at once, and there may be millions. */
const MAX_PROBLEMS = 10_000;

/** The rows that show whether a sheet is a calendar: rows that may be its header, and some more. */
const ROWS_LOOKED_AT = 50;

/** At least the rows up to the header row that the project sets. */
function rowsToLookAt({ header_row }: ReadOptions): number {
  const row = typeof header_row === "object" ? header_row[1] : header_row;
  return typeof row === "number" ? Math.max(ROWS_LOOKED_AT, row + 1) : ROWS_LOOKED_AT;
}

/** How many columns of a sheet plancast knows; 0 if it does not look like a calendar. */
function knownColumns(file: string, name: string, sheet: Sheet, options: ReadOptions): number {
  const { table, isComplete } = readRows(new SheetSource(file, name, sheet), spreadMerged(sheet), sheet, {
    ...options,
    eachRow: undefined,
  });
  if (!isComplete) return 0;
  return (table?.columns ?? []).filter(({ meaning }) => meaning.kind === "used").length;
}

function readSheet(file: string, name: string, sheet: Sheet, options: ReadOptions): RawCalendar {
  const spread = spreadMerged(sheet);
  const shown = options.hidden_rows === "skip" ? spread.filter(({ isHidden }) => !isHidden) : spread;
  const source = new SheetSource(file, name, sheet);
  const styles = rowStyles(shown, sheet.marks, options.columns, () =>
    readRows(source, shown, sheet, { ...options, eachRow: undefined }),
  );
  const read = styles === undefined ? shown : withStyles(shown, styles);
  source.styles = styles ?? source.styles;
  const { rows, problems, table, notes, account } = readRows(source, read, sheet, options);
  const byNumber = new Map(read.map((row) => [row.number, row]));
  const rules = {
    mergedCells: options.merged_cells ?? "refuse",
    carried: new Set((options.carry ?? []).map(fieldNamed)),
    links: sheet.links,
  };
  const sound: RawRow[] = [];
  const faultyRows: RawRow[] = [];
  const found: Problem[] = [];
  let left = 0;
  for (const row of rows) {
    const sheetRow = byNumber.get(row.line);
    const wrong = sheetRow === undefined ? [] : checkCells(row, sheetRow, rules);
    (hasErrors(wrong) ? faultyRows : sound).push(row);
    if (found.length < MAX_PROBLEMS) found.push(...wrong);
    else left += wrong.length;
  }
  const hidden = options.hidden_rows === undefined ? hiddenRowProblems(rows, byNumber) : [];
  const all = inFileOrder([...problems, ...withCount(found, left), ...hidden]);
  return { ...asCalendar(file, sound, all), faultyRows, table, notes, account };
}

/** Adds to the last problem how many are left out. */
function withCount(problems: readonly Problem[], left: number): readonly Problem[] {
  const last = problems.at(-1);
  if (last === undefined || left === 0) return problems;
  return [...problems.slice(0, -1), { ...last, message: `${last.message} ${left} more problems follow.` }];
}

function readRows(
  source: SheetSource,
  rows: readonly SheetRow[],
  { merged }: Sheet,
  options: ReadOptions,
): ReturnType<TableReader["finish"]> {
  const reader = new TableReader(source, options);
  const titles = new Set(merged.filter(({ left, right }) => right > left).map(({ top }) => top));
  const width = widthOf(rows);
  for (const { number, cells } of rows) {
    // As wide as the widest row, so that a note far to the right becomes an unnamed column and not a broken row.
    const texts = Array.from({ length: width }, (_none, column) => {
      const cell = cells[column] ?? "";
      return typeof cell === "string" ? cell : cell.text;
    });
    reader.visit({ cells: texts, number, isTitle: titles.has(number) });
  }
  return reader.finish(false);
}

function asCalendar(file: string, rows: readonly RawRow[], problems: readonly Problem[]): RawCalendar {
  // A problem names its cell, because a sheet's row is not a line of text.
  return { file, rows, problems, sourceLine: () => undefined };
}

/** The start of a ZIP archive, and of a Compound File, which is what Office wrote before 2007. */
const ZIP = [0x50, 0x4b, 0x03, 0x04];
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
/** The stream of a Compound File that holds a workbook with a password (MS-OFFCRYPTO 1.3.3). */
const ENCRYPTED_PACKAGE = Buffer.from("EncryptedPackage", "utf16le");

const SAVE = "Open it in Excel or LibreOffice and save it as “Excel Workbook (.xlsx)”.";

/** Opens a workbook by its content, whatever its name. Throws a WorkbookFault. */
export async function openWorkbook(bytes: Uint8Array): Promise<Workbook> {
  if (!startsWith(bytes, ZIP)) throw notAnArchive(bytes);
  const parts = await ZipParts.open(bytes);
  if (parts.has("xl/vbaProject.bin")) throw macrosNotAllowed("an Excel workbook (.xlsx)");
  if (parts.has("xl/workbook.bin")) throw wrongKind("a binary Excel workbook (.xlsb)", SAVE);
  if (parts.has("[Content_Types].xml")) return openXlsx(parts);
  if (parts.has("content.xml") || parts.has("META-INF/manifest.xml")) return openOds(parts);
  if (parts.has("Index/Document.iwa"))
    throw wrongKind("a Numbers document", "Export it from Numbers to Excel.");
  throw wrongKind("another ZIP archive", SAVE);
}

function notAnArchive(bytes: Uint8Array): WorkbookFault {
  if (bytes.length === 0) return damaged("it is empty");
  if (startsWith(bytes, COMPOUND_FILE)) {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return buffer.includes(ENCRYPTED_PACKAGE)
      ? passwordNeeded()
      : wrongKind("an Excel workbook from before 2007 (.xls)", SAVE);
  }
  const head = Buffer.from(bytes.subarray(0, 1024)).toString("latin1").trimStart();
  if (LFS_POINTER.test(head)) {
    return wrongKind("a pointer of Git LFS", "Run `git lfs pull` to get the file itself.");
  }
  if (/^(?:\u00ef\u00bb\u00bf)?\s*</.test(head)) return wrongKind("a web page or XML", SAVE);
  // oxlint-disable-next-line no-control-regex
  if (/^[^\u0000-\u0008\u000e-\u001f]*$/.test(head)) {
    return wrongKind("plain text", `Rename it so that its name ends in .csv, or: ${SAVE}`);
  }
  return wrongKind("something else", SAVE);
}

/** Maximum number of rows of merged areas that are read. No real sheet has more. */
const MAX_STEPS = 4_000_000;

/**
 * The rows of a sheet. Cells below the first one of a merged area get its text, marked as merged. Only rows with other
 * content get them, so an area that reaches far down creates no posts.
 */
function spreadMerged({ rows, merged }: Sheet): readonly SheetRow[] {
  const areas = merged.filter(({ top, bottom }) => bottom > top);
  if (areas.length === 0) return rows;
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  const spread = new Map<number, (SheetCell | undefined)[]>();
  let steps = 0;
  for (const area of areas) {
    const shown = byNumber.get(area.top)?.cells[area.left];
    if (shown === undefined) continue;
    steps += area.bottom - area.top;
    if (steps > MAX_STEPS) throw tooLarge("it has too many merged areas");
    for (const row of rowsBelow(area, byNumber)) {
      const cells = spread.get(row.number) ?? [...row.cells];
      cells[area.left] ??= typeof shown === "string" ? { kind: "merged", text: shown } : shown;
      spread.set(row.number, cells);
    }
  }
  return rows.map((row) => ({ ...row, cells: spread.get(row.number) ?? row.cells }));
}

function* rowsBelow(
  { top, bottom }: Area,
  byNumber: ReadonlyMap<number, SheetRow>,
): Generator<SheetRow, void> {
  for (let number = top + 1; number <= bottom; number += 1) {
    const row = byNumber.get(number);
    if (row !== undefined) yield row;
  }
}

/** The cells of a sheet. A record's number is the row's. */
class SheetSource implements TableSource {
  readonly file: string;
  readonly surplusRemedy = "Name each column in the header.";
  readonly sheet: string;
  /** The styles of the rows that have one. */
  styles: ReadonlyMap<number, string> = new Map();
  readonly #content: Sheet;
  /** The first column with content: a table may start far to the right. */
  readonly #first: number;

  constructor(file: string, sheet: string, content: Sheet) {
    this.file = file;
    this.sheet = sheet;
    this.#content = content;
    const starts = content.rows.map(({ cells }) =>
      cells.findIndex((cell) => cell !== undefined && cell !== ""),
    );
    this.#first = starts.reduce((least, each) => (each === -1 ? least : Math.min(least, each)), Infinity);
  }

  doubtsAbout(record: number, width: number, read: ReadonlySet<number>): Problem[] {
    const { marks } = this.#content;
    if (marks.size === 0) return [];
    // One problem is enough for a row that is struck through.
    return Array.from({ length: width })
      .flatMap((_none, column) =>
        markProblems(
          marks.get(cellName(record, column)),
          read.has(column) && this.styles.get(record) !== STRUCK_THROUGH,
          this.at(record, column),
        ),
      )
      .slice(0, 1);
  }

  /** A time that lost its format is a part of a day: 0.75 is 18:00. */
  timeOf(text: string): string | undefined {
    return /^0(?:\.\d+)?$/.test(text) ? serialText(Number(text), "time", "1900") : undefined;
  }

  linkOf(record: number, column: number): string | undefined {
    const { links } = this.#content;
    return links.size === 0 ? undefined : links.get(cellName(record, column));
  }

  lineOf(record: number): number {
    return record;
  }

  at(record: number, column = Number.isFinite(this.#first) ? this.#first : 0): Position {
    return {
      file: this.file,
      line: record,
      column: column + 1,
      cell: cellInSheet(this.sheet, record, column),
    };
  }
}

interface ChosenSheet {
  readonly name: string;
  readonly index: number;
}

interface ChosenSheets {
  readonly sheets: readonly ChosenSheet[];
  readonly problems: readonly Problem[];
}

/** The value of `sheet:` for every sheet that looks like a calendar. */
const EVERY_SHEET = "*";

/**
 * Finds the sheets with the calendar: the named sheets, or all sheets that look like a calendar, otherwise the only
 * sheet that does. If no sheet looks like a calendar, the only sheet with dates, or the only one with content, so that its
 * columns are asked about, or its faults are reported.
 * Hidden sheets must be named.
 * @param rows how many rows to check
 * @param fits how many known columns a sheet has; 0 if it does not look like a calendar
 */
async function chooseSheets(
  file: string,
  workbook: Workbook,
  named: ReadOptions["sheet"],
  rows: number,
  fits: (sheet: Sheet, name: string) => number,
): Promise<ChosenSheets> {
  if (named !== undefined && named !== EVERY_SHEET) {
    const found = [named].flat().map((name) => findSheet(file, workbook.sheets, name));
    const sheets = found.filter((each) => "index" in each);
    return {
      sheets: sheets.filter(({ index }, at) => sheets.findIndex((each) => each.index === index) === at),
      problems: found.flatMap((each) => ("problem" in each ? [each.problem] : [])),
    };
  }
  const filled: FoundSheet[] = [];
  for (const [index, { name, hidden }] of workbook.sheets.entries()) {
    if (hidden) continue;
    // One after the other: unpacked bytes are counted over all sheets.
    const sheet = await workbook.readSheet(index, rows);
    if (sheet.rows.length > 0)
      filled.push({
        name,
        index,
        fits: fits(sheet, name),
        dated: sheet.rows.filter(hasDay).length,
        wide: sheet.rows.filter(isTableRow).length,
      });
  }
  const known = filled.filter((each) => each.fits > 0);
  // If all names are unknown, dates show the calendar. Its columns are asked about.
  const fitting = known.length > 0 ? known : filled.filter((each) => each.dated > 0);
  if (named === EVERY_SHEET && fitting.length > 0) {
    const others = filled.filter((each) => !fitting.includes(each));
    return { sheets: fitting, problems: others.length === 0 ? [] : [sheetsLeftOut(file, others)] };
  }
  const [first, second] = fitting.length > 0 ? fitting : filled;
  if (first !== undefined && second === undefined) return { sheets: [first], problems: [] };
  return { sheets: [], problems: [unclearSheet(file, workbook.sheets, filled, fitting)] };
}

/** Fewer filled cells may be a note beside another one. */
const TABLE_CELLS = 3;

function isTableRow({ cells }: SheetRow): boolean {
  return cells.filter((cell) => cell !== undefined && cell !== "").length >= TABLE_CELLS;
}

function hasDay({ cells }: SheetRow): boolean {
  return cells.some((cell) => cell !== undefined && namesDay(typeof cell === "string" ? cell : cell.text));
}

function sheetsLeftOut(file: string, others: readonly FoundSheet[]): Problem {
  const [sheets, it, has] =
    others.length === 1 ? ["this sheet", "it", "it has"] : ["these sheets", "them", "they have"];
  const message = `plancast does not read ${sheets}: ${namesOf(others)}. To read ${it} too, check that ${has} a row that names columns such as content and date; or name the sheets that you want in \`sheet:\`.`;
  return problem("sheet/left-out", message, { file });
}

interface FoundSheet extends ChosenSheet {
  /** The number of known columns; 0 if the sheet does not look like a calendar. */
  readonly fits: number;
  /** The number of rows with a date. Instructions have none. */
  readonly dated: number;
  /** The number of rows with several cells. Instructions have one long text in each row. */
  readonly wide: number;
}

function findSheet(
  file: string,
  sheets: readonly SheetInfo[],
  named: string,
): ChosenSheet | { readonly problem: Problem } {
  const names = sheets.map(({ name }) => name);
  const exact = names.indexOf(named);
  const index = exact === -1 ? names.findIndex((name) => sameName(name, named)) : exact;
  if (index !== -1) return { name: names[index] ?? named, index };
  const way = didYouMean(nearest(named, names)) || ` Its sheets are ${list(names)}.`;
  const message = `The workbook has no sheet \`${named}\`, but \`sheet:\` in plancast.yaml names it.${way}`;
  return { problem: problem("sheet/unclear", message, { file }) };
}

function sameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

function unclearSheet(
  file: string,
  all: readonly SheetInfo[],
  filled: readonly FoundSheet[],
  fitting: readonly FoundSheet[],
): Problem {
  if (filled.length === 0) {
    const hidden = all.filter((sheet) => sheet.hidden);
    const way =
      hidden.length === 0
        ? ""
        : ` plancast reads a hidden sheet (${namesOf(hidden)}) only if \`sheet:\` names it.`;
    return problem("calendar/empty", `The workbook's sheets are empty.${way}`, { file });
  }
  const what =
    fitting.length > 0
      ? `Several sheets look like a calendar: ${namesOf(fitting)}.`
      : `None of the sheets looks like a calendar: ${namesOf(filled)}. A calendar has a row that names columns such as content and date.`;
  const inOrder = (fitting.length > 0 ? fitting : filled).toSorted(
    (one, other) => other.fits - one.fits || other.dated - one.dated || other.wide - one.wide,
  );
  const several =
    fitting.length > 1
      ? ` For several, \`sheet: [${fitting
          .slice(0, 2)
          .map(({ name }) => yamlKey(name))
          .join(", ")}]\`; for all of them, \`sheet: "*"\`.`
      : "";
  const message = `${what} Name the right one in plancast.yaml, for example \`sheet: ${yamlKey(inOrder[0]?.name ?? "")}\`.${several}`;
  const sheets = inOrder.map(({ name }) => name);
  return {
    ...problem("sheet/unclear", message, { file }),
    questions: [{ topic: "sheet", sheets, areSeveral: fitting.length > 1 }],
  };
}

function namesOf(sheets: readonly { readonly name: string }[]): string {
  return list(sheets.map(({ name }) => name));
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, 10).map((name) => `\`${name}\``);
  return shown.join(", ") + (names.length > shown.length ? ` and ${names.length - shown.length} more` : "");
}
