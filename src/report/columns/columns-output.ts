/**
 * `plancast columns` for people, as Markdown for a comment or a page, and as JSON, which is a contract with scripts.
 */

import {
  type CalendarColumns,
  type ColumnEvidence,
  type ProjectFileEdit,
  type Sourced,
  type UnderstoodColumn,
  columnLetters,
  targetText,
} from "../../model/columns.ts";
import type { ColumnsDocument } from "../documents/calendars.ts";
import { problemsMarkdown } from "../problems/github.ts";
import { problemDocument } from "../problems/problems-json.ts";
import { escapeTerminal, terminalText } from "../text/escape.ts";
import { escapeMarkdown } from "../text/markdown.ts";
import { advice, clipText, paragraph, sections, textWidth, wrap } from "../text/wrap.ts";
import { type Style, oneLine } from "../text/style.ts";
import { type ColumnLine, changedLines, columnLine, columnsAdvice, columnFacts } from "./columns-view.ts";

export function columnsText(calendars: readonly CalendarColumns[], style: Style): string {
  return terminalText(sections(calendars.map((each) => calendarLines(each, style))));
}

function calendarLines(calendar: CalendarColumns, style: Style): string[] {
  const { file, table, keys } = calendar;
  if (table === undefined && keys === undefined) return [];
  const lines = (table?.columns ?? []).map((each) => columnLine(each, calendar));
  return [
    style.colors.bold(escapeTerminal(file)),
    ...factLines(calendar, style),
    ...(keys === undefined ? [] : keyLines(keys, style)),
    ...(lines.length === 0
      ? []
      : ["", ...(style.width < MIN_TABLE ? stacked(lines, style) : tabled(lines, style))]),
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

function keyLines(keys: NonNullable<CalendarColumns["keys"]>, style: Style): string[] {
  const used = keys.map(({ name, posts }) => `${name} (${posts})`).join(", ");
  const text = `YAML has no columns: its keys have fixed names. ${used === "" ? "It has no posts." : `Its posts use ${used}.`}`;
  return paragraph(text, style, "  ");
}

/** In a narrower terminal, a table would consist of ellipses. */
const MIN_TABLE = 80;
/** Widths for a table of 100 columns. A wider table gives each column more space. */
const MAX_HEADER = 26;
const MAX_STANDS_FOR = 24;
const MAX_KNOWN_BY = 30;
const SAMPLE_LENGTH = 30;

function tabled(lines: readonly ColumnLine[], style: Style): string[] {
  const width = (of: (line: ColumnLine) => string, most: number): number =>
    Math.min(
      Math.floor(most * Math.max(1, style.tableWidth / 100)),
      Math.max(...lines.map((each) => textWidth(oneLine(of(each), style)))),
    );
  const letter = width((each) => each.letter, 3);
  const header = width((each) => each.header, MAX_HEADER);
  const standsFor = width((each) => each.standsFor, MAX_STANDS_FOR);
  const knownBy = width((each) => each.knownBy, MAX_KNOWN_BY);
  const room = style.tableWidth - letter - header - standsFor - knownBy - 10;
  return lines.map((each) => {
    const cells = [
      cell(each.letter, letter, style),
      cell(each.header, header, style),
      painter(each, style)(cell(each.standsFor, standsFor, style)),
      style.colors.dim(cell(each.knownBy, knownBy, style)),
      fit(samplesText(each, style), room, style),
    ];
    return `  ${cells.join("  ")}`.trimEnd();
  });
}

function stacked(lines: readonly ColumnLine[], style: Style): string[] {
  return lines.flatMap((each) => {
    const { letter, header, standsFor, knownBy } = each;
    const said = knownBy === "" ? "" : style.colors.dim(` (${knownBy})`);
    return [
      `  ${letter}  ${fit(header, style.width - 6, style)}`,
      `     ${painter(each, style)(oneLine(standsFor, style))}${said}`,
      ...(each.samples.length === 0 ? [] : [`     ${fit(samplesText(each, style), style.width - 6, style)}`]),
    ];
  });
}

function painter({ tone }: ColumnLine, { colors }: Style): (text: string) => string {
  return { used: colors.green, ignored: colors.dim, unknown: colors.yellow, wrong: colors.red }[tone];
}

function samplesText({ samples }: ColumnLine, { marks }: Style): string {
  return samples.map((each) => clipText(each, SAMPLE_LENGTH)).join(` ${marks.separator} `);
}

/** A text that fills its column. */
function cell(text: string, width: number, style: Style): string {
  const fitted = fit(text, width, style);
  return fitted + " ".repeat(Math.max(0, width - textWidth(fitted)));
}

function fit(text: string, width: number, style: Style): string {
  const shown = oneLine(text, style);
  if (textWidth(shown) <= width) return shown;
  const { ellipsis } = style.marks;
  const [line = ""] = wrap([{ text: shown }], { width, maxLines: 1, ellipsis });
  // A shortened sample may be the last one that fits.
  return line.endsWith(` … ${ellipsis}`) ? line.slice(0, -ellipsis.length - 1) : line;
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

const HEAD = "\n| | header | meaning | found by | samples |\n| --- | --- | --- | --- | --- |\n";

export function columnsMarkdown(calendars: readonly CalendarColumns[]): string {
  return calendars.map(calendarText).join("\n");
}

function calendarText(calendar: CalendarColumns): string {
  const { file, table, keys, problems } = calendar;
  const facts = columnFacts(calendar).map(([name, text]) => `- ${name}: ${escapeMarkdown(text)}\n`);
  const used = (keys ?? []).map(({ name, posts }) => `- ${escapeMarkdown(name)}: ${posts}\n`);
  const rows = (table?.columns ?? []).map((each) => {
    const { letter, header, standsFor, knownBy, samples } = columnLine(each, calendar);
    const shown = samples.map((sample) => clipText(sample, SAMPLE_LENGTH)).join(" · ");
    return `| ${[letter, header, standsFor, knownBy, shown].map(escapeMarkdown).join(" | ")} |\n`;
  });
  return [
    `### ${escapeMarkdown(file)}\n\n`,
    ...facts,
    ...(keys === undefined
      ? []
      : ["\nYAML has no columns: its keys have fixed names. Posts that use each key:\n\n", ...used]),
    ...(rows.length === 0 ? [] : [HEAD, ...rows]),
    ...columnsAdvice(calendar).map((text) => `\n${escapeMarkdown(text)}\n`),
    ...(problems.length === 0 ? [] : [`\n${problemsMarkdown(problems)}`]),
  ].join("");
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
  const { file, table, cells, keys, encoding, dateOrder, statuses } = calendar;
  return {
    file,
    encoding: encoding && { value: encoding.name, by: encoding.by },
    delimiter: settingDocument(table?.delimiter),
    sheet: settingDocument(table?.sheet),
    header_row: settingDocument(table?.headerRow),
    date_order: settingDocument(dateOrder),
    statuses: statuses.length === 0 ? undefined : statuses,
    keys,
    columns: table?.columns.map((each) => columnDocument(each, cells)),
  };
}

function settingDocument<Value>(setting: Sourced<Value> | undefined) {
  return setting && { value: setting.value, said: setting.isExplicit };
}

/** Columns count from 1. */
function columnDocument(understood: UnderstoodColumn, cells: CalendarColumns["cells"]): ColumnDocument {
  const { column, name, group, key, meaning, suggestion, isFilter } = understood;
  const { filled = 0, samples = [], orders = [] } = cells.get(column) ?? {};
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
    filled,
    samples,
    ...(orders.length === 0 ? {} : { date_orders: orders }),
  };
}

function evidenceDocument(evidence: ColumnEvidence): Pick<ColumnDocument, "known_by" | "languages"> {
  if (evidence.by !== "synonym") return { known_by: evidence.by };
  return { known_by: evidence.by, languages: evidence.languages };
}
