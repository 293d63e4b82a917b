/**
 * The days of a series that a run plans, and the exceptions: single days that are left out or moved. Pure: the time is a
 * parameter, and so is the library for rules (RFC 5545), which is loaded on demand. It gets only days, so zones and
 * clocks do not matter.
 */

import type { IANAZone } from "luxon";
import { clipped } from "../../model/text.ts";
import { localDay, offsetAt } from "../when/local-time.ts";
import type { When } from "../when/read-when.ts";
import { type ClockTime, clockText, isoDay } from "../when/written-forms.ts";
import type { RepeatRule } from "./repeat-words.ts";

/**
 * Visits the days of a rule in order, until one visit returns false.
 * @param rule in the form of iCalendar, without COUNT and UNTIL
 * @param span the first and the last day that may be visited: `2027-03-01`
 */
export type DaysOfRule = (
  rule: string,
  span: { readonly start: string; readonly until: string },
  visit: (day: string) => boolean,
) => void;

/** What series depend on besides the rows. */
export interface SeriesState {
  /** Ms since the epoch. */
  readonly now: number;
  /** How far ahead posts are planned, in ms. */
  readonly aheadMs: number;
  /** The posts in the lockfile, by the ids of their rows. These posts remain, even beyond the horizon. */
  readonly owned: ReadonlyMap<string, OwnedDays>;
  readonly daysOfRule: DaysOfRule;
  /** Language of the dates in texts, as a BCP 47 tag. */
  readonly languageTag: string;
  /** Posts of the rows that were checked so far. */
  readonly total: { posts: number };
}

/** The days of a row that have a post in the lockfile, each with the mark of its text if it is from a pool. */
type OwnedDays = ReadonlyMap<string, string | undefined>;

/** The parts of a row on which the days of its series depend. */
export interface SeriesRow {
  readonly id: string;
  readonly rule: RepeatRule;
  /** The row's own day: `2027-03-01`. */
  readonly start: string;
  /** Undefined if the row has no time of its own. */
  readonly time: ClockTime | undefined;
  readonly zone: IANAZone;
  readonly exceptions: readonly Exception[];
  /** When all its posts expire, in ms since the epoch: the series ends before. Undefined without that. */
  readonly expiresMs?: number | undefined;
}

/** A post of the series. */
export interface PlannedDay {
  /** The day that the rule gives. */
  readonly day: string;
  /** From 1. */
  readonly number: number;
  readonly exception: Exception | undefined;
}

export interface PlannedDays {
  /** The first of the series, whether it is planned or not. */
  readonly first: PlannedDay | undefined;
  readonly days: readonly PlannedDay[];
  /** Every day of the series up to the last planned day, including days that are past or left out. */
  readonly counted: readonly PlannedDay[];
  /** The last day up to which new posts are planned. */
  readonly until: string;
  /** Exceptions for days that the rule does not give, each with the nearest days that it does. */
  readonly unused: readonly { readonly exception: Exception; readonly nearest: readonly string[] }[];
}

/** Why a series cannot be planned. */
export type SeriesLimit = "began-long-ago" | "too-many" | "too-many-in-all";

/** The maximum number of posts of one row in a run. */
export const MAX_POSTS = 1_000;
/** The maximum number of posts of all rows that repeat. */
export const MAX_ALL_POSTS = 100_000;
/** The maximum number of days that are counted from the beginning of a series: 50 years of daily posts. */
const MAX_STEPS = 20_000;

const DAY_MS = 86_400_000;
/** How far plancast looks for a rare day, such as 29 February. */
const SEARCH_MS = 10 * 366 * DAY_MS;

/**
 * A post that was due this long ago still counts, so that a service that is late does not lose it. Older posts that were
 * never scheduled are not listed at all.
 */
const RECENT_MS = 2 * DAY_MS;
/** How long posts that the lockfile has are listed after their day. Otherwise, a daily series would grow for ever. */
const KEPT_MS = 366 * DAY_MS;

/**
 * The days to plan: from two days ago to the horizon, and the days of the last year whose posts are in the lockfile.
 */
export function plannedDays(row: SeriesRow, state: SeriesState): PlannedDays | SeriesLimit {
  const { zone, rule, exceptions } = row;
  const today = localDay(zone, state.now);
  const [from, to] = [localDay(zone, state.now - RECENT_MS), localDay(zone, state.now + state.aheadMs)];
  const kept = localDay(zone, state.now - KEPT_MS);
  const owned = new Set([...(state.owned.get(row.id)?.keys() ?? [])].filter((day) => day >= kept));
  const byDay = new Map(exceptions.map((each) => [each.day, each]));
  // An exception in the past changes nothing, and the rule may have been another one then.
  const open = new Set(
    exceptions.filter(({ day, to: moved }) => day >= today || (moved?.day ?? "") >= today),
  );
  const last = [to, ...owned, ...[...open].map(({ day }) => day)].reduce((one, other) =>
    one > other ? one : other,
  );
  const [days, counted]: [PlannedDay[], PlannedDay[]] = [[], []];
  const near = new NearestDays([...open]);
  let first: PlannedDay | undefined;
  let limit: SeriesLimit | undefined;
  let number = 0;
  const visit = (day: string): boolean => {
    number += 1;
    if (number > MAX_STEPS) limit = "began-long-ago";
    if (limit !== undefined || isOver(day, number, row)) return false;
    const exception = byDay.get(day);
    first ??= { day, number, exception };
    near.note(day);
    if (day > last) return false;
    if (exception !== undefined) open.delete(exception);
    const isLeftOut = exception !== undefined && exception.to === undefined;
    const due = exception?.to?.day ?? day;
    const isSoon = due >= from && (day <= to || due <= to);
    counted.push({ day, number, exception });
    if (isLeftOut || !(isSoon || owned.has(day))) return true;
    days.push({ day, number, exception });
    state.total.posts += 1;
    if (days.length > MAX_POSTS) limit = "too-many";
    else if (state.total.posts > MAX_ALL_POSTS) limit = "too-many-in-all";
    return true;
  };
  const start = row.start > last ? row.start : last;
  const until = new Date(Date.parse(start) + SEARCH_MS).toISOString().slice(0, 10);
  state.daysOfRule(rule.rule, { start: row.start, until }, visit);
  return (
    limit ?? {
      first,
      days,
      counted: counted.slice(0, days.at(-1)?.number ?? 0),
      until: to,
      unused: [...open].map((exception) => ({ exception, nearest: near.of(exception) })),
    }
  );
}

/** Whether the series has ended before this day. */
function isOver(day: string, number: number, { rule, time, zone, expiresMs }: SeriesRow): boolean {
  const { count, until } = rule;
  if (count !== undefined && number > count) return true;
  const clock = time === undefined ? 0 : ((time.hour * 60 + time.minute) * 60 + time.second) * 1000;
  const wall = (utc: number): number => utc + offsetAt(zone, utc);
  const due = Date.parse(day) + clock;
  if (expiresMs !== undefined && due >= wall(expiresMs)) return true;
  return until !== undefined && due > ("wall" in until ? until.wall : wall(until.utc));
}

/** The last day of a series; undefined if it never stops. */
export function lastDay(row: SeriesRow, daysOfRule: DaysOfRule): string | undefined {
  const { count, until } = row.rule;
  if (count === undefined && until === undefined && row.expiresMs === undefined) return undefined;
  let last: string | undefined;
  let number = 0;
  daysOfRule(row.rule.rule, { start: row.start, until: LATEST_END }, (day) => {
    number += 1;
    if (number > MAX_STEPS || isOver(day, number, row)) return false;
    last = day;
    return true;
  });
  return last;
}

/** No series is followed further. */
const LATEST_END = "2200-01-01";

/** The days of a rule just before and after each exception. */
class NearestDays {
  readonly #found: ReadonlyMap<Exception, { before?: string; after?: string }>;

  constructor(exceptions: readonly Exception[]) {
    this.#found = new Map(exceptions.map((each) => [each, {}]));
  }

  note(day: string): void {
    for (const [exception, found] of this.#found) {
      if (day < exception.day) found.before = day;
      else if (day > exception.day) found.after ??= day;
    }
  }

  of(exception: Exception): readonly string[] {
    const { before, after } = this.#found.get(exception) ?? {};
    return [before, after].filter((day) => day !== undefined);
  }
}

// The days of a rule.

/** Rows often share a rule and a start, and the library needs some time for each day. More are forgotten. */
const MAX_KNOWN = 500;

/** The library stops after this many days without one that fits: more than any span has. */
const MAX_LOOKS = 1_000_000;

/** The form of iCalendar: `20270301T000000`. */
function midnight(day: string): string {
  return `${day.replaceAll("-", "")}T000000`;
}

/** Loads the library, which most projects do not need. */
export async function loadDaysOfRule(): Promise<DaysOfRule> {
  const { RRuleTemporal } = await import("rrule-temporal");
  const known = new Map<string, { readonly days: readonly string[]; readonly isWhole: boolean }>();
  return (rule, { start, until }, visit) => {
    const mark = [rule, start, until].join(" ");
    const { days: before, isWhole } = known.get(mark) ?? { days: [], isWhole: false };
    if (!before.every((day) => visit(day)) || isWhole) return;
    const days: string[] = [];
    let isStopped = false;
    const rruleString = `DTSTART;TZID=UTC:${midnight(start)}\nRRULE:${rule};UNTIL=${midnight(until)}Z`;
    const limits = { maxIterations: MAX_LOOKS, maxCandidateEvaluations: MAX_LOOKS };
    // Without its cache, which would keep every day.
    new RRuleTemporal({ rruleString, cache: false, ...limits }).all(({ year, month, day: ofMonth }) => {
      const day = isoDay({ year, month, day: ofMonth });
      days.push(day);
      isStopped = days.length > before.length && !visit(day);
      return !isStopped;
    });
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(mark, { days, isWhole: !isStopped });
  };
}

// Exceptions.

/** An exception. Days are `2027-12-24`. */
export interface Exception {
  readonly day: string;
  /** Where the post goes. Absent if it is left out. */
  readonly to?: { readonly day: string; readonly time?: ClockTime };
  /** The text as written, for messages. */
  readonly text: string;
  /** Index of the item in a list. */
  readonly item: number;
}

interface ExceptFault {
  readonly message: string;
  readonly item: number;
}

/** Reads a date, perhaps with a time, as in the row's own cells. */
type ReadWhen = (text: string) => When | { readonly code: string; readonly message: string };

const MOVE = "To move a post, write 2027-12-24 -> 2027-12-27.";
const FORMS = "Write 2027-12-24 to leave out a post, or 2027-12-24 -> 2027-12-27 10:00 to move it.";

/** More are a mistake. */
const MAX_EXCEPTIONS = 1_000;

/** Between two exceptions: not the comma in `Dec 24, 2027`. */
const SEPARATOR = /[\n;]|,(?!\s*\d{4}(?![-/.\d]))/;

/** Reads `except`. @param items the cell, or the items of a list */
export function readExceptions(
  items: readonly string[],
  read: ReadWhen,
): { readonly exceptions: readonly Exception[]; readonly faults: readonly ExceptFault[] } {
  const written = items.flatMap((text, item) =>
    text.split(SEPARATOR).flatMap((part) => (part.trim() === "" ? [] : [{ text: part.trim(), item }])),
  );
  if (written.length > MAX_EXCEPTIONS) {
    const message = `The row has ${written.length} exceptions, but at most ${MAX_EXCEPTIONS} are allowed. End the series, and begin a new one.`;
    return { exceptions: [], faults: [{ message, item: 0 }] };
  }
  const exceptions = new Map<string, Exception>();
  const faults: ExceptFault[] = [];
  for (const { text, item } of written) {
    const found = readOne(text, item, read);
    if ("message" in found) faults.push(found);
    else if (exceptions.has(found.day)) {
      const message = `The exceptions name ${found.day} twice. Keep one of them.`;
      faults.push({ message, item });
    } else exceptions.set(found.day, found);
  }
  return { exceptions: [...exceptions.values()], faults };
}

function readOne(text: string, item: number, read: ReadWhen): Exception | ExceptFault {
  const [from = "", to, ...more] = text.split(/[-–—=]?>|→/).map((part) => part.trim());
  const shown = clipped(text);
  const fault = (why: string): ExceptFault => ({ message: `"${shown}" ${why}`, item });
  if (more.length > 0) return fault(`is not an exception. ${FORMS}`);
  const [day, target] = [read(from), to === undefined ? undefined : read(to)];
  for (const each of [day, target])
    if (each !== undefined && "code" in each)
      return { message: to === undefined ? `${each.message} ${MOVE}` : each.message, item };
  if (!("day" in day) || day.day === undefined || !isMidnight(day.time))
    return fault(`must begin with a day without a time. ${FORMS}`);
  const found = { day: isoDay(day.day), text: shown, item };
  if (target === undefined) return found;
  if (!("day" in target) || target.day === undefined || target.time?.offsetMs !== undefined)
    return fault(`must name the new day, perhaps with a local time. ${FORMS}`);
  const { time } = target;
  return { ...found, to: { day: isoDay(target.day), ...(time === undefined ? {} : { time }) } };
}

/** Spreadsheets add midnight to days. */
function isMidnight(time: ClockTime | undefined): boolean {
  return time === undefined || (time.offsetMs === undefined && time.hour + time.minute + time.second === 0);
}

/** The exceptions in their usual form, for a calendar in which dates may have another order. */
export function exceptionsText(exceptions: readonly Exception[]): string {
  return exceptions
    .map(({ day, to }) =>
      to === undefined ? day : `${day} -> ${to.day}${to.time === undefined ? "" : ` ${clockText(to.time)}`}`,
    )
    .join(", ");
}
