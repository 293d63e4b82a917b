/** What one language calls the columns of a calendar, and the words in its cells. Each language has one file. */

import type { Field } from "../../model/fields.ts";

/**
 * One language. Lists of words are texts with `, ` between the words. Case, accents, punctuation, emoji and text in
 * brackets do not count, so list each word once. A word may have only one meaning across all languages: a test checks
 * that.
 */
export interface Language {
  /** ISO 639-1. */
  readonly code: string;
  /** In English. */
  readonly name: string;
  /** Names of columns that mean only this field. */
  readonly columns: Readonly<Partial<Record<Field, string>>>;
  /** What other headers may mean. These are guesses, which only the proposal shows. */
  readonly hints: Readonly<Partial<Record<HeaderHint, string>>>;
  readonly questions: Questions;
  /** Columns with hashtags. */
  readonly hashtags: string;
  readonly status: StatusWords;
  /** Parts of notes that keep a row back, such as `do not publish`. List only what nobody says about anything else. */
  readonly holds: string;
  /** The words of the two lists are in the same order: each has its opposite in the other. */
  readonly yes: string;
  readonly no: string;
  /** What people write in place of a blank cell. */
  readonly nothing: string;
  /** The word between two names of networks: `Facebook and Instagram`. */
  readonly and: string;
  /** What is written at the start of a row with totals. */
  readonly totals: string;
  readonly placeholders: PlaceholderWords;
  /** How headers say the order of a date: `JJ/MM/AAAA`. */
  readonly dateParts: { readonly day: string; readonly month: string; readonly year: string };
}

/**
 * A field; or `content+`: a part of the post that has no field, such as its link or its first line. `accounts`: an account,
 * a brand, a market or a language, whose values divide the rows. `approver`: who approved the row. `ignore`: a note for the
 * team, which decides nothing. `state`: a word anywhere in the header says whether the row is ready or out; `*` after a word
 * means any ending.
 */
export type HeaderHint = Field | "content+" | "accounts" | "approver" | "ignore" | "state";

/**
 * Headers of yes-or-no columns, by what a yes means for the row. A name with `?` counts only with a question mark, or it
 * would mean something else.
 */
interface Questions {
  /** Future form or approval (`Publish?`, `Approved`): yes means ready, everything else draft. */
  readonly ready: string;
  /** Past form (`Published`): yes means that it is already out. */
  readonly skip: string;
  /** Yes means draft. */
  readonly draft: string;
}

/** Texts that people write in place of the text of a post. List only what nobody would publish. */
interface PlaceholderWords {
  /** As the whole text. With an exclamation mark or an emoji, it is a real text: `Offen!` */
  readonly whole: string;
  /** At the start of an unfinished text, in brackets or before a colon or dash: `DRAFT: We open in May.` */
  readonly start: string;
}

/** Words in a status column. */
export interface StatusWords {
  readonly ready: string;
  readonly draft: string;
  /** Already published, or cancelled. */
  readonly skip: string;
  /** Words such as `pending` and `planned`, which mean opposite things in different teams: plancast asks about them. */
  readonly unclear: string;
  /** The row must not go out. In a sheet, these words stop it at once; in a file, they mean skip. */
  readonly stop: string;
}
