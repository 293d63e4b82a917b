/** The content of `columns` in words, with advice for unknown columns. Not escaped. */

import { diffArrays } from "diff";
import { shownZone } from "../../checks/when/local-time.ts";
import { shellArgument } from "../../model/text.ts";
import {
  type ColumnEvidence,
  type ProjectFileEdit,
  type Sourced,
  type SourcedOrder,
  type UnderstoodColumn,
  columnLetters,
  targetText,
} from "../../model/columns.ts";
import type { CalendarAccount, CalendarColumns, ColumnAccount } from "../../model/column-account.ts";
import { STATUSES } from "../../model/fields.ts";
import { languageName } from "../../settings/languages/languages.ts";
import { plural } from "../text/numbers.ts";

const DELIMITER_NAMES: ReadonlyMap<string, string> = new Map([
  [",", "commas"],
  [";", "semicolons"],
  ["\t", "tabs"],
  ["|", "bars"],
]);

const ENCODING_NAMES: ReadonlyMap<string, string> = new Map([
  ["utf-8", "UTF-8"],
  ["utf-16le", "UTF-16"],
  ["utf-16be", "UTF-16"],
]);

/** A column as a line of a table. */
export interface ColumnLine {
  readonly letter: string;
  readonly header: string;
  readonly standsFor: string;
  readonly knownBy: string;
  readonly samples: readonly string[];
  readonly tone: "used" | "ignored" | "unknown";
}

export function columnLine(understood: UnderstoodColumn, account: CalendarAccount): ColumnLine {
  const { column, name, group } = understood;
  const full = group.trim() === "" || group === name ? name : `${group} / ${name}`;
  return {
    letter: columnLetters(column),
    header: name.trim() === "" ? "(no name)" : full,
    ...verdict(understood),
    samples: accountOf(understood, account)?.examples ?? [],
  };
}

export function accountOf(
  { column }: UnderstoodColumn,
  account: CalendarAccount | undefined,
): ColumnAccount | undefined {
  return account?.columns.find((each) => each.column === column);
}

function verdict({
  meaning,
  suggestion,
  isFilter,
}: UnderstoodColumn): Pick<ColumnLine, "standsFor" | "knownBy" | "tone"> {
  if (isFilter && (meaning.kind === "unknown" || meaning.kind === "rival"))
    return { standsFor: "a filter", knownBy: "only:", tone: "used" };
  switch (meaning.kind) {
    case "used":
      return { standsFor: targetText(meaning.as), knownBy: evidenceText(meaning.evidence), tone: "used" };
    case "ignored":
      return { standsFor: "ignored", knownBy: evidenceText(meaning.evidence), tone: "ignored" };
    case "not_carried":
      return { standsFor: "not published", knownBy: evidenceText(meaning.evidence), tone: "ignored" };
    case "refuse":
      return { standsFor: "must not say yes", knownBy: evidenceText(meaning.evidence), tone: "ignored" };
    case "rival":
      return {
        standsFor: "not understood",
        knownBy: `${columnLetters(meaning.winner)} already is ${targetText(meaning.as)}`,
        tone: "unknown",
      };
    case "unknown":
      return {
        standsFor: "not understood",
        knownBy: suggestion === undefined ? "" : `did you mean ${suggestion}?`,
        tone: "unknown",
      };
    case "unnamed":
      return { standsFor: "not understood", knownBy: "", tone: "unknown" };
    default:
      return meaning satisfies never;
  }
}

function evidenceText(evidence: ColumnEvidence): string {
  switch (evidence.by) {
    case "project":
      return "columns:";
    case "position":
      return "columns:, by position";
    case "preset":
      return "preset:";
    case "name":
      return "its name";
    case "synonym": {
      const languages = evidence.languages.map(languageName).join("/");
      return `synonym, ${languages}`;
    }
    default:
      return evidence satisfies never;
  }
}

/** How the file is read, each fact with its source. */
export function columnFacts(calendar: CalendarColumns): readonly (readonly [name: string, text: string])[] {
  const { table, encoding, dateOrder, notes } = calendar;
  const facts: [string, string][] = [];
  if (encoding !== undefined) {
    const how = { unicode: "", project: SAID }[encoding.by];
    facts.push(["encoding", `${ENCODING_NAMES.get(encoding.name) ?? encoding.name}${how}`]);
  }
  const { delimiter, sheet, headerRow } = table ?? {};
  if (delimiter !== undefined) {
    const name = DELIMITER_NAMES.get(delimiter.value) ?? delimiter.value;
    facts.push(["delimiter", `${name}${delimiter.isExplicit ? ", as the file says" : FOUND}`]);
  }
  if (sheet !== undefined)
    facts.push(["sheet", `${sheet.value}${sheet.isOnly ? ", the only one" : how(sheet)}`]);
  if (headerRow !== undefined) {
    const isFound = table?.columns.some(({ meaning }) => meaning.kind === "used") === true;
    facts.push(["header", isFound ? `${headerText(headerRow.value)}${how(headerRow)}` : "none found"]);
  }
  if (dateOrder !== undefined) {
    facts.push(["dates", `${dateOrder.value}${orderSource(dateOrder, calendar)}`]);
  }
  if (notes?.zone !== undefined)
    facts.push(["time zone", `${shownZone(notes.zone.name)}, as the header ${notes.zone.header} says`]);
  const words = statusText(calendar.account);
  if (words !== "") facts.push(["status", words]);
  return facts;
}

function orderSource(order: SourcedOrder, calendar: CalendarColumns): string {
  if (order.preset !== undefined) return `, as the preset ${order.preset} says`;
  if (order.header !== undefined) return `, as the header ${order.header} says`;
  return order.isExplicit ? SAID : `${FOUND}: ${dateEvidence(calendar)}`;
}

/** The different words of the columns for the status, with their meanings. */
export function statusWords(account: CalendarAccount | undefined) {
  const ofStatus = account?.deciding.filter(({ kind }) => kind === "status") ?? [];
  return ofStatus
    .flatMap(({ values }) => values)
    .filter(({ text }) => text !== "")
    .map(({ text, rows, meaning = "unknown", by = "language" }) => ({ text, rows, meaning, by }));
}

/** The words by meaning; empty if there are none. */
function statusText(account: CalendarAccount | undefined): string {
  const statuses = statusWords(account);
  return [...STATUSES, "unknown"]
    .flatMap((meaning) => {
      const those = statuses.filter((each) => each.meaning === meaning);
      if (those.length === 0) return [];
      return [`${meaning}: ${those.map(({ text, rows }) => `${text} (${rows})`).join(", ")}`];
    })
    .join("; ");
}

const SAID = ", as plancast.yaml says";
const FOUND = ", detected";

function how({ isExplicit: isSaid }: Sourced<unknown>): string {
  return isSaid ? SAID : FOUND;
}

function headerText(row: number | readonly [number, number] | "none"): string {
  if (row === "none") return "none";
  return typeof row === "number" ? `row ${row}` : `rows ${row[0]} and ${row[1]}`;
}

/** The first cell for each order of day, month and year. */
function dateEvidence({ dateExamples, table }: CalendarColumns): string {
  const place = table?.sheet === undefined ? "on line" : "in row";
  return dateExamples
    .map(({ order, line, text }) => `"${text}" ${place} ${line} can only be ${order}`)
    .join(", ");
}

/** A line that was added to or removed from plancast.yaml; lines count from 1. */
interface ChangedLine {
  readonly sign: "+" | "-";
  readonly line: number;
  readonly text: string;
}

/** Only the changed lines, because other lines may contain an address with a password. */
export function changedLines({ before, after }: ProjectFileEdit): ChangedLine[] {
  const changed: ChangedLine[] = [];
  let [old, now] = [1, 1];
  for (const { value, added, removed } of diffArrays(linesOf(before), linesOf(after))) {
    if (added) changed.push(...value.map((text, index) => ({ sign: "+" as const, line: now + index, text })));
    if (removed)
      changed.push(...value.map((text, index) => ({ sign: "-" as const, line: old + index, text })));
    if (!added) old += value.length;
    if (!removed) now += value.length;
  }
  return changed;
}

function linesOf(text: string): string[] {
  return text.replace(/(?:\r\n|\n|\r)$/, "").split(/\r\n|\n|\r/);
}

/** Sentences, not escaped yet. What no column or value may leave open is an error of its own. */
export function columnsAdvice(calendar: CalendarColumns): string[] {
  return [unclearDates(calendar) ?? [], otherProblems(calendar) ?? []].flat();
}

function unclearDates(calendar: CalendarColumns): string | undefined {
  if (calendar.dateExamples.length < 2) return undefined;
  return `The dates do not all have the same order: ${dateEvidence(calendar)}. Write them all in one way, such as 2027-03-01.`;
}

function otherProblems({ file, otherProblems: count }: CalendarColumns): string | undefined {
  if (count === 0) return undefined;
  return `plancast cannot read ${plural(count, "row or cell", "rows or cells")}: \`plancast validate ${shellArgument(file)}\` lists them.`;
}
