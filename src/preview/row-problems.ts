import type { Problem } from "../calendar/problem.ts";
import { rowAt, type RawCalendar } from "../calendar/row.ts";

/** The problems of a row, by where it starts; each as its place in the list. */
export type RowProblems = (source: { readonly file: string; readonly line: number }) => readonly number[];

/** Sorts problems by the rows that they stand in. */
export function rowProblems(problems: readonly Problem[], calendars: readonly RawCalendar[]): RowProblems {
  const rowsOf = new Map(calendars.map(({ file, rows }) => [file, rows]));
  const found = new Map<string, number[]>();
  for (const [place, { file, line }] of problems.entries()) {
    const rows = file === undefined ? undefined : rowsOf.get(file);
    const row = rows === undefined || line === undefined ? undefined : rows[rowAt(rows, line)];
    if (row === undefined) continue;
    const key = keyOf(row);
    const those = found.get(key);
    if (those === undefined) found.set(key, [place]);
    else those.push(place);
  }
  return (source) => found.get(keyOf(source)) ?? [];
}

function keyOf({ file, line }: { readonly file: string; readonly line: number }): string {
  return `${line} ${file}`;
}
