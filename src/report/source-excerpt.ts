import { escapeTerminal } from "./escape-terminal.ts";
import { graphemes, textWidth } from "./segments.ts";

/** A line of a file, safe for a terminal and no wider than asked, and where in it to underline. */
export interface Excerpt {
  readonly text: string;
  /** Columns before the underline. */
  readonly offset: number;
  /** Columns to underline, at least one. */
  readonly width: number;
}

/** A grapheme as shown: what a terminal draws as one thing, so what an underline can point at. */
interface Cell {
  readonly text: string;
  readonly width: number;
  /** UTF-16 units in the line. */
  readonly start: number;
  readonly end: number;
}

/** A tab moves to a place that depends on the terminal; blanks do not. */
const TAB = "    ";
/** How much of a clipped line stands before the underline: what comes after says more. */
const SHARE_BEFORE = 1 / 3;
/** UTF-16 units on each side of the column that are looked at: more than any terminal shows, less than any file. */
const REACH = 4000;

/**
 * Cuts the part around a column out of a line. `column` counts UTF-16 units from 1, `length` too; both may lie beyond
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
    text: left + textOf(cells.slice(start, stop)) + right,
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

/** Indexes from and to of the cells that fit, those around `first`. */
function windowAround(cells: readonly Cell[], first: number, width: number): readonly [number, number] {
  if (widthOf(cells) <= width) return [0, cells.length];
  const start = reach(cells.slice(0, first).toReversed(), width * SHARE_BEFORE);
  const before = first - start;
  const stop = before + reach(cells.slice(before), width);
  if (stop < cells.length) return [before, stop];
  return [cells.length - reach(cells.toReversed(), width), cells.length];
}

/** How many of the first cells fit into a width. */
function reach(cells: readonly Cell[], width: number): number {
  let used = 0;
  const tooMany = cells.findIndex((cell) => (used += cell.width) > width);
  return tooMany === -1 ? cells.length : tooMany;
}

function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { width }) => sum + width, 0);
}

function textOf(cells: readonly Cell[]): string {
  return cells.map(({ text }) => text).join("");
}
