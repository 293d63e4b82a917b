import type { Position } from "../calendar/problem.ts";
import type { Cell, Field, RawRow, RowVariant } from "../calendar/row.ts";
import type { Columns } from "./columns.ts";
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
}

export interface KeptColumn {
  readonly column: number;
  /** Folded. */
  readonly name: string;
}

export function tableOf(source: TableSource, columns: Columns, kept: readonly KeptColumn[]): RowsTable {
  const used = [...columns.fields.entries()].flatMap(([column, field]) =>
    field === undefined ? [] : [{ column, field }],
  );
  const isMediaSpread = used.filter(({ field }) => field === "media").length > 1;
  const { variants, switches, ignored } = columns;
  const isPlain = !isMediaSpread && variants.length + switches.length + kept.length === 0;
  const meant = new Set([...[...used, ...variants, ...switches].map(({ column }) => column), ...ignored]);
  return { source, columns, used, kept, meant, isPlain };
}

/** What a row holds besides one cell for each field. */
export interface RowExtras {
  /** For fields that several columns make up: the column of each item. */
  readonly spread: Readonly<Partial<Record<Field, readonly number[]>>>;
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

  at(field?: Field, item = 0): Position {
    const { source, columns } = this.#table;
    if (field === undefined || this.cells[field] === undefined) return source.at(this.#record);
    const column = this.#extras.spread[field]?.[item] ?? columns.fields.indexOf(field);
    return source.at(this.#record, column === -1 ? undefined : column);
  }
}
