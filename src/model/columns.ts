/** What a column of a calendar can mean, in the words of `columns:`, and how plancast understood a table's columns. */

import {
  type DateOrder,
  type Field,
  type VariantField,
  VARIANT_FIELDS,
  fieldNamed,
  isStatus,
} from "./fields.ts";
import type { Position } from "./problem.ts";
import { optionNamed } from "./options/catalogue.ts";
import { foldName } from "./text.ts";

/** Values of `columns:` for a column that is not a field. */
export const IGNORE = "ignore";

/** The columns that plancast fills in a sheet that people keep elsewhere. Known by name, and never a part of a row. */
export const SHEET_RESULTS = { status: "plancast status", link: "plancast link" } as const;

export type SheetResult = keyof typeof SHEET_RESULTS;

export const SHEET_RESULT_NAMES = ["status", "link"] as const satisfies readonly SheetResult[];

export function sheetResultNamed(header: string): SheetResult | undefined {
  const name = foldName(header);
  return SHEET_RESULT_NAMES.find((each) => foldName(SHEET_RESULTS[each]) === name);
}

/** In place of an answer that only the team knows: in a file of answers, and in settings to paste. */
export const OPEN_ANSWER = "?";

/** For a column that the service cannot store: its cells are counted in a message, and not published. */
export const NOT_CARRIED = "not_carried";

/** For a column whose cells must not say yes, because they ask for something that plancast does not do. */
export const REFUSE = "refuse";

/** For a column of platforms that names accounts of another scheduler, which `platforms:` must translate. */
export const ACCOUNTS = "accounts";

/** The column in which a sheet's reader puts what people see of a whole row: its colour, or a line through it. */
export const ROW_STYLE = "Row style";
/** Its value for a row whose texts all have a line through them. */
export const STRUCK_THROUGH = "struck through";

/**
 * For a column whose cells are appended to one of these fields, such as hashtags: `content+`. For a date or a time, they
 * are its other parts: `date+`.
 */
const APPENDED_FIELDS = ["content", "first_comment", "date", "time"] as const satisfies Field[];

type AppendedField = (typeof APPENDED_FIELDS)[number];

const WORDS = [IGNORE, NOT_CARRIED, REFUSE] as const;

/** The words that a column can have besides the fields. */
export const COLUMN_WORDS: readonly string[] = [
  ...WORDS,
  ACCOUNTS,
  ...APPENDED_FIELDS.map((field) => `${field}+`),
];

/**
 * `variant`: the field, for only one platform. `switch`: if the cell says yes, the field has the value. `append`: the
 * cell is added to the text, the first comment, the date or the time. For a status, `ready` also means that any other
 * cell makes the row a draft. `option`: an option of one network, or of all.
 */
export type ColumnTarget =
  | (typeof WORDS)[number]
  | { readonly kind: "field"; readonly field: Field; readonly isAccount?: true }
  | { readonly kind: "variant"; readonly field: VariantField; readonly platform: string }
  | { readonly kind: "switch"; readonly field: "platforms" | "status"; readonly value: string }
  | { readonly kind: "append"; readonly field: AppendedField }
  | { readonly kind: "option"; readonly field: "options"; readonly name: string };

/**
 * Reads `content`, `ignore`, `content:twitter`, `platforms:facebook`, `status:draft` or `youtube.title`; undefined for anything
 * else.
 */
export function columnTarget(text: string): ColumnTarget | undefined {
  const folded = foldName(text);
  const word = WORDS.find((each) => each === folded);
  if (word !== undefined) return word;
  const appended = APPENDED_FIELDS.find((field) => folded === `${field}+`);
  if (appended !== undefined) return { kind: "append", field: appended };
  if (folded === ACCOUNTS) return { kind: "field", field: "platforms", isAccount: true };
  const whole = fieldNamed(text);
  if (whole !== undefined) return { kind: "field", field: whole };
  const option = optionNamed(text);
  if (option !== undefined) return optionTarget(option);
  const { name, of } = splitTarget(text) ?? {};
  const field = name === undefined ? undefined : fieldNamed(name);
  return field === undefined || of === undefined ? undefined : targetWithPart(field, of);
}

/** @param name such as `mastodon.visibility` */
export function optionTarget(name: string): UsedAs {
  return { kind: "option", field: "options", name };
}

/** In a name of `columns:`, matches any text. In the mapped value, repeats the matched text. */
export const WILDCARD = "*";

/** The two parts of `name:of`; undefined for a text without that form. */
export function splitTarget(text: string): { readonly name: string; readonly of: string } | undefined {
  const [, name, of] = /^([^:]+):\s*([\w.-]{1,40}(?:\/[\w-]{1,40})?)\s*$/.exec(text) ?? [];
  return name === undefined || of === undefined ? undefined : { name, of };
}

/** What `field:of` means; undefined if the field cannot have this form. */
export function targetWithPart(field: Field, of: string): ColumnTarget | undefined {
  if (field === "platforms") return { kind: "switch", field, value: of };
  if (field === "status" && isStatus(of)) return { kind: "switch", field, value: of };
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
    case "append":
      return `${target.field}+`;
    case "option":
      return target.name;
    default:
      return target satisfies never;
  }
}

// How plancast understood a table's columns.

/**
 * How plancast knows a column's meaning. `columns:` names it or its position, the preset names it, it has the name of
 * the field, or it has a common name for the field. Languages are codes of ISO 639-1.
 */
export type ColumnEvidence =
  | { readonly by: "project" | "position" | "preset"; readonly key: string }
  | { readonly by: "name" }
  | { readonly by: "synonym"; readonly languages: readonly string[] };

/** The use of a column. */
export type UsedAs = Extract<ColumnTarget, object>;

/** How plancast treats a column. */
export type ColumnMeaning =
  | { readonly kind: "used"; readonly as: UsedAs; readonly evidence: ColumnEvidence }
  /** `columns:` says to ignore the column. */
  | { readonly kind: "ignored"; readonly evidence: ColumnEvidence }
  /** The service cannot store it, or its cells must not say yes. */
  | { readonly kind: "not_carried" | "refuse"; readonly evidence: ColumnEvidence }
  /** Its name means the field that the column `winner` already holds. */
  | { readonly kind: "rival"; readonly as: UsedAs; readonly winner: number }
  | { readonly kind: "unknown" }
  /** It has no name. */
  | { readonly kind: "unnamed" };

/** A column as plancast understood it. */
export interface UnderstoodColumn {
  /** From 0. */
  readonly column: number;
  /** As written in the header; empty without a header. With two header rows, the name in the lower one. */
  readonly name: string;
  /** The name in the upper one of two header rows. */
  readonly group: string;
  /** The name to use in `columns:` of plancast.yaml; undefined if no name would match it. */
  readonly key: string | undefined;
  readonly meaning: ColumnMeaning;
  /** What it may hold, if nobody has said it: a word for `columns:`. */
  readonly suggestion: string | undefined;
  /** Whether a filter uses it, whatever it means. */
  readonly isFilter: boolean;
}

/** Whether plancast.yaml says it, or plancast found it out. */
export interface Sourced<T> {
  readonly value: T;
  readonly isExplicit: boolean;
}

/** Where the order of dates comes from: a preset, a header, or dates that have no other order. */
export interface SourcedOrder extends Sourced<DateOrder> {
  readonly preset?: string;
  readonly header?: string;
}

/** What the names of columns or keys say about all times and dates of a calendar. */
export interface HeaderNotes {
  readonly zone?: { readonly name: string; readonly header: string; readonly at: Position };
  readonly dateOrder?: { readonly order: DateOrder; readonly header: string };
}

/** A table as plancast understood it, with what it found out. */
export interface UnderstoodTable {
  /** Listed in the order of the file. A column without a name is included only if a row fills it. */
  readonly columns: readonly UnderstoodColumn[];
  /** Header rows (one or two), from 1; `none` if the columns are known by position. */
  readonly headerRow: Sourced<number | readonly [number, number] | "none">;
  /** The header is the first row that is not empty. */
  readonly isHeaderFirst: boolean;
  /** Only for text files. The file's name or its first line may say it. */
  readonly delimiter?: Sourced<string>;
  /** For workbooks. */
  readonly sheet?: Sourced<string> & {
    readonly isOnly: boolean;
    /** The names of all sheets that are read, if there are several. The columns are the columns of the first sheet. */
    readonly all?: readonly string[];
  };
}

/** How plancast.yaml was changed. */
export interface ProjectFileEdit {
  /** Name of the file. */
  readonly file: string;
  readonly before: string;
  readonly after: string;
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
