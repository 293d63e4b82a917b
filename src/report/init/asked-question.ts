/** A question of `plancast init FILE` about a calendar, and its answers. */

import type { Question } from "../../model/problem.ts";
import type { ProjectSettings } from "../../settings/config.ts";

/** One answer to a question, and its meaning. */
export interface Answer {
  readonly text: string;
  readonly settings: ProjectSettings;
}

interface TypedAnswer {
  readonly prompt: string;
  readonly read: (text: string) => ProjectSettings | undefined;
  /** Why a text has no meaning, and what to type instead; undefined if there is nothing special to say. */
  readonly why?: (text: string) => string | undefined;
}

/** A column as a question shows it. */
export interface ShownColumn {
  /** Its name under `columns:`. */
  readonly key: string;
  /** Its header, which differs from the name if two columns have the same. */
  readonly header: string | undefined;
  /** Some of its cells. */
  readonly samples: readonly string[];
  /** The number of rows with this text. */
  readonly rowsWith: (text: string) => number;
}

/** A question as people see it. The likely answer is first. */
export interface AskedQuestion {
  readonly text: string;
  readonly answers: readonly Answer[];
  /**
   * For an answer in words: what to type, and how to read it. Reading returns undefined for a text without a meaning.
   */
  readonly typed?: TypedAnswer | undefined;
}

export type QuestionAbout<Topic extends Question["topic"]> = Extract<Question, { topic: Topic }>;
