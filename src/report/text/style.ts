/** The look of output: colours, marks and width, as the terminal supports them. */

import picocolors from "picocolors";
import { escapeTerminal, markLineEnds } from "./escape.ts";

export interface StyleOptions {
  readonly color: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** Whether the terminal shows characters beyond ASCII; only plancast's own marks depend on it. */
  readonly unicode: boolean;
}

/** The marks in plancast's texts. */
interface Marks {
  readonly newline: string;
  readonly tab: string;
  readonly space: string;
  readonly ellipsis: string;
  readonly arrow: string;
  readonly separator: string;
  readonly bar: string;
  readonly replace: string;
}

/** The look of all texts: created once for a terminal, and passed to every text. */
export interface Style extends StyleOptions {
  /** Columns of a line of text. */
  readonly width: number;
  /** Columns of a table, which may be wider than a line of text. */
  readonly tableWidth: number;
  readonly colors: ReturnType<typeof picocolors.createColors>;
  readonly marks: Marks;
}

/** Text that is narrower than this is unreadable; in wider text, the eye loses the line. */
const MIN_WIDTH = 40;
const MAX_WIDTH = 120;
const MAX_TABLE_WIDTH = 400;

const UNICODE: Marks = {
  newline: "⏎",
  tab: "⇥",
  space: "␣",
  ellipsis: "…",
  arrow: "→",
  separator: "·",
  bar: "│",
  replace: "±",
};
const ASCII: Marks = {
  newline: String.raw`\n`,
  tab: String.raw`\t`,
  space: String.raw`\x20`,
  ellipsis: "...",
  arrow: "->",
  separator: "|",
  bar: "|",
  replace: "~",
};

export function createStyle(options: StyleOptions): Style {
  const { color, unicode } = options;
  const columns = Number.isNaN(options.width) ? MIN_WIDTH : Math.max(MIN_WIDTH, Math.floor(options.width));
  return {
    color,
    unicode,
    width: Math.min(MAX_WIDTH, columns),
    tableWidth: Math.min(MAX_TABLE_WIDTH, columns),
    colors: picocolors.createColors(color),
    marks: unicode ? UNICODE : ASCII,
  };
}

/** Text of several lines on one line that is safe in a terminal: line ends and tabs become marks. */
export function oneLine(text: string, { marks }: Style): string {
  return escapeTerminal(markLineEnds(text, marks.newline).replaceAll("\t", marks.tab));
}
