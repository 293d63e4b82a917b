/**
 * A problem is data: what is wrong, where, and what to do. Stages collect problems and go on, so that one run
 * shows them all; only the report makes them pretty. Tests assert codes and places, never prose.
 */
import { CODES, type Code } from "./codes.ts";

/**
 * A place in a file. Lines and columns count from 1. In text, columns count UTF-16 units, as editors do; in a sheet
 * they are its rows and columns.
 */
export interface Position {
  /** Path relative to the project root, with `/`. */
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  /** In a sheet, its name and the cell's, for example `Plan!C14`. */
  readonly cell?: string;
  /** UTF-16 units to underline from `column` on, within the line. */
  readonly length?: number;
}

export type Severity = "error" | "warning";

export interface Problem extends Partial<Position> {
  readonly code: Code;
  readonly severity: Severity;
  readonly message: string;
}

/** Makes a problem of the severity that the catalogue gives its code. */
export function problem(code: Code, message: string, at: Partial<Position> = {}): Problem {
  return { code, severity: CODES[code].severity, message, ...at };
}

export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some((each) => each.severity === "error");
}
