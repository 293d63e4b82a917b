import {
  columnTarget,
  IGNORE,
  NOT_CARRIED,
  REFUSE,
  splitTarget,
  targetOf,
  type ColumnTarget,
} from "../calendar/column-target.ts";
import { fieldNamed } from "../calendar/fold-name.ts";
import { guardedName } from "../calendar/formula-guard.ts";
import type { Field } from "../calendar/row.ts";
import { mappedNames, type Mapping } from "./column-mapping.ts";
import { meaningOf } from "./synonyms.ts";

/** What the columns of a table stand for. Columns are counted from 0. */
export interface Columns {
  /** The field of each column; undefined where it has none. Media may have several columns. */
  readonly fields: readonly (Field | undefined)[];
  /** Columns for one platform alone, such as `content:twitter`. */
  readonly variants: readonly Placed<"variant">[];
  /** Columns that say yes or no, such as `platforms:facebook`. */
  readonly switches: readonly Placed<"switch">[];
  /** Columns whose name stands for nothing. */
  readonly unknown: readonly number[];
  /** Columns without a name. */
  readonly unnamed: readonly number[];
  /** Columns that the project file says to ignore. */
  readonly ignored: readonly number[];
  /** Columns that the service has no place for. */
  readonly notCarried: readonly number[];
  /** Columns that must not say yes. */
  readonly refused: readonly number[];
  /** The column of platforms that are named by accounts elsewhere. */
  readonly accounts: number | undefined;
  /** Columns whose field an earlier one has already. */
  readonly duplicates: readonly { readonly column: number; readonly first: number; readonly field: string }[];
}

/** A column with what it stands for. */
type Placed<Kind> = Extract<ColumnTarget, { kind: Kind }> & { readonly column: number };

/** What a column's name means, and how sure that is: 0 is said outright. */
interface Named {
  readonly target: ColumnTarget;
  readonly rank: 0 | 1 | 2;
}

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
  const mapped = mappedNames(mapping);
  const named = header.map((name, column) => {
    const group = groups[column] ?? "";
    const target = (group === "" ? undefined : mapped(`${group} ${name}`)) ?? mapped(name);
    return target === undefined ? meant(guardedName(name) ?? name) : said(target);
  });
  return chosen(
    named,
    header.map((name) => name.trim() === ""),
  );
}

/** Finds each column's field where there is no header: by position from 1, or by letter as spreadsheets name columns. */
export function mapPositions(mapping: Mapping): Columns {
  const named: (Named | undefined)[] = [];
  for (const [name, target] of Object.entries(mapping)) {
    const column = positionOf(name);
    const known = columnTarget(target);
    if (column !== undefined) named[column] = known === undefined ? undefined : said(known);
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

/** What the project file says of a column. */
function said(target: ColumnTarget): Named {
  return { target, rank: 0 };
}

/** What a header says by itself: a field's name, a synonym, or either with a platform, as in `Caption:twitter`. */
function meant(name: string): Named | undefined {
  const itself = fieldMeant(name);
  if (itself !== undefined) return { target: { kind: "field", field: itself.field }, rank: itself.rank };
  const split = splitTarget(name);
  const field = split === undefined ? undefined : fieldMeant(split.name);
  if (split === undefined || field === undefined || field.rank === 2) return undefined;
  const target = targetOf(field.field, split.of);
  return target === undefined ? undefined : { target, rank: field.rank };
}

function fieldMeant(name: string): { readonly field: Field; readonly rank: 0 | 1 | 2 } | undefined {
  const itself = fieldNamed(name);
  return itself === undefined ? meaningOf(name) : { field: itself, rank: 0 };
}

/** Of several columns that may be one field's, the surest are. */
function chosen(named: readonly (Named | undefined)[], isUnnamed: readonly boolean[]): Columns {
  const best = new Map<Field, number>();
  for (const each of named) {
    const field = fieldOf(each?.target);
    if (each !== undefined && field !== undefined)
      best.set(field, Math.min(each.rank, best.get(field) ?? each.rank));
  }
  const all = {
    unknown: [] as number[],
    unnamed: [] as number[],
    ignored: [] as number[],
    notCarried: [] as number[],
    refused: [] as number[],
  };
  const variants: Placed<"variant">[] = [];
  const switches: Placed<"switch">[] = [];
  const duplicates: { column: number; first: number; field: string }[] = [];
  const fields: (Field | undefined)[] = [];
  for (const [column, each] of named.entries()) {
    const target = each?.target;
    const field = each === undefined ? undefined : surest(each, best);
    const first = field === undefined || field === "media" ? -1 : fields.indexOf(field);
    fields.push(first === -1 ? field : undefined);
    if (target === IGNORE) all.ignored.push(column);
    else if (target === NOT_CARRIED) all.notCarried.push(column);
    else if (target === REFUSE) all.refused.push(column);
    else if (target?.kind === "variant") variants.push({ ...target, column });
    else if (target?.kind === "switch") switches.push({ ...target, column });
    else if (field !== undefined && first !== -1) duplicates.push({ column, first, field });
    else if (field === undefined) (isUnnamed[column] === true ? all.unnamed : all.unknown).push(column);
  }
  const accounts = fields.findIndex((field, column) => field === "platforms" && isAccount(named[column]));
  return {
    fields,
    variants,
    switches,
    ...all,
    accounts: accounts === -1 ? undefined : accounts,
    duplicates: [...duplicates, ...twiceSaid(variants)],
  };
}

function isAccount(named: Named | undefined): boolean {
  return (
    typeof named?.target === "object" && named.target.kind === "field" && named.target.isAccount === true
  );
}

function surest({ target, rank }: Named, best: ReadonlyMap<Field, number>): Field | undefined {
  const field = fieldOf(target);
  return field !== undefined && best.get(field) === rank ? field : undefined;
}

function fieldOf(target: ColumnTarget | undefined): Field | undefined {
  return typeof target === "object" && target.kind === "field" ? target.field : undefined;
}

function twiceSaid(
  variants: readonly Placed<"variant">[],
): { column: number; first: number; field: string }[] {
  return variants.flatMap((each, index) => {
    const first = variants.find((other) => other.field === each.field && other.platform === each.platform);
    const isFirst = first === undefined || variants.indexOf(first) === index;
    return isFirst
      ? []
      : [{ column: each.column, first: first.column, field: `${each.field}:${each.platform}` }];
  });
}
