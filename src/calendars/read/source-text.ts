import type { Position, Problem } from "../../model/problem.ts";

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
