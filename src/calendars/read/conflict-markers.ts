/** Finds the conflict markers that git leaves in a file when two branches changed the same lines. */

import { type Problem, problem } from "../../model/problem.ts";
import type { RawCalendar } from "../../model/row.ts";
import { SourceText } from "./source-text.ts";

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
    "calendar/conflict-markers",
    `Git left conflict markers in lines ${lines}. Keep the rows that you want, and delete the lines that start with <<<<<<<, ======= and >>>>>>>.`,
    { file, line: conflicts[0]?.[0] ?? 1 },
  );
}
