/** Turns a table's record into a row. */

import { splitMedia } from "../../model/media-address.ts";
import { type Position, type Problem, problem } from "../../model/problem.ts";
import { foldValue } from "../../model/row-filter.ts";
import type { Cell, RawRow, RowVariant } from "../../model/row.ts";
import type { Field } from "../../model/fields.ts";
import { foldName, isBlank } from "../../model/text.ts";
import type { Columns } from "../columns/columns.ts";
import type { ReadOptions, TableSource } from "./format.ts";

/** A record as a row: its cells by field, without blank ones. Its faults go to `problems`. */
export function readRow(
  table: RowsTable,
  record: readonly string[],
  number: number,
  problems: Problem[],
): TableRow {
  const cells: Partial<Record<Field, Cell>> = {};
  for (const { column, field } of table.used) {
    const cell = record[column];
    if (cell !== undefined && !isBlank(cell)) cells[field] = cell;
  }
  reportRefusedColumns(table, record, number, problems);
  if (table.isPlain) return new TableRow(table, number, withStatus(cells, table));
  const spread: Partial<Record<Field, readonly number[]>> = {};
  const put = (field: Field, items: readonly Item[]): void => {
    cells[field] = items.map(({ text }) => text);
    spread[field] = items.map(({ column }) => column);
  };
  const media = mediaItems(table, record);
  if (isMediaLink(table, record)) delete cells.media;
  else if (media.length > 0) put("media", media);
  const { switches } = table.columns;
  const said = switches.filter((each) => isSwitchedOn(each, record, table, number, problems));
  const items = (field: "platforms" | "status"): Item[] =>
    said.flatMap((each) => (each.field === field ? [{ text: each.value, column: each.column }] : []));
  // If all of them say no, the project's default does not apply either.
  if (switches.some(({ field }) => field === "platforms"))
    put("platforms", [...ownColumnItems(table, "platforms", record), ...items("platforms")]);
  const [status] = items("status");
  if (status !== undefined) put("status", [status]);
  const variants = variantsOf(table, record, number);
  return new TableRow(table, number, withStatus(cells, table, variants), {
    spread,
    variants,
    others: Object.fromEntries(table.kept.map(({ column, name }) => [name, record[column] ?? ""])),
  });
}

/** Whether the media cell of this row holds a link. */
export function isMediaLink({ links }: RowsTable, record: readonly string[]): boolean {
  return links.some(({ column, values }) => values.has(foldValue(record[column] ?? "")));
}

const TIME_FIELDS = ["scheduled_at", "date", "time"] as const;

/** A row without a time is a draft if the project says so, unless the row has a status. */
function withStatus(
  cells: Readonly<Partial<Record<Field, Cell>>>,
  { isDraftWithoutTime }: RowsTable,
  variants: readonly RowVariant[] = [],
): Readonly<Partial<Record<Field, Cell>>> {
  if (!isDraftWithoutTime || cells.status !== undefined) return cells;
  const isTimed = [cells, ...variants.map((each) => each.cells)].some((each) =>
    TIME_FIELDS.some((field) => each[field] !== undefined),
  );
  return isTimed ? cells : { ...cells, status: "draft" };
}

/** Columns whose cells ask, with a yes, for something that plancast does not do. */
function reportRefusedColumns(
  { columns, source }: RowsTable,
  record: readonly string[],
  number: number,
  problems: Problem[],
): void {
  for (const column of columns.refused) {
    const text = record[column] ?? "";
    if (isBlank(text) || yesOrNo(text) === false) continue;
    const message = `plancast cannot do "${text.trim()}", because each post needs a fixed time. Fill in the time, and leave this cell blank.`;
    problems.push(problem("row/refused", message, source.at(number, column)));
  }
}

interface Item {
  readonly text: string;
  readonly column: number;
}

/** The value in the field's own column, as the first of several items. */
function ownColumnItems({ used }: RowsTable, of: Field, record: readonly string[]): Item[] {
  return used.flatMap(({ column, field }) => {
    const text = record[column] ?? "";
    return field !== of || isBlank(text) ? [] : [{ text, column }];
  });
}

/** The media of a row with columns `Image 1`, `Image 2` and so on, in their order. */
function mediaItems(table: RowsTable, record: readonly string[]): Item[] {
  return ownColumnItems(table, "media", record).flatMap(({ text, column }) =>
    splitMedia(text)
      .map((part) => ({ text: part.trim(), column }))
      .filter((part) => part.text !== ""),
  );
}

/** Whether a cell of a yes-or-no column says yes. */
function isSwitchedOn(
  { column, value }: { readonly column: number; readonly value: string },
  record: readonly string[],
  { source }: RowsTable,
  number: number,
  problems: Problem[],
): boolean {
  const text = record[column] ?? "";
  const said = isBlank(text) ? false : yesOrNo(text);
  if (said === undefined) {
    const message = `"${text.trim()}" is neither yes nor no for ${value}. Write yes or no, or TRUE or FALSE.`;
    problems.push(problem("row/yes-or-no", message, source.at(number, column)));
  }
  return said === true;
}

function variantsOf({ columns, source }: RowsTable, record: readonly string[], number: number): RowVariant[] {
  const filled = columns.variants.filter(({ column }) => !isBlank(record[column] ?? ""));
  return [...new Set(filled.map(({ platform }) => platform))].map((platform) => {
    const own = filled.filter((each) => each.platform === platform);
    return {
      platform,
      cells: Object.fromEntries(own.map(({ field, column }) => [field, record[column] ?? ""])),
      at: (field) => source.at(number, own.find((each) => each.field === field)?.column),
    };
  });
}

/** Facts that all rows of one table share. */
export interface RowsTable {
  readonly source: TableSource;
  readonly columns: Columns;
  /** The columns that have a field. */
  readonly used: readonly { readonly column: number; readonly field: Field }[];
  /** The columns that are kept even if they are not fields. */
  readonly kept: readonly KeptColumn[];
  /** The columns with any meaning, including ignored ones. */
  readonly meant: ReadonlySet<number>;
  /** Whether each field has at most one column, which is for all platforms. */
  readonly isPlain: boolean;
  /** Columns that may say that the row's media are a link, with the folded values that do. */
  readonly links: readonly { readonly column: number; readonly values: ReadonlySet<string> }[];
  /** Whether a row without a time is a draft. */
  readonly isDraftWithoutTime: boolean;
}

export interface KeptColumn {
  readonly column: number;
  /** Folded. */
  readonly name: string;
}

export function tableOf(
  source: TableSource,
  columns: Columns,
  kept: readonly KeptColumn[],
  options: ReadOptions,
): RowsTable {
  const used = [...columns.fields.entries()].flatMap(([column, field]) =>
    field === undefined ? [] : [{ column, field }],
  );
  const isMediaSpread = used.filter(({ field }) => field === "media").length > 1;
  const { variants, switches, ignored, notCarried, refused } = columns;
  const isPlain = !isMediaSpread && variants.length + switches.length + kept.length === 0;
  const meant = new Set([
    ...[...used, ...variants, ...switches].map(({ column }) => column),
    ...ignored,
    ...notCarried,
    ...refused,
  ]);
  const said = new Map(
    Object.entries(options.link_rows ?? {}).map(([name, values]) => [foldName(name), values]),
  );
  const links = kept.flatMap(({ column, name }) => {
    const values = said.get(name);
    return values === undefined ? [] : [{ column, values: new Set(values.map(foldValue)) }];
  });
  const isDraftWithoutTime = options.blank_time === "draft";
  return { source, columns, used, kept, meant, isPlain, links, isDraftWithoutTime };
}

/** Content of a row besides one cell for each field. */
interface RowExtras {
  /** For fields with several columns: the column of each item. */
  readonly spread: Readonly<Partial<Record<Field, readonly number[]>>>;
  /** For media of several rows: the record of each item. */
  readonly mediaRecords?: readonly number[];
  readonly variants: readonly RowVariant[];
  /** The cells of kept columns, by folded name. */
  readonly others: Readonly<Record<string, string>>;
}

const NOTHING: RowExtras = { spread: {}, variants: [], others: {} };

/** A row of a table. It stores only its record's number, because a calendar may have 100,000 rows. */
export class TableRow implements RawRow {
  readonly cells: Readonly<Partial<Record<Field, Cell>>>;
  readonly #table: RowsTable;
  readonly #record: number;
  readonly #extras: RowExtras;

  constructor(
    table: RowsTable,
    record: number,
    cells: Readonly<Partial<Record<Field, Cell>>>,
    extras: RowExtras = NOTHING,
  ) {
    this.#table = table;
    this.#record = record;
    this.cells = cells;
    this.#extras = extras;
  }

  get file(): string {
    return this.#table.source.file;
  }

  get line(): number {
    return this.#table.source.lineOf(this.#record);
  }

  get others(): Readonly<Record<string, string>> {
    return this.#extras.others;
  }

  get variants(): readonly RowVariant[] {
    return this.#extras.variants;
  }

  get namesAccounts(): boolean {
    return this.#table.columns.accounts !== undefined && this.cells.platforms !== undefined;
  }

  /** The media, each with its place. */
  get mediaItems(): readonly MediaItem[] {
    const { media } = this.cells;
    const { spread, mediaRecords } = this.#extras;
    const own = this.#table.columns.fields.indexOf("media");
    const parts = typeof media === "string" ? splitMedia(media) : (media ?? []);
    return parts
      .map((text, index) => ({
        text: text.trim(),
        column: spread.media?.[index] ?? own,
        record: mediaRecords?.[index] ?? this.#record,
      }))
      .filter(({ text }) => text !== "");
  }

  /** The row with the media of another row after its own. Everything else is from this row. */
  withMediaOf(other: TableRow): TableRow {
    const items = [...this.mediaItems, ...other.mediaItems];
    return new TableRow(
      this.#table,
      this.#record,
      { ...this.cells, media: items.map(({ text }) => text) },
      {
        ...this.#extras,
        spread: { ...this.#extras.spread, media: items.map(({ column }) => column) },
        mediaRecords: items.map(({ record }) => record),
      },
    );
  }

  at(field?: Field, item = 0): Position {
    const { source, columns } = this.#table;
    if (field === undefined || this.cells[field] === undefined) return source.at(this.#record);
    const column = this.#extras.spread[field]?.[item] ?? columns.fields.indexOf(field);
    const record = field === "media" ? this.#extras.mediaRecords?.[item] : undefined;
    return source.at(record ?? this.#record, column === -1 ? undefined : column);
  }
}

interface MediaItem {
  readonly text: string;
  readonly column: number;
  readonly record: number;
}

const YES = new Set(
  "true,yes,y,x,1,on,ok,✓,✔,☑,✅,oui,vrai,ja,wahr,si,sí,sì,verdadero,vero,sim,verdadeiro,waar".split(","),
);
const NO = new Set("false,no,n,0,off,-,–,✗,✘,☐,❌,non,faux,nein,falsch,falso,não,nao,nee,onwaar".split(","));

/** Whether a cell says yes or no, in the words of spreadsheets and people; undefined for anything else. */
export function yesOrNo(text: string): boolean | undefined {
  const word = text.trim().toLowerCase().normalize("NFC");
  if (YES.has(word)) return true;
  return NO.has(word) ? false : undefined;
}
