/** What a column of a calendar can mean, in the words of `columns:`, and how a table's columns are understood. */

import {
  type DateOrder,
  type Field,
  type TextEncoding,
  type VariantField,
  VARIANT_FIELDS,
  fieldNamed,
} from "./fields.ts";
import type { Problem } from "./problem.ts";
import { foldName } from "./text.ts";

/** What `columns:` says of a column that is no field. */
export const IGNORE = "ignore";

/** For a column that the service has no place for: its cells are counted in a message, and not published. */
export const NOT_CARRIED = "not_carried";

/** What it says of a column that must not say yes, because it asks for what plancast does not do. */
export const REFUSE = "refuse";

/** What it says of a column of platforms that names them by accounts elsewhere, which `platforms:` must translate. */
export const ACCOUNTS = "accounts";

const WORDS = [IGNORE, NOT_CARRIED, REFUSE] as const;

/** The words that a column can have besides the fields. */
export const COLUMN_WORDS: readonly string[] = [...WORDS, ACCOUNTS];

/** `variant`: the field, for one platform only. `switch`: where the cell says yes, the field has the value. */
export type ColumnTarget =
  | (typeof WORDS)[number]
  | { readonly kind: "field"; readonly field: Field; readonly isAccount?: true }
  | { readonly kind: "variant"; readonly field: VariantField; readonly platform: string }
  | { readonly kind: "switch"; readonly field: "platforms" | "status"; readonly value: string };

/** Reads `content`, `ignore`, `content:twitter`, `platforms:facebook` or `status:draft`; undefined for anything else. */
export function columnTarget(text: string): ColumnTarget | undefined {
  const folded = foldName(text);
  const word = WORDS.find((each) => each === folded);
  if (word !== undefined) return word;
  if (folded === ACCOUNTS) return { kind: "field", field: "platforms", isAccount: true };
  const whole = fieldNamed(text);
  if (whole !== undefined) return { kind: "field", field: whole };
  const { name, of } = splitTarget(text) ?? {};
  const field = name === undefined ? undefined : fieldNamed(name);
  return field === undefined || of === undefined ? undefined : targetWithPart(field, of);
}

/** Stands in a name of `columns:` for whatever comes there, and in what it is mapped to for the same once more. */
export const WILDCARD = "*";

/** The two parts of `name:of`; undefined for a text that is not of that form. */
export function splitTarget(text: string): { readonly name: string; readonly of: string } | undefined {
  const [, name, of] = /^([^:]+):\s*([\w.-]{1,40})\s*$/.exec(text) ?? [];
  return name === undefined || of === undefined ? undefined : { name, of };
}

/** What `field:of` means; undefined if the field has no such form. */
export function targetWithPart(field: Field, of: string): ColumnTarget | undefined {
  if (field === "platforms" || field === "status") return { kind: "switch", field, value: of };
  const known = VARIANT_FIELDS.find((each) => each === field);
  return known === undefined ? undefined : { kind: "variant", field: known, platform: of.toLowerCase() };
}

/** The words of `columns:` for it: `content`, `content:twitter`, `platforms:facebook`. */
export function targetText(target: Extract<ColumnTarget, object>): string {
  switch (target.kind) {
    case "field":
      return target.isAccount === true ? ACCOUNTS : target.field;
    case "variant":
      return `${target.field}:${target.platform}`;
    case "switch":
      return `${target.field}:${target.value}`;
    default:
      return target satisfies never;
  }
}

// How the columns of a table are understood.

/** The languages whose names of columns are known (ISO 639-1). */
export const LANGUAGES = ["en", "fr", "de", "es", "it", "pt", "nl"] as const;

export type Language = (typeof LANGUAGES)[number];

/**
 * How the meaning of a column is known: `columns:` of the project file says it of its name or of its position, or
 * the preset that it names does, it is named as the field itself, or it has a name that is commonly given to it.
 */
export type Evidence =
  | { readonly by: "project" | "position" | "preset"; readonly key: string }
  | { readonly by: "name" }
  | { readonly by: "synonym"; readonly isVague: boolean; readonly languages: readonly Language[] };

/** What a column is used as. */
export type UsedAs = Extract<ColumnTarget, object>;

/** What becomes of a column. */
export type ColumnMeaning =
  | { readonly kind: "used"; readonly as: UsedAs; readonly evidence: Evidence }
  /** As the project file says. */
  | { readonly kind: "ignored"; readonly evidence: Evidence }
  /** The service has no place for it, or it must not say yes. */
  | { readonly kind: "not_carried" | "refuse"; readonly evidence: Evidence }
  /** It has the same meaning as the earlier column `first`. */
  | { readonly kind: "duplicate"; readonly as: UsedAs; readonly first: number }
  /** Its name may mean the field of the column `winner`. */
  | { readonly kind: "superseded"; readonly as: UsedAs; readonly winner: number }
  | { readonly kind: "unknown" }
  /** It has no name. */
  | { readonly kind: "unnamed" };

/** A column, understood. */
export interface UnderstoodColumn {
  /** From 0. */
  readonly column: number;
  /** As written in the header; empty without a header. Of two header rows, the lower one's. */
  readonly name: string;
  /** Of two header rows, the upper one's name. */
  readonly group: string;
  /** What `columns:` of the project file calls it; undefined where it cannot be called anything there. */
  readonly key: string | undefined;
  readonly meaning: ColumnMeaning;
  /** The field whose name is near, where the column is unknown. */
  readonly suggestion: string | undefined;
  /** Whether a filter uses it, whatever it means. */
  readonly isFilter: boolean;
}

/** Whether the project file says it, or it was found out. */
export interface Sourced<T> {
  readonly value: T;
  readonly isExplicit: boolean;
}

/** A table as it was understood, with what was found out on the way. */
export interface UnderstoodTable {
  /** In their order; those without a name only as far as any row fills them. */
  readonly columns: readonly UnderstoodColumn[];
  /** The row of the header, or the two, from 1; `none` where the columns are known by position. */
  readonly headerRow: Sourced<number | readonly [number, number] | "none">;
  /** The row of the header is the first that holds anything. */
  readonly isHeaderFirst: boolean;
  /** Of text. The file's name or its first line may say it. */
  readonly delimiter?: Sourced<string>;
  /** Of a workbook. */
  readonly sheet?: Sourced<string> & { readonly isOnly: boolean };
}

/** Whether a column is left out of the calendar although nobody has said so. */
export function isIgnoredByDefault({ meaning, isFilter }: UnderstoodColumn): boolean {
  return !isFilter && ["unknown", "superseded", "unnamed"].includes(meaning.kind);
}

// What `plancast columns` shows of a calendar.

/** What the cells of a column hold. */
export interface ColumnCells {
  /** How many are not blank. */
  readonly filled: number;
  /** The first few that differ, each clipped. */
  readonly samples: readonly string[];
  /** Where dates of numbers show in which order they are written: the first cell of each, by line. */
  readonly orders: readonly {
    readonly order: DateOrder;
    readonly line: number;
    readonly text: string;
  }[];
}

export interface CalendarColumns {
  /** Relative to the project root, with `/`; outside of a project, as it was named. */
  readonly file: string;
  /** Absent where the file is no table, or could not be read as one. */
  readonly table?: UnderstoodTable;
  /** Of each column that has any. */
  readonly cells: ReadonlyMap<number, ColumnCells>;
  /** Of YAML, whose keys are fixed: those that its posts use, with how many do. */
  readonly keys?: readonly { readonly name: string; readonly posts: number }[];
  readonly encoding?: TextEncoding;
  /** What the project says, or else what all dates agree on; absent if nothing shows it, or if dates disagree. */
  readonly dateOrder?: Sourced<DateOrder>;
  /** What is wrong with the file or its header. Rows have problems of their own. */
  readonly problems: readonly Problem[];
  /** One line of the file, to show beside a problem. */
  sourceLine(line: number): string | undefined;
  /** Problems of rows, which `validate` shows. */
  readonly otherProblems: number;
}

/** What plancast has found out of a calendar that the project file could say. */
export interface FoundSettings {
  readonly columns: Readonly<Record<string, string>>;
  readonly header_row?: number | readonly [number, number];
  readonly sheet?: string;
  readonly encoding?: string;
  readonly date_order?: DateOrder;
}

/** What became of the project file. */
export interface ProjectFileEdit {
  /** Its name. */
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** What was added, by calendar; calendars to which there was nothing to add are not there. */
  readonly added: readonly { readonly file: string; readonly settings: FoundSettings }[];
}

/** The letters by which spreadsheets name a column: 0 is A, 26 is AA. */
export function columnLetters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : columnLetters(Math.floor(column / 26) - 1) + last;
}

/** A name as a key in YAML, quoted where it needs to be. */
export function yamlKey(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_ -]*$/u.test(name) ? name : JSON.stringify(name);
}
