import { fieldNamed, foldName } from "../calendar/fold-name.ts";
import { guardedField } from "../calendar/formula-guard.ts";
import type { Field } from "../calendar/row.ts";
import { meaningOf } from "./synonyms.ts";

/** What `columns:` says of a column that is no field. */
export const IGNORE = "ignore";

/** The mapping of the project file: headers, or positions where there is none, each with a field or `ignore`. */
export type Mapping = Readonly<Record<string, string>>;

/** What the columns of a table stand for. Columns are counted from 0. */
export interface Columns {
  /** The field of each column; undefined where it has none. Media may have several columns. */
  readonly fields: readonly (Field | undefined)[];
  /** Columns whose name stands for nothing. */
  readonly unknown: readonly number[];
  /** Columns without a name. */
  readonly unnamed: readonly number[];
  /** Columns that the project file says to ignore. */
  readonly ignored: readonly number[];
  /** Columns whose field an earlier one has already. */
  readonly duplicates: readonly { readonly column: number; readonly first: number; readonly field: Field }[];
}

/** What a column's name means: a field, and how sure that is (0 is said outright), or `ignore`. */
type Named = { readonly field: Field; readonly rank: 0 | 1 | 2 } | typeof IGNORE | undefined;

/**
 * Finds each column's field. `mapping` is the project's own and goes first; a column named as the field itself, or
 * mapped to it, wins over a synonym, and a clear synonym over a vague one, which are then unknown.
 * @param groups the names of a second header row above, which `mapping` may put in front: `Facebook title`
 */
export function mapColumns(
  header: readonly string[],
  mapping: Mapping,
  groups: readonly string[] = [],
): Columns {
  const mapped = new Map(
    Object.entries(mapping).map(([name, field]) => [foldName(name), fieldOrIgnore(field)]),
  );
  const named = header.map((name, column): Named => {
    const group = groups[column] ?? "";
    const own = mapped.get(foldName(`${group} ${name}`)) ?? mapped.get(foldName(name));
    if (own !== undefined) return own;
    const itself = fieldNamed(name) ?? guardedField(name);
    return itself === undefined ? meaningOf(name) : { field: itself, rank: 0 };
  });
  return chosen(
    named,
    header.map((name) => name.trim() === ""),
  );
}

/** Finds each column's field where there is no header: by position from 1, or by letter as spreadsheets name columns. */
export function mapPositions(mapping: Mapping): Columns {
  const named: Named[] = [];
  for (const [name, field] of Object.entries(mapping)) {
    const column = positionOf(name);
    if (column !== undefined) named[column] = fieldOrIgnore(field);
  }
  const all = Array.from(named);
  return chosen(
    all,
    all.map(() => true),
  );
}

/** `1` and `A` are the first column, 0. */
function positionOf(name: string): number | undefined {
  if (/^[1-9]\d{0,3}$/.test(name)) return Number(name) - 1;
  const [, first, second] = /^([A-Z])([A-Z])?$/.exec(name) ?? [];
  if (first === undefined) return undefined;
  return second === undefined ? letter(first) - 1 : letter(first) * 26 + letter(second) - 1;
}

function letter(text: string): number {
  return text.charCodeAt(0) - 64;
}

function fieldOrIgnore(field: string): Named {
  if (foldName(field) === IGNORE) return IGNORE;
  const known = fieldNamed(field);
  return known === undefined ? undefined : { field: known, rank: 0 };
}

/** Of several columns that may be one field's, the surest are. */
function chosen(named: readonly Named[], isUnnamed: readonly boolean[]): Columns {
  const best = new Map<Field, number>();
  for (const each of named) {
    if (typeof each === "object") best.set(each.field, Math.min(each.rank, best.get(each.field) ?? 2));
  }
  const columns = { unknown: [] as number[], unnamed: [] as number[], ignored: [] as number[] };
  const duplicates: { column: number; first: number; field: Field }[] = [];
  const fields: (Field | undefined)[] = [];
  for (const [column, each] of named.entries()) {
    const field = typeof each === "object" && each.rank === best.get(each.field) ? each.field : undefined;
    const first = field === undefined || field === "media" ? -1 : fields.indexOf(field);
    if (each === IGNORE) columns.ignored.push(column);
    else if (field !== undefined && first !== -1) duplicates.push({ column, first, field });
    else if (field === undefined)
      (isUnnamed[column] === true ? columns.unnamed : columns.unknown).push(column);
    fields.push(first === -1 ? field : undefined);
  }
  return { fields, ...columns, duplicates };
}
