/**
 * A problem is data: its cause, place and fix. Stages collect problems and continue, so that one run shows them all.
 * Only the report formats them. Tests check codes and places, never prose.
 *
 * A problem carries the questions that would settle it, which only the team can answer. `plancast init` asks them; other
 * commands only show the problem.
 */

import { type Code, type ProblemCode, severityOfCode } from "../problems/catalogue.ts";
import type { DateOrder, Field } from "./fields.ts";

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

/** Errors before warnings; otherwise in the given order. */
export function errorsFirst<T extends Pick<Problem, "severity">>(problems: readonly T[]): readonly T[] {
  const rank = ({ severity }: T): number => (severity === "error" ? 0 : 1);
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

export type Question =
  /** A date that can be read in several ways; `text` is an example. Other dates of the file may have only one order. */
  | { readonly topic: "date-order"; readonly text: string; readonly likely?: DateOrder }
  /** Several sheets may be calendars; the likely one is first. `areSeveral`: whether all of them look like one. */
  | { readonly topic: "sheet"; readonly sheets: readonly string[]; readonly areSeveral: boolean }
  /** The file is not UTF-8, and does not say what it is. `sample`: its first other text, read as Windows-1252. */
  | { readonly topic: "encoding"; readonly sample?: { readonly line: number; readonly text: string } }
  /** The table looks like a file of another scheduler. */
  | { readonly topic: "preset"; readonly name: string; readonly title: string }
  /** A word in the status column, and how many rows have it. */
  | { readonly topic: "status"; readonly word: string; readonly rows: number }
  /** A column named like a network: text for it, or a mark that the post goes there. */
  | {
      readonly topic: "network-column";
      readonly column: string;
      readonly network: string;
      readonly isText: boolean;
    }
  /** A yes-or-no column that seems to decide which rows are published. `shows`: what may mean yes there. */
  | { readonly topic: "yes-or-no"; readonly column: string; readonly shows?: "dates" | "addresses" }
  /** A cell of a yes-or-no column that says neither; `field` and `value` are what a yes means. */
  | {
      readonly topic: "undecided";
      readonly column: string;
      readonly text: string;
      /** Whether the cell is a date. */
      readonly isDate?: boolean;
      readonly field: "platforms" | "status";
      readonly value: string;
    }
  /**
   * The zone in a header and the project's zone differ. IANA names; those of the header are first. `column`: the column
   * that an answer must confirm too, because the header names no zone that plancast knows.
   */
  | {
      readonly topic: "zone";
      readonly header: string;
      readonly zones: readonly string[];
      readonly column?: { readonly name: string; readonly field: Field };
    }
  /** A name in the platforms column. `isChannel`: it is known not to be a network, such as `newsletter`. */
  | { readonly topic: "platform-name"; readonly name: string; readonly isChannel: boolean }
  /** Rows that name no platform. `others`: if these rows may be notes, the platforms of all other rows. */
  | { readonly topic: "platforms"; readonly others?: readonly string[] }
  /** Rows that have a date and no time. */
  | { readonly topic: "time" }
  /** Rows with a blank cell that may mean "as above". `example`: the first one, if a row above it has a value. */
  | {
      readonly topic: "carry";
      readonly field: "date" | "time" | "platforms";
      readonly example?: CarryExample;
    }
  /** Blank cells that are merged with the cell above. */
  | { readonly topic: "merged-cells" }
  /** Rows that somebody or a filter has hidden. */
  | { readonly topic: "hidden-rows"; readonly rows: number }
  /** Rows with different colours, and no column with the status. */
  | { readonly topic: "colours" }
  /** No column holds this field; the columns that may, by their names in the header. */
  | {
      readonly topic: "column";
      readonly field: Field;
      readonly columns: readonly string[];
      /** Whether probably none of them holds the field. */
      readonly isUnlikely?: boolean;
    }
  /** A table without a header: its columns by their letters, with a cell and the field that they seem to hold. */
  | {
      readonly topic: "positions";
      readonly columns: readonly {
        readonly position: string;
        readonly sample: string;
        readonly field?: Field;
      }[];
    }
  /** A column that may be a part of the text, and all columns with its parts, in their order. */
  | { readonly topic: "join"; readonly column: string; readonly parts: readonly string[] }
  /** Several columns hold one field. */
  | { readonly topic: "duplicate"; readonly field: string; readonly columns: readonly string[] }
  /**
   * A column whose name often means something other than this field. `isUnlikely`: its cells do not look like this
   * field.
   */
  | {
      readonly topic: "vague";
      readonly field: string;
      readonly column: string;
      readonly isUnlikely?: true;
    }
  /** A column of accounts, brands or clients, with its values. */
  | { readonly topic: "accounts"; readonly column: string; readonly values: readonly string[] }
  /** A column with the names of those who approved the rows, and how many of its cells are blank. */
  | {
      readonly topic: "approver";
      readonly column: string;
      readonly names: readonly string[];
      readonly blank: number;
    }
  /** A column with kinds of posts: the kinds that may be ordinary posts, and the others. */
  | {
      readonly topic: "formats";
      readonly column: string;
      readonly plain: readonly string[];
      readonly others: readonly string[];
    }
  /**
   * A key of YAML that plancast does not know, how many posts have it, and whether the first one has a date there.
   * `field`: what it may mean.
   */
  | {
      readonly topic: "unknown-key";
      readonly column: string;
      readonly rows: number;
      readonly isDate: boolean;
      readonly field?: string;
    }
  /** A column that is filled and not published, such as hashtags. */
  | { readonly topic: "left-out"; readonly column: string; readonly rows: number };

/** What the first of some rows with a blank cell would get from a row above. */
interface CarryExample {
  /** The number of rows in which this cell is blank. */
  readonly rows: number;
  readonly row: Pick<Position, "line" | "cell">;
  /** Its text, which shows whether it is a post or a note; empty if it has none. */
  readonly text: string;
  readonly above: Pick<Position, "line" | "cell">;
  /** Whether most rows are blank there: then it is likely that a blank cell means "as above". */
  readonly areMost: boolean;
  /** The value as written in the row above. */
  readonly value: string;
}

/** Equal for questions that share an answer. */
export function questionKey(question: Question): string {
  switch (question.topic) {
    case "status":
      return `status ${question.word}`;
    case "platform-name":
      return `platform-name ${question.name}`;
    case "column":
    case "duplicate":
    case "carry":
      return `${question.topic} ${question.field}`;
    case "network-column":
    case "yes-or-no":
    case "accounts":
    case "vague":
    case "left-out":
    case "undecided":
    case "formats":
    case "unknown-key":
    case "join":
    case "approver":
      return `${question.topic} ${question.column}`;
    case "date-order":
    case "zone":
    case "sheet":
    case "encoding":
    case "preset":
    case "positions":
    case "platforms":
    case "time":
    case "merged-cells":
    case "hidden-rows":
    case "colours":
      return question.topic;
  }
}
