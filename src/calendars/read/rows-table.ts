/** What all rows of a table have in common, and the class of a row. read-row.ts makes the rows. */

import { splitAlt } from "../../model/extras.ts";
import { splitMedia } from "../../model/address.ts";
import type { Position, Problem } from "../../model/problem.ts";
import type { Assumed, Cell, RawRow, RowVariant } from "../../model/row.ts";
import { type Field, JOINED_FIELDS, MEDIA_LIST_FIELDS } from "../../model/fields.ts";
import { groupBy } from "../../model/data.ts";
import { isBlank } from "../../model/text.ts";
import { type ColumnValues, type NamedColumns, valuesOf } from "../columns/column-values.ts";
import type { Columns } from "../columns/columns.ts";
import type { ReadOptions, TableSource } from "./format.ts";

/** Facts that all rows of one table share. */
export interface RowsTable {
  readonly source: TableSource;
  /** The name of a column under `columns:`. */
  readonly keyOf: (column: number) => string;
  readonly columns: Columns;
  /** The columns that have a field. */
  readonly used: readonly FieldColumn[];
  /** The same, and the columns for one platform. */
  readonly filling: readonly FieldColumn[];
  /** The columns of each field that has any. */
  readonly columnsOf: ReadonlyMap<Field, readonly number[]>;
  /** The yes-or-no columns for networks, and those for the status. */
  readonly switches: { readonly ofPlatforms: readonly Switch[]; readonly ofStatus: readonly Switch[] };
  /** What the values of the deciding columns mean. */
  readonly values: ReadonlyMap<number, ColumnValues>;
  /**
   * The columns for status and type whose cells count only together with other columns, or by `values:`. Empty if one
   * column of words has the status.
   */
  readonly decided: readonly number[];
  /** The columns whose cells say yes or no. */
  readonly asking: readonly number[];
  /** The columns that are kept even if they are not fields. */
  readonly kept: readonly KeptColumn[];
  /** Whether each field has at most one column, which is for all platforms. */
  readonly isPlain: boolean;
  /** Whether a row without a time is a draft. */
  readonly isDraftWithoutTime: boolean;
}

export type Switch = Columns["switches"][number];

export interface FieldColumn {
  readonly column: number;
  readonly field: Field;
}

export interface KeptColumn {
  readonly column: number;
  /** Folded. */
  readonly name: string;
}

/** `slots:` has priority: then only checks know which rows have no time. */
function isDraftIfBlank({ blank_time, slots }: Pick<ReadOptions, "blank_time" | "slots">): boolean {
  return blank_time === "draft" && slots === undefined;
}

export function tableOf(
  source: TableSource,
  named: NamedColumns & { readonly columns: Columns },
  kept: readonly KeptColumn[],
  options: ReadOptions,
): RowsTable {
  const { columns, keyOf } = named;
  const used = [...columns.fields.entries()].flatMap(([column, field]) =>
    field === undefined ? [] : [{ column, field }],
  );
  const columnsOf = new Map(
    [...groupBy(used, ({ field }) => field)].map(([field, all]) => [field, all.map(({ column }) => column)]),
  );
  const isSpread = [...MEDIA_LIST_FIELDS, ...JOINED_FIELDS].some(
    (field) => (columnsOf.get(field)?.length ?? 0) > 1,
  );
  const { variants, switches, appended, options: optionColumns, refused } = columns;
  const values = new Map(
    [...columns.meanings.keys()].flatMap((column) => {
      const found = valuesOf(named, column, options);
      return found === undefined ? [] : [[column, found] as const];
    }),
  );
  const decided = decidedColumns(values);
  const isPlain =
    !isSpread &&
    decided.length +
      variants.length +
      switches.length +
      appended.length +
      optionColumns.length +
      kept.length ===
      0;
  const isDraftWithoutTime = isDraftIfBlank(options);
  const filling = [...used, ...variants];
  const asking = [...switches.map(({ column }) => column), ...refused];
  return {
    source,
    keyOf,
    columns,
    used,
    columnsOf,
    switches: {
      ofPlatforms: switches.filter(({ field }) => field === "platforms"),
      ofStatus: switches.filter(({ field }) => field === "status"),
    },
    filling,
    asking,
    values,
    decided,
    kept,
    isPlain,
    isDraftWithoutTime,
  };
}

function decidedColumns(values: ReadonlyMap<number, ColumnValues>): readonly number[] {
  const ofKind = groupBy([...values.values()], ({ kind }) => kind);
  const isJoint = ({ kind }: ColumnValues): boolean => {
    const all = ofKind.get(kind) ?? [];
    return all.length > 1 || all.some(({ as }) => as.kind === "variant");
  };
  return [...values].flatMap(([column, each]) =>
    each.kind !== "answer" && (isJoint(each) || each.hasOwnWords) ? [column] : [],
  );
}

/** Where an item of a row is: its column, and its place in the list there. */
export interface ItemPlace {
  readonly column: number;
  readonly item?: number;
}

/** Content of a row besides one cell for each field. */
interface RowExtras {
  /** For fields whose items may be in several columns: the place of each. */
  readonly spread: Readonly<Partial<Record<Field, readonly ItemPlace[]>>>;
  /** For media of several rows: the record of each item. */
  readonly mediaRecords?: readonly number[];
  readonly variants: readonly RowVariant[];
  readonly blankAnswers?: readonly Assumed[];
  readonly doubts?: readonly Problem[];
  readonly isJoined?: boolean;
  /** The cells of kept columns, by folded name. */
  readonly others: Readonly<Record<string, string>>;
  /** The cells of `decided` columns, in their order. */
  readonly decided?: readonly string[];
}

const NO_ANSWERS: readonly Assumed[] = [];
const NO_DOUBTS: readonly Problem[] = [];
export const NOTHING: RowExtras = { spread: {}, variants: [], others: {} };

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

  get sheet(): string | undefined {
    return this.#table.source.sheet;
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

  get blankAnswers(): readonly Assumed[] {
    return this.#extras.blankAnswers ?? NO_ANSWERS;
  }

  get doubts(): readonly Problem[] {
    return this.#extras.doubts ?? NO_DOUBTS;
  }

  get isJoined(): boolean {
    return this.#extras.isJoined === true;
  }

  /** The same row, whose date or time is joined from several cells. */
  asJoined(): TableRow {
    return new TableRow(this.#table, this.#record, this.cells, { ...this.#extras, isJoined: true });
  }

  /** The same row, which must not be planned as it is. */
  withDoubts(doubts: readonly Problem[]): TableRow {
    if (doubts.length === 0) return this;
    return new TableRow(this.#table, this.#record, this.cells, { ...this.#extras, doubts });
  }

  /** The number of its record in the source. */
  get record(): number {
    return this.#record;
  }

  /** The place of one of its cells. */
  atColumn(column: number): Position {
    return this.#table.source.at(this.#record, column);
  }

  /** The cells of the columns that decide only together. */
  get decidedCells(): readonly string[] {
    return this.#extras.decided ?? [];
  }

  /** The same row, with the values that these columns give it. */
  asDecided(
    cells: Pick<Partial<Record<Field, Cell>>, "status" | "type" | "date">,
    variants: readonly RowVariant[],
    spread: RowExtras["spread"] = {},
  ): TableRow {
    return new TableRow(
      this.#table,
      this.#record,
      { ...this.cells, ...cells },
      { ...this.#extras, variants, spread: { ...this.#extras.spread, ...spread } },
    );
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
        place: spread.media?.[index] ?? { column: own, item: index },
        record: mediaRecords?.[index] ?? this.#record,
      }))
      .filter(({ text }) => text !== "");
  }

  /** The row with the media of another row after its own. Everything else is from this row. */
  withMediaOf(other: TableRow): TableRow {
    const items = [...this.mediaItems, ...other.mediaItems];
    const alt = [...this.#altTexts(), ...other.#altTexts()];
    return new TableRow(
      this.#table,
      this.#record,
      {
        ...this.cells,
        media: items.map(({ text }) => text),
        ...(alt.every(isBlank) ? {} : { alt }),
      },
      {
        ...this.#extras,
        spread: { ...this.#extras.spread, media: items.map(({ place }) => place) },
        mediaRecords: items.map(({ record }) => record),
      },
    );
  }

  /** One for each medium, or more. */
  #altTexts(): readonly string[] {
    const { alt = [] } = this.cells;
    const media = this.mediaItems.length;
    const texts = typeof alt === "string" ? splitAlt(alt, media) : alt;
    return [...texts, ...Array<string>(Math.max(0, media - texts.length)).fill("")];
  }

  at(field?: Field, item?: number): Position {
    const { source, columns } = this.#table;
    if (field === undefined || this.cells[field] === undefined) return source.at(this.#record);
    const known = this.#extras.spread[field]?.[item ?? 0];
    const place = known ?? { column: columns.fields.indexOf(field), item };
    const record = field === "media" ? this.#extras.mediaRecords?.[item ?? 0] : undefined;
    return source.at(record ?? this.#record, place.column === -1 ? undefined : place.column, place.item);
  }
}

interface MediaItem {
  readonly text: string;
  readonly place: ItemPlace;
  readonly record: number;
}
