/** The words that make a row ready or a draft, as its calendar writes them. Pure. */

import { RowView } from "../../checks/row-view.ts";
import { countWords, ownWordsForStatus, readStatus } from "../../checks/statuses.ts";
import { STATUSES } from "../../model/fields.ts";
import { type RawCalendar, type RawRow, type StatusSwitch, statusSwitch } from "../../model/row.ts";
import { foldName } from "../../model/text.ts";
import type { Calendar } from "../../settings/calendar-settings.ts";
import { oppositeAnswer, statusWord, yesOrNo } from "../../settings/languages/languages.ts";
import { guardedName, needsGuard } from "../columns/formula-guard.ts";
import { statusInSwitch } from "../read/yes-or-no.ts";
import { type ColumnName, switchColumn } from "../formats/written-row.ts";
import { withCells } from "./edit-time.ts";

/** What a word does to its row. A blank cell is the empty word. */
interface StatusWord {
  readonly word: string;
  readonly means: "ready" | "draft";
}

export interface EditableStatus {
  /** The row's own word, one of `words`. */
  readonly word: string;
  readonly words: readonly StatusWord[];
  /** Where the word is written. */
  readonly column: ColumnName;
}

/**
 * The words that a person can choose from: only those that this calendar uses, so that nobody guesses. Otherwise, why
 * there is no choice, and what to do.
 * @param alike rows that are written like this one
 */
export function editableStatus(
  row: RawRow,
  calendar: Calendar,
  alike: readonly RawRow[],
): EditableStatus | { readonly why: string } {
  const switches = statusSwitches(calendar).filter(({ value }) => value !== "skip");
  const [first] = switches;
  if (first === undefined) return statusByWord(row, calendar, alike);
  const isOnly = switches.length === 1 && !hasStatusCell(row, calendar);
  return isOnly ? statusBySwitch(row, first, alike) : { why: SEVERAL_COLUMNS };
}

type Switched = Pick<RawCalendar, "table" | "switches">;

/** The columns or keys whose cells say yes or no to a status. */
export function statusSwitches({ table, switches = [] }: Switched): readonly StatusSwitch[] {
  if (table === undefined) return switches;
  return table.columns.flatMap(({ name, meaning }) => {
    return meaning.kind === "used" ? statusSwitch(name, meaning.as) : [];
  });
}

/** The columns and keys that `editableStatus` needs in the `others` of rows, besides fields. */
export function statusCells(calendar: Switched): readonly string[] {
  const keys = statusSwitches(calendar).map(keyOf);
  return calendar.table === undefined && keys.length > 0 ? [...keys, "status"] : keys;
}

function keyOf({ name }: StatusSwitch): string {
  return foldName(guardedName(name) ?? name);
}

export function hasStatusColumn({ table }: Switched): boolean {
  return (table?.columns ?? []).some(
    ({ meaning }) => meaning.kind === "used" && meaning.as.kind === "field" && meaning.as.field === "status",
  );
}

function hasStatusCell(row: RawRow, calendar: Switched): boolean {
  return calendar.table === undefined ? row.others?.["status"] !== undefined : hasStatusColumn(calendar);
}

function statusByWord(
  row: RawRow,
  calendar: Calendar,
  alike: readonly RawRow[],
): EditableStatus | { readonly why: string } {
  const { settings } = calendar;
  const blank = new RowView(withCells(row, new Map([["status", undefined]])), calendar).values.status;
  const meaningOf = (word: string): string | undefined => {
    const meaning = readStatus(word === "" ? blank : { text: word }, settings.status_values);
    return meaning;
  };
  const isBlankUsed = alike.some(({ cells }) => cells.status === undefined);
  const used = alike.flatMap(({ cells }) => (typeof cells.status === "string" ? [cells.status] : []));
  const names = [...used, ...Object.keys(settings.status_values)].map(foldName);
  const hasOnlyOurs = names.every((name) => name === "" || STATUSES.some((status) => status === name));
  const wordsFor = (status: StatusWord["means"]): readonly string[] => {
    const own = [alike, []].flatMap((rows) => ownWordsForStatus({ rows, settings }, status));
    if (own.length > 0) return countWords(own.map(([word]) => word)).map(([word]) => word);
    if (isBlankUsed && meaningOf("") === status) return [""];
    return hasOnlyOurs && meaningOf(status) === status ? [status] : [];
  };
  const own = typeof row.cells.status === "string" ? row.cells.status.trim() : "";
  return choice(own, meaningOf, wordsFor, {
    column: "status",
    unknown: (status) =>
      `plancast does not know the word for ${status} in this calendar. Name it under \`status_values\` in plancast.yaml, or change the status in the file.`,
  });
}

function statusBySwitch(
  row: RawRow,
  { name, value }: StatusSwitch,
  alike: readonly RawRow[],
): EditableStatus | { readonly why: string } {
  const meaningOf = (word: string): string => statusInSwitch(value, word) ?? "ready";
  const key = keyOf({ name, value });
  const textOf = ({ others }: RawRow): readonly string[] => {
    const text = others?.[key];
    return text === undefined ? [] : [text.trim()];
  };
  const used = countWords(alike.flatMap(textOf))
    .map(([word]) => word)
    .filter((word) => isWord(word) && !needsGuard(word));
  const [own = ""] = textOf(row);
  const wordsFor = (status: StatusWord["means"]): readonly string[] => {
    const words = used.filter((word) => meaningOf(word) === status);
    if (words.length > 0) return words;
    const opposite = oppositeAnswer(own);
    if (opposite !== undefined && meaningOf(opposite) === status) return [opposite];
    // Nobody has answered yet, and plancast understands this word in every calendar.
    if (used.every((word) => word === "") && own === "" && meaningOf("yes") === status) return ["yes"];
    // A cell without a yes needs no word.
    return meaningOf("") === status ? [""] : [];
  };
  return choice(own, meaningOf, wordsFor, {
    column: switchColumn(value),
    unknown: (status) =>
      `plancast does not know which word of "${name}" means ${status}, because no post has one. Change it in the file.`,
  });
}

/** Whether other rows can have this text, too. A date, which also means yes, is of its row only. */
function isWord(text: string): boolean {
  return text === "" || yesOrNo(text) !== undefined || statusWord(text) !== undefined;
}

/** A choice that has at least one word for each status. */
function choice(
  own: string,
  meaningOf: (word: string) => string | undefined,
  wordsFor: (status: StatusWord["means"]) => readonly string[],
  { column, unknown }: { readonly column: ColumnName; readonly unknown: (status: string) => string },
): EditableStatus | { readonly why: string } {
  const means = meaningOf(own);
  if (means !== "ready" && means !== "draft") return { why: NOT_DUE };
  const words: StatusWord[] = [];
  for (const status of ["ready", "draft"] as const) {
    const found = wordsFor(status);
    if (found.length === 0) return { why: unknown(status) };
    words.push(...found.map((word) => ({ word, means: status })));
  }
  const same = words.find(({ word }) => foldName(word) === foldName(own));
  if (same !== undefined) return { word: same.word, words, column };
  return { word: own, words: [{ word: own, means }, ...words], column };
}

const SEVERAL_COLUMNS = "Several columns set the status of this row. Change them in the file.";
const NOT_DUE = "This row is skipped. To publish it, change its status in the file.";
