/**
 * A row that repeats becomes one post for each day of its rule. For all further checks, each post counts as a
 * separate row with the same cells, its own day, and the key of that day. Pure.
 */

import { hash } from "node:crypto";
import { type Problem, hasErrors, problem } from "../model/problem.ts";
import { filledExtras } from "../model/extras.ts";
import type { Post } from "../model/post.ts";
import type { RowVariant } from "../model/row.ts";
import { formatNumber } from "../model/text.ts";
import type { Field } from "../model/fields.ts";
import type { CalendarReading } from "./calendar-reading.ts";
import { type CheckedRow, checkRow, hasSlots } from "./check-row.ts";
import type { Platforms } from "./platforms.ts";
import type { RowView, Value } from "./row-view.ts";
import { commonExpiry } from "./expiry.ts";
import { type DateOrders, dueTime, whenCells, whenOf } from "./schedule.ts";
import { isoDay } from "./when/written-forms.ts";
import { localDay } from "./when/local-time.ts";
import {
  type PlannedDay,
  type PlannedDays,
  type SeriesRow,
  type SeriesState,
  MAX_ALL_POSTS,
  MAX_POSTS,
  lastDay,
  plannedDays,
  readExceptions,
} from "./series/occurrences.ts";
import { type SeriesFacts, dayWriter, occurrenceRow } from "./series/occurrence-row.ts";
import { readPool } from "./read-pool.ts";
import { type Pool, type PoolText, chooseTexts } from "./series/pool.ts";
import { type RepeatRule, isRepeated, readRepeat } from "./series/repeat-words.ts";

/** The row's rule; undefined if the row does not repeat. */
export function repeatOf(row: RowView): Value | undefined {
  const cell = row.own.repeat;
  return cell !== undefined && isRepeated(cell.text) ? cell : undefined;
}

/**
 * The posts of a row that repeats, earliest first, or its faults. Each fault is there once.
 * @param repeat the row's rule
 * @param platforms the row's
 */
export function checkSeries(
  row: RowView,
  repeat: Value,
  reading: CalendarReading,
  platforms: Platforms,
  state: SeriesState,
): CheckedRow {
  const read = readSeries(row, repeat, reading, platforms);
  if ("problems" in read) return { posts: [], problems: read.problems };
  const found = plannedDays(read.series, state);
  if (typeof found === "string")
    return { posts: [], problems: [problem("schedule/repeat", LIMITS[found], repeat.at())] };
  const { first, days, until, unused } = found;
  const { pool } = read;
  const checkDay = (day: PlannedDay, facts: Omit<SeriesFacts, "rule">): CheckedRow =>
    checkRow(
      row.as(occurrenceRow(row.row, day, read.series, { rule: repeat.text, ...facts })),
      reading,
      platforms,
    );
  const ownDay = { day: read.series.start, number: 0, exception: undefined };
  if (first === undefined) {
    const early = checkDay(ownDay, { text: pool?.texts[0] }).problems;
    if (hasErrors(early)) return { posts: [], problems: early };
    const message = `The rule "${repeat.text}" gives no day from ${read.series.start} on. Correct the rule, its end, \`expires\`, or the date of the row.`;
    return { posts: [], problems: [problem("schedule/repeat", message, repeat.at())] };
  }
  const wrong = unused.map((each) => unusedException(row, each));
  if (wrong.length > 0) return { posts: [], problems: wrong };
  const texts = pool === undefined ? NO_TEXTS : textsOf(row, pool, read.series, found, state);
  if ("problems" in texts) return { posts: [], problems: texts.problems };
  const whole = checkDay(ownDay, { text: pool?.texts[0] });
  const digest = digestOf(repeat.text, whole.posts, pool);
  const writeDay = dayWriter(state.languageTag);
  const check = (day: PlannedDay): CheckedRow =>
    checkDay(day, { digest, writeDay, text: texts.get(day.day) ?? pool?.texts[0] });
  // The first shows the row's faults even if it is not planned.
  const checked = days.includes(first) ? days.map(check) : [check(first), ...days.map(check)];
  const problems = distinct(checked.flatMap((each) => each.problems));
  if (hasErrors(problems)) return { posts: [], problems };
  const planned = days.includes(first) ? checked : checked.slice(1);
  return {
    posts: planned.flatMap(({ posts }) => posts),
    problems,
    assumed: [...(checked[0]?.assumed ?? []), { what: "series", value: until, from: "settings" }],
  };
}

/**
 * The row as a whole: one post for its networks on its own day, or several if networks have their own texts. Each says what
 * the row repeats. Empty if the row has faults.
 */
export function wholeSeries(
  row: RowView,
  repeat: Value,
  reading: CalendarReading,
  state: SeriesState,
): readonly Post[] {
  const platforms = reading.read(row);
  const read = readSeries(row, repeat, reading, platforms);
  if ("problems" in read) return [];
  const { series, pool } = read;
  // Of a row that begins later than plans reach, its first posts are shown.
  const now = Math.max(state.now, Date.parse(series.start) - DAY_MS);
  const { posts, problems } = checkSeries(row, repeat, reading, platforms, {
    ...state,
    now,
    total: { posts: 0 },
  });
  if (hasErrors(problems)) return [];
  const except = (row.own.except?.items ?? []).map((each) => each.trim());
  const texts = pool?.texts.map(({ text }) => text) ?? [];
  const mark = [repeat.text, series.zone.name, state.languageTag, except, texts, pool?.spacing ?? 0];
  const until = lastDay(series, state.daysOfRule);
  return checkRow(row, reading, platforms).posts.map((post) => ({
    ...post,
    repeats: {
      rule: repeat.text,
      start: post.scheduledAt,
      until,
      except,
      pool: texts,
      posts: posts.filter((each) => each.platforms.some((name) => post.platforms.includes(name))),
      mark,
    },
  }));
}

const DAY_MS = 86_400_000;

const LIMITS = {
  "began-long-ago":
    "The series began too long ago: it has too many days since then. Choose a later date for the row.",
  "too-many": `The series would have more than ${formatNumber(MAX_POSTS)} posts at once. Set a shorter time under \`series: { ahead: 60d }\` in plancast.yaml, or repeat the row less often.`,
  "too-many-in-all": `The rows that repeat would have more than ${formatNumber(MAX_ALL_POSTS)} posts at once. Set a shorter time under \`series: { ahead: 60d }\` in plancast.yaml, or repeat fewer rows.`,
} as const;

function readSeries(
  row: RowView,
  repeat: Value,
  reading: CalendarReading,
  { names }: Platforms,
):
  | { readonly series: SeriesRow; readonly pool: Pool | undefined }
  | { readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const pool = readPool(row, problems);
  const add = (message: string, at = repeat.at()): void => {
    problems.push(problem("schedule/repeat", message, at));
  };
  const { orders } = reading;
  const times = whenCells(row, orders);
  const due = dueTime(row, orders, hasSlots(reading, names), times);
  if ("slot" in due) add(NO_SLOT);
  if ("problems" in due)
    problems.push(...due.problems.filter(({ code }) => code !== "schedule/clock-change"));
  const { id, zone } = row;
  if (id === undefined) add(NO_ID, row.at("id"));
  else if (id.length > MAX_ID) add(LONG_ID, row.at("id"));
  const [dated] = row.row.variants.flatMap((variant) => datedField(variant) ?? []);
  if (dated !== undefined) add(OWN_DATE, dated.variant.at(dated.field));
  const { timed } = times;
  const day = times.cells.find((each) => each.day !== undefined)?.day;
  if (timed?.time?.offsetMs !== undefined) add(EXACT_TIME, timed.value.at());
  const rule = readRepeat(repeat.text, dayReader(orders));
  if ("message" in rule) add(rule.message);
  else if (day !== undefined && rule.isOnDayOfStart === true && !isInEach(rule, day))
    add(dayNotInEach(rule, day));
  const except = row.own.except;
  const { exceptions, faults } = readExceptions(except?.items ?? [], (text) =>
    whenOf("scheduled_at", text, orders),
  );
  problems.push(...faults.map(({ message, item }) => problem("schedule/except", message, except?.at(item))));
  if (problems.length > 0 || id === undefined || day === undefined || zone === undefined || "message" in rule)
    return { problems };
  const series = { id, rule, start: isoDay(day), time: timed?.time, zone, exceptions };
  return { series: { ...series, expiresMs: commonExpiry(row, orders) }, pool };
}

type TextsByDay = ReadonlyMap<string, PoolText>;

const NO_TEXTS: TextsByDay = new Map();

/** The text of the pool for each day. */
function textsOf(
  row: RowView,
  pool: Pool,
  { id, zone }: SeriesRow,
  { counted, days }: PlannedDays,
  { owned, now }: SeriesState,
): TextsByDay | { readonly problems: readonly Problem[] } {
  const planned = new Set(days.map(({ day }) => day));
  const turns = counted.map(({ day, number, exception }) => ({
    day,
    number,
    due: exception === undefined ? day : exception.to?.day,
    isMoved: exception !== undefined,
    isPlanned: planned.has(day),
  }));
  const pins = new Map(
    [...(owned.get(id) ?? [])].flatMap(([day, mark]) => (mark === undefined ? [] : [[day, mark]])),
  );
  const chosen = chooseTexts(pool, turns, pins, localDay(zone, now));
  if ("texts" in chosen) return chosen.texts;
  const message = `No text of the pool is left for ${chosen.day}, because posts with the same text must be ${pool.spacing} days apart. Add texts to the pool, set a smaller spacing, or repeat the row less often.`;
  return { problems: [problem("row/pool", message, row.own.spacing?.at())] };
}

/** Reads the last day of a rule as a date of the calendar. */
export function dayReader(orders: DateOrders): (text: string) => number | undefined {
  return (text) => {
    const when = whenOf("date", text, orders);
    return "code" in when || when.day === undefined || when.time !== undefined
      ? undefined
      : Date.parse(isoDay(when.day));
  };
}

/** An id has at most 200 characters, and the key adds a day. */
const MAX_ID = 189;

const NO_ID =
  "A row that repeats needs an id, because each of its posts is named after it. Give the row a short id.";
const LONG_ID = `The id of a row that repeats has at most ${MAX_ID} characters. Choose a shorter one.`;
const NO_SLOT =
  "A row that repeats needs a date and a time. plancast does not repeat free slots. Fill in the time.";
const OWN_DATE =
  "A row that repeats has one date for all its platforms. Remove this date: a platform can have its own time, but not its own date.";
const EXACT_TIME =
  "A row that repeats needs a local time, which stays the same when the clocks change. Write it without an offset, such as 2027-03-01 09:30.";

function datedField(
  variant: RowVariant,
): { readonly variant: RowVariant; readonly field: Field } | undefined {
  const field = (["scheduled_at", "date"] as const).find((each) => variant.cells[each] !== undefined);
  return field === undefined ? undefined : { variant, field };
}

type Day = NonNullable<ReturnType<typeof whenCells>["cells"][number]["day"]>;

function isInEach({ rule }: RepeatRule, { day, month }: Day): boolean {
  return day <= 28 || (rule.startsWith("FREQ=YEARLY") && !(month === 2 && day === 29));
}

function dayNotInEach({ rule }: RepeatRule, { day }: Day): string {
  return rule.startsWith("FREQ=YEARLY")
    ? "Not every year has a 29 February. Choose another date, or write FREQ=YEARLY for leap years only."
    : `Not every month has a day ${day}. Write \`monthly on last day\`, or \`monthly on ${day}\` to leave out the other months.`;
}

function unusedException(row: RowView, { exception, nearest }: PlannedDays["unused"][number]): Problem {
  const days =
    nearest.length === 0
      ? "It has no days near it"
      : `The nearest ${nearest.length === 1 ? "day is" : "days are"} ${nearest.join(" and ")}`;
  const message = `"${exception.text}" is not a day of the series. ${days}. Correct the exception, or remove it.`;
  return problem("schedule/except", message, row.own.except?.at(exception.item));
}

/** @param posts of the row on its own day, with its variables as they are */
function digestOf(rule: string, posts: readonly Post[], pool: Pool | undefined): string {
  const said = posts.map(({ content, platforms, scheduledAt, timezone, media, key, ...rest }) => [
    key,
    content,
    platforms,
    scheduledAt,
    timezone,
    media,
    filledExtras(rest),
  ]);
  const ofPool = pool === undefined ? [] : [[pool.spacing, pool.texts.map(({ text }) => text)]];
  return hash("sha256", JSON.stringify([rule, said, ...ofPool])).slice(0, 32);
}

function distinct(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.map((each) => [JSON.stringify(each), each])).values()];
}
