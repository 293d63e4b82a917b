/** The columns of a table after reading its rows, as `plancast columns` shows them. */

import {
  type ColumnMeaning,
  type UnderstoodColumn,
  type UnderstoodTable,
  columnLetters,
  targetText,
} from "../../model/columns.ts";
import { type CalendarAccount, unaccounted } from "../../model/column-account.ts";
import { groupBy } from "../../model/data.ts";
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
  readonly rows: {
    readonly kept: readonly { readonly column: number }[];
    readonly keyOf: (column: number) => string;
  };
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
        key: rows.keyOf(column),
        meaning,
        suggestion: hints.get(column),
        isFilter: rows.kept.some((kept) => kept.column === column),
      };
    });
}

/** The names of all columns. If several have the same, with the group's name in front. */
export function qualifiedNames({ names, groups }: Header): readonly string[] {
  const same = groupBy(names, foldName);
  return names.map((each, column) => {
    const name = each.trim();
    const group = groups[column]?.trim() ?? "";
    const isAlone = same.get(foldName(each))?.length === 1;
    return name === "" || isAlone || group === "" || group === name ? name : `${group} ${name}`;
  });
}

/**
 * Columns as keys of `columns:`: the name, or the letter if a column has none, or if another column with the same name has
 * another meaning. Made once for a table, which may have a thousand columns.
 */
export function columnKeys(header: Header): (column: number) => string {
  const { names, groups, columns, isNamed } = header;
  const full = qualifiedNames(header);
  const usesOf = groupBy(full.keys(), (column) => foldName(full[column] ?? ""));
  const distinct = distinctColumns(names, groups);
  return (column) => {
    const name = onOneLine(full[column] ?? "");
    if (!isNamed || name === "") return positionName(column);
    const same = usesOf.get(foldName(name)) ?? [];
    const uses = new Set([column, ...same].map((each) => useText(columns.meanings[each])));
    return distinct.has(column) || uses.size === 1 ? name : positionName(column);
  };
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
