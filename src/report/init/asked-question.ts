/**
 * The form of a question of `plancast init FILE` and of its answers, and the questions about what a column holds.
 * questions.ts has all questions.
 */

import { IGNORE } from "../../model/columns.ts";
import { fieldNamed } from "../../model/fields.ts";
import type { Question } from "../../model/problem.ts";
import { foldName } from "../../model/text.ts";
import type { ProjectSettings } from "../../settings/config.ts";
import { plural } from "../text/numbers.ts";
import { clipText } from "../text/wrap.ts";

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

/** In an answer: `Kommentar: "Hello", "Again"`. */
export function listedColumn({ key, header, samples }: ShownColumn): string {
  const name = header === undefined || header === key ? key : `${header} (column ${key})`;
  return samples.length === 0 ? name : `${name}: ${samples.map(quotedSample).join(", ")}`;
}

/** In a sentence: `"Kommentar" (such as "Hello")`. */
export function quotedColumn({ key, samples: [sample] }: ShownColumn): string {
  return sample === undefined ? `"${key}"` : `"${key}" (such as ${quotedSample(sample)})`;
}

export function quotedSample(text: string): string {
  return `"${clipText(text.replaceAll(/\s+/g, " "), SHOWN_VALUE)}"`;
}

/** The maximum number of characters of a cell in a question. */
export const SHOWN_VALUE = 40;

export function accountsQuestion(
  { column, values }: QuestionAbout<"accounts">,
  { rowsWith }: ShownColumn,
): AskedQuestion {
  const only = values.map((value): Answer => {
    const rows = rowsWith(value);
    const count = rows === 0 ? "" : ` (${plural(rows, "row")})`;
    return {
      text: `only ${value}${count}: leave out all other rows`,
      settings: { only: { [column]: value } },
    };
  });
  return {
    text: `The rows are for several accounts: see the column "${column}". plancast publishes to one account for each network. Which rows should it publish?`,
    answers: [...only, columnAnswer("all rows, to the same accounts", column, "ignore")],
  };
}

export function columnAnswer(text: string, column: string, target: string): Answer {
  return { text, settings: { columns: { [column]: target } } };
}

export function positionsQuestion(columns: QuestionAbout<"positions">["columns"]): AskedQuestion {
  const settings = (fields: readonly string[]): ProjectSettings => {
    const named = columns.map(({ position }, index): [string, string] => [position, fields[index] ?? IGNORE]);
    return { header_row: "none", columns: Object.fromEntries(named) };
  };
  const shown = columns.map(
    ({ position, sample, field = IGNORE }) => `${position} as ${field} ("${sample}")`,
  );
  return {
    text: `The table has no header. plancast would read these columns: ${shown.join(", ")}. Is that right?`,
    answers: [
      { text: "yes", settings: settings(columns.map(({ field = IGNORE }) => field)) },
      { text: "no, the first row is a header", settings: {} },
    ],
    typed: {
      prompt: "what each column holds, such as date, time, platforms, content, ignore",
      read: (text) => {
        const fields = text.split(/[\s,;]+/).flatMap((word) => {
          return (foldName(word) === IGNORE ? IGNORE : fieldNamed(word)) ?? [];
        });
        return fields.length === columns.length ? settings(fields) : undefined;
      },
    },
  };
}

/** The column `date` may also have a time. */
export function dateAnswer(column: string): Answer {
  return columnAnswer("the date of the post, with or without a time", column, "date");
}

export const COLUMN_OF: Readonly<Partial<Record<string, string>>> = {
  content: "the text of the posts",
  date: "the date of the posts",
  time: "the time of the posts",
  "date+": "the day in the week that begins on the date",
  "time+": "am or pm, for the time of the posts",
  media: "pictures or videos, as file names or web addresses",
  platforms: "the networks of the posts",
  status: "the status of the posts",
  scheduled_at: "the date and time of the posts",
};

export function undecidedQuestion({
  column,
  text,
  field,
  value,
  isDate,
}: QuestionAbout<"undecided">): AskedQuestion {
  const likely =
    field === "status"
      ? [...(isDate === true ? datedAnswers(column, value) : []), ...statusAnswer(column, value)]
      : [
          { text: `marks for ${value}: I will correct this cell`, settings: {} },
          columnAnswer(`the text of the post for ${value}`, column, `content:${value}`),
        ];
  const isText = columnAnswer("the text of the posts", column, "content");
  return {
    text: `The column "${column}" says "${text}", which is neither yes nor no. What is in this column?`,
    answers: [
      ...(text.split(/\s+/u).length > MOST_STATUS_WORDS ? [isText, ...likely] : [...likely, isText]),
      columnAnswer("something that plancast does not need", column, "ignore"),
    ],
  };
}

/** In a column of approvals, a blank cell is not approved. */
function statusAnswer(column: string, value: string): readonly Answer[] {
  const { settings } = columnAnswer("", column, "status");
  const text = "the status of each post; plancast asks what each word means";
  return value === "ready"
    ? [
        {
          text: `${text}, and a blank cell is a draft`,
          settings: { ...settings, status_values: { "": "draft" } },
        },
      ]
    : [{ text, settings }];
}

/** What a date means in a column that seems to say yes or no. @param value what a yes would mean */
function datedAnswers(column: string, value: string): readonly Answer[] {
  const skip = columnAnswer("the day on which the post went out: leave the row out", column, "status:skip");
  const ready = columnAnswer(
    "the day of its approval: publish only rows with a date",
    column,
    "status:ready",
  );
  return value === "skip" ? [skip, dateAnswer(column), ready] : [dateAnswer(column), ready, skip];
}

/** A longer cell is probably the text of a post, not a status. */
const MOST_STATUS_WORDS = 3;
