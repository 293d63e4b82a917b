/** The text of a file: its lines and columns, and the conflict markers that git leaves in it. */

import { type Position, type Problem, problem } from "../../model/problem.ts";
import type { RawCalendar } from "../../model/row.ts";

/** The text of one file, and the lines and columns of its offsets (UTF-16 units from 0). */
export class SourceText {
  /** Relative to the project root, with `/`. */
  readonly file: string;
  readonly text: string;
  /** Start of each line. Computed on demand, because only problems and line numbers need it. */
  #starts: readonly number[] | undefined;

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
  }

  /** Line that holds an offset, from 1. */
  lineOf(offset: number): number {
    const starts = this.#lines();
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  /** Offset of the start of a line; undefined if the text has fewer lines. */
  offsetOf(line: number): number | undefined {
    return this.#lines()[line - 1];
  }

  /** The place of an offset. With an `end`, also the length to underline, within the line. */
  at(start: number, end?: number): Position {
    const line = this.lineOf(start);
    const from = this.#lines()[line - 1] ?? 0;
    const place = { file: this.file, line, column: start - from + 1 };
    if (end === undefined) return place;
    const lineEnd = from + (this.line(line) ?? "").length;
    return { ...place, length: Math.max(0, Math.min(end, lineEnd) - start) };
  }

  /** The part from `start` to `end`, after blank space. So its places are its places in the file. */
  part(start: number, end: number): SourceText {
    const before = this.text.slice(0, start).replaceAll(/[^\r\n]/g, " ");
    return new SourceText(this.file, before + this.text.slice(start, end));
  }

  /** One line without its line end; undefined if the text has fewer lines. */
  line(number: number): string | undefined {
    const starts = this.#lines();
    const start = starts[number - 1];
    if (start === undefined) return undefined;
    return this.text.slice(start, starts[number]).replace(/\r\n$|[\r\n]$/, "");
  }

  #lines(): readonly number[] {
    this.#starts ??= findLineStarts(this.text);
    return this.#starts;
  }
}

/** `\r\n`, `\n` and `\r` each end one line. */
function findLineStarts(text: string): number[] {
  const starts = [0];
  if (!text.includes("\r")) {
    for (let feed = text.indexOf("\n"); feed !== -1; feed = text.indexOf("\n", feed + 1))
      starts.push(feed + 1);
    return starts;
  }
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === 10 || (unit === 13 && text.charCodeAt(index + 1) !== 10)) starts.push(index + 1);
  }
  return starts;
}

/** The problems of one file, first place first. */
export function inFileOrder(problems: readonly Problem[]): Problem[] {
  return problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}

// When two branches changed the same lines, git leaves markers in the file.

/** A line with a marker. A label can follow the first and the last of a conflict. */
const MARKER = /^(?:(<{7})|(={7})|(>{7}))(?: [^\r\n]*)?$/gm;

/**
 * Undefined if there are none. Otherwise, a calendar without rows and with one problem that names the lines.
 * @param hasQuotes whether a text in quotes may show markers
 */
export function conflictedCalendar(file: string, text: string, hasQuotes = true): RawCalendar | undefined {
  // Most calendars have none: a search for a fixed text is faster than one for a pattern.
  if (!text.includes("<<<<<<<")) return undefined;
  const source = new SourceText(file, text);
  const conflicts = conflictsIn(text, hasQuotes).map(
    ([start, end]) => [source.lineOf(start), source.lineOf(end)] as const,
  );
  if (conflicts.length === 0) return undefined;
  return {
    file,
    rows: [],
    problems: [conflictProblem(file, conflicts)],
    sourceLine: (line) => source.line(line),
  };
}

/** The offsets of the first and last marker of each complete conflict. */
function conflictsIn(text: string, hasQuotes: boolean): [number, number][] {
  const found: [number, number][] = [];
  const countQuotes = hasQuotes ? quoteCounter(text) : () => 0;
  let start: number | undefined;
  let isDivided = false;
  for (const { index, 1: opens, 2: divides } of text.matchAll(MARKER)) {
    if (opens !== undefined) {
      // A post may show markers, but a cell with line ends is in quotes.
      start = countQuotes(index) % 2 === 0 ? index : undefined;
      isDivided = false;
    } else if (divides !== undefined) isDivided = true;
    else {
      if (start !== undefined && isDivided) found.push([start, index]);
      start = undefined;
    }
  }
  return found;
}

/** Counts the quotes before an offset. Offsets must not decrease. */
function quoteCounter(text: string): (offset: number) => number {
  let count = 0;
  let at = text.indexOf('"');
  return (offset) => {
    for (; at !== -1 && at < offset; at = text.indexOf('"', at + 1)) count += 1;
    return count;
  };
}

/** @param conflicts the first and last line of each */
function conflictProblem(file: string, conflicts: readonly (readonly [number, number])[]): Problem {
  const lines = conflicts.map((ends) => ends.join("–")).join(", ");
  return problem(
    "calendar/conflict",
    `Git left conflict markers in lines ${lines}. Keep the rows that you want, and delete the lines that start with <<<<<<<, ======= and >>>>>>>.`,
    { file, line: conflicts[0]?.[0] ?? 1 },
  );
}
