/**
 * `plancast columns` for people, and as JSON, which is a contract with scripts.
 */

import {
  type ColumnEvidence,
  type ProjectFileEdit,
  type Sourced,
  type UnderstoodColumn,
  columnLetters,
  targetText,
} from "../../model/columns.ts";
import type {
  CalendarAccount,
  CalendarColumns,
  ColumnAccount,
  DateExample,
} from "../../model/column-account.ts";
import type { ColumnsDocument } from "../documents/calendars.ts";
import { problemDocument } from "../problems/problems-json.ts";
import { escapeTerminal, terminalText } from "../text/escape.ts";
import type { Style } from "../text/style.ts";
import { type Column, advice, clipText, paragraph, sections, tableLines } from "../text/wrap.ts";
import {
  type ColumnLine,
  accountOf,
  changedLines,
  columnLine,
  columnsAdvice,
  columnFacts,
  statusWords,
} from "./columns-view.ts";

export function columnsText(calendars: readonly CalendarColumns[], style: Style): string {
  return terminalText(sections(calendars.map((each) => calendarLines(each, style))));
}

function calendarLines(calendar: CalendarColumns, style: Style): string[] {
  const { file, table, account } = calendar;
  if (account === undefined) return [];
  const lines = (table?.columns ?? []).map((each) => columnLine(each, account));
  return [
    style.colors.bold(escapeTerminal(file)),
    ...factLines(calendar, style),
    ...(table === undefined ? keyLines(account, style) : []),
    ...(lines.length === 0 ? [] : ["", ...columnTable(lines, style)]),
    ...columnsAdvice(calendar).flatMap((text) => ["", ...advice(text, style)]),
  ];
}

function factLines(calendar: CalendarColumns, style: Style): string[] {
  return columnFacts(calendar).flatMap(([name, text]) => {
    const [first = "", ...more] = paragraph(text, style, " ".repeat(FACT));
    return [style.colors.dim(`  ${name}`.padEnd(FACT)) + first.trimStart(), ...more];
  });
}

/** Columns before the value of a fact. */
const FACT = 13;

const KEYS_ARE_COLUMNS = "In YAML, the keys of the posts are the columns.";

function keyLines(account: CalendarAccount, style: Style): string[] {
  const used = keysOf(account)
    .map(({ name, posts }) => `${name} (${posts})`)
    .join(", ");
  const text = `${KEYS_ARE_COLUMNS} ${used === "" ? "It has no posts." : `Its posts use ${used}.`}`;
  return paragraph(text, style, "  ");
}

/** The keys that posts use, and how many posts use each. */
function keysOf({ columns }: CalendarAccount): NonNullable<CalendarDocument["keys"]> {
  return columns.flatMap(({ key, filled }) => (filled === 0 ? [] : [{ name: key, posts: filled }]));
}

const SAMPLE_LENGTH = 30;

function columnTable(lines: readonly ColumnLine[], style: Style): readonly string[] {
  const { colors, marks } = style;
  const tones = { used: colors.green, ignored: colors.dim, unknown: colors.yellow };
  const columns: Column<ColumnLine>[] = [
    { title: "column", cell: ({ letter }) => letter },
    { title: "header", cell: ({ header }) => header, mayTruncate: true },
    { title: "meaning", cell: ({ standsFor }) => standsFor, paint: ({ tone }, text) => tones[tone](text) },
    { title: "found by", cell: ({ knownBy }) => knownBy, paint: (_, text) => colors.dim(text) },
    {
      title: "samples",
      cell: ({ samples }) =>
        samples.map((each) => clipText(each, SAMPLE_LENGTH)).join(` ${marks.separator} `),
      mayTruncate: true,
    },
  ];
  return tableLines(lines, columns, style);
}

/** The changed lines of plancast.yaml. */
export function editLines(edit: ProjectFileEdit, style: Style): string[] {
  const lines = changedLines(edit);
  if (lines.length === 0)
    return paragraph(`${edit.file} already contains all of this, so nothing was written.`, style);
  const last = Math.max(...lines.map(({ line }) => line));
  const { colors } = style;
  return [
    ...paragraph(`Wrote ${edit.file}:`, style),
    ...lines.map(({ sign, line, text }) => {
      const number = String(line).padStart(String(last).length);
      return (sign === "+" ? colors.green : colors.red)(`  ${sign} ${number}  ${escapeTerminal(text)}`);
    }),
  ];
}

export function columnsDocument(calendars: readonly CalendarColumns[]): ColumnsDocument {
  return {
    version: 1,
    calendars: calendars.map(calendarDocument),
    problems: calendars.flatMap((each) => each.problems).map(problemDocument),
  };
}

type CalendarDocument = ColumnsDocument["calendars"][number];
type ColumnDocument = NonNullable<CalendarDocument["columns"]>[number];

function calendarDocument(calendar: CalendarColumns): CalendarDocument {
  const { file, table, account, encoding, dateOrder, dateExamples } = calendar;
  const statuses = statusWords(account);
  const dates = table?.columns.find(
    ({ meaning }) =>
      meaning.kind === "used" && (meaning.as.field === "date" || meaning.as.field === "scheduled_at"),
  );
  return {
    file,
    encoding: encoding && { value: encoding.name, by: encoding.by },
    delimiter: settingDocument(table?.delimiter),
    sheet: settingDocument(table?.sheet),
    header_row: settingDocument(table?.headerRow),
    date_order: settingDocument(dateOrder),
    statuses: statuses.length === 0 ? undefined : statuses,
    keys: table === undefined && account !== undefined ? keysOf(account) : undefined,
    columns: table?.columns.map((each) =>
      columnDocument(each, accountOf(each, account), each === dates ? dateExamples : []),
    ),
  };
}

function settingDocument<Value>(setting: Sourced<Value> | undefined) {
  return setting && { value: setting.value, said: setting.isExplicit };
}

/** Columns count from 1. */
function columnDocument(
  understood: UnderstoodColumn,
  cells: ColumnAccount | undefined,
  orders: readonly DateExample[],
): ColumnDocument {
  const { column, name, group, key, meaning, suggestion, isFilter } = understood;
  return {
    column: column + 1,
    letter: columnLetters(column),
    header: name,
    ...(group === "" || group === name ? {} : { group }),
    key,
    kind: meaning.kind,
    ...("as" in meaning ? { stands_for: targetText(meaning.as) } : {}),
    ...("evidence" in meaning ? evidenceDocument(meaning.evidence) : {}),
    ...(meaning.kind === "rival" ? { first: meaning.winner + 1 } : {}),
    suggestion,
    filter: isFilter,
    filled: cells?.filled ?? 0,
    samples: cells?.examples ?? [],
    ...(orders.length === 0 ? {} : { date_orders: orders }),
  };
}

function evidenceDocument(evidence: ColumnEvidence): Pick<ColumnDocument, "known_by" | "languages"> {
  if (evidence.by !== "synonym") return { known_by: evidence.by };
  return { known_by: evidence.by, languages: evidence.languages };
}
