import type { Position } from "../calendar/problem.ts";

/** `plan.csv:4:12`, or `plan.xlsx Plan!C14` for a cell of a sheet; empty without a file. */
export function problemPlace({ file, line, column, cell }: Partial<Position>): string {
  if (file !== undefined && cell !== undefined) return `${file} ${cell}`;
  return [file, line, column].filter((part) => part !== undefined).join(":");
}
