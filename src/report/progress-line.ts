import type { Style } from "./style.ts";
import { clipColumns } from "./clip-columns.ts";

/** How far an apply is. */
export interface ProgressView {
  readonly done: number;
  readonly total: number;
  /** Such as how fast it goes and what it waits for; what is empty is left out. */
  readonly notes: readonly string[];
}

/** Columns of the bar at most, and at least: narrower it shows nothing. */
const WIDEST_BAR = 30;
const NARROWEST_BAR = 8;

/** A bar with numbers and notes on one line that is never broken. `columns`: of the terminal, as wide as it is now. */
export function progressLine({ done, total, notes }: ProgressView, style: Style, columns: number): string {
  const { bar: full, ground } = style.unicode ? { bar: "█", ground: "░" } : { bar: "#", ground: "-" };
  const texts = [`${done}/${total} changes`, ...notes.filter(Boolean)];
  const text = texts.join(` ${style.marks.separator} `);
  // The last column is left free: a terminal may break the line after it.
  const room = columns - 1;
  const width = Math.max(NARROWEST_BAR, Math.min(WIDEST_BAR, room - text.length - 1));
  const filled = Math.floor((total === 0 ? 1 : done / total) * width);
  const bar = full.repeat(filled) + ground.repeat(width - filled);
  return clipColumns(`${bar} ${text}`, room, style.marks.ellipsis);
}
