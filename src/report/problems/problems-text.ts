/** What a terminal shows after a check: the problems, with their lines of the calendar, and what happens to the rows. */

import { type RowCounts, isOfRow } from "../../calendars/row-groups.ts";
import { groupBy } from "../../model/data.ts";
import { ORDER_NAMES } from "../../model/fields.ts";
import {
  type Problem,
  type Severity,
  errorsFirst,
  isForReviewers,
  linePlace,
  placeName,
  sheetOf,
} from "../../model/problem.ts";
import type { Assumed, Assumption } from "../../model/row.ts";
import { formatNumber } from "../../model/text.ts";
import type { ProblemCode } from "../../problems/catalogue.ts";
import { escapeTerminal, terminalText } from "../text/escape.ts";
import { counted, plural } from "../text/numbers.ts";
import type { Style } from "../text/style.ts";
import { graphemes, paragraph, textWidth } from "../text/wrap.ts";

/** A line of a calendar, without its line end; undefined if there is none to show. */
export type SourceLine = (file: string, line: number) => string | undefined;

/**
 * Problems with their places, messages and lines, errors first, then their number. Empty without any. If a file has many
 * of one kind, shows the first few, and the line numbers of the rest.
 */
export function problemsText(problems: readonly Problem[], sourceLine: SourceLine, style: Style): string {
  if (problems.length === 0) return "";
  const explained = withoutUnexplained(problems);
  const shown = shortenProblems(errorsFirst(byFile(explained)));
  const firstWarning = shown.findIndex((each) => each.problem.severity === "warning");
  const blocks = shown.map(({ problem, more }, index) => [
    ...(index > 0 && index === firstWarning ? [style.colors.bold(WARNINGS), ""] : []),
    ...problemLines(problem, sourceLine, style),
    ...(more === undefined ? [] : paragraph(similarText(more), style, "  ")),
    "",
  ]);
  return terminalText([...blocks.flat(), problemsSummary(explained)]);
}

/** Without problems of rows in files with columns or values that nobody has explained: the answers may solve them. */
export function withoutUnexplained(problems: readonly Problem[]): readonly Problem[] {
  const files = new Set(problems.flatMap(({ settings, file = [] }) => (settings === undefined ? [] : file)));
  return problems.filter(
    (each) => each.settings !== undefined || !files.has(each.file ?? "") || !isOfRow(each),
  );
}

/** Between errors and warnings. */
const WARNINGS = "Warnings:";

/** How to go on after a check. */
export function nextAfter(problems: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return "plancast plan shows what would change on the service.";
  if (errors.some(({ settings }) => settings !== undefined))
    return "plancast columns --ask asks what the columns and values mean. Then run plancast validate.";
  return errors.every(isOfRow)
    ? "Correct these rows in the calendar, then run plancast validate. To start without them: plancast plan --only-valid."
    : "Correct the calendar, or add to plancast.yaml the settings that the messages suggest. Then run plancast validate.";
}

/** `3 errors, 1 warning in 2 files` */
export function problemsSummary(
  problems: readonly Pick<Problem, "severity" | "file" | "settings">[],
): string {
  const once = withoutSameSettings(problems);
  const count = (severity: Severity): number => once.filter((each) => each.severity === severity).length;
  const counts = [
    [count("error"), "error"],
    [count("warning"), "warning"],
  ] as const;
  const files = new Set(problems.flatMap(({ file }) => (file === undefined ? [] : [file]))).size;
  const found = counts.filter(([number]) => number > 0).map(([number, noun]) => plural(number, noun));
  if (found.length === 0) return "No problems";
  return `${found.join(", ")}${files === 0 ? "" : ` in ${plural(files, "file")}`}`;
}

/** Files that need the same settings have one error. */
function withoutSameSettings<Each extends Pick<Problem, "settings">>(
  problems: readonly Each[],
): readonly Each[] {
  const seen = new Set<string>();
  return problems.filter(({ settings }) => settings === undefined || seen.size < seen.add(settings).size);
}

/** Files and their sheets in the order of their first problem; inside of them, by line and column. */
function byFile(problems: readonly Problem[]): readonly Problem[] {
  return [...groupBy(problems, ({ file }) => file).values()]
    .flatMap((ofFile) => [...groupBy(ofFile, sheetOf).values()])
    .flatMap((those) =>
      those.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)),
    );
}

function similarText(more: SimilarProblems): string {
  const all = more.isComplete && more.areSame ? "" : " --format json lists all of them.";
  return `${similarSentence(more)}${all}`;
}

/** `12 more problems like this, on lines 4–9.` If all have the same message: `And on lines 4–9 (12 more).` */
export function similarSentence({ count, lines, place, areSame, files }: SimilarProblems): string {
  if (files !== undefined)
    return `${plural(files, "more file")} ${files === 1 ? "needs" : "need"} the same settings.`;
  const places = lines === "" ? "" : `${place}${count === 1 ? "" : "s"} ${lines}`;
  if (areSame && places !== "") return `And ${places}${count === 1 ? "" : ` (${formatNumber(count)} more)`}.`;
  return `${plural(count, "more problem")} like this${places === "" ? "" : `, ${places}`}.`;
}

/** A problem as lines: place, severity and code; the message; the line of the file. */
function problemLines(problem: Problem, sourceLine: SourceLine, style: Style): string[] {
  const head = headLine(problem, placeName(problem), style);
  const settings = problem.settings === undefined ? [] : ["", ...settingsLines(problem.settings), ""];
  return [
    head,
    ...paragraph(problem.message, style, "  "),
    ...settings,
    ...excerptLines(problem, sourceLine, style),
  ];
}

/** Settings as they are pasted: not wrapped, and never cut. */
function settingsLines(settings: string): string[] {
  return settings.split("\n").map((line) => `    ${escapeTerminal(line)}`);
}

function headLine(
  { severity, code }: Pick<Problem, "severity" | "code">,
  place: string,
  style: Style,
): string {
  const { colors } = style;
  const paint = severity === "error" ? colors.red : colors.yellow;
  return [
    ...(place === "" ? [] : [colors.bold(escapeTerminal(place))]),
    paint(severity),
    colors.dim(code),
  ].join(" ");
}

function excerptLines(
  { file, line, column, length, severity }: Problem,
  sourceLine: SourceLine,
  style: Style,
): string[] {
  if (file === undefined || line === undefined) return [];
  const source = sourceLine(file, line);
  if (source === undefined || source.trim() === "") return [];
  const { colors, marks } = style;
  const gutter = `  ${line} ${marks.bar} `;
  const room = style.tableWidth - gutter.length;
  const excerpt = sourceExcerpt(source, { column: column ?? 1, length }, room, marks.ellipsis);
  const shown = colors.dim(gutter) + excerpt.text;
  if (column === undefined) return [shown];
  const paint = severity === "error" ? colors.red : colors.yellow;
  const below = `  ${" ".repeat(String(line).length)} ${marks.bar} `;
  return [shown, `${colors.dim(below)}${" ".repeat(excerpt.offset)}${paint("^".repeat(excerpt.width))}`];
}

/** Problems of one code in one file that are shown in full: usually they have one cause. */
const SHOWN_OF_KIND = 3;

/** One line in plancast.yaml fixes all problems with these codes in a calendar, so only one is shown. */
const FIXED_BY_ONE_SETTING: ReadonlySet<ProblemCode> = new Set([
  "schedule/no-timezone",
  "schedule/ambiguous-date",
]);

/** Longest list of lines, in ranges such as `12–40`. */
const MAX_SPANS = 8;

/** Further problems of one code in one file, which are only counted, by their lines. */
interface SimilarProblems {
  readonly count: number;
  /** For example `12–40, 47`. */
  readonly lines: string;
  readonly place: ReturnType<typeof linePlace>;
  /** Whether the message is the same, too. */
  readonly areSame: boolean;
  /** Whether `lines` has all of them. */
  readonly isComplete: boolean;
  /** How many other files need the same settings. */
  readonly files?: number;
}

/** A problem, with the number of similar problems that are not shown. */
interface ShownProblem {
  readonly problem: Problem;
  readonly more: SimilarProblems | undefined;
}

/** The problems in their order. If there are many of one kind, the last one that is shown counts the rest. */
export function shortenProblems(problems: readonly Problem[]): readonly ShownProblem[] {
  const left = new Set<Problem>();
  const behind = new Map<Problem, SimilarProblems>();
  const shorten = (group: readonly Problem[], shown: number, areSame = false): void => {
    const last = group[shown - 1];
    const rest = group.slice(shown);
    if (last === undefined || rest.length === 0) return;
    behind.set(last, similarProblems(rest, last, areSame));
    for (const each of rest) left.add(each);
  };
  for (const same of groupsBy(problems, (each) =>
    each.settings === undefined ? [...kindOf(each), each.message] : [each.code, each.settings],
  ))
    shorten(same, 1, true);
  const others = problems.filter((each) => !left.has(each) && !behind.has(each));
  for (const alike of groupsBy(others, kindOf)) shorten(alike, shownOf(alike));
  return problems.flatMap((each) => (left.has(each) ? [] : [{ problem: each, more: behind.get(each) }]));
}

function kindOf(each: Problem): readonly unknown[] {
  return [each.file, sheetOf(each), each.severity, each.code];
}

function groupsBy(
  problems: readonly Problem[],
  markOf: (problem: Problem) => readonly unknown[],
): Iterable<readonly Problem[]> {
  return groupBy(problems, (each) => JSON.stringify(markOf(each))).values();
}

/** How many problems of one code in one file are shown in full. */
function shownOf([first]: readonly Problem[]): number {
  if (first === undefined || isForReviewers(first)) return Infinity;
  return FIXED_BY_ONE_SETTING.has(first.code) ? 1 : SHOWN_OF_KIND;
}

function similarProblems(problems: readonly Problem[], at: Problem, areSame: boolean): SimilarProblems {
  const lines = problems.flatMap(({ line }) => line ?? []);
  const { text, isComplete } = spans(lines);
  const files = new Set(problems.map(({ file }) => file)).size;
  const inFiles = at.settings === undefined ? {} : { files };
  return { count: problems.length, lines: text, place: linePlace(at), areSame, isComplete, ...inFiles };
}

/** Line numbers in short: neighbours become one range. */
function spans(lines: readonly number[]): { readonly text: string; readonly isComplete: boolean } {
  const found: { first: number; last: number }[] = [];
  for (const line of lines) {
    const open = found.at(-1);
    if (open !== undefined && line <= open.last + 1) open.last = line;
    else found.push({ first: line, last: line });
  }
  const shown = found
    .slice(0, MAX_SPANS)
    .map(({ first, last }) => (first === last ? `${first}` : `${first}–${last}`));
  const last = found.at(-1)?.last;
  const isComplete = found.length <= MAX_SPANS || last === undefined;
  return { text: isComplete ? shown.join(", ") : `${shown.join(", ")} and more up to ${last}`, isComplete };
}

/** A line of a file, safe for a terminal and not wider than requested, with the range to underline. */
interface Excerpt {
  readonly text: string;
  /** Columns before the underline. */
  readonly offset: number;
  /** Columns to underline, at least one. */
  readonly width: number;
}

/** A grapheme as displayed: the smallest unit that can be underlined. */
interface Cell {
  readonly text: string;
  readonly width: number;
  /** UTF-16 units in the line. */
  readonly start: number;
  readonly end: number;
}

/** The width of a tab depends on the terminal, so spaces replace it. */
const TAB = "    ";
/** How much of a clipped line is shown before the underline: the text after it is more useful. */
const SHARE_BEFORE = 1 / 3;
/** UTF-16 units to read on each side of the column: more than any terminal shows, less than a large file. */
const REACH = 4000;

/**
 * Cuts the part around a column out of a line. `column` counts UTF-16 units from 1, `length` too; both may be beyond
 * the end of the line. `width` in terminal columns.
 */
export function sourceExcerpt(
  line: string,
  { column, length = 0 }: { column: number; length?: number | undefined },
  width: number,
  ellipsis: string,
): Excerpt {
  const from = column - 1;
  const cells = cellsOf(line, Math.max(0, from - REACH), from + REACH);
  const to = Math.max(from + 1, from + length);
  const marked = cells.filter(({ start, end }) => start < to && end > from);
  const first = marked[0] === undefined ? cells.length : cells.indexOf(marked[0]);
  const [start, stop] = windowAround(cells, first, width - 2 * textWidth(ellipsis));
  const left = start > 0 ? ellipsis : "";
  const right = stop < cells.length ? ellipsis : "";
  return {
    text: [left, ...cells.slice(start, stop).map(({ text }) => text), right].join(""),
    offset: textWidth(left) + widthOf(cells.slice(start, first)),
    width: Math.max(1, widthOf(cells.slice(first, Math.min(stop, first + marked.length)))),
  };
}

function cellsOf(line: string, from: number, to: number): readonly Cell[] {
  const cells: Cell[] = [];
  let start = from;
  for (const grapheme of graphemes(line.slice(from, to))) {
    const text = grapheme === "\t" ? TAB : escapeTerminal(grapheme);
    const end = start + grapheme.length;
    cells.push({ text, width: textWidth(text), start, end });
    start = end;
  }
  return cells;
}

/** Range of the cells that fit, around `first`. */
function windowAround(cells: readonly Cell[], first: number, width: number): readonly [number, number] {
  if (widthOf(cells) <= width) return [0, cells.length];
  const start = reach(cells.slice(0, first).toReversed(), width * SHARE_BEFORE);
  const before = first - start;
  const stop = before + reach(cells.slice(before), width);
  if (stop < cells.length) return [before, stop];
  return [cells.length - reach(cells.toReversed(), width), cells.length];
}

/** The number of cells, from the first, that fit into a width. */
function reach(cells: readonly Cell[], width: number): number {
  let used = 0;
  const tooMany = cells.findIndex((cell) => (used += cell.width) > width);
  return tooMany === -1 ? cells.length : tooMany;
}

function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { width }) => sum + width, 0);
}

// The rows: their counts, in one line that all commands share, and what plancast assumed where rows do not say it.

/** What the offline checks covered, if there is no problem. */
export function validationText(calendars: number, counts: RowCounts): string {
  return `${plural(calendars, "calendar")} without problems: ${countsText(counts)}.\n`;
}

/**
 * The last lines of a check: what happens to the rows, unless `isShown` already, and what plancast assumed.
 * @param timezone of times that name no other one; undefined if the project sets none
 */
export function validationEnd(
  counts: RowCounts,
  isShown: boolean,
  {
    assumptions,
    timezone,
  }: { readonly assumptions: readonly Assumption[]; readonly timezone: string | undefined },
  style: Style,
): string {
  const hasTimes = counts.upcoming + counts.past + counts.expired > 0;
  const sentences = [
    ...(isShown ? [] : [`${countsText(counts)}.`]),
    ...(timezone === undefined || !hasTimes
      ? []
      : [`Times are in ${timezone}, unless a row says otherwise.`]),
    ...assumptionSentences(assumptions),
  ];
  return sentences.length === 0
    ? ""
    : terminalText(paragraph(sentences.map(escapeTerminal).join(" "), style));
}

/** `3 upcoming posts, 1 past, 2 drafts, 1 skipped, 4 rows with errors` */
export function countsText(counts: RowCounts): string {
  return [plural(counts.upcoming, "upcoming post"), otherCounts(counts)]
    .filter((text) => text !== "")
    .join(", ");
}

function otherCounts({ past, expired, drafts, skipped, invalid, filteredOut }: RowCounts): string {
  return counted([
    [past, "past"],
    [expired, "expired"],
    [drafts, drafts === 1 ? "draft" : "drafts"],
    [skipped, "skipped"],
    [invalid, invalid === 1 ? "row with errors" : "rows with errors"],
    [filteredOut, filteredOut === 1 ? "row left out by the filter" : "rows left out by the filter"],
  ]);
}

/** One sentence for each assumption, not escaped: ``12 rows take their networks from `defaults:` (linkedin).`` */
export function assumptionSentences(assumptions: readonly Assumption[]): string[] {
  const counts = new Map<string, { readonly assumed: Assumed; rows: number }>();
  for (const { assumed, rows } of assumptions) {
    const key = JSON.stringify(assumed);
    const known = counts.get(key) ?? { assumed, rows: 0 };
    known.rows += rows;
    counts.set(key, known);
  }
  return [...counts.values()].map(({ assumed, rows }) => sentence(assumed, rows));
}

function sentence(assumed: Assumed, rows: number): string {
  const { what, value } = assumed;
  switch (what) {
    case "platforms":
    case "time":
      return `${plural(rows, "row")} ${rows === 1 ? "takes its" : "take their"} ${what === "time" ? what : "networks"} from \`defaults:\` (${value}).`;
    case "timezone":
      return `${plural(rows, "time")} ${rows === 1 ? "is" : "are"} in ${value}, as the header \`${assumed.name}\` says.`;
    case "date_order":
      return `plancast reads ${plural(rows, "date")} as ${ORDER_NAMES[value]}, ${reasonOf(assumed)}.`;
    case "answer": {
      const found = `${plural(rows, "row")} ${rows === 1 ? "has" : "have"} nothing in \`${assumed.name}\`, so`;
      if (value === "draft")
        return `${found} plancast reads ${rows === 1 ? "it as a draft" : "them as drafts"}.`;
      return `${found} plancast plans ${rows === 1 ? "it" : "them"}.`;
    }
    case "series":
      return `${plural(rows, "row")} ${rows === 1 ? "repeats" : "repeat"}: plancast plans ${rows === 1 ? "its" : "their"} posts until ${value}.`;
  }
}

function reasonOf({ from, name }: Assumed & { readonly what: "date_order" }): string {
  if (from === "dots") return "because the numbers have dots between them";
  return from === "header" ? `as the header \`${name}\` says` : `as the preset ${name} says`;
}
