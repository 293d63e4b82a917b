/** A row as every writer gets it: text by column name. For tables also the columns and their cells. */

import {
  joinAlt,
  joinByText,
  joinThread,
  splitByText,
  splitChoices,
  trimmedTexts,
} from "../../model/extras.ts";
import { readOption, splitOption } from "../../model/options/catalogue.ts";
import { isOnePart } from "../../model/address.ts";
import { type Cell, cellText } from "../../model/row.ts";
import { compareText, sameList } from "../../model/text.ts";
import {
  type Field,
  type VariantField,
  FIELDS,
  STANDARD_FIELDS,
  VARIANT_FIELDS,
} from "../../model/fields.ts";

/**
 * A row to write: text, and lists for platforms and media. It is complete, except for what the project's own defaults
 * fill in. Properties are in the order of the fields; parts for only one platform come last.
 */
export type WrittenRow = ReadonlyMap<TableColumn, Cell>;

/** Content that a format cannot hold. */
export interface WriteFault {
  /** Index of the row. */
  readonly row: number;
  /** Undefined for the row as a whole. */
  readonly column: TableColumn | undefined;
  /** The fault, and what to do about it. */
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
  /** For workbooks: the sheets to make, at least one, each with its rows. Without it, one sheet holds all rows. */
  readonly sheets?: readonly WrittenSheet[];
}

/** A sheet to write. */
export interface WrittenSheet {
  readonly name: string;
  readonly rows: readonly WrittenRow[];
}

/** A field, a field for one platform, an option, or a column whose cells say yes or no to a status. */
export type ColumnName = Field | `${VariantField}:${string}` | `status:${string}` | OptionColumn;

/** A column for an option: `mastodon.visibility`. */
type OptionColumn = `${string}.${string}`;

/** A column that is not a field, which a filter uses: `kept:Client`. */
type KeptColumn = `kept:${string}`;

export type TableColumn = ColumnName | KeptColumn;

export function keptColumn(name: string): KeptColumn {
  return `kept:${name}`;
}

export function isKept(column: TableColumn): column is KeptColumn {
  return column.startsWith("kept:");
}

/** A column's name in the file. */
export function headerOf(column: TableColumn): string {
  return isKept(column) ? column.slice("kept:".length) : column;
}

export function variantColumn(field: VariantField, platform: string): ColumnName {
  return `${field}:${platform}`;
}

/** The column whose cells say yes or no to a status. */
export function switchColumn(status: string): ColumnName {
  return `status:${status}`;
}

/** The status of a column like this; undefined for any other. */
export function switchedStatus(name: ColumnName): string | undefined {
  return name.startsWith("status:") ? name.slice("status:".length) : undefined;
}

/** The column of an option that a row has, as `name: value`; undefined for a text that names none. */
export function optionColumn(text: string): readonly [OptionColumn, string] | undefined {
  const { platform, option, value } = readOption(text) ?? {};
  return platform === undefined ? undefined : [`${platform}.${option}`, value ?? ""];
}

export function isOptionColumn(name: ColumnName): name is OptionColumn {
  return splitOption(name) !== undefined;
}

/** The field, and its platform; undefined if it is for all. */
export function splitColumn(name: ColumnName): {
  readonly field: Field;
  readonly platform: string | undefined;
} {
  const variant = VARIANT_FIELDS.find((field) => name.startsWith(`${field}:`));
  if (variant !== undefined) return { field: variant, platform: name.slice(variant.length + 1) };
  if (isOptionColumn(name)) return { field: "options", platform: undefined };
  // The rest of the union without the variants.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { field: name as Field, platform: undefined };
}

// Rows as a table, which CSV and workbooks share.

/** The columns of a table; `also` are included even if no row needs them. */
export function columnsOf(
  rows: readonly WrittenRow[],
  also: readonly ColumnName[] = [],
): readonly TableColumn[] {
  const used = new Set<TableColumn>([...STANDARD_FIELDS, ...also]);
  for (const row of rows) for (const column of row.keys()) used.add(column);
  if (!used.has("date")) used.add("scheduled_at");
  return sortColumns([...used]);
}

/**
 * Fields come first, in their order. Kept columns follow. Columns for only one platform come last, platform by
 * platform.
 */
export function sortColumns<Column extends TableColumn>(columns: readonly Column[]): readonly Column[] {
  const marks = columns.map((column) => {
    if (isKept(column)) return { column, platform: "", rank: FIELDS.length };
    const { field, platform = "" } = splitColumn(column);
    return { column, platform, rank: FIELDS.indexOf(field) };
  });
  const byName = FIELDS.indexOf("options");
  const sorted = marks.sort(
    (one, other) =>
      compareText(one.platform, other.platform) ||
      one.rank - other.rank ||
      (one.rank === byName ? compareText(one.column, other.column) : 0),
  );
  return sorted.map(({ column }) => column);
}

/** The text of a row's cell in a table. */
export function tableText(row: WrittenRow, column: TableColumn): string {
  return listText(row, column) ?? cellText(row.get(column));
}

/** A list of texts as one cell; undefined if no cell can hold it. */
function listText(row: WrittenRow, column: TableColumn): string | undefined {
  const cell = row.get(column);
  const { field, platform } = isKept(column) ? {} : splitColumn(column);
  if (typeof cell !== "object") return undefined;
  if (field === "options") return cell.join("\n");
  if (field === "thread" || field === "pool") return joinThread(cell);
  if (field === "thread_media" || field === "thread_alt")
    return sameList(trimmedTexts(splitByText(joinByText(cell))), trimmedTexts(cell))
      ? joinByText(cell)
      : undefined;
  if (field === "poll") {
    const text = cell.join(cell.some((each) => each.includes("|")) ? "\n" : " | ");
    return sameList(
      splitChoices(text).map((each) => each.trim()),
      cell,
    )
      ? text
      : undefined;
  }
  if (field !== "alt") return cellText(cell);
  const own = platform === undefined ? undefined : row.get(variantColumn("media", platform));
  const media = own ?? row.get("media") ?? [];
  return joinAlt(cell, typeof media === "string" ? 1 : media.length);
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
  return [
    ...textFaults(rows),
    ...blank,
    ...faultsIn(rows, mediaFault),
    ...listFaults(rows),
    ...headerFaults(rows),
  ];
}

/** Lists that only YAML can hold. */
function listFaults(rows: readonly WrittenRow[]): WriteFault[] {
  return rows.flatMap((row, index) =>
    [...row].flatMap(([column, cell]): WriteFault[] => {
      if (typeof cell === "string" || listText(row, column) !== undefined) return [];
      const field = isKept(column) ? "" : splitColumn(column).field;
      const what =
        field !== "alt"
          ? `A ${field} with a line --- in a text, or a blank line at its start,`
          : "Alt texts with || in a text";
      const message = `${what} can only be in a list in YAML. Change that text.`;
      return [{ row: index, column, message }];
    }),
  );
}

function mediaFault(cell: Cell, column: TableColumn): string | undefined {
  const isMedia = !isKept(column) && splitColumn(column).field === "media" && typeof cell !== "string";
  if (!isMedia || cell.every(isOnePart)) return undefined;
  return "A file name that contains , ; or | fits only into a list in YAML. Rename the file.";
}

/** Names that a header can have after a field, as in `content:twitter`. */
const IN_HEADER = /^[\w.-]{1,40}(?:\/[\w-]{1,40})?$/;

function headerFaults(rows: readonly WrittenRow[]): WriteFault[] {
  return faultsIn(rows, (_cell, column) => {
    const platform = isKept(column) ? undefined : splitColumn(column).platform;
    if (platform === undefined || IN_HEADER.test(platform)) return undefined;
    return `A header cannot contain "${platform}". Use a name for the platform without spaces.`;
  });
}

/** The cells with a fault, by a given check. */
export function faultsIn(
  rows: readonly WrittenRow[],
  check: (cell: Cell, column: TableColumn) => string | undefined,
): WriteFault[] {
  return rows.flatMap((row, index) =>
    [...row].flatMap(([column, cell]): WriteFault[] => {
      const message = check(cell, column);
      return message === undefined ? [] : [{ row: index, column, message }];
    }),
  );
}
