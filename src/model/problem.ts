/**
 * A problem is data: its cause, place and fix. Stages collect problems and continue, so that one run shows them all.
 * Only the report formats them. Tests check codes and places, never prose.
 *
 * A problem carries the questions that would settle it, which only the team can answer. `plancast init` asks them; other
 * commands only show the problem.
 */

import { type Code, type ProblemCode, severityOfCode } from "../problems/catalogue.ts";
import type { DateOrder, Encoding } from "./fields.ts";

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
  /** Lines of YAML to paste into plancast.yaml, complete. */
  readonly settings?: string;
  /** What the team must say to settle it, if settings can. */
  readonly questions?: readonly Question[];
}

/** Makes a problem with the severity that the catalogue gives its code. */
export function problem(code: Code, message: string, at: Partial<Position> = {}): Problem {
  return { code, severity: severityOfCode(code), message: withoutMiddle(message), ...at };
}

/** Longest message, in UTF-16 units. A cell may hold a thousand times as much. */
const MAX_MESSAGE = 4_000;
/** A longer message keeps its end, which says what to do. */
const MESSAGE_END = 1_000;

function withoutMiddle(message: string): string {
  if (message.length <= MAX_MESSAGE) return message;
  return `${message.slice(0, MAX_MESSAGE - MESSAGE_END)}…${message.slice(-MESSAGE_END)}`;
}

export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some((each) => each.severity === "error");
}

/** What a merge or an apply does besides its rows. People who review must see each of them, however many there are. */
const FOR_REVIEWERS: ReadonlySet<string> = new Set<ProblemCode>([
  "plan/setting-changed",
  "plan/not-as-recorded",
  "repository/schedule-edited",
  "lockfile/not-confirmed",
  "lockfile/no-base",
]);

export function isForReviewers({ code }: { readonly code: string }): boolean {
  return FOR_REVIEWERS.has(code);
}

/** Errors before warnings, and what reviewers must see before other warnings; otherwise in the given order. */
export function errorsFirst<T extends { readonly severity: Severity; readonly code: string }>(
  problems: readonly T[],
): readonly T[] {
  const rank = (each: T): number => (each.severity === "error" ? 0 : isForReviewers(each) ? 1 : 2);
  return [...problems].sort((one, other) => rank(one) - rank(other));
}

/** `plan.csv:4:12`, or `plan.xlsx Plan!C14` for a cell of a sheet; empty without a file. */
export function placeName({ file, line, column, cell }: Partial<Position>): string {
  if (file !== undefined && cell !== undefined) return `${file} ${cell}`;
  return [file, line, column].filter((part) => part !== undefined).join(":");
}

/** The sheet that a place is in; undefined if it is in none. */
export function sheetOf({ cell }: { readonly cell?: string | undefined }): string | undefined {
  if (cell === undefined) return undefined;
  const name = cell.slice(0, Math.max(0, cell.lastIndexOf("!")));
  return name.startsWith("'") ? name.slice(1, -1).replaceAll("''", "'") : name;
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

/** What only the team can say about how to read a file. */
export type Question =
  /** A date that can be read in several ways; `text` is an example. Other dates of the file may have only one order. */
  | { readonly topic: "date-order"; readonly text: string; readonly likely?: DateOrder }
  /** Several sheets may be calendars; the likely one is first. `areSeveral`: whether all of them look like one. */
  | { readonly topic: "sheet"; readonly sheets: readonly string[]; readonly areSeveral: boolean }
  /** The file is not UTF-8, and does not say what it is. `samples`: some of its words in each encoding. */
  | {
      readonly topic: "encoding";
      readonly samples: readonly { readonly encoding: Encoding; readonly text: string }[];
    }
  /** The table looks like a file of another scheduler. */
  | { readonly topic: "preset"; readonly name: string; readonly title: string }
  /** A name in the platforms column. `isChannel`: it is known not to be a network, such as `newsletter`. */
  | { readonly topic: "platform-name"; readonly name: string; readonly isChannel: boolean }
  /** Rows that do not say this. A blank cell may mean "as above". */
  | { readonly topic: "platforms" | "date" | "time" }
  /** Blank cells that are merged with the cell above. */
  | { readonly topic: "merged-cells" }
  /** Rows that somebody or a filter has hidden. */
  | { readonly topic: "hidden-rows"; readonly rows: number }
  /** A table without a header: the first cells of its columns. */
  | { readonly topic: "positions"; readonly samples: readonly string[] };
