import type { Style } from "./style.ts";
import { clipToWidth } from "./clip-columns.ts";

/** How far an apply is. */
export interface ProgressView {
  readonly done: number;
  readonly total: number;
  /** Such as how fast it goes and what it waits for; what is empty is left out. */
  readonly notes: readonly string[];
}

/** Of the terminal's columns; the same whatever stands beside it, so that it does not jump. */
const SHARE_OF_BAR = 1 / 5;
/** Columns of the bar at most. */
const WIDEST_BAR = 30;

/** A bar with numbers and notes on one line that is never broken. `columns`: of the terminal, as wide as it is now. */
export function progressLine({ done, total, notes }: ProgressView, style: Style, columns: number): string {
  const { bar: full, ground } = style.unicode ? { bar: "█", ground: "░" } : { bar: "#", ground: "-" };
  const texts = [`${done}/${total} changes`, ...notes.filter(Boolean)];
  const text = texts.join(` ${style.marks.separator} `);
  // The last column is left free: a terminal may break the line after it.
  const room = columns - 1;
  const width = Math.min(WIDEST_BAR, Math.floor(columns * SHARE_OF_BAR));
  const filled = Math.floor((total === 0 ? 1 : done / total) * width);
  const bar = full.repeat(filled) + ground.repeat(width - filled);
  return clipToWidth(`${bar} ${text}`, room, style.marks.ellipsis);
}
