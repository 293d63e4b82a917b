/** Reads a table row by row: finds the header, turns records into rows, joins carousels, and counts what is dropped. */

import type { CalendarAccount } from "../../model/column-account.ts";
import { type HeaderNotes, type UnderstoodTable, yamlKey } from "../../model/columns.ts";
import { type Position, type Problem, type Question, problem } from "../../model/problem.ts";
import type { ProblemCode } from "../../problems/catalogue.ts";
import { type Only, foldValue, parseConditions } from "../../model/row-filter.ts";
import { clipped, foldName, formatNumber, isBlank, rowsText } from "../../model/text.ts";
import { yesOrNo } from "../../settings/languages/languages.ts";
import { guardedName } from "../columns/formula-guard.ts";
import {
  CarriedColumns,
  type Section,
  carriedColumns,
  isNoPost,
  noPostWarning,
  onlyTextProblem,
  sectionAfter,
  sectionProblems,
  unknownCarried,
} from "./carry.ts";
import { carouselProblems, continuesPost } from "./carousels.ts";
import { type ReadOptions, type TableSource, MAX_COLUMNS } from "./format.ts";
import { type FormulaColumn, formulaColumns, readFormulas } from "./formula-cells.ts";
import { headerProblems, missingText, presetHint, presetNames, presetQuestions } from "./header-problems.ts";
import { isComplete } from "../columns/columns.ts";
import { type HeaderTimes, eveningProblems, headerTimes } from "./header-times.ts";
import { ColumnTally } from "../columns/account-for.ts";
import { accountProblems } from "../columns/account-text.ts";
import { namesDay } from "../columns/cell-kinds.ts";
import { type SeenColumns, columnKeys, qualifiedNames, understoodTable } from "./table-columns.ts";
import {
  type FoundHeader,
  type Header,
  type TableRecord,
  findHeader,
  hasEnoughForHeader,
  isHeaderAgain,
} from "./table-header.ts";
import { type CellRepairs, blankHalfProblems, cellRepairs, rowCells } from "./row-cells.ts";
import { type KeptColumn, type RowsTable, type TableRow, tableOf } from "./rows-table.ts";
import { readRow } from "./read-row.ts";
import { decidedRows } from "./decided-cells.ts";

/** Three times the rows of the largest calendar in plancast's benchmarks. */
const MAX_ROWS = 300_000;

/**
 * Turns the records of a table, one after the other, into a header and rows. Skips blank records, also before the
 * header. All formats with tables use it.
 */
export class TableReader {
  readonly #rows: TableRow[] = [];
  readonly #problems: Problem[] = [];
  readonly #source: TableSource;
  readonly #options: ReadOptions;
  /** Records to search for the header. After that, it is in `#table` or missing. */
  #seen: TableRecord[] | undefined = [];
  #table: Table | undefined;
  /** Questions about the whole table. */
  #questions: readonly Question[] = [];
  #times: HeaderTimes = { problems: [], evening: [] };
  #isStopped = false;

  constructor(source: TableSource, options: ReadOptions) {
    this.#source = source;
    this.#options = options;
  }

  /** Whether it takes no more rows. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Begins with columns that are known, such as the keys of posts. Otherwise, records are searched for a header. */
  begin(header: Header): void {
    this.#seen = undefined;
    this.#open({ header, firstRow: 0, problems: [] }, []);
  }

  /** Takes the next record. */
  visit(record: TableRecord): void {
    const { cells, number } = record;
    if (this.#isStopped || (!this.#hasKeys && cells.every(isBlank))) return;
    const why = this.#sizeProblem(cells, number);
    if (why !== undefined) {
      this.#isStopped = true;
      this.#problems.push(why);
      return;
    }
    if (this.#seen === undefined) {
      this.#readRow(record);
      return;
    }
    this.#seen.push(record);
    if (hasEnoughForHeader(this.#seen, this.#source, this.#options)) this.#search(this.#seen);
  }

  /** A record with what all posts share. No column decides in it. */
  readShared(record: TableRecord): TableRow | undefined {
    const rows = this.#table?.rows;
    if (rows === undefined) return undefined;
    const switches = { ofPlatforms: [], ofStatus: [] };
    return readRow({ ...rows, switches, decided: [], isDraftWithoutTime: false }, record, []);
  }

  get #hasKeys(): boolean {
    return this.#source.hasKeys === true;
  }

  /** The problem of a table that is larger than any real calendar. */
  #sizeProblem(cells: readonly string[], number: number): Problem | undefined {
    if (this.#rows.length >= MAX_ROWS)
      return tooLarge(`${formatNumber(MAX_ROWS)} rows`, this.#source.at(number));
    const isTooWide = cells.length > MAX_COLUMNS && !cells.slice(MAX_COLUMNS).every(isBlank);
    return isTooWide
      ? tooLarge(`${formatNumber(MAX_COLUMNS)} columns`, this.#source.at(number, MAX_COLUMNS))
      : undefined;
  }

  /** The rows, and their problems; call it at the end. `faulty`: the source left records out. */
  finish(faulty: boolean): ReadTable {
    if (this.#seen !== undefined) this.#search(this.#seen);
    const table = this.#table;
    const account = table && {
      ...table.tally.account(),
      note: missingText(table.header, this.#hasKeys) + table.hint,
    };
    const [first, ...more] = withoutMissing([...this.#problems, ...this.#lastProblems(faulty, account)]);
    const asking = [...this.#questions, ...(first?.questions ?? [])];
    const problems =
      first === undefined ? [] : [asking.length === 0 ? first : { ...first, questions: asking }, ...more];
    if (table === undefined || account === undefined)
      return { rows: this.#rows, problems, table: undefined, account: undefined, isComplete: false };
    return {
      rows: decidedRows(this.#rows, table.rows, account, table.tally.datesWithoutTimes !== undefined),
      problems,
      table: understoodTable(this.#source, { ...table, account }, this.#options),
      notes: this.#times,
      account,
      isComplete: table.complete,
    };
  }

  /** Problems that are known only at the end. */
  #lastProblems(faulty: boolean, account: CalendarAccount | undefined): Problem[] {
    const { file } = this.#source;
    if (this.#table === undefined || account === undefined) {
      if (faulty || this.#problems.length > 0) return [];
      const message =
        "The file is empty. Its first row must name the columns, for example content,date,time,platforms.";
      return [problem("csv/missing-header", message, { file, line: 1, column: 1 })];
    }
    const { header, read } = this.#table;
    const places = {
      whole: this.#source.at(header.record),
      of: (column: number) => this.#source.at(header.record, header.isNamed ? column : undefined),
    };
    const last = [
      // A row without a known name may be a post.
      ...(read.size === 0 && !this.#hasKeys && (!header.isNamed || header.names.some(namesDay))
        ? []
        : accountProblems(account, places, this.#noun)),
      ...noPostWarning(this.#source, this.#table.noPosts),
      ...notCarriedProblems(this.#table, this.#source, this.#noun),
    ];
    if (this.#rows.length > 0 || faulty || this.#problems.length > 0) return last;
    return [...last, problem("calendar/empty", "The calendar has a header but no rows.", { file })];
  }

  get #noun(): "column" | "key" {
    return this.#hasKeys ? "key" : "column";
  }

  #search(seen: readonly TableRecord[]): void {
    this.#seen = undefined;
    const found = findHeader(seen, this.#source, this.#options);
    if (found === undefined) return;
    if (!("header" in found)) {
      this.#problems.push(found);
      return;
    }
    this.#open(found, seen);
  }

  #open(found: FoundHeader, seen: readonly TableRecord[]): void {
    const { header } = found;
    const { keep = [], preset, carry = [] } = this.#options;
    const kept = keptColumns(header, new Set(keep));
    const keyOf = columnKeys(header);
    const names = header.isNamed ? header.names : [];
    const rows = tableOf(this.#source, { columns: header.columns, names, keyOf }, kept, this.#options);
    const keptSet = new Set(kept.map(({ column }) => column));
    const complete = this.#hasKeys || isComplete(header.columns);
    const schedulers = this.#hasKeys ? "" : presetHint(firstRow(header, seen), preset);
    const hint = schedulers === "" && !complete ? presetNames(preset) : schedulers;
    const isHeaderFirst = !header.isNamed || header.record === seen[0]?.number;
    const notCarried: NotCarried = new Map();
    const times = headerTimes(header, this.#source, this.#options);
    this.#times = times;
    const order = this.#options.date_order ?? times.dateOrder?.order;
    const carried = carriedColumns(carry, header.columns, header.isNamed ? header.names : []);
    this.#table = {
      header,
      isHeaderFirst,
      rows,
      complete,
      read: columnsRead(header),
      repairs: cellRepairs(header, this.#source, keptSet, order),
      formulas: this.#source.hasFormulaTexts === true ? formulaColumns(header.columns) : [],
      hint,
      tally: new ColumnTally(
        {
          names: header.isNamed ? qualifiedNames(header) : [],
          columns: header.columns,
          keyOf,
          filters: keptSet,
        },
        { ...this.#options, ...(order && { date_order: order }) },
      ),
      isInScope: scopeOf(this.#options.only, kept),
      notCarried,
      carried: new CarriedColumns(
        carried.columns,
        header.columns.switches.flatMap(({ field, column }) => (field === "platforms" ? [column] : [])),
      ),
      noPosts: [],
    };
    const isUnknown = header.isNamed && header.columns.fields.every((field) => field === undefined);
    this.#questions = [
      ...(this.#hasKeys ? [] : presetQuestions(firstRow(header, seen), preset)),
      ...(isUnknown ? positionQuestions(seen[0]?.cells ?? []) : []),
    ];
    this.#problems.push(
      ...(complete ? [] : headerProblems(this.#source, header, hint, seen)),
      ...unknownCarried(carried.unknown, this.#source, header.record),
      ...found.problems,
      ...times.problems,
    );
    for (const record of seen.slice(found.firstRow)) this.#readRow(record);
  }

  #readRow(record: TableRecord): void {
    const { cells, number } = record;
    const table = this.#table;
    if (table === undefined || this.#isStopped) return;
    // If no column is known, there is nothing to read. The proposal shows what the columns hold.
    if (table.read.size === 0 && !this.#hasKeys) {
      table.tally.note(cells, false);
      this.#options.eachRow?.(cells, this.#source.lineOf(number));
      return;
    }
    const again = this.#hasKeys ? undefined : isHeaderAgain(table.header, cells);
    if (again === "same") return;
    if (again === "reordered") {
      this.#isStopped = true;
      this.#problems.push(problem("csv/second-header", SECOND_HEADER, this.#source.at(number)));
      return;
    }
    const formulas = readFormulas(table.formulas, cells);
    const { cells: read, isJoined } = rowCells(table.repairs, formulas.cells, number);
    this.#options.eachRow?.(read, this.#source.lineOf(number));
    if (!table.complete) {
      table.tally.note(read, false);
      return;
    }
    const extra = table.header.isNamed ? firstExtra(cells, table.header.names.length) : -1;
    if (extra !== -1) {
      this.#problems.push(this.#raggedRow(table.header, cells.length, number, extra));
      return;
    }
    const isPost = this.#hasKeys || !isNoPost(table.rows, read, record.isTitle === true);
    if (table.isInScope(cells)) table.tally.note(read, isPost && record.isFaulty !== true);
    if (!isPost) {
      table.noPosts.push(number);
      table.section = sectionAfter(table.section, cells, number);
      return;
    }
    for (const { column, found } of formulas.problems)
      this.#problems.push(found(this.#source.at(number, column)));
    this.#problems.push(
      ...eveningProblems(this.#times, table.header, this.#source, read, number),
      ...blankHalfProblems(table.repairs, read, number),
    );
    const own = read === cells ? record : { ...record, cells: read };
    const filled = table.carried.fill(own);
    countNotCarried(table.notCarried, table.rows, filled.cells);
    const row = readRow(table.rows, filled, this.#problems);
    this.#addRow(
      (isJoined ? row.asJoined() : row).withDoubts([
        ...(filled === own || this.#hasKeys ? [] : onlyTextProblem(table.rows, read, filled.cells, number)),
        ...sectionProblems(table.section, this.#source, number),
        ...(this.#source.doubtsAbout?.(number, cells.length, table.read) ?? []),
      ]),
    );
  }

  /** Merges a row that continues the previous post into it. */
  #addRow(row: TableRow): void {
    const isJoining = this.#options.carousel_rows === "join" && !this.#hasKeys;
    const before = isJoining ? this.#rows.at(-1) : undefined;
    if (before === undefined || !continuesPost(before, row)) {
      this.#rows.push(row);
      return;
    }
    this.#problems.push(...carouselProblems(before, row));
    this.#rows[this.#rows.length - 1] = before.withMediaOf(row);
  }

  #raggedRow({ names }: Header, cells: number, record: number, extra: number): Problem {
    const message =
      `The row has ${cells} cells, but the header names ${names.length} columns. ` +
      this.#source.surplusRemedy;
    return problem("csv/syntax", message, this.#source.at(record, extra));
  }
}

/** Asks whether the first record of a table is a post, if it has a date. */
function positionQuestions(cells: readonly string[]): Question[] {
  if (!cells.some(namesDay)) return [];
  const samples = cells.filter((cell) => !isBlank(cell)).map((cell) => clipped(cell.trim()));
  return [{ topic: "positions", samples }];
}

function tooLarge(most: string, at: Position): Problem {
  const message = `A calendar can have at most ${most}. plancast stopped reading here: split the file.`;
  return problem("calendar/too-large", message, at);
}

const SECOND_HEADER =
  "Another table begins here, with its columns in another order. plancast stopped reading here. Put its columns in the order of the first table, or move it to its own sheet or file.";

/** The state of a table after its header. */
interface ReadTable {
  readonly rows: readonly TableRow[];
  readonly problems: readonly Problem[];
  /** Undefined if no header was found, or nothing at all. */
  readonly table: UnderstoodTable | undefined;
  readonly notes?: HeaderNotes;
  readonly account: CalendarAccount | undefined;
  /** Whether it has the columns that every post needs. */
  readonly isComplete: boolean;
}

interface Table extends Omit<SeenColumns, "account"> {
  /**
   * The table has the columns that every post needs. Without these columns, each row would only repeat the same
   * error.
   */
  readonly complete: boolean;
  /** The columns from which a post gets something. */
  readonly read: ReadonlySet<number>;
  readonly repairs: CellRepairs;
  /** The columns whose cells may hold formulas as text. */
  readonly formulas: readonly FormulaColumn[];
  readonly rows: RowsTable;
  readonly tally: ColumnTally;
  /** Whether a row matches the project's filters of columns. */
  readonly isInScope: (cells: readonly string[]) => boolean;
  readonly notCarried: NotCarried;
  readonly carried: CarriedColumns;
  /** The records that are not posts. */
  readonly noPosts: number[];
  /** The last title above the row. */
  section?: Section | undefined;
  /** Which scheduler wrote the file: a sentence after a space, or nothing. */
  readonly hint: string;
}

function columnsRead({ columns: { fields, variants, switches, appended } }: Header): ReadonlySet<number> {
  const others = [...variants, ...switches, ...appended].map(({ column }) => column);
  return new Set([...[...fields.keys()].filter((column) => fields[column] !== undefined), ...others]);
}

/** One of the columns that nobody has named may be the missing one, so one error is enough. */
function withoutMissing(problems: readonly Problem[]): readonly Problem[] {
  const has = (wanted: ProblemCode): boolean => problems.some(({ code }) => code === wanted);
  const less: ProblemCode = has("csv/weekly-grid") ? "columns/unknown" : "csv/missing-header";
  return has("columns/unknown") ? problems.filter(({ code }) => code !== less) : problems;
}

/** The row by which a preset is recognised. */
function firstRow(header: Header, seen: readonly TableRecord[]): readonly string[] {
  return header.isNamed ? header.names : (seen[0]?.cells ?? []);
}

/** Whether the cells of a row match. A blank cell may get its value from the row above. */
function scopeOf(only: Only = {}, kept: readonly KeptColumn[]): Table["isInScope"] {
  const wanted = parseConditions(only).flatMap((each) =>
    each.kind !== "column"
      ? []
      : kept.flatMap(({ column, name }) => (name === each.name ? [{ column, values: each.values }] : [])),
  );
  return (cells) =>
    wanted.every(({ column, values }) => {
      const text = cells[column] ?? "";
      return isBlank(text) || values.has(foldValue(text));
    });
}

/** The columns with those names. With two header rows, the lower name counts, or both names. */
function keptColumns({ names, groups }: Header, wanted: ReadonlySet<string>): KeptColumn[] {
  return [...wanted].flatMap((name) => {
    const column = names.findIndex(
      (each, index) =>
        foldName(guardedName(each) ?? each) === name || foldName(`${groups[index] ?? ""} ${each}`) === name,
    );
    return column === -1 ? [] : [{ column, name }];
  });
}

function firstExtra(cells: readonly string[], width: number): number {
  return cells.length <= width ? -1 : cells.findIndex((cell, column) => column >= width && !isBlank(cell));
}

// Columns that the service cannot store: counts their cells, and reports them once for the file.

/** Rows that use each column. */
type NotCarried = Map<number, number>;

/** Counts what one record holds. A cell that says no asks for nothing. */
function countNotCarried(counts: NotCarried, table: RowsTable, record: readonly string[]): void {
  for (const column of table.columns.notCarried) {
    const text = record[column] ?? "";
    if (!isBlank(text) && yesOrNo(text) !== false) counts.set(column, (counts.get(column) ?? 0) + 1);
  }
}

/** The warning that names all of them; none if nothing is lost. */
function notCarriedProblems(
  { header, rows: { keyOf }, notCarried }: Table,
  source: TableSource,
  noun: "column" | "key",
): Problem[] {
  const columns = [...notCarried].sort(([one], [other]) => one - other);
  const [first] = columns;
  if (first === undefined) return [];
  const names = qualifiedNames(header);
  const list = columns.map(
    ([column, rows]) => `\`${clipped(names[column] || keyOf(column))}\` (${rowsText(rows)})`,
  );
  const message =
    `The service has no field for ${columns.length === 1 ? `this ${noun}` : `these ${noun}s`}, so plancast does not publish ${columns.length === 1 ? "it" : "them"}: ${list.join(", ")}. ` +
    `Put what you want to publish, such as a link, into the text. To stop this warning, set \`${yamlKey(keyOf(first[0]))}: ignore\` under \`columns:\` in plancast.yaml.`;
  const at = source.at(header.record, header.isNamed ? first[0] : undefined);
  return [problem("service/not-stored", message, at)];
}
