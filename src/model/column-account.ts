/**
 * What becomes of each column of a calendar, and of each value of the columns that decide which rows are published. The
 * reader stops at what is unaccounted. `plancast init` and `plancast columns --ask` propose answers.
 */

import type { ColumnEvidence, HeaderNotes, SourcedOrder, UnderstoodTable, UsedAs } from "./columns.ts";
import type { DateOrder, TextEncoding } from "./fields.ts";
import type { Problem } from "./problem.ts";

/** How a column is accounted for, or that it is not. */
export type ColumnUse =
  /** A name that plancast knows exactly, or an entry of `columns:`, says what it holds. */
  | { readonly kind: "used"; readonly as: UsedAs; readonly evidence: ColumnEvidence }
  /** `columns:` or the preset says to ignore it. */
  | { readonly kind: "ignored" }
  /** `only:` reads it. */
  | { readonly kind: "filter" }
  /** Nothing is in it. */
  | { readonly kind: "blank" }
  /** Each of its cells says the same as that column, or names the weekday of the date there. */
  | { readonly kind: "repeats"; readonly of: number }
  | {
      readonly kind: "unaccounted";
      /** What it may hold; absent if nothing shows that. */
      readonly hint?: Hint;
      /** The key of the column that already holds the field that its name means. */
      readonly rival?: { readonly key: string; readonly field: string };
    };

/** What a column without a known name may hold. Only the proposal uses it, never a row. */
export interface Hint {
  /** The word for `columns:`: `status`, `content+`, `ignore`. */
  readonly target: string;
  /** Whether its cells may decide which rows are published. `"*": ignore` does not cover it then. */
  readonly decides: boolean;
  /** What only the team knows. With a question, the target is only the likely answer, not a proposal. */
  readonly question?: string;
  /** The answers to the question, by the word for `columns:`. The likely one is first. */
  readonly answers?: Readonly<Record<string, string>>;
  /** What values mean, if it is a status. `*` is every other filled cell, and the empty text a blank one. */
  readonly values?: Readonly<Record<string, string>>;
}

/** A column or key, and its use. */
export interface ColumnAccount extends ColumnCells {
  /** From 0. For YAML, in the order in which the keys first occur. */
  readonly column: number;
  /** As `columns:` names it: its header, or its letter. */
  readonly key: string;
  readonly use: ColumnUse;
}

/** What the cells of a column show. */
export interface ColumnCells {
  /** As in the header; empty without one. */
  readonly name: string;
  /** The number of rows with content. */
  readonly filled: number;
  /** At most three different cells, clipped, on one line. */
  readonly examples: readonly string[];
  /** All different cells with their rows; absent if there are many. */
  readonly values?: readonly CountedValue[];
}

export interface CountedValue {
  /** As written, trimmed. Empty for a blank cell. */
  readonly text: string;
  readonly rows: number;
}

/** A value of a deciding column. */
export interface AccountedValue extends CountedValue {
  /**
   * `ready`, `draft` or `skip`; `yes` or `no`; or a type. Undefined if somebody must say it. `by`: plancast's own words, a
   * language, or `values:` and `status_values:`.
   */
  readonly meaning?: string | undefined;
  readonly by?: "own" | "language" | "settings" | undefined;
}

/** What the values of a deciding column say: a status, yes or no, or the type of the post. */
export type DecidingKind = "status" | "answer" | "type";

/** A column that decides which rows are published, with its values in the order of the file. */
export interface DecidingColumn {
  readonly column: number;
  readonly key: string;
  readonly kind: DecidingKind;
  readonly as: UsedAs;
  readonly values: readonly AccountedValue[];
}

/** All columns of a calendar. */
export interface CalendarAccount {
  readonly columns: readonly ColumnAccount[];
  readonly deciding: readonly DecidingColumn[];
  /** What else the file shows about its columns: sentences after a space. */
  readonly note?: string;
}

/** The columns that somebody must name. */
export function unaccounted({ columns }: CalendarAccount): readonly UnaccountedColumn[] {
  return columns.filter((column): column is UnaccountedColumn => column.use.kind === "unaccounted");
}

/** A column that somebody must name. */
export interface UnaccountedColumn extends ColumnAccount {
  readonly use: Extract<ColumnUse, { kind: "unaccounted" }>;
}

/** The deciding columns with values that somebody must explain, and these values only. */
export function unexplained({ deciding }: CalendarAccount): readonly DecidingColumn[] {
  return deciding.flatMap((column) => {
    const values = column.values.filter(({ meaning }) => meaning === undefined);
    return values.length === 0 ? [] : [{ ...column, values }];
  });
}

/** A cell that shows the order of day, month and year in dates that are only numbers. */
export interface DateExample {
  readonly order: DateOrder;
  readonly line: number;
  readonly text: string;
}

/** What `plancast columns` shows of a calendar. */
export interface CalendarColumns {
  /** Relative to the project root, with `/`. Outside a project, as the user named it. */
  readonly file: string;
  /** Absent if the file is not a table, or could not be read as one. */
  readonly table?: UnderstoodTable;
  /** Absent if the file could not be read. Without a table, its columns are the keys of posts. */
  readonly account?: CalendarAccount;
  readonly notes?: HeaderNotes | undefined;
  readonly encoding?: TextEncoding;
  /**
   * The order that plancast.yaml sets, otherwise the one that all dates agree on. Absent if nothing shows it, or if
   * dates disagree.
   */
  readonly dateOrder?: SourcedOrder;
  /** For each order that dates of the table show, the first cell. */
  readonly dateExamples: readonly DateExample[];
  /** Problems of the file or its header. Rows have their own problems. */
  readonly problems: readonly Problem[];
  /** One line of the file, to show beside a problem. */
  sourceLine(line: number): string | undefined;
  /** Problems of rows, which `validate` shows. */
  readonly otherProblems: number;
}
