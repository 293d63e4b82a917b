/** Which field each column of a table holds: by the project's settings, its name, or a common name for the field. */

import {
  type ColumnMeaning,
  type ColumnTarget,
  type ColumnEvidence,
  type UsedAs,
  IGNORE,
  NOT_CARRIED,
  REFUSE,
  WILDCARD,
  columnTarget,
  optionTarget,
  sheetResultNamed,
  splitTarget,
  targetText,
  targetWithPart,
} from "../../model/columns.ts";
import { optionNamed } from "../../model/options/catalogue.ts";
import {
  type Field,
  JOINED_FIELDS,
  MEDIA_LIST_FIELDS,
  SHARED_FIELDS,
  fieldNamed,
  isTimeField,
} from "../../model/fields.ts";
import { foldName } from "../../model/text.ts";
import { hasNetworkInBrackets, isHashtags, meaningOf, numberedName, questionOf } from "./column-names.ts";
import { withoutNote } from "./header-notes.ts";
import { guardedName } from "./formula-guard.ts";

/** The meaning of a table's columns. Columns are counted from 0. */
export interface Columns {
  /** How each column is used. The other properties contain the same columns, by their use. */
  readonly meanings: readonly ColumnMeaning[];
  /** The field of each column; undefined if it has none. Media and alt texts may have several columns. */
  readonly fields: readonly (Field | undefined)[];
  /** Columns for only one platform, such as `content:twitter`. */
  readonly variants: readonly Placed<"variant">[];
  /** Columns that say yes or no, such as `platforms:facebook`. */
  readonly switches: readonly Placed<"switch">[];
  /** Columns whose cells are appended to another field. `isTags`: its header says that they are hashtags. */
  readonly appended: readonly (Placed<"append"> & { readonly isTags: boolean })[];
  /** Columns for an option, such as `mastodon.visibility`. */
  readonly options: readonly Placed<"option">[];
  /** Columns that the service cannot store. */
  readonly notCarried: readonly number[];
  /** Columns whose cells must not say yes. */
  readonly refused: readonly number[];
  /** The column of platforms that names accounts of another scheduler. */
  readonly accounts: number | undefined;
}

/** A column and its meaning. */
type Placed<Kind> = Extract<UsedAs, { kind: Kind }> & { readonly column: number };

/** The meaning of a column's name, and how it is known. */
interface Named {
  readonly target: ColumnTarget;
  readonly evidence: ColumnEvidence;
}

/**
 * Finds each column's field. `mapping`, from the project, has priority. A column with the field's own name, or mapped
 * to it, beats a synonym, and a clear synonym beats a vague one. The columns that lose count as unknown.
 * @param groups names from a second header row above, which `mapping` may put in front: `Facebook title`
 * @param known columns whose meaning does not depend on their names
 */
export function mapColumns(
  header: readonly string[],
  mapping: Mapping,
  groups: readonly string[] = [],
  known: ReadonlyMap<number, UsedAs> = new Map(),
): Columns {
  const mapped = createMappingLookup(mapping);
  const byPosition = positionsBesideHeader(header, groups, mapping);
  const named = header.map((name, column): Named | undefined => {
    const group = groups[column] ?? "";
    const bare = guardedName(name) ?? name;
    const own = known.get(column);
    if (own !== undefined) return { target: own, evidence: { by: "name" } };
    const placed = byPosition.get(column);
    if (placed !== undefined) return placed;
    const said =
      (group === "" ? undefined : mapped(`${group} ${bare}`)) ??
      mapped(name) ??
      (bare === name ? undefined : mapped(bare));
    if (said === undefined) return isOfGroup(column, header, groups) ? undefined : meaningOfHeader(bare);
    return { target: said.target, evidence: { by: "project", key: said.key } };
  });
  return toColumns(
    resolveMeanings(
      withSeries(named, header),
      header.map((name) => name.trim() === ""),
    ),
    header,
  );
}

/** Whether another group of columns has the same name, as in tables side by side: nobody knows which of them counts. */
function isOfGroup(column: number, header: readonly string[], groups: readonly string[]): boolean {
  const group = groups[column] ?? "";
  const name = foldName(header[column] ?? "");
  if (group === "" || name === "") return false;
  return header.some((other, at) => foldName(other) === name && (groups[at] ?? "") !== group);
}

/** With `Slide 2`, `Slide 3` and so on as media, if the project says that `Slide 1` is. */
function withSeries(
  named: readonly (Named | undefined)[],
  header: readonly string[],
): readonly (Named | undefined)[] {
  const series = new Map(
    named.flatMap((each, column): [string, Named][] => {
      const base = numberedName(header[column] ?? "");
      const field = fieldOf(each?.target);
      const isSaid = each !== undefined && !isGuess(each.evidence);
      return isSaid && base !== undefined && field !== undefined && MEDIA_LIST_FIELDS.has(field)
        ? [[base, each]]
        : [];
    }),
  );
  if (series.size === 0) return named;
  return named.map((each, column) =>
    each === undefined || isGuess(each.evidence)
      ? (series.get(numberedName(header[column] ?? "") ?? "") ?? each)
      : each,
  );
}

/** Finds each column's field where there is no header: by position from 1, or by letter as spreadsheets name columns. */
export function mapPositions(mapping: Mapping): Columns {
  const named: (Named | undefined)[] = [];
  for (const [key, text] of Object.entries(mapping)) {
    const column = positionOf(key);
    const target = columnTarget(text);
    if (column !== undefined)
      named[column] = target === undefined ? undefined : { target, evidence: { by: "position", key } };
  }
  const all = Array.from(named);
  return toColumns(
    resolveMeanings(
      all,
      all.map(() => true),
    ),
  );
}

/**
 * Columns that `mapping` names by letter or number although there is a header. That counts only for a column that no
 * name distinguishes, because a name such as `X` or `FB` is also a letter.
 */
function positionsBesideHeader(
  header: readonly string[],
  groups: readonly string[],
  mapping: Mapping,
): ReadonlyMap<number, Named> {
  const found = new Map<number, Named>();
  const entries = Object.entries(mapping).filter(([key]) => positionOf(key) !== undefined);
  if (entries.length === 0) return found;
  const names = new Set(header.map(foldName));
  const distinct = distinctColumns(header, groups);
  for (const [key, text] of entries) {
    const column = positionOf(key) ?? 0;
    const target = columnTarget(text);
    if (names.has(foldName(key)) || target === undefined || column >= header.length) continue;
    if (!distinct.has(column)) found.set(column, { target, evidence: { by: "position", key } });
  }
  return found;
}

/** Columns with a name that no other column has, also with the name of its group in front. */
export function distinctColumns(header: readonly string[], groups: readonly string[]): ReadonlySet<number> {
  const full = header.map((name, column) => foldName(`${groups[column] ?? ""} ${name}`));
  const first = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [column, name] of full.entries()) {
    if (first.has(name)) repeated.add(name);
    else first.set(name, column);
  }
  return new Set(
    [...first].flatMap(([name, column]) =>
      repeated.has(name) || (header[column] ?? "").trim() === "" ? [] : [column],
    ),
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

/**
 * The meaning of a header without settings: a field's name, a synonym, or either with a platform, as in
 * `Caption:twitter`.
 */
function meaningOfHeader(name: string): Named | undefined {
  if (sheetResultNamed(name) !== undefined) return { target: IGNORE, evidence: { by: "name" } };
  if (hasNetworkInBrackets(name)) return undefined;
  const question = fieldNamed(name) === undefined ? questionOf(name) : undefined;
  if (question !== undefined) {
    const { yes: value, languages } = question;
    return {
      target: { kind: "switch", field: "status", value },
      evidence: { by: "synonym", languages },
    };
  }
  const itself = fieldOfHeader(name) ?? timeFieldOf(withoutNote(name));
  if (itself !== undefined)
    return { target: { kind: "field", field: itself.field }, evidence: itself.evidence };
  const option = optionNamed(name);
  if (option !== undefined) return { target: optionTarget(option), evidence: { by: "name" } };
  const split = splitTarget(name);
  const field = split === undefined ? undefined : fieldOfHeader(split.name);
  if (split === undefined || field === undefined) return undefined;
  const target = targetWithPart(field.field, split.of);
  return target === undefined ? undefined : { target, evidence: field.evidence };
}

/** The field of a time column whose header has a zone or a format beside its name: `Time EST`. A format is a date. */
function timeFieldOf(name: string | undefined): ReturnType<typeof fieldOfHeader> {
  const found = name === undefined ? undefined : fieldOfHeader(name === "" ? "date" : name);
  return found !== undefined && isTimeField(found.field) ? found : undefined;
}

function fieldOfHeader(
  name: string,
): { readonly field: Field; readonly evidence: ColumnEvidence } | undefined {
  const itself = fieldNamed(name);
  if (itself !== undefined) return { field: itself, evidence: { by: "name" } };
  const synonym = meaningOf(name);
  if (synonym === undefined) return undefined;
  const { field, languages } = synonym;
  return { field, evidence: { by: "synonym", languages } };
}

/**
 * The meaning of each column. If several could be the same field, the most certain one gets it. The order is: those that
 * the project names, those with the field's own name, the others. The first of them wins.
 */
function resolveMeanings(
  named: readonly (Named | undefined)[],
  isUnnamed: readonly boolean[],
): readonly ColumnMeaning[] {
  const winners = new Map<string, number>();
  for (const rank of [0, 1, 2]) {
    for (const [column, each] of named.entries()) {
      const use = each === undefined ? undefined : exclusiveUse(each);
      if (each === undefined || use === undefined || certaintyRank(each.evidence) !== rank) continue;
      if (!winners.has(use)) winners.set(use, column);
    }
  }
  return named.map((each, column): ColumnMeaning => {
    if (each === undefined) return { kind: isUnnamed[column] === true ? "unnamed" : "unknown" };
    const { target, evidence } = each;
    const better = betterList(named, each);
    if (better !== undefined && typeof target === "object")
      return { kind: "rival", as: target, winner: better };
    if (target === IGNORE) return { kind: "ignored", evidence };
    if (target === NOT_CARRIED || target === REFUSE) return { kind: target, evidence };
    const winner = winners.get(exclusiveUse(each) ?? "") ?? column;
    return winner === column ? { kind: "used", as: target, evidence } : { kind: "rival", as: target, winner };
  });
}

/** The first column with the same list, such as media, that a clearer name says: pictures must not be there twice. */
function betterList(named: readonly (Named | undefined)[], { target, evidence }: Named): number | undefined {
  const field = fieldOf(target);
  if (field === undefined || !MEDIA_LIST_FIELDS.has(field)) return undefined;
  const found = named.findIndex(
    (each) =>
      each !== undefined &&
      fieldOf(each.target) === field &&
      certaintyRank(each.evidence) < certaintyRank(evidence),
  );
  return found === -1 ? undefined : found;
}

function fieldOf(target: ColumnTarget | undefined): Field | undefined {
  return typeof target === "object" && target.kind === "field" ? target.field : undefined;
}

function isAccount(target: UsedAs): boolean {
  return target.kind === "field" && target.isAccount === true;
}

/** The use that no second column can have; undefined if several may have it. Several columns for the status or the type combine. */
function exclusiveUse({ target, evidence }: Named): string | undefined {
  if (typeof target === "string" || target.kind === "switch" || target.kind === "append") return undefined;
  if (target.kind === "field" && SHARED_FIELDS.has(target.field)) return undefined;
  if (target.kind === "field" && JOINED_FIELDS.has(target.field) && !isAccount(target) && !isGuess(evidence))
    return undefined;
  return target.kind === "field" ? target.field : targetText(target);
}

/** Sorts the columns by their use. */
function toColumns(meanings: readonly ColumnMeaning[], header: readonly string[] = []): Columns {
  const placed = meanings.map((meaning, column) => ({ meaning, column }));
  const of = (...kinds: ColumnMeaning["kind"][]): number[] =>
    placed.filter(({ meaning }) => kinds.includes(meaning.kind)).map(({ column }) => column);
  const used = placed.flatMap(({ meaning, column }) =>
    meaning.kind === "used" ? [{ ...meaning.as, column }] : [],
  );
  return {
    meanings,
    fields: meanings.map((each) => (each.kind === "used" ? fieldOf(each.as) : undefined)),
    variants: used.filter((each) => each.kind === "variant"),
    switches: used.filter((each) => each.kind === "switch"),
    appended: used.flatMap((each) =>
      each.kind === "append" ? [{ ...each, isTags: isHashtags(header[each.column] ?? "") }] : [],
    ),
    options: used.filter((each) => each.kind === "option"),
    notCarried: of("not_carried"),
    refused: of("refuse"),
    accounts: placed.find(({ meaning }) => meaning.kind === "used" && isAccount(meaning.as))?.column,
  };
}

/** How certain a column's meaning is: 0 means that plancast.yaml sets it, 1 that it has the field's own name. */
function certaintyRank({ by }: ColumnEvidence): 0 | 1 | 2 {
  if (by === "name") return 1;
  return by === "synonym" ? 2 : 0;
}

/** Whether only the header decides, and not plancast.yaml. */
function isGuess({ by }: ColumnEvidence): boolean {
  return by === "name" || by === "synonym";
}

/** `columns:` of plancast.yaml: headers, or positions if a table has no header, each with its meaning. */
type Mapping = Readonly<Record<string, string>>;

/**
 * The mapping's value for a name: an exact name first, then names with `*`, in their order. Undefined if there is none.
 */
export function createMappingLookup(mapping: Mapping): (name: string) => Mapped | undefined {
  const entries = Object.entries(mapping);
  const exact = new Map(entries.map(([name, text]) => [foldName(name), { name, text }]));
  // The key `*` covers only what nothing else accounts for (account-for.ts).
  const patterns = entries.filter(([name]) => name !== WILDCARD && name.includes(WILDCARD)).map(patternOf);
  return (name) => {
    const folded = foldName(name);
    const said = exact.get(folded);
    if (said !== undefined) return mapped(said.name, said.text);
    const fitting = patterns.find((each) => matchesPattern(folded, each));
    if (fitting === undefined) return undefined;
    const found = folded.slice(fitting.before.length, folded.length - fitting.after.length);
    return mapped(
      fitting.name,
      fitting.text.replace(WILDCARD, () => found),
    );
  };
}

/** The mapping's value for a column, and the name that matched. */
interface Mapped {
  readonly target: ColumnTarget;
  readonly key: string;
}

function mapped(key: string, text: string): Mapped | undefined {
  const target = columnTarget(text);
  return target === undefined ? undefined : { target, key };
}

/** A name with `*`, such as `Picture Url *`, and its meaning. */
interface Pattern {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly text: string;
}

function patternOf([name, text]: readonly [string, string]): Pattern {
  const folded = foldName(name);
  const at = folded.indexOf(WILDCARD);
  return { name, before: folded.slice(0, at), after: folded.slice(at + 1), text };
}

/** Whether a folded name equals the given one, or matches its `*`. */
export function matchesColumnName(folded: string, name: string): boolean {
  return name.includes(WILDCARD) ? matchesPattern(folded, patternOf([name, ""])) : folded === foldName(name);
}

function matchesPattern(folded: string, { before, after }: Pattern): boolean {
  const isLonger = folded.length > before.length + after.length;
  return isLonger && folded.startsWith(before) && folded.endsWith(after);
}

/** Every post needs a text or media, a time and platforms. Platforms and times may come from the project's defaults. */
const NEEDED: readonly (MissingColumn & { readonly oneOf: readonly Field[] })[] = [
  {
    oneOf: ["content", "pool", "thread", "media", "prompt", "image_prompt"],
    field: "content",
    name: "`content` or `media`",
  },
  { oneOf: ["scheduled_at", "date", "time"], field: "date", name: "`scheduled_at` or `date`" },
];

/** A column that every post needs and a table lacks. */
export interface MissingColumn {
  /** The usual field. */
  readonly field: Field;
  /** The name that messages use. */
  readonly name: string;
}

/** Whether the table has the columns that every post needs. */
export function isComplete(columns: Columns): boolean {
  return missingColumns(columns).length === 0;
}

/** The missing columns that every post needs. */
export function missingColumns({ fields, variants }: Columns): readonly MissingColumn[] {
  return NEEDED.filter(
    ({ oneOf }) =>
      !oneOf.some((field) => fields.includes(field) || variants.some((variant) => variant.field === field)),
  );
}
