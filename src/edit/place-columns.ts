/** Where in a table a row's cells stand, and the columns that must be added for them. */
import { targetText } from "../calendar/column-target.ts";
import type { UnderstoodTable, UsedAs } from "../calendar/table-columns.ts";
import { splitColumn, type ColumnName } from "../write/column-name.ts";
import type { RowEdit } from "./edit.ts";

/** The identifier of a platform, whatever it is called. */
export type IdentifyPlatform = (platform: string) => string;

/** A cell of a table: its row as the file counts, and its column from 0. */
export interface GridEdit {
  readonly line: number;
  readonly column: number;
  readonly text: string;
  /** It names a column. */
  readonly isHeader?: true;
}

export interface PlacedColumns {
  /** The column of each name, from 0. */
  readonly columns: ReadonlyMap<ColumnName, number>;
  /** Those that the header does not have yet. */
  readonly added: readonly ColumnName[];
}

/** @param width the column that is added first, from 0 */
export function placeColumns(
  table: UnderstoodTable,
  edits: readonly RowEdit[],
  identify: IdentifyPlatform,
  width: number,
): PlacedColumns {
  const columns = new Map<ColumnName, number>();
  const added: ColumnName[] = [];
  for (const name of new Set(edits.flatMap(({ cells }) => [...cells.keys()]))) {
    const wanted = canonicalName(name, identify);
    const found = table.columns.find(
      ({ meaning }) => meaning.kind === "used" && nameOf(meaning.as, identify) === wanted,
    );
    columns.set(name, found?.column ?? width + added.length);
    if (found === undefined) added.push(name);
  }
  return { columns, added };
}

/** The row of the header that names columns; undefined where there is none. */
export function headerLine({ headerRow: { value } }: UnderstoodTable): number | undefined {
  if (value === "none") return undefined;
  return typeof value === "number" ? value : value[1];
}

export const NO_HEADER =
  "The file has no header, so no column can be added to it. Add the column by hand, and name its position under `columns:` in the project file.";

function nameOf(as: UsedAs, identify: IdentifyPlatform): string {
  return as.kind === "variant" ? `${as.field}:${identify(as.platform)}` : targetText(as);
}

function canonicalName(name: ColumnName, identify: IdentifyPlatform): string {
  const { field, platform } = splitColumn(name);
  return platform === undefined ? field : `${field}:${identify(platform)}`;
}
