/**
 * Columns that hold only a part of a field: its value for one network, or a part of the date or time. They are found by
 * their names, together with those of the other columns.
 */

import { networkNamed } from "../../checks/networks/network-names.ts";
import type { ColumnTarget, Evidence } from "../../model/columns.ts";
import { fieldNamed } from "../../model/fields.ts";
import type { Language } from "../../settings/languages/language.ts";
import { LANGUAGES, looseHeader, wordsOf } from "../../settings/languages/languages.ts";
import { meaningOf } from "./column-names.ts";

// Columns for one network: `LinkedIn Copy`, `Caption (Instagram)`, or `Text` under a group `X`. They count only if all of
// them are clear, because a text that is left out would not be noticed.

/** The part of a post that a column holds for one network. */
interface NetworkColumn {
  readonly target: Extract<ColumnTarget, { kind: "variant" }>;
  readonly evidence: Evidence;
}

/** A name that consists of networks and a field. */
interface Candidate {
  readonly field: "content" | "media" | "date" | "time" | "scheduled_at";
  /** Usual identifiers. */
  readonly networks: readonly string[];
  readonly languages: readonly string[];
  readonly isGroup: boolean;
}

/** No name of this form has more words. */
const MAX_WORDS = 6;

/**
 * The columns for one network, by their position from 0. Empty if any of them names several networks, has a vague name,
 * or has the same use as another one, and if groups do not all hold the same fields.
 * @param groups names from a second header row above
 */
export function networkColumns(
  header: readonly string[],
  groups: readonly string[],
): ReadonlyMap<number, NetworkColumn> {
  const withTimes = networkColumnsOf(header, groups, IN_GROUPS);
  return withTimes.size > 0 ? withTimes : networkColumnsOf(header, groups, IN_NAMES);
}

function networkColumnsOf(
  header: readonly string[],
  groups: readonly string[],
  fieldsInGroups: readonly Candidate["field"][],
): ReadonlyMap<number, NetworkColumn> {
  const all = header.flatMap((name, column) => {
    const found = candidateOf(name) ?? groupedCandidate(name, groups[column] ?? "", fieldsInGroups);
    return found === undefined ? [] : [{ column, ...found }];
  });
  if (all.length === 0) return new Map();
  const uses = all.map(({ field, networks }) => `${field}:${networks.join()}`);
  const candidates = new Set(all.map(({ column }) => column));
  if (header.some((name, column) => !candidates.has(column) && mayBeForNetwork(name))) return new Map();
  const isClear = all.every(({ networks }) => networks.length === 1);
  if (!isClear || new Set(uses).size < uses.length || !areAlike(all)) return new Map();
  if (
    new Set(all.map(({ networks }) => networks.join())).size === 1 &&
    !isClearAlone(header, candidates, all)
  )
    return new Map();
  return new Map(
    all.map(({ column, field, networks: [platform = ""], languages }) => [
      column,
      {
        target: { kind: "variant", field, platform },
        evidence: { by: "synonym", languages },
      },
    ]),
  );
}

/**
 * Whether groups of networks hold the same fields. The last group may seem to hold a column that is for all networks,
 * and one group may be a title.
 */
function areAlike(all: readonly Candidate[]): boolean {
  const fields = new Map<string, string>();
  for (const { networks, field, isGroup } of all) {
    if (isGroup) fields.set(networks.join(), `${fields.get(networks.join()) ?? ""} ${field}`);
  }
  return fields.size === 0 || (fields.size > 1 && new Set(fields.values()).size === 1);
}

/**
 * Whether the columns of a single network are certainly only for that network: another column holds the text for all
 * networks, or no column names the networks of a row. A note in brackets is not enough.
 */
function isClearAlone(
  header: readonly string[],
  columns: ReadonlySet<number>,
  all: readonly Candidate[],
): boolean {
  if (all.some(({ field }) => field === "media")) return false;
  const others = header.flatMap((name, column) =>
    columns.has(column) ? [] : (fieldNamed(name) ?? meaningOf(name)?.field ?? []),
  );
  const isNote = [...columns].some((column) => meaningOf(header[column] ?? "") !== undefined);
  return others.includes("content") || (!others.includes("platforms") && !isNote);
}

/** The meaning of `LinkedIn Copy` or `Copy (LinkedIn)`. */
function candidateOf(name: string): Candidate | undefined {
  const words = wordsIn(name);
  if (words.length < 2 || words.length > MAX_WORDS) return undefined;
  for (let length = words.length - 1; length > 0; length -= 1) {
    const found =
      candidate(words.slice(0, length), words.slice(length)) ??
      candidate(words.slice(-length), words.slice(0, -length));
    if (found !== undefined) return { ...found, isGroup: false };
  }
  return undefined;
}

function groupedCandidate(
  name: string,
  group: string,
  fields: readonly Candidate["field"][],
): Candidate | undefined {
  const found = candidate(wordsIn(group), wordsIn(name), fields);
  return found === undefined ? undefined : { ...found, isGroup: true };
}

function candidate(
  ofNetworks: readonly string[],
  ofField: readonly string[],
  fields: readonly Candidate["field"][] = IN_NAMES,
): Omit<Candidate, "isGroup"> | undefined {
  const networks = networksOf(ofNetworks);
  const meaning = networks.length === 0 ? undefined : meaningOf(ofField.join(" "));
  const field = fields.find((each) => each === meaning?.field);
  if (meaning === undefined || field === undefined) return undefined;
  return { field, networks, languages: meaning.languages };
}

const IN_NAMES = ["content", "media"] as const;
/** Tables that are side by side, one for each network, have their own dates and times. */
const IN_GROUPS = [...IN_NAMES, "date", "time", "scheduled_at"] as const;

/** Whether a name such as `Text for LinkedIn` has words for a network and for a field, with others between them. */
function mayBeForNetwork(name: string): boolean {
  const words = wordsIn(name);
  return (
    words.some((word) => networkNamed(word) !== undefined) &&
    words.some((word) => {
      const meaning = meaningOf(word);
      return meaning?.field === "content" || meaning?.field === "media";
    })
  );
}

/** The networks that words name; none if one of them names no network. */
function networksOf(words: readonly string[]): string[] {
  const whole = networkNamed(words.join(" "))?.names[0];
  if (whole !== undefined) return [whole];
  const each = words.map((word) => networkNamed(word)?.names[0]);
  return each.every((name) => name !== undefined) ? [...new Set(each)] : [];
}

function wordsIn(name: string): string[] {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "");
}

// Columns for the day, the month, the year, or am and pm.

interface PartColumn {
  readonly target: ColumnTarget;
  readonly evidence: Evidence;
}

const HALF: ReadonlySet<string> = new Set(["ampm", "amorpm"]);

/**
 * The columns with a part of the date or time, by their position from 0. A month or a year counts only beside a day,
 * and a day only if no other column has the date.
 * @param hasDate whether another column has the date
 */
export function partColumns(header: readonly string[], hasDate: boolean): ReadonlyMap<number, PartColumn> {
  const found = new Map<number, PartColumn>();
  const add = (column: number, target: ColumnTarget, languages: readonly string[]): void => {
    if (column !== -1 && !found.has(column))
      found.set(column, { target, evidence: { by: "synonym", languages } });
  };
  const half = header.findIndex((name) => HALF.has(looseHeader(name)));
  add(half, { kind: "append", field: "time" }, ["en"]);
  const language = LANGUAGES.find((each) => columnOf(header, each, "month") !== -1);
  if (language === undefined) return found;
  const day = columnOf(header, language, "day");
  if (!hasDate && day === -1) return found;
  if (!hasDate) add(day, { kind: "field", field: "date" }, [language.code]);
  for (const part of ["month", "year"] as const)
    add(columnOf(header, language, part), { kind: "append", field: "date" }, [language.code]);
  return found;
}

function columnOf(
  header: readonly string[],
  { dateParts }: Language,
  part: keyof Language["dateParts"],
): number {
  const names = new Set(wordsOf(dateParts[part]).filter(isWord).map(looseHeader));
  return header.findIndex((name) => names.has(looseHeader(name)));
}

/** Not a letter of a format, such as `MM`. `Mon` is a day of the week. */
function isWord(name: string): boolean {
  return !/^(\w)\1*$/.test(name) && name !== "mon";
}
