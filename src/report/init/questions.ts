/** What `plancast init FILE` asks, with the settings that each answer means, and the networks in what people type. */

import { nearestNetwork, networksIn } from "../../checks/networks/network-names.ts";
import { inLatinDigits } from "../../checks/when/written-forms.ts";
import { shownZone, zoneMeant } from "../../checks/when/local-time.ts";
import { IGNORE } from "../../model/columns.ts";
import type { DateOrder } from "../../model/fields.ts";
import type { Question } from "../../model/problem.ts";
import { didYouMean } from "../../model/text.ts";
import type { ProjectSettings } from "../../settings/config.ts";
import { plural } from "../text/numbers.ts";
import { clipText } from "../text/wrap.ts";
import {
  type Answer,
  type AskedQuestion,
  type QuestionAbout,
  type ShownColumn,
  COLUMN_OF,
  SHOWN_VALUE,
  accountsQuestion,
  columnAnswer,
  dateAnswer,
  listedColumn,
  positionsQuestion,
  quotedColumn,
  quotedSample,
  undecidedQuestion,
} from "./asked-question.ts";
import { placeText } from "./notes.ts";

type ShowColumn = (key: string) => ShownColumn;

/** Without cells, if nobody has read them. */
const noCells: ShowColumn = (key) => ({ key, header: key, samples: [], rowsWith: () => 0 });

/**
 * A question as people see it, with its answers.
 * @param show a column with its cells
 */
export function askedQuestion<Topic extends Question["topic"]>(
  question: QuestionAbout<Topic>,
  show: ShowColumn = noCells,
): AskedQuestion {
  return QUESTIONS[question.topic](question, show);
}

/** To add a question, add its topic to Question and an entry here. */
const QUESTIONS: {
  readonly [Topic in Question["topic"]]: (question: QuestionAbout<Topic>, show: ShowColumn) => AskedQuestion;
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
  "network-column": (question, show) => {
    const { column, network, isText } = question;
    const text = columnAnswer("the text of the post there", column, `content:${network}`);
    const mark = columnAnswer("a mark that the post goes there", column, `platforms:${network}`);
    return {
      text: `What is in the column ${quotedColumn(show(column))}?`,
      answers: [...(isText ? [text, mark] : [mark, text]), columnAnswer("something else", column, "ignore")],
    };
  },
  "yes-or-no": ({ column, shows }) => ({
    text: `What does ${shows === "addresses" ? "a web address" : shows === "dates" ? "a date" : "a yes"} mean in the column "${column}"?`,
    answers: [
      ...(shows === "addresses"
        ? []
        : [columnAnswer("ready: publish the row at its time", column, "status:ready")]),
      columnAnswer("already published: leave the row out", column, "status:skip"),
      ...(shows === "dates" ? [dateAnswer(column)] : []),
      columnAnswer("something else", column, "ignore"),
    ],
  }),
  undecided: (question) => undecidedQuestion(question),
  "unknown-key": (question) => ({
    text: `${plural(question.rows, "post")} ${question.rows === 1 ? "has" : "have"} the key "${question.column}". What is it?`,
    answers: [
      ...(question.field === undefined ? [] : [fieldAnswer(question.column, question.field)]),
      ...(question.isDate ? [dateAnswer(question.column)] : []),
      columnAnswer("a note for the team: do not publish it", question.column, "ignore"),
      ...(question.isDate ? [] : [dateAnswer(question.column)]),
      columnAnswer("the time of the post, without a date", question.column, "time"),
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
        : "its name, such as linkedin, several names, or skip to leave it out in all rows",
      read: (text) => {
        const names = nameForService(text);
        return names.length === 0 ? undefined : { platforms: { [question.name]: names.join(", ") } };
      },
      why: unknownNetwork,
    },
  }),
  platforms: ({ others = [] }) => ({
    text: "Some rows do not name a network. Which networks are they for?",
    answers:
      others.length === 0
        ? []
        : [{ text: "none, they are notes: leave them out", settings: { only: { platforms: [...others] } } }],
    typed: {
      prompt: "one or more names, such as linkedin, instagram",
      read: (text) => {
        const platforms = networksTyped(text);
        return platforms.length === 0 ? undefined : { defaults: { platforms } };
      },
      why: unknownNetwork,
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
    answers: carryAnswers(question),
  }),
  "merged-cells": () => ({
    text: "Some cells are merged with the cell above. Do all rows of a merged cell have its value?",
    answers: [
      { text: "yes", settings: { merged_cells: "carry" } },
      { text: "no", settings: {} },
    ],
  }),
  "hidden-rows": ({ rows }) => ({
    text: `${plural(rows, "row")} ${rows === 1 ? "is" : "are"} hidden in the workbook. What should plancast do with ${rows === 1 ? "it" : "them"}?`,
    answers: [
      { text: "leave hidden rows out", settings: { hidden_rows: "skip" } },
      { text: "read hidden rows like the others", settings: { hidden_rows: "read" } },
    ],
  }),
  colours: () => ({
    text: "The rows have different colours, which plancast cannot read. Do the colours say which rows are ready?",
    answers: [
      { text: "yes: first, I will add a column with the status to the workbook", settings: {} },
      { text: "no", settings: { row_colours: "ignore" } },
    ],
  }),
  duplicate: (question, show) => ({
    text: `Several columns look like ${COLUMN_OF[question.field] ?? `\`${question.field}\``}. Which one is it?`,
    answers: question.columns.map((name) => {
      const others = question.columns.filter((each) => each !== name);
      return {
        text: listedColumn(show(name)),
        settings: { columns: Object.fromEntries(others.map((other) => [other, "ignore"])) },
      };
    }),
  }),
  join: ({ column, parts: [first = column, ...others] }, show) => ({
    text: `Join ${listed([first, ...others].map((name) => quotedColumn(show(name))))} into one text, with a blank line between them?`,
    answers: [
      {
        text: "yes",
        settings: {
          columns: { [first]: "content", ...Object.fromEntries(others.map((each) => [each, "content+"])) },
        },
      },
      columnAnswer(`no, "${column}" is not a part of the text`, column, IGNORE),
    ],
  }),
  vague: (question, show) => ({
    text: `Does the column ${quotedColumn(show(question.column))} hold ${COLUMN_OF[question.field] ?? `\`${question.field}\``}?`,
    answers: question.isUnlikely
      ? [columnAnswer("no", question.column, "ignore"), columnAnswer("yes", question.column, question.field)]
      : [columnAnswer("yes", question.column, question.field), columnAnswer("no", question.column, "ignore")],
  }),
  accounts: (question, show) => accountsQuestion(question, show(question.column)),
  formats: ({ column, plain, others }, show) => ({
    text: `The column ${quotedColumn(show(column))} has rows that are not ordinary posts: ${others.join(", ")}. What should plancast do with them?`,
    answers: [
      ...(plain.length === 0
        ? []
        : [{ text: "leave them out", settings: { only: { [column]: [...plain] } } }]),
      columnAnswer("publish them as ordinary posts", column, "ignore"),
    ],
  }),
  approver: ({ column, names, blank }, show) => ({
    text: `The column ${quotedColumn(show(column))} is blank in ${plural(blank, "row")}. What should plancast do with ${blank === 1 ? "it" : "them"}?`,
    answers: [
      { text: "leave out: not approved yet", settings: { only: { [column]: [...names] } } },
      columnAnswer("publish anyway", column, "ignore"),
    ],
  }),
  "left-out": (question, show) => ({
    text: `${plural(question.rows, "row")} ${question.rows === 1 ? "has" : "have"} something in ${quotedColumn(show(question.column))}. Add it to the end of the text?`,
    answers: [
      columnAnswer("yes", question.column, "content+"),
      columnAnswer("no", question.column, "ignore"),
    ],
  }),
  positions: (question) => positionsQuestion(question.columns),
  column: (question, show) => ({
    text: `Which column holds ${COLUMN_OF[question.field] ?? `\`${question.field}\``}?`,
    answers: [
      ...(question.isUnlikely === true ? [NONE_OF_THESE] : []),
      ...question.columns.map((name) => columnAnswer(listedColumn(show(name)), name, question.field)),
      ...(question.isUnlikely === true ? [] : [NONE_OF_THESE]),
    ],
  }),
};

/** `a, b and c` */
function listed(all: readonly string[]): string {
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all.at(-1) ?? ""}`;
}

function fieldAnswer(column: string, field: string): Answer {
  return columnAnswer(COLUMN_OF[field] ?? `\`${field}\``, column, field);
}

function carryAnswers({ field, example }: QuestionAbout<"carry">): Answer[] {
  const no = field === "date" ? "no, I will fill in the dates in the calendar" : "no";
  const answers: Answer[] = [
    { text: no, settings: {} },
    { text: "yes", settings: { carry: [field] } },
  ];
  return example?.areMost === true ? answers.toReversed() : answers;
}

function carryText({ field, example }: QuestionAbout<"carry">): string {
  const what = field === "platforms" ? "network" : field;
  if (example === undefined) return `Some rows have no ${what}. Is it the same as in the row above?`;
  const { rows, row, text, above } = example;
  const value = clipText(example.value, SHOWN_VALUE);
  const place = placeText(row) + (text === "" ? "" : ` (${quotedSample(text)})`);
  if (rows === 1) return `${capital(place)} has no ${what}. Take ${value} from ${placeText(above)}?`;
  return `${rows} rows have no ${what}; the first is ${place}. Take the ${what} of the row above, here ${value} from ${placeText(above)}?`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function encodingAnswers(encodings: readonly (typeof ENCODINGS)[number][], before = ""): Answer[] {
  return encodings.map(([encoding, text]) => ({ text: before + text, settings: { encoding } }));
}

const ENCODINGS = [
  ["windows-1252", "Windows, in Western Europe or America"],
  ["windows-1250", "Windows, in Central Europe"],
  ["macintosh", "an older Mac"],
] as const;

const NONE_OF_THESE: Answer = { text: "none of these", settings: {} };

function dateOrderQuestion(text: string, likely: DateOrder | undefined): AskedQuestion {
  const [first, second] = (inLatinDigits(text).text.match(/\d+/g) ?? []).map(Number);
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
    text: `How should plancast read dates such as ${text}?${likely === undefined ? "" : " Other dates of the file fit only the first answer."}`,
    answers: isFirstYear
      ? [{ text: "year, month, day", settings: { date_order: "ymd" } }]
      : (likely ?? (/[ap]\.?m\b/i.test(text) ? "mdy" : "dmy")) === "mdy"
        ? [monthFirst, dayFirst]
        : [dayFirst, monthFirst],
  };
}

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

function one(
  all: readonly string[],
  meaning: (name: string) => ProjectSettings,
): ProjectSettings | undefined {
  const [name] = all;
  return name === undefined || all.length > 1 ? undefined : meaning(name);
}

/** The networks of a text as people type them, in their order; none if plancast does not know one of its words. */
function networksTyped(text: string): string[] {
  const found = text
    .toLowerCase()
    .split(/[,;]/)
    .map((part) => networksIn(part, NO_ALIASES) ?? []);
  return found.some((each) => each.length === 0) ? [] : [...new Set(found.flat())];
}

/** A network, `skip`, or a name that only the service knows. A number is probably the number of an answer. */
function nameForService(text: string): readonly string[] {
  const name = text.trim().toLowerCase();
  const isName = /^[a-z0-9][a-z0-9_.-]{0,39}$/.test(name) && !/^\d+$/.test(name);
  const known = networksTyped(text);
  if (known.length > 0) return known;
  return isName && (name === "skip" || nearestNetwork(name, NO_ALIASES) === undefined) ? [name] : [];
}

/** About a text that names no network. */
function unknownNetwork(text: string): string | undefined {
  if (text.trim() === "") return "Type at least one network.";
  const parts = text.toLowerCase().split(/[,;\s]+/);
  const unknown = parts.find((part) => part !== "" && networksIn(part, NO_ALIASES) === undefined);
  if (unknown === undefined) return undefined;
  return `"${unknown}" is not a network that plancast knows.${didYouMean(nearestNetwork(unknown, NO_ALIASES))}`;
}

const NO_ALIASES = new Map<string, string>();
