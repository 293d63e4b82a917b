/** The columns of a table after reading its rows, as `plancast columns` shows them. */

import { type ColumnMeaning, type UnderstoodColumn, type UnderstoodTable, columnLetters } from "../../model/columns.ts";
import { nearest } from "../../model/text.ts";
import { type Field, FIELDS } from "../../model/fields.ts";
import { presetNamed } from "../../settings/presets/presets.ts";
import { isApprovalName } from "../columns/column-names.ts";
import type { ReadOptions, TableSource } from "./format.ts";
import type { Header } from "./table-header.ts";

/** The columns of a table after reading its rows. */
export interface SeenColumns {
  readonly header: Header;
  /** No record with content is above the header. */
  readonly isHeaderFirst: boolean;
  /** Columns without a name that have content. */
  readonly filledUnnamed: ReadonlySet<number>;
  /** How many cells of each column hold a web address. */
  readonly addresses: ReadonlyMap<number, number>;
  readonly rows: { readonly kept: readonly { readonly column: number }[] };
}

/** The columns of a table, as data for reports. */
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

/** Whether the setting comes from the preset and not from plancast.yaml. */
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

/** Columns without a name count only if a row fills them. */
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

/** A column's name. If another column has the same, with the group's name in front. */
export function qualifiedName({ names, groups }: Header, column: number): string {
  const name = names[column]?.trim() ?? "";
  const group = groups[column]?.trim() ?? "";
  const isAlone = names.every((each, index) => index === column || each.trim() !== name);
  return name === "" || isAlone || group === "" || group === name ? name : `${group} ${name}`;
}

/** The column's position as a name for `columns:`. */
function positionName(column: number): string {
  const letters = columnLetters(column);
  return letters.length > 2 ? String(column + 1) : letters;
}

/** `columns:` ignores blanks when it compares names. */
function onOneLine(name: string): string {
  return name.trim().replaceAll(/\s+/g, " ");
}
