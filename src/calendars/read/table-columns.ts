/** The columns of a table once its rows were seen, as `plancast columns` shows them. */

import { type ColumnMeaning, type UnderstoodColumn, type UnderstoodTable, columnLetters } from "../../model/columns.ts";
import { nearest } from "../../model/text.ts";
import { type Field, FIELDS } from "../../model/fields.ts";
import { presetNamed } from "../../settings/presets/presets.ts";
import { isApprovalName } from "../columns/column-names.ts";
import type { ReadOptions, TableSource } from "./format.ts";
import type { Header } from "./table-header.ts";

/** The columns of a table when its rows have been seen. */
export interface SeenColumns {
  readonly header: Header;
  /** No record that holds anything stands above the header. */
  readonly isHeaderFirst: boolean;
  /** Columns that nothing names, but that hold something all the same. */
  readonly filledUnnamed: ReadonlySet<number>;
  readonly rows: { readonly kept: readonly { readonly column: number }[] };
}

/** The columns of a table as a value, for whoever tells of them. */
export function understoodTable(
  source: TableSource,
  seen: SeenColumns,
  options: ReadOptions,
): UnderstoodTable {
  const { header, isHeaderFirst } = seen;
  const { header_row } = options;
  return {
    columns: understoodColumns(seen).map((each) => ({ ...each, meaning: withPreset(each.meaning, options) })),
    headerRow: { value: headerRow(source, header), isExplicit: header_row !== undefined },
    isHeaderFirst,
  };
}

/** Whether it is the preset that says what the project file seems to say. */
function withPreset(meaning: ColumnMeaning, { preset, columns }: ReadOptions): ColumnMeaning {
  const known = presetNamed(preset)?.settings.columns ?? {};
  if (!("evidence" in meaning) || !("key" in meaning.evidence)) return meaning;
  const { key } = meaning.evidence;
  const isPresets = Object.hasOwn(known, key) && known[key] === columns[key];
  return isPresets ? { ...meaning, evidence: { by: "preset", key } } : meaning;
}

function headerRow(
  source: TableSource,
  { isNamed, record, groupRecord }: Header,
): UnderstoodTable["headerRow"]["value"] {
  if (!isNamed) return "none";
  const row = source.lineOf(record);
  return groupRecord === undefined ? row : [source.lineOf(groupRecord), row];
}

/** Columns without a name count as far as any row fills them. */
export function understoodColumns({ header, filledUnnamed, rows }: SeenColumns): UnderstoodColumn[] {
  const { columns, names, groups, isNamed } = header;
  const named = [...columns.meanings.keys()].filter((column) => columns.meanings[column]?.kind !== "unnamed");
  return [...new Set([...named, ...filledUnnamed])]
    .sort((a, b) => a - b)
    .map((column) => {
      const meaning: ColumnMeaning = columns.meanings[column] ?? { kind: "unnamed" };
      const name = names[column] ?? "";
      return {
        column,
        name,
        group: groups[column] ?? "",
        key: isNamed ? onOneLine(qualifiedName(header, column)) || undefined : positionName(column),
        meaning,
        suggestion: meaning.kind === "unknown" ? suggestedField(name, freeFields(header)) : undefined,
        isFilter: rows.kept.some((kept) => kept.column === column),
      };
    });
}

function suggestedField(name: string, free: readonly Field[]): string | undefined {
  return free.includes("status") && isApprovalName(name) ? "status" : nearest(name, free);
}

function freeFields({ columns }: Header): readonly Field[] {
  return FIELDS.filter((field) => !columns.fields.includes(field));
}

/** A column's name, with its group's in front where another column has the same. */
export function qualifiedName({ names, groups }: Header, column: number): string {
  const name = names[column]?.trim() ?? "";
  const group = groups[column]?.trim() ?? "";
  const isAlone = names.every((each, index) => index === column || each.trim() !== name);
  return name === "" || isAlone || group === "" || group === name ? name : `${group} ${name}`;
}

/** As `columns:` of the project file names a column by its position. */
function positionName(column: number): string {
  const letters = columnLetters(column);
  return letters.length > 2 ? String(column + 1) : letters;
}

/** `columns:` of the project file compares names without regard to what blanks they hold. */
function onOneLine(name: string): string {
  return name.trim().replaceAll(/\s+/g, " ");
}
