/**
 * Finds the settings for a calendar that a team already has: reads it, asks what only the team can know, and reads it
 * again with the answers.
 */

import { checkCalendars } from "../../calendars/check.ts";
import { configSchema } from "../../calendars/check-project.ts";
import { dayIn, showsKind } from "../../calendars/columns/cell-kinds.ts";
import { likelyFirst, speaksOf } from "../../calendars/columns/column-names.ts";
import { findCalendars, patternFor } from "../../calendars/find.ts";
import { readCalendar } from "../../calendars/read-calendar.ts";
import { readStatus } from "../../checks/statuses.ts";
import { type UnplannedRow, validate } from "../../checks/validate.ts";
import { openStateFolder } from "../../disk/state-folder.ts";
import type { Clock } from "../../model/clock.ts";
import type { Field } from "../../model/fields.ts";
import { groupBy } from "../../model/group.ts";
import type { Post } from "../../model/post.ts";
import { type Problem, type Question, questionKey } from "../../model/problem.ts";
import { IGNORE, isIgnoredByDefault } from "../../model/columns.ts";
import { type RawRow, RowIndex } from "../../model/row.ts";
import { filterColumns } from "../../model/row-filter.ts";
import type { LeftOutRow } from "../../report/init/first-posts.ts";
import type { Answer, AskedQuestion, ShownColumn } from "../../report/init/asked-question.ts";
import { askedQuestion } from "../../report/init/questions.ts";
import type { Calendar } from "../../settings/calendar-settings.ts";
import { yesOrNo } from "../../settings/languages/languages.ts";
import { type Config, type ProjectSettings, settingsOf } from "../../settings/config.ts";
import type { Ask } from "../shell/ask.ts";
import { ColumnCells } from "./column-cells.ts";

/** A calendar as the project would read it. */
export interface CalendarReading {
  readonly calendar: Calendar;
  readonly settings: ProjectSettings;
  readonly config: Config;
  /** What would be planned, in the order of the file. */
  readonly posts: readonly Post[];
  /** Drafts and skipped rows. */
  readonly leftOut: readonly LeftOutRow[];
  readonly problems: readonly Problem[];
  /** A column with its cells. */
  readonly column: (key: string) => ShownColumn;
}

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
    if (answer !== undefined) settings = withAnswer(settings, answer);
    further.push(...textInstead(question, answer, reading));
  }
}

/**
 * The same reading with everything that `validate` checks, such as missing pictures. Writes nothing.
 * @param root the folder of the calendar
 */
export async function withAllProblems(
  reading: CalendarReading,
  root: string,
  clock: Clock,
): Promise<CalendarReading> {
  const project = { root, file: "plancast.yaml", config: reading.config, state: await openStateFolder(root) };
  const selection = { calendars: [reading.calendar], inScope: () => true, problems: [], only: undefined };
  return { ...reading, problems: (await checkCalendars(project, selection, clock)).problems };
}

async function readWith(root: string, file: string, settings: ProjectSettings): Promise<CalendarReading> {
  const config = configSchema.parse({ ...settings, calendars: [patternFor(file)] });
  const { files, entriesOf } = await findCalendars(root, config.calendars);
  const own = settingsOf(config, entriesOf(file));
  const cells = new ColumnCells();
  const keep = filterColumns([own.only ?? {}]);
  const raw = await readCalendar(root, file, { ...own, known: files, keep, eachRow: cells.note });
  const calendar = { ...raw, settings: own };
  const { posts, problems, skippedRows } = validate([calendar], config);
  return {
    calendar,
    config,
    settings,
    posts,
    leftOut: leftOutRows(raw.rows, skippedRows),
    problems: [...raw.problems, ...problems],
    column: (key) => cells.shown(key, raw.table),
  };
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

function leftOutRows(rows: readonly RawRow[], skipped: readonly UnplannedRow[]): LeftOutRow[] {
  const cellsOf = new Map<UnplannedRow["row"], RawRow["cells"]>(rows.map((row) => [row, row.cells]));
  return skipped.map(({ row, status }) => {
    const word = [cellsOf.get(row)?.status ?? []].flat().join(", ");
    return { at: row.at(), word: word === "" || word === status ? undefined : word, status };
  });
}

/** Questions about the file and its columns come before questions about cells. */
const FIRST: readonly Question["topic"][] = [
  "encoding",
  "sheet",
  "preset",
  "positions",
  "column",
  "duplicate",
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
    .map((each) => (each.topic === "carry" ? withExample(each, reading) : likelyColumnsFirst(each, reading)))
    .filter((each) => isUseful(each, reading));
  const first = FIRST.find((topic) => open.some((each) => each.topic === topic));
  return open.find(({ topic }) => topic === first) ?? open[0];
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
  return { ...question, columns: question.columns.toSorted((one, other) => rank(one) - rank(other)) };
}

/** Whether a cell looks like a field. */
const LOOKS: Readonly<Partial<Record<string, (text: string) => boolean>>> = {
  content: (text) => text.length > 20 && /\s/.test(text),
  date: (text) => dayIn(text, "dmy") !== undefined || dayIn(text, "mdy") !== undefined,
  time: (text) => showsKind(text, "time"),
  platforms: (text) => showsKind(text, "platforms"),
  status: (text) => ["draft", "skip"].includes(readStatus({ text }, {})),
};

/** Whether an answer can change something. */
function isUseful(question: Question, { calendar }: CalendarReading): boolean {
  const isMarked = isMarkedByNetwork(calendar.table);
  switch (question.topic) {
    case "carry":
      // A row without marks is often not meant to be published.
      if (question.field === "platforms" && isMarked) return false;
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
function withExample(question: CarryQuestion, { calendar, problems }: CalendarReading): CarryQuestion {
  const { field } = question;
  const index = new RowIndex([calendar]);
  const asking = problems.filter(({ questions = [] }) =>
    questions.some((each) => each.topic === "carry" && each.field === field),
  );
  const blank = new Set(asking.flatMap((each) => index.at(each) ?? []));
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

/** If the column that plancast took for the text is not it, any other column may be. */
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
