import { foldName } from "../calendar/fold-name.ts";
import type { Position } from "../calendar/problem.ts";
import { foldValue } from "../calendar/row-filter.ts";
import type { Cell, Field, RawRow, RowVariant } from "../calendar/row.ts";
import { splitMedia } from "../calendar/split-media.ts";
import type { Columns } from "./columns.ts";
import type { ReadOptions } from "./format.ts";
import type { TableSource } from "./table-source.ts";

/** What the rows of one table share. */
export interface RowsTable {
  readonly source: TableSource;
  readonly columns: Columns;
  /** The columns that have a field. */
  readonly used: readonly { readonly column: number; readonly field: Field }[];
  /** The columns that are kept although they may be no fields. */
  readonly kept: readonly KeptColumn[];
  /** The columns that stand for something, be it that they are ignored. */
  readonly meant: ReadonlySet<number>;
  /** Whether each field has one column at most, and is for all platforms. */
  readonly isPlain: boolean;
  /** Columns that may say that the row's media are a link, with the values that do, folded. */
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

/** What a row holds besides one cell for each field. */
export interface RowExtras {
  /** For fields that several columns make up: the column of each item. */
  readonly spread: Readonly<Partial<Record<Field, readonly number[]>>>;
  /** For media of several rows: the record of each item. */
  readonly mediaRecords?: readonly number[];
  readonly variants: readonly RowVariant[];
  /** The cells of kept columns, by folded name. */
  readonly others: Readonly<Record<string, string>>;
}

const NOTHING: RowExtras = { spread: {}, variants: [], others: {} };

/** A row of a table. It remembers its record's number, and no more: a calendar may hold 100,000 of them. */
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

  /** The row with the media of another behind its own. Everything else is as this row says it. */
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
