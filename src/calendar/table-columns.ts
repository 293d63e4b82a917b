/** How the columns of a table are understood: the value by which they are read, and which `plancast columns` shows. */
import type { ColumnTarget } from "./column-target.ts";

/** The languages whose names of columns are known (ISO 639-1). */
export const LANGUAGES = ["en", "fr", "de", "es", "it", "pt", "nl"] as const;

export type Language = (typeof LANGUAGES)[number];

/**
 * How it is known what a column stands for: `columns:` of the project file says it of its name or of its position, or
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
  /** It stands for what the column `first` stands for already. */
  | { readonly kind: "duplicate"; readonly as: UsedAs; readonly first: number }
  /** Its name may stand for what the column `surer` does. */
  | { readonly kind: "outdone"; readonly as: UsedAs; readonly winner: number }
  | { readonly kind: "unknown" }
  /** It has no name. */
  | { readonly kind: "unnamed" };

/** A column, understood. */
export interface UnderstoodColumn {
  /** From 0. */
  readonly column: number;
  /** As it stands in the header; empty where there is none. Of two header rows the lower one's. */
  readonly name: string;
  /** Of two header rows, the upper one's name. */
  readonly group: string;
  /** What `columns:` of the project file calls it; undefined where it cannot be called anything there. */
  readonly key: string | undefined;
  readonly meaning: ColumnMeaning;
  /** The field whose name is near, where the column is unknown. */
  readonly suggestion: string | undefined;
  /** Whether a filter asks for it, whatever it stands for. */
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
  return !isFilter && ["unknown", "outdone", "unnamed"].includes(meaning.kind);
}
