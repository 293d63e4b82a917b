/** Short texts for places, for use in tests. */

import type { Position, Problem } from "../../src/model/problem.ts";
import type { RawCalendar } from "../../src/model/row.ts";
import type { Field } from "../../src/model/fields.ts";

/** `code@line:column`, in the given order; without a place, only the code. */
export function codes(problems: readonly Problem[]): string[] {
  return problems.map(({ code, line, column }) =>
    line === undefined ? code : `${code}@${line}:${column ?? "?"}`,
  );
}

/** The text that a place underlines. */
export function underlined(calendar: Pick<RawCalendar, "sourceLine">, place: Partial<Position>): string {
  const start = (place.column ?? 1) - 1;
  return (calendar.sourceLine(place.line ?? 0) ?? "").slice(start, start + (place.length ?? 0));
}

/** What the rows hold. */
export function cellsOf(calendar: RawCalendar): Readonly<Partial<Record<Field, unknown>>>[] {
  return calendar.rows.map((row) => ({ ...row.cells }));
}
