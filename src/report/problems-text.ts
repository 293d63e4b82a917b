import { placeName } from "../calendar/place-name.ts";
import type { Problem, Severity } from "../calendar/problem.ts";
import { escapeTerminal, terminalText } from "./escape-terminal.ts";
import { paragraph } from "./paragraph.ts";
import { plural } from "./plural.ts";
import { shortenProblems, type SimilarProblems } from "./shorten-problems.ts";
import { sourceExcerpt } from "./source-excerpt.ts";
import type { Style } from "./style.ts";

/** A line of a calendar, without its line end; undefined where there is none to show. */
export type SourceLine = (file: string, line: number) => string | undefined;

/**
 * Problems with their places, their messages and the lines they stand on; then how many there are. Empty without any.
 * Of a kind that fills a file the first few are shown, and the lines of the rest.
 */
export function problemsText(problems: readonly Problem[], sourceLine: SourceLine, style: Style): string {
  if (problems.length === 0) return "";
  const blocks = shortenProblems(byFile(problems)).map((each) => [
    ...("count" in each ? similarLines(each, style) : problemLines(each, sourceLine, style)),
    "",
  ]);
  return terminalText([...blocks.flat(), problemsSummary(problems)]);
}

/** `3 errors, 1 warning in 2 files` */
export function problemsSummary(problems: readonly Pick<Problem, "severity" | "file">[]): string {
  const count = (severity: Severity): number => problems.filter((each) => each.severity === severity).length;
  const counts = [
    [count("error"), "error"],
    [count("warning"), "warning"],
  ] as const;
  const files = new Set(problems.flatMap(({ file }) => (file === undefined ? [] : [file]))).size;
  const found = counts.filter(([number]) => number > 0).map(([number, noun]) => plural(number, noun));
  if (found.length === 0) return "No problems";
  return `${found.join(", ")}${files === 0 ? "" : ` in ${plural(files, "file")}`}`;
}

/** Files in the order in which they come up; within a file by line and column. */
function byFile(problems: readonly Problem[]): readonly Problem[] {
  const files = new Map<string | undefined, Problem[]>();
  for (const problem of problems) {
    const those = files.get(problem.file);
    if (those === undefined) files.set(problem.file, [problem]);
    else those.push(problem);
  }
  return [...files.values()].flatMap((those) =>
    those.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)),
  );
}

function similarLines({ code, severity, file, count, lines }: SimilarProblems, style: Style): string[] {
  const where = lines === "" ? "" : `, on lines ${lines}`;
  const text = `${plural(count, "more problem")} like this${where}. With --format json each is named.`;
  return [headLine({ code, severity }, file ?? "", style), ...paragraph(text, style, "  ")];
}

/** A problem as lines: place, severity and code; the message; the line of the file. */
function problemLines(problem: Problem, sourceLine: SourceLine, style: Style): string[] {
  const head = headLine(problem, placeName(problem), style);
  return [head, ...paragraph(problem.message, style, "  "), ...excerptLines(problem, sourceLine, style)];
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
