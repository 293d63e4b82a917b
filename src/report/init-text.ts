/** What `plancast init FILE` asks, with the settings that each answer means. */

import { shownZone, zoneMeant } from "../checks/when/local-time.ts";
import { IGNORE } from "../model/columns.ts";
import { type DateOrder, fieldNamed } from "../model/fields.ts";
import { type Position, type Question, sheetOf } from "../model/problem.ts";
import { foldName } from "../model/text.ts";
import type { ProjectSettings } from "../settings/config.ts";
import { plural } from "./text/numbers.ts";
import { clipText } from "./text/wrap.ts";

/** One answer to a question, and its meaning. */
export interface Answer {
  readonly text: string;
  readonly settings: ProjectSettings;
}

interface TypedAnswer {
  readonly prompt: string;
  readonly read: (text: string) => ProjectSettings | undefined;
}

/** A question as people see it. The likely answer is first. */
export interface AskedQuestion {
  readonly text: string;
  readonly answers: readonly Answer[];
  /** For an answer in words: what to type, and its meaning; undefined if it means nothing. */
  readonly typed?: TypedAnswer | undefined;
}

/** A question as people see it, with its answers. */
export function askedQuestion<Topic extends Question["topic"]>(
  question: QuestionAbout<Topic>,
): AskedQuestion {
  return QUESTIONS[question.topic](question);
}

type QuestionAbout<Topic extends Question["topic"]> = Extract<Question, { topic: Topic }>;

/** To add a question, add its topic to Question and an entry here. */
const QUESTIONS: {
  readonly [Topic in Question["topic"]]: (question: QuestionAbout<Topic>) => AskedQuestion;
} = {
  "date-order": (question) => dateOrderQuestion(question.text, question.likely),
  sheet: (question) => ({
    text: "Which sheet of the workbook is the calendar?",
    answers: [
      ...(question.areSeveral ? [{ text: "all of them", settings: { sheet: "*" } }] : []),
      ...question.sheets.map((sheet) => ({ text: sheet, settings: { sheet } })),
    ],
  }),
  encoding: ({ sample }) =>
    sample === undefined
      ? { text: "The file is not UTF-8. Where does it come from?", answers: encodingAnswers(ENCODINGS) }
      : {
          text: `The file is not UTF-8. plancast reads line ${sample.line} as: "${sample.text}". Is that correct?`,
          answers: [
            { text: "yes", settings: { encoding: "windows-1252" } },
            ...encodingAnswers(ENCODINGS.slice(1), "no, it comes from "),
            { text: "no, I will save the file as UTF-8", settings: {} },
          ],
        },
  preset: (question) => ({
    text: `The calendar looks like a file from ${question.title}. Is it?`,
    answers: [
      { text: "yes", settings: { preset: question.name } },
      { text: "no", settings: {} },
    ],
  }),
  status: (question) => statusQuestion(question.word, question.rows),
  zone: ({ header, zones, column }) => {
    const settingsFor = (timezone: string): ProjectSettings => ({
      timezone,
      ...(column === undefined ? {} : { columns: { [column.name]: column.field } }),
    });
    return {
      text: `The header says "${header}". Which time zone are the times in?`,
      answers: zones.map((timezone) => ({ text: shownZone(timezone), settings: settingsFor(timezone) })),
      typed: {
        prompt: "another one, such as Europe/Paris",
        read: (text) =>
          one(
            [zoneMeant(text.trim())].flatMap((zone) => zone ?? []),
            settingsFor,
          ),
      },
    };
  },
  "network-column": (question) => {
    const { column, network, isText } = question;
    const text = columnAnswer("the text of the post there", column, `content:${network}`);
    const mark = columnAnswer("a mark that the post goes there", column, `platforms:${network}`);
    return {
      text: `What is in the column "${column}"?`,
      answers: [...(isText ? [text, mark] : [mark, text]), columnAnswer("something else", column, "ignore")],
    };
  },
  "yes-or-no": (question) => ({
    text: `What does a ${question.areDates === true ? "date" : "yes"} mean in the column "${question.column}"?`,
    answers: [
      columnAnswer("ready: publish the row at its time", question.column, "status:ready"),
      columnAnswer("already published: leave the row out", question.column, "status:skip"),
      columnAnswer("something else", question.column, "ignore"),
    ],
  }),
  undecided: (question) => undecidedQuestion(question),
  "unknown-key": (question) => ({
    text: `${plural(question.rows, "post")} ${question.rows === 1 ? "has" : "have"} the key "${question.column}". What is it?`,
    answers: [
      ...(question.isDate ? [dateAnswer(question.column)] : []),
      columnAnswer("a note for the team: do not publish it", question.column, "ignore"),
      ...(question.isDate ? [] : [dateAnswer(question.column)]),
      columnAnswer("the status of the post", question.column, "status"),
      columnAnswer("words to add to the end of the text", question.column, "content+"),
    ],
  }),
  "platform-name": (question) => ({
    text: question.isChannel
      ? `"${question.name}" is not a social network. What should plancast do with it?`
      : `Which network is "${question.name}"?`,
    answers: question.isChannel
      ? [{ text: "leave it out in all rows", settings: { platforms: { [question.name]: "skip" } } }]
      : [],
    typed: {
      prompt: question.isChannel
        ? "the service's name for it"
        : "its name, such as linkedin, or skip to leave it out in all rows",
      read: (text) => one(names(text), (name) => ({ platforms: { [question.name]: name } })),
    },
  }),
  platforms: () => ({
    text: "Some rows do not name a network. Which networks are they for?",
    answers: [],
    typed: {
      prompt: "one or more names, such as linkedin, instagram",
      read: (text) => {
        const platforms = names(text);
        return platforms.length === 0 ? undefined : { defaults: { platforms } };
      },
    },
  }),
  time: () => ({
    text: "Some rows have a date but no time. At what time should these posts go out?",
    answers: ["09:00", "10:00", "12:00"].map((time) => ({
      text: time,
      settings: { defaults: { time } },
    })),
    typed: {
      prompt: "another time, such as 18:30",
      read: (text) => (/^([01]?\d|2[0-3]):[0-5]\d$/.test(text) ? { defaults: { time: text } } : undefined),
    },
  }),
  carry: (question) => ({
    text: carryText(question),
    answers: [
      { text: "no", settings: {} },
      { text: "yes", settings: { carry: [question.field] } },
    ],
  }),
  "merged-cells": () => ({
    text: "Some cells are merged with the cell above. Do all rows of a merged cell have its value?",
    answers: [
      { text: "yes", settings: { merged_cells: "carry" } },
      { text: "no", settings: {} },
    ],
  }),
  duplicate: (question) => ({
    text: `Several columns look like ${COLUMN_OF[question.field] ?? `\`${question.field}\``}. Which one is it?`,
    answers: question.columns.map((name) => {
      const others = question.columns.filter((each) => each !== name);
      return {
        text: name,
        settings: { columns: Object.fromEntries(others.map((other) => [other, "ignore"])) },
      };
    }),
  }),
  vague: (question) => ({
    text: `Does the column "${question.column}" hold ${COLUMN_OF[question.field] ?? `\`${question.field}\``}?`,
    answers: question.isUnlikely
      ? [columnAnswer("no", question.column, "ignore"), columnAnswer("yes", question.column, question.field)]
      : [columnAnswer("yes", question.column, question.field), columnAnswer("no", question.column, "ignore")],
  }),
  accounts: (question) => ({
    text: `plancast publishes to one account per network. Which value of "${question.column}" should it publish?`,
    answers: [
      ...question.values.map((value) => ({
        text: value,
        settings: { only: { [question.column]: value } },
      })),
      columnAnswer("all of them, to the same accounts", question.column, "ignore"),
    ],
  }),
  formats: ({ column, plain, others }) => ({
    text: `The column "${column}" has rows that are not ordinary posts: ${others.join(", ")}. What should plancast do with them?`,
    answers: [
      ...(plain.length === 0
        ? []
        : [{ text: "leave them out", settings: { only: { [column]: [...plain] } } }]),
      columnAnswer("publish them as ordinary posts", column, "ignore"),
    ],
  }),
  "left-out": (question) => ({
    text: `${plural(question.rows, "row")} ${question.rows === 1 ? "has" : "have"} something in "${question.column}". Add it to the end of the text?`,
    answers: [
      columnAnswer("yes", question.column, "content+"),
      columnAnswer("no", question.column, "ignore"),
    ],
  }),
  positions: (question) => positionsQuestion(question.columns),
  column: (question) => ({
    text: `Which column holds ${COLUMN_OF[question.field] ?? `\`${question.field}\``}?`,
    answers: [
      ...question.columns.map((name) => columnAnswer(name, name, question.field)),
      { text: "none of these", settings: {} },
    ],
  }),
};

function carryText({ field, example }: QuestionAbout<"carry">): string {
  const what = field === "platforms" ? "network" : field;
  if (example === undefined) return `Some rows have no ${what}. Is it the same as in the row above?`;
  const { rows, row, above } = example;
  const value = clipText(example.value, SHOWN_VALUE);
  const place = placeText(row);
  if (rows === 1) return `${capital(place)} has no ${what}. Take ${value} from ${placeText(above)}?`;
  return `${rows} rows have no ${what}; the first is ${place}. Take the ${what} of the row above, here ${value} from ${placeText(above)}?`;
}

/** The maximum number of characters of a cell in a question. */
const SHOWN_VALUE = 40;

/** A row as people find it: `row 4` of a sheet, `line 4` of another file. */
export function placeText({ line, cell }: Pick<Position, "line" | "cell">): string {
  const sheet = sheetOf({ cell });
  return sheet === undefined ? `line ${line}` : `row ${line} of the sheet "${sheet}"`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function columnAnswer(text: string, column: string, target: string): Answer {
  return { text, settings: { columns: { [column]: target } } };
}

function positionsQuestion(columns: QuestionAbout<"positions">["columns"]): AskedQuestion {
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
function dateAnswer(column: string): Answer {
  return columnAnswer("the date of the post, with or without a time", column, "date");
}

/** About an encoding that nobody was asked about. */
export function guessedEncodingText({
  line,
  text,
}: {
  readonly line: number;
  readonly text: string;
}): string {
  return `The file is not UTF-8, so plancast reads it as Windows-1252: line ${line} says "${text}". If accents are wrong, change encoding in plancast.yaml.`;
}

function encodingAnswers(encodings: readonly (typeof ENCODINGS)[number][], before = ""): Answer[] {
  return encodings.map(([encoding, text]) => ({ text: before + text, settings: { encoding } }));
}

const ENCODINGS = [
  ["windows-1252", "Windows, in Western Europe or America"],
  ["windows-1250", "Windows, in Central Europe"],
  ["macintosh", "an older Mac"],
] as const;

const COLUMN_OF: Readonly<Partial<Record<string, string>>> = {
  content: "the text of the posts",
  date: "the date of the posts",
  time: "the time of the posts",
  media: "pictures or videos, as file names or web addresses",
  platforms: "the networks of the posts",
  status: "the status of the posts",
  scheduled_at: "the date and time of the posts",
};

function dateOrderQuestion(text: string, likely: DateOrder | undefined): AskedQuestion {
  const [first, second] = text.split(/[^\d]+/).map(Number);
  const isFirstYear = (first ?? 0) > 31;
  const dayFirst = {
    text: `day first: day ${first}, month ${second}`,
    settings: { date_order: "dmy" as const },
  };
  const monthFirst = {
    text: `month first: month ${first}, day ${second}`,
    settings: { date_order: "mdy" as const },
  };
  return {
    text: `How are dates such as ${text} meant?${likely === undefined ? "" : " Other dates of the file fit only the first answer."}`,
    answers: isFirstYear
      ? [{ text: "year, month, day", settings: { date_order: "ymd" } }]
      : likely === "mdy"
        ? [monthFirst, dayFirst]
        : [dayFirst, monthFirst],
  };
}

function undecidedQuestion({
  column,
  text,
  field,
  value,
}: Extract<Question, { topic: "undecided" }>): AskedQuestion {
  const likely =
    field === "status"
      ? [columnAnswer("the status of each post; plancast asks what each word means", column, "status")]
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

/** A longer cell is rather the text of a post than a status. */
const MOST_STATUS_WORDS = 3;

function statusQuestion(word: string, rows: number): AskedQuestion {
  const meaning = (text: string, status: "ready" | "draft" | "skip"): Answer => ({
    text,
    settings: { status_values: { [word]: status } },
  });
  return {
    text: `${plural(rows, "row")} ${rows === 1 ? "has" : "have"} the status "${word}". What does it mean?`,
    answers: [
      meaning("not ready: a draft", "draft"),
      meaning("ready: publish it at its time", "ready"),
      meaning("leave it out: already published, or cancelled", "skip"),
    ],
  };
}

/** Names of platforms as people type them. */
function names(text: string): string[] {
  return (
    text
      .toLowerCase()
      .split(/[\s,;]+/)
      // A number is rather the number of an answer.
      .filter((name) => /^[a-z0-9][a-z0-9_.-]{0,39}$/.test(name) && !/^\d+$/.test(name))
  );
}

function one(
  all: readonly string[],
  meaning: (name: string) => ProjectSettings,
): ProjectSettings | undefined {
  const [name] = all;
  return name === undefined || all.length > 1 ? undefined : meaning(name);
}
