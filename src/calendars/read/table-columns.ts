/** The columns of a table after reading its rows, as `plancast columns` shows them. */

import {
  type ColumnMeaning,
  type UnderstoodColumn,
  type UnderstoodTable,
  columnLetters,
  targetText,
} from "../../model/columns.ts";
import { type CalendarAccount, unaccounted } from "../../model/column-account.ts";
import { foldName } from "../../model/text.ts";
import { presetNamed } from "../../settings/presets/presets.ts";
import { distinctColumns } from "../columns/columns.ts";
import type { ReadOptions, TableSource } from "./format.ts";
import type { Header } from "./table-header.ts";

/** The columns of a table after reading its rows. */
export interface SeenColumns {
  readonly header: Header;
  /** No record with content is above the header. */
  readonly isHeaderFirst: boolean;
  readonly account: CalendarAccount;
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
function understoodColumns({ header, account, rows }: SeenColumns): UnderstoodColumn[] {
  const { columns, names, groups } = header;
  const filledUnnamed = account.columns.flatMap(({ column, name, filled }) =>
    name === "" && filled > 0 ? [column] : [],
  );
  const hints = new Map(
    unaccounted(account).flatMap(({ column, use }) =>
      use.hint === undefined ? [] : [[column, use.hint.target]],
    ),
  );
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
        key: columnKey(header, column),
        meaning,
        suggestion: hints.get(column),
        isFilter: rows.kept.some((kept) => kept.column === column),
      };
    });
}

/** A column's name. If another column has the same, with the group's name in front. */
export function qualifiedName({ names, groups }: Header, column: number): string {
  const name = names[column]?.trim() ?? "";
  const group = groups[column]?.trim() ?? "";
  const folded = foldedNames(names);
  const isAlone = folded.every((each, index) => index === column || each !== folded[column]);
  return name === "" || isAlone || group === "" || group === name ? name : `${group} ${name}`;
}

/**
 * A column as a key of `columns:`: its name, or its letter if it has none, or if another column with the same name has
 * another meaning.
 */
export function columnKey(header: Header, column: number): string {
  const { names, columns, isNamed } = header;
  const name = isNamed ? onOneLine(qualifiedName(header, column)) : "";
  if (name === "" || column >= names.length) return positionName(column);
  const folded = foldName(name);
  const isShared =
    !distinctColumnsOf(header).has(column) &&
    names.some(
      (_, each) =>
        each !== column &&
        foldName(qualifiedName(header, each)) === folded &&
        !isSameUse(columns.meanings[each], columns.meanings[column]),
    );
  return isShared ? positionName(column) : name;
}

/** Computed once for each header, because a table may have a thousand columns. */
const distinctOf = new WeakMap<Header, ReadonlySet<number>>();
const foldedOf = new WeakMap<readonly string[], readonly string[]>();

function distinctColumnsOf(header: Header): ReadonlySet<number> {
  const found = distinctOf.get(header) ?? distinctColumns(header.names, header.groups);
  distinctOf.set(header, found);
  return found;
}

function foldedNames(names: readonly string[]): readonly string[] {
  const found = foldedOf.get(names) ?? names.map(foldName);
  foldedOf.set(names, found);
  return found;
}

function isSameUse(one: ColumnMeaning | undefined, other: ColumnMeaning | undefined): boolean {
  return useText(one) === useText(other);
}

function useText(meaning: ColumnMeaning | undefined): string {
  return meaning === undefined ? "" : meaning.kind + ("as" in meaning ? targetText(meaning.as) : "");
}

/** The column's position as a name for `columns:`. */
function positionName(column: number): string {
  const letters = columnLetters(column);
  return letters.length > 2 ? String(column + 1) : letters;
}

/** `columns:` ignores spaces when it compares names. */
function onOneLine(name: string): string {
  return name.trim().replaceAll(/\s+/g, " ");
}
