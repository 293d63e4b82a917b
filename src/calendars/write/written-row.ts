/** A row as every writer gets it: text by column name. For tables also the columns and their cells. */

import { isOnePart } from "../../model/media-address.ts";
import type { Cell } from "../../model/row.ts";
import { compareText } from "../../model/text.ts";
import { type Field, type VariantField, FIELDS, VARIANT_FIELDS } from "../../model/fields.ts";

/**
 * A row to write: text, and lists for platforms and media. It is complete, except for what the project's own defaults
 * fill in. Properties are in the order of the fields; parts for only one platform come last.
 */
export type WrittenRow = ReadonlyMap<ColumnName, Cell>;

/** Content that a format cannot hold. */
export interface WriteFault {
  /** Index of the row. */
  readonly row: number;
  /** Undefined for the row as a whole. */
  readonly column: ColumnName | undefined;
  /** The fault, and what to do. */
  readonly message: string;
}

/** A whole file, or everything that prevents writing it. */
export type WriteOutput =
  { readonly contents: string | Uint8Array } | { readonly faults: readonly WriteFault[] };

export interface WriteOptions {
  /** Platforms for a drop-down, if the format has them. */
  readonly platforms: readonly string[];
  /** Columns to include even if no row needs them. */
  readonly columns?: readonly ColumnName[];
}

/** Writes a calendar. Pure; equal rows give equal bytes. */
export type Write = (rows: readonly WrittenRow[], options: WriteOptions) => WriteOutput;

export type ColumnName = Field | `${VariantField}:${string}`;

export function variantColumn(field: VariantField, platform: string): ColumnName {
  return `${field}:${platform}`;
}

/** The field, and its platform; undefined if it is for all. */
export function splitColumn(name: ColumnName): {
  readonly field: Field;
  readonly platform: string | undefined;
} {
  const variant = VARIANT_FIELDS.find((field) => name.startsWith(`${field}:`));
  if (variant !== undefined) return { field: variant, platform: name.slice(variant.length + 1) };
  // The rest of the union without the variants.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { field: name as Field, platform: undefined };
}

// Rows as a table, which CSV and workbooks share.

/** Columns of every table, so that people can fill them in. A separate date replaces `scheduled_at`. */
const STANDARD_COLUMNS: readonly ColumnName[] = ["id", "platforms", "content", "media", "status"];

/** The columns of a table; `also` are included even if no row needs them. */
export function columnsOf(
  rows: readonly WrittenRow[],
  also: readonly ColumnName[] = [],
): readonly ColumnName[] {
  const used = new Set<ColumnName>([...STANDARD_COLUMNS, ...also]);
  for (const row of rows) for (const column of row.keys()) used.add(column);
  if (!used.has("date")) used.add("scheduled_at");
  return sortColumns([...used]);
}

/** In the order of the fields. Columns for only one platform come last, platform by platform. */
export function sortColumns(columns: readonly ColumnName[]): readonly ColumnName[] {
  const marks = columns.map((column) => {
    const { field, platform = "" } = splitColumn(column);
    return { column, platform, rank: FIELDS.indexOf(field) };
  });
  const sorted = marks.sort((one, other) => compareText(one.platform, other.platform) || one.rank - other.rank);
  return sorted.map(({ column }) => column);
}

/** The text of a cell; a list with commas. */
export function cellText(cell: Cell | undefined): string {
  if (cell === undefined) return "";
  return typeof cell === "string" ? cell : cell.join(", ");
}

/** Half of a character of two UTF-16 units: no file can hold it. */
const HALF_CHARACTER = /\p{Surrogate}/u;

/** Faults for every format. */
export function textFaults(rows: readonly WrittenRow[]): WriteFault[] {
  return faultsIn(rows, (cell) =>
    HALF_CHARACTER.test(cellText(cell)) ? "The text contains half of a character. Type it again." : undefined,
  );
}

/** Faults for tables. */
export function tableFaults(rows: readonly WrittenRow[]): WriteFault[] {
  const blank = rows.flatMap((row, index): WriteFault[] => {
    const message = "The row is empty, and a table cannot contain an empty row. Remove it.";
    return row.size === 0 ? [{ row: index, column: undefined, message }] : [];
  });
  return [...textFaults(rows), ...blank, ...faultsIn(rows, mediaFault), ...headerFaults(rows)];
}

function mediaFault(cell: Cell, column: ColumnName): string | undefined {
  const isMedia = splitColumn(column).field === "media" && typeof cell !== "string";
  if (!isMedia || cell.every(isOnePart)) return undefined;
  return "A file name that contains , ; or | fits only into a list in YAML. Rename the file.";
}

/** Names that a header can have after a field, as in `content:twitter`. */
const IN_HEADER = /^[\w.-]{1,40}$/;

function headerFaults(rows: readonly WrittenRow[]): WriteFault[] {
  return faultsIn(rows, (_cell, column) => {
    const { platform } = splitColumn(column);
    if (platform === undefined || IN_HEADER.test(platform)) return undefined;
    return `A header cannot contain "${platform}". Use a name for the platform without blanks.`;
  });
}

/** The cells with a fault, by a given check. */
export function faultsIn(
  rows: readonly WrittenRow[],
  check: (cell: Cell, column: ColumnName) => string | undefined,
): WriteFault[] {
  return rows.flatMap((row, index) =>
    [...row].flatMap(([column, cell]): WriteFault[] => {
      const message = check(cell, column);
      return message === undefined ? [] : [{ row: index, column, message }];
    }),
  );
}
