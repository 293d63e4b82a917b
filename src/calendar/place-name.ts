import type { Position } from "./problem.ts";

/** `plan.csv:4:12`, or `plan.xlsx Plan!C14` for a cell of a sheet; empty without a file. */
export function placeName({ file, line, column, cell }: Partial<Position>): string {
  if (file !== undefined && cell !== undefined) return `${file} ${cell}`;
  return [file, line, column].filter((part) => part !== undefined).join(":");
}

/** A row as people name it: `plan.csv:4`, or by its first cell in a sheet. `at` is where it starts. */
export function rowName(
  { file, line }: { readonly file: string; readonly line: number },
  at: Position,
): string {
  return placeName(at.cell === undefined ? { file, line } : at);
}
