/**
 * Accounts for every column of a table, and for every value of its deciding columns. This is the one rule about columns:
 * what a name or a setting does not say, a person must say. `docs/write/columns.md` explains it.
 */

import type {
  CalendarAccount,
  ColumnAccount,
  ColumnCells,
  ColumnUse,
  CountedValue,
  DecidingColumn,
} from "../../model/column-account.ts";
import { type ColumnMeaning, IGNORE, WILDCARD } from "../../model/columns.ts";
import type { DateOrder } from "../../model/fields.ts";
import { groupBy } from "../../model/data.ts";
import { clipped, foldName, isBlank } from "../../model/text.ts";
import { isDotted } from "../../checks/when/doubtful-times.ts";
import { weekdayIn, weekdayOfDate } from "./cell-kinds.ts";
import { hintFor } from "./hints.ts";
import { type ColumnValues, type NamedColumns, type ValueSettings, valuesOf } from "./column-values.ts";

/** The columns to account for. */
export interface AccountedColumns extends NamedColumns {
  /** Columns that a filter reads. */
  readonly filters: ReadonlySet<number>;
}

/** The settings that account for columns and values. */
export interface ColumnsSettings extends ValueSettings {
  readonly columns: Readonly<Record<string, string>>;
  readonly date_order?: DateOrder | undefined;
}

/** Different cells of a column that nobody has named. More of them are not values but texts. */
const MAX_VALUES = 20;
const MAX_EXAMPLES = 3;
/** Records that give examples of the columns in use. */
const RECORDS_FOR_EXAMPLES = 25;

/** What has been seen of one column. */
interface Seen {
  filled: number;
  readonly examples: Set<string>;
  /** Rows by the cell as written. */
  readonly values: Map<string, number>;
  /** The columns that every cell so far repeats, also the blank ones; undefined before the first cell. */
  repeated: readonly number[] | undefined;
  /** Whether each cell so far is blank or names the weekday of the date. */
  hasWeekdays: boolean;
}

/** A deciding column, with the rows of each of its values as written. */
interface DecidingSeen {
  readonly column: number;
  readonly values: ColumnValues;
  readonly rows: Map<string, number>;
}

/** Looks at the records of a table one after the other, and remembers little. */
export class ColumnTally {
  readonly #table: AccountedColumns;
  readonly #settings: ColumnsSettings;
  readonly #open: ReadonlySet<number>;
  /** The others. */
  readonly #used: readonly number[];
  readonly #seen = new Map<number, Seen>();
  readonly #deciding: readonly DecidingSeen[];
  readonly #dates: number;
  /** The columns that hold whole fields. Beside one with the same cells, a column says nothing more; a mark of a network does. */
  readonly #fields: readonly number[];
  /** The column whose dates may all have the time 00:00, which then says nothing; undefined if another column has times. */
  readonly #midnights: number | undefined;
  #areMidnights: boolean | undefined;
  #records = 0;

  constructor(table: AccountedColumns, settings: ColumnsSettings) {
    this.#table = table;
    this.#settings = settings;
    const { meanings, fields } = table.columns;
    this.#open = new Set([...meanings.keys()].filter((column) => isOpen(table, column)));
    this.#used = [...meanings.keys()].filter((column) => !this.#open.has(column));
    this.#fields = [...fields.keys()].filter((column) => fields[column] !== undefined);
    this.#dates = fields.findIndex((field) => field === "date" || field === "scheduled_at");
    const isTimed = fields.some((field) => field === "time");
    this.#midnights = isTimed || this.#dates === -1 ? undefined : this.#dates;
    this.#deciding = [...meanings.keys()].flatMap((column) => {
      const values = valuesOf(table, column, settings);
      return values === undefined ? [] : [{ column, values, rows: new Map<string, number>() }];
    });
  }

  /** Looks at one record. @param isRow whether it may become a post, so that its deciding cells count */
  note(cells: readonly string[], isRow: boolean): void {
    this.#records += 1;
    const isExample = this.#records <= RECORDS_FOR_EXAMPLES;
    for (const column of this.#used)
      if (isExample) this.#noteCell(column, cells);
      else this.#countCell(column, cells);
    for (const column of this.#open) this.#noteCell(column, cells);
    for (let column = this.#table.columns.meanings.length; column < cells.length; column += 1)
      this.#noteCell(column, cells);
    if (!isRow) return;
    if (this.#midnights !== undefined && this.#areMidnights !== false) {
      const text = cells[this.#midnights] ?? "";
      if (!isBlank(text)) this.#areMidnights = MIDNIGHT.test(text);
    }
    for (const { column, rows } of this.#deciding) {
      const text = cells[column] ?? "";
      rows.set(text, (rows.get(text) ?? 0) + 1);
    }
  }

  #countCell(column: number, cells: readonly string[]): void {
    const seen = this.#seen.get(column);
    if (seen !== undefined && !isBlank(cells[column] ?? "")) seen.filled += 1;
  }

  #noteCell(column: number, cells: readonly string[]): void {
    const text = cells[column] ?? "";
    const seen = this.#seen.get(column) ?? nothingSeen();
    if (seen.repeated === undefined) this.#seen.set(column, seen);
    if (seen.repeated?.length !== 0)
      seen.repeated = (seen.repeated ?? this.#fields).filter((other) => cells[other]?.trim() === text.trim());
    if (isBlank(text)) return;
    seen.filled += 1;
    if (seen.examples.size < MAX_EXAMPLES) seen.examples.add(onOneLine(text));
    if (seen.values.size <= MAX_VALUES) seen.values.set(text, (seen.values.get(text) ?? 0) + 1);
    if (seen.hasWeekdays) seen.hasWeekdays = this.#isItsWeekday(text, cells);
  }

  #isItsWeekday(text: string, cells: readonly string[]): boolean {
    const said = weekdayIn(text);
    if (said === undefined) return false;
    const date = cells[this.#dates] ?? "";
    return weekdayOfDate(date, this.#settings.date_order ?? (isDotted(date) ? "dmy" : undefined)) === said;
  }

  /** The account of all records so far. */
  account(): CalendarAccount {
    const width = Math.max(
      this.#table.columns.meanings.length,
      ...[...this.#seen.keys()].map((each) => each + 1),
    );
    const columns = Array.from({ length: width }, (_none, column) => this.#columnAccount(column));
    return { columns, deciding: this.#deciding.map((each) => this.#decidingColumn(each)) };
  }

  #columnAccount(column: number): ColumnAccount {
    const seen = this.#seen.get(column) ?? nothingSeen();
    const cells: ColumnCells = {
      name: this.#table.names[column]?.trim() ?? "",
      filled: seen.filled,
      examples: [...seen.examples],
      ...(seen.values.size > MAX_VALUES ? {} : { values: countedValues(seen.values) }),
    };
    return { ...cells, column, key: this.#table.keyOf(column), use: this.#useOf(column, cells, seen) };
  }

  #useOf(column: number, cells: ColumnCells, { repeated = [], hasWeekdays }: Seen): ColumnUse {
    const { columns, filters, keyOf } = this.#table;
    const meaning = columns.meanings[column] ?? { kind: "unnamed" };
    if (meaning.kind === "used") return this.#isDoubtfulMidnight(column, meaning) ? MIDNIGHTS : meaning;
    if (filters.has(column)) return { kind: "filter" };
    switch (meaning.kind) {
      case "ignored":
      case "not_carried":
      case "refuse":
        return { kind: "ignored" };
      case "rival":
      case "unknown":
      case "unnamed": {
        if (cells.filled === 0) return { kind: "blank" };
        const [of] = hasWeekdays ? [this.#dates] : repeated;
        if (of !== undefined) return { kind: "repeats", of };
        const hint = hintFor(cells);
        if (this.#coversOthers() && hint?.decides !== true) return { kind: "ignored" };
        const rival =
          meaning.kind === "rival" ? { key: keyOf(meaning.winner), field: meaning.as.field } : undefined;
        return { kind: "unaccounted", ...(hint && { hint }), ...(rival && { rival }) };
      }
    }
  }

  /** Whether only the name of a column says what it holds, and all of its dates are at midnight. */
  #isDoubtfulMidnight(column: number, { evidence }: Extract<ColumnMeaning, { kind: "used" }>): boolean {
    // `scheduled_at` itself is the name of a date with a time.
    const isNamed =
      evidence.by === "synonym" || (evidence.by === "name" && this.#table.columns.fields[column] === "date");
    return isNamed && column === this.#midnights && this.#areMidnights === true;
  }

  /** The column that `columns:` calls a date, and whose times all are 00:00: they say nothing. */
  get datesWithoutTimes(): number | undefined {
    const column = this.#midnights;
    const meaning = column === undefined ? undefined : this.#table.columns.meanings[column];
    const isDate = meaning?.kind === "used" && meaning.as.field === "date";
    return isDate && this.#areMidnights === true ? column : undefined;
  }

  #coversOthers(): boolean {
    return this.#settings.columns[WILDCARD] === IGNORE;
  }

  #decidingColumn({ column, values, rows }: DecidingSeen): DecidingColumn {
    const { kind, as } = values;
    const explained = values.explain(countedValues(rows));
    return { column, key: this.#table.keyOf(column), kind, as, values: explained };
  }
}

/** Cells that differ only in case and spaces are one value. */
function countedValues(rows: ReadonlyMap<string, number>): CountedValue[] {
  const counted = new Map<string, CountedValue>();
  for (const [written, count] of rows) {
    const text = written.trim();
    const known = counted.get(foldName(text));
    counted.set(foldName(text), { text: known?.text ?? text, rows: (known?.rows ?? 0) + count });
  }
  return [...counted.values()];
}

const MIDNIGHT = /\d[ T]0?0:00(?::00)?(?:\.0+)?$/;

const MIDNIGHTS: ColumnUse = {
  kind: "unaccounted",
  hint: {
    target: IGNORE,
    decides: true,
    question: "All times are 00:00.",
    answers: { date: "it has only dates", scheduled_at: "the posts are for midnight" },
  },
};

/** A date without its time of 00:00. */
export function withoutMidnight(text: string): string {
  return text.replace(MIDNIGHT, (found) => found.charAt(0));
}

/** Whether neither a name nor a setting says what a column holds. */
function isOpen({ columns, filters }: AccountedColumns, column: number): boolean {
  const kind = columns.meanings[column]?.kind ?? "unnamed";
  return !filters.has(column) && (kind === "unknown" || kind === "rival" || kind === "unnamed");
}

function nothingSeen(): Seen {
  return { filled: 0, examples: new Set(), values: new Map(), repeated: undefined, hasWeekdays: true };
}

function onOneLine(text: string): string {
  return clipped(text.trim().replaceAll(/\s+/g, " "));
}

function byKey<Each extends { readonly key: string }>(all: readonly Each[]): Iterable<readonly Each[]> {
  return groupBy(all, ({ key }) => foldName(key)).values();
}

/** The same values of several columns, with all their rows. */
export function countTogether<Each extends CountedValue>(values: readonly Each[]): Each[] {
  return [...groupBy(values, ({ text }) => foldName(text)).values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : [{ ...first, rows: more.reduce((sum, { rows }) => sum + rows, first.rows) }],
  );
}

/** The account of several sheets or files with one set of settings: columns with the same key are one. */
export function mergedAccounts(accounts: readonly CalendarAccount[]): CalendarAccount {
  const columns = [...byKey(accounts.flatMap((each) => each.columns))].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const { use } = same.find((each) => each.use.kind === "unaccounted") ?? first;
    const values = countTogether(same.flatMap((each) => each.values ?? []));
    const areFew = values.length <= MAX_VALUES && same.every((each) => each.values !== undefined);
    const { column, key, name } = first;
    const cells: ColumnCells = {
      name,
      filled: same.reduce((sum, each) => sum + each.filled, 0),
      examples: [...new Set(same.flatMap((each) => each.examples))].slice(0, MAX_EXAMPLES),
      ...(areFew && { values }),
    };
    const hint = use.kind === "unaccounted" && use !== MIDNIGHTS ? hintFor(cells) : undefined;
    return [{ ...cells, column, key, use: hint === undefined ? use : { ...use, hint } }];
  });
  const deciding = [...byKey(accounts.flatMap((each) => each.deciding))].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    return [{ ...first, values: countTogether(same.flatMap((each) => each.values)) }];
  });
  const note = accounts.find((each) => each.note)?.note;
  return { columns, deciding, ...(note && { note }) };
}
