/**
 * Finds the settings for a calendar that a team already has: reads it, asks what only the team can know, and reads it
 * again with the answers.
 */

import { dayIn, namesANetwork, showsKind } from "../../calendars/columns/cell-kinds.ts";
import { isTranslatedText, likelyFirst, speaksOf } from "../../calendars/columns/column-names.ts";
import { readStatus } from "../../checks/statuses.ts";
import { IGNORE, isIgnoredByDefault } from "../../model/columns.ts";
import type { Field } from "../../model/fields.ts";
import { groupBy } from "../../model/data.ts";
import { type Problem, type Question, questionKey } from "../../model/problem.ts";
import { type RawRow, RowIndex } from "../../model/row.ts";
import type { Answer, AskedQuestion } from "../../report/init/asked-question.ts";
import { askedQuestion } from "../../report/init/questions.ts";
import type { Calendar } from "../../settings/calendar-settings.ts";
import type { ProjectSettings } from "../../settings/config.ts";
import { yesOrNo } from "../../settings/languages/languages.ts";
import type { Ask } from "../shell/ask.ts";
import { type CalendarReading, readWith } from "./calendar-reading.ts";

/**
 * Reads a calendar until no question is left, or one has no answer.
 * @param file relative to the root, with `/`
 * @param given settings that are known before the first reading
 * @param ask undefined if nobody can be asked
 */
export async function understandCalendar(
  root: string,
  file: string,
  given: ProjectSettings,
  ask: Ask | undefined,
): Promise<CalendarReading> {
  const asked = new Set<string>();
  const further: Question[] = [];
  let settings = given;
  for (;;) {
    const reading = await readWith(root, file, settings);
    const question = ask === undefined ? undefined : nextQuestion(reading, further, asked);
    if (question === undefined || ask === undefined) return reading;
    asked.add(questionKey(question));
    const answer = await ask(possibleAnswers(askedQuestion(question, reading.column), settings));
    if (answer !== undefined) settings = withAnswer(settings, settled(question, answer, reading));
    further.push(...textInstead(question, answer, reading));
  }
}

/** The settings, plus the settings of an answer. */
function withAnswer(settings: ProjectSettings, answer: ProjectSettings): ProjectSettings {
  const { columns, status_values, platforms, defaults, carry, only } = answer;
  return {
    ...settings,
    ...answer,
    ...(columns === undefined ? {} : { columns: { ...settings.columns, ...columns } }),
    ...(status_values === undefined
      ? {}
      : { status_values: { ...settings.status_values, ...status_values } }),
    ...(platforms === undefined ? {} : { platforms: { ...settings.platforms, ...platforms } }),
    ...(only === undefined ? {} : { only: { ...settings.only, ...only } }),
    ...(carry === undefined ? {} : { carry: [...(settings.carry ?? []), ...carry] }),
    ...(defaults === undefined ? {} : { defaults: { ...settings.defaults, ...defaults } }),
  };
}

/** Questions about the file and its columns come before questions about cells. */
const FIRST: readonly Question["topic"][] = [
  "encoding",
  "sheet",
  "preset",
  "positions",
  "column",
  "duplicate",
  "join",
  "vague",
  "undecided",
];

/** The next question that was not asked yet. Questions about errors come before questions about warnings. */
function nextQuestion(
  reading: CalendarReading,
  further: readonly Question[],
  asked: ReadonlySet<string>,
): Question | undefined {
  const { problems } = reading;
  const errors = problems.filter(({ severity }) => severity === "error");
  const warnings = problems.filter(({ severity }) => severity === "warning");
  const found = [...errors, ...warnings]
    .flatMap(({ questions = [] }) => questions.flatMap((each) => [...columnInstead(each, reading), each]))
    .concat(answersAsMedia(reading.calendar));
  // Each row may ask the same.
  const open = [...groupBy([...further, ...found], questionKey)]
    .flatMap(([key, [each]]) => (each === undefined || asked.has(key) ? [] : [each]))
    .map((each) => completed(each, found, reading))
    .filter((each) => isUseful(each, reading));
  const first = FIRST.find((topic) => open.some((each) => each.topic === topic));
  return open.find(({ topic }) => topic === first) ?? open[0];
}

/** A question with what the calendar shows about its answers. */
function completed(question: Question, all: readonly Question[], reading: CalendarReading): Question {
  switch (question.topic) {
    case "carry":
      return withExample(question, reading);
    case "platforms":
      return withOthers(question, reading);
    case "duplicate": {
      const same = all.filter((each) => questionKey(each) === questionKey(question));
      const columns = same.flatMap((each) => (each.topic === "duplicate" ? each.columns : []));
      return likelyColumnsFirst({ ...question, columns: [...new Set(columns)] }, reading);
    }
    default:
      return likelyColumnsFirst(question, reading);
  }
}

/** The rows whose problems ask a question. */
function rowsAsking(question: Question, { calendar, problems }: CalendarReading): ReadonlySet<RawRow> {
  const index = new RowIndex([calendar]);
  const asking = problems.filter(({ questions = [] }) =>
    questions.some((each) => questionKey(each) === questionKey(question)),
  );
  return new Set(asking.flatMap((each) => index.at(each) ?? []));
}

/**
 * Rows without a network may be notes. If they have only a text, the question lists the networks that the other rows
 * use. It does not if another row has an error, because that row's networks are not known.
 */
function withOthers(question: Extract<Question, { topic: "platforms" }>, reading: CalendarReading): Question {
  const index = new RowIndex([reading.calendar]);
  const asking = rowsAsking(question, reading);
  const isOfNote = (each: Problem): boolean => {
    const row = index.at(each);
    return each.severity === "warning" || (row !== undefined && asking.has(row));
  };
  if (![...asking].every(isOnlyText) || !reading.problems.every(isOfNote)) return question;
  return { ...question, others: [...new Set(reading.posts.flatMap(({ platforms }) => platforms))] };
}

function isOnlyText({ cells, doubts = [] }: RawRow): boolean {
  return doubts.length > 0 || Object.keys(cells).every((field) => field === "content");
}

/**
 * Columns whose cells look like the field come first. If two columns may be the status, the column that keeps rows
 * back comes first, because the other would publish them.
 */
function likelyColumnsFirst(question: Question, { column }: CalendarReading): Question {
  if (question.topic !== "duplicate" && question.topic !== "column") return question;
  const looksLike = LOOKS[question.field];
  if (looksLike === undefined) return question;
  const rank = (key: string): number => (column(key).samples.some(looksLike) ? 0 : 1);
  const columns = question.columns.toSorted((one, other) => rank(one) - rank(other));
  // Teams that publish on one network often have no column for it.
  const isUnlikely = question.field === "platforms" && columns.every((key) => rank(key) === 1);
  return question.topic === "column" && isUnlikely
    ? { ...question, columns, isUnlikely }
    : { ...question, columns };
}

/** Whether a cell looks like a field. */
const LOOKS: Readonly<Partial<Record<string, (text: string) => boolean>>> = {
  content: (text) => text.length > 20 && /\s/.test(text),
  date: (text) => dayIn(text, "dmy") !== undefined || dayIn(text, "mdy") !== undefined,
  time: (text) => showsKind(text, "time"),
  platforms: (text) => text.length < 60 && text.split(/[^\p{L}\p{N}:/.]+/u).some(namesANetwork),
  status: (text) => ["draft", "skip"].includes(readStatus({ text }, {})),
};

/** Whether an answer can change something. */
function isUseful(question: Question, reading: CalendarReading): boolean {
  const { calendar } = reading;
  const isMarked = isMarkedByNetwork(calendar.table);
  switch (question.topic) {
    case "carry":
      // A row without marks is often not meant to be published.
      if (question.field === "platforms" && isMarked) return false;
      // Nor is a row with only a text: a network would not make it a post.
      if (question.field === "platforms" && [...rowsAsking(question, reading)].every(isOnlyText))
        return false;
      return question.example !== undefined;
    case "platforms":
      // Defaults do not apply beside marks.
      return !isMarked;
    case "zone":
      // An exact zone in a header needs no answer.
      return question.zones.length > 1 || question.column !== undefined;
    default:
      return true;
  }
}

type CarryQuestion = Extract<Question, { topic: "carry" }>;

/** Shows the first row with a blank cell below a row with a value. */
function withExample(question: CarryQuestion, reading: CalendarReading): CarryQuestion {
  const { calendar } = reading;
  const { field } = question;
  const blank = rowsAsking(question, reading);
  let above: RawRow | undefined;
  for (const row of calendar.rows) {
    if (row.sheet !== above?.sheet) above = undefined;
    const cell = above?.cells[field];
    if (above !== undefined && cell !== undefined && blank.has(row)) {
      const value = [cell].flat().join(", ");
      const areMost = blank.size * 2 > calendar.rows.length;
      const text = typeof row.cells.content === "string" ? row.cells.content : "";
      const example = { rows: blank.size, row: row.at(), text, above: above.at(field), value, areMost };
      return { ...question, example };
    }
    if (row.cells[field] !== undefined) above = row;
  }
  return question;
}

/** Whether columns mark the networks of each row. */
function isMarkedByNetwork(table: Calendar["table"]): boolean {
  const columns = table?.columns ?? [];
  return columns.some(
    ({ meaning }) =>
      meaning.kind === "used" && meaning.as.kind === "switch" && meaning.as.field === "platforms",
  );
}

/** Whether columns are named like networks, so that no other column holds the networks. */
function hasNetworkColumns({ calendar, problems }: CalendarReading): boolean {
  const isAsked = problems.some(({ questions = [] }) =>
    questions.some(({ topic }) => topic === "network-column"),
  );
  return isAsked || isMarkedByNetwork(calendar.table);
}

/** Most columns to offer for networks. A table with more is an export, which has names that plancast knows. */
const MAX_OFFERED = 12;

/** If no row has a date, a time or a network, a column that plancast does not use may hold it. */
function columnInstead(question: Question, reading: CalendarReading): Question[] {
  const { rows, table } = reading.calendar;
  const { topic } = question;
  const field =
    topic === "time" || topic === "platforms" ? topic : topic === "carry" ? question.field : undefined;
  if (field === undefined || table === undefined) return [];
  if (field === "platforms" && hasNetworkColumns(reading)) return [];
  if (rows.some(({ cells }) => cells[field] !== undefined)) return [];
  const unused = table.columns.flatMap((each) => (isIgnoredByDefault(each) ? (each.key ?? []) : []));
  const isOffered = field === "date" || (field === "platforms" && unused.length <= MAX_OFFERED);
  const columns = isOffered ? likelyFirst(unused, field) : unused.filter((name) => speaksOf(name, field));
  const shown = columnsShowing(field, reading).filter((name) => columns.includes(name));
  const ordered = [...shown, ...columns.filter((name) => !shown.includes(name))];
  return ordered.length === 0 ? [] : [{ topic: "column", field, columns: ordered }];
}

/** If the column that plancast took for the text does not hold it, any other column may. */
function textInstead(
  question: Question,
  answer: ProjectSettings | undefined,
  { calendar: { table } }: CalendarReading,
): Question[] {
  if (question.topic !== "vague" || question.field !== "content") return [];
  if (answer?.columns?.[question.column] !== IGNORE) return [];
  const others = (table?.columns ?? []).filter(({ key }) => key !== undefined && key !== question.column);
  const namesOf = (isUnused: boolean): string[] =>
    others.flatMap((each) => (isIgnoredByDefault(each) === isUnused ? (each.key ?? []) : []));
  const columns = [...likelyFirst(namesOf(true), "content"), ...namesOf(false)];
  return columns.length === 0 ? [] : [{ topic: "column", field: "content", columns }];
}

/** The unused columns whose cells show the field. */
function columnsShowing(field: Field, { problems }: CalendarReading): readonly string[] {
  return problems
    .flatMap(({ questions = [] }) => questions)
    .flatMap((each) => (each.topic === "vague" && each.field === field ? [each.column] : []));
}

/** A column of media whose cells say yes or no, such as `Photo?`, names no files. */
function answersAsMedia({ rows, table }: Calendar): Question[] {
  const isAnswered = rows.some(({ cells: { media } }) =>
    [media ?? []].flat().some((text) => typeof text === "string" && yesOrNo(text) !== undefined),
  );
  const column = table?.columns.find(
    ({ meaning }) => meaning.kind === "used" && meaning.as.kind === "field" && meaning.as.field === "media",
  )?.key;
  if (!isAnswered || column === undefined) return [];
  return [{ topic: "vague", field: "media", column, isUnlikely: true }];
}

/** Fields that only one column can hold. */
const FIELDS_OF_ONE_COLUMN: ReadonlySet<string> = new Set([
  "scheduled_at",
  "date",
  "time",
  "content",
  "status",
]);

/** Without the answers that give a second column a field which an earlier answer gave to another column. */
function possibleAnswers(question: AskedQuestion, { columns = {} }: ProjectSettings): AskedQuestion {
  const isPossible = ({ settings }: Answer): boolean =>
    Object.entries(settings.columns ?? {}).every(([name, target]) => {
      const holders = Object.keys(columns).filter((each) => columns[each] === target && each !== name);
      return !FIELDS_OF_ONE_COLUMN.has(target) || holders.length === 0;
    });
  const answers = question.answers.filter(isPossible);
  return answers.length === 0 ? question : { ...question, answers };
}

/** An answer with what it says about further columns, so that nobody is asked the same again. */
function settled(
  question: Question,
  answer: ProjectSettings,
  { calendar: { table } }: CalendarReading,
): ProjectSettings {
  const { columns } = answer;
  if (columns === undefined) return answer;
  if (question.topic === "column" && question.field === "content") {
    // The other languages were among the answers.
    const others = question.columns.filter((name) => columns[name] === undefined && isTranslatedText(name));
    return {
      ...answer,
      columns: { ...columns, ...Object.fromEntries(others.map((name) => [name, IGNORE])) },
    };
  }
  if (question.topic !== "duplicate") return answer;
  const chosen = question.columns.find((name) => columns[name] === undefined);
  const meaning = table?.columns.find(({ key }) => key === chosen)?.meaning;
  if (chosen === undefined || meaning?.kind === "used" || meaning?.kind === "rival") return answer;
  return { ...answer, columns: { ...columns, [chosen]: question.field } };
}
