/**
 * A problem is data: its cause, place and fix. Stages collect problems and go on, so that one run shows them all. Only
 * the report formats them. Tests check codes and places, never prose.
 */

import { type Code, type ProblemCode, severityOfCode } from "../problems/catalogue.ts";

/**
 * A place in a file. Lines and columns count from 1. In text, columns count UTF-16 units, as editors do. In a sheet,
 * they are its rows and columns.
 */
export interface Position {
  /** Path relative to the project root, with `/`. */
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  /** For a sheet: the names of the sheet and the cell, for example `Plan!C14`. */
  readonly cell?: string;
  /** UTF-16 units to underline from `column` on, within the line. */
  readonly length?: number;
}

export type Severity = "error" | "warning";

export interface Problem extends Partial<Position> {
  readonly code: ProblemCode;
  readonly severity: Severity;
  readonly message: string;
}

/** Makes a problem with the severity that the catalogue gives its code. */
export function problem(code: Code, message: string, at: Partial<Position> = {}): Problem {
  return { code, severity: severityOfCode(code), message: withoutMiddle(message), ...at };
}

/** Longest message, UTF-16 units. A cell may hold a thousand times as much. */
const MAX_MESSAGE = 4_000;
/** Of a longer message, the end is kept: it says what to do. */
const MESSAGE_END = 1_000;

function withoutMiddle(message: string): string {
  if (message.length <= MAX_MESSAGE) return message;
  return `${message.slice(0, MAX_MESSAGE - MESSAGE_END)}…${message.slice(-MESSAGE_END)}`;
}

export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some((each) => each.severity === "error");
}

/** `plan.csv:4:12`, or `plan.xlsx Plan!C14` for a cell of a sheet; empty without a file. */
export function placeName({ file, line, column, cell }: Partial<Position>): string {
  if (file !== undefined && cell !== undefined) return `${file} ${cell}`;
  return [file, line, column].filter((part) => part !== undefined).join(":");
}

/** What the numbers of a place count, for people: a sheet has rows, other files have lines. */
export function linePlace({ cell }: Pick<Partial<Position>, "cell">): "on line" | "in row" {
  return cell === undefined ? "on line" : "in row";
}

/** A row as people name it: `plan.csv:4`, or by its first cell in a sheet. `at` is where it starts. */
export function rowName(
  { file, line }: { readonly file: string; readonly line: number },
  at: Position,
): string {
  return placeName(at.cell === undefined ? { file, line } : at);
}
