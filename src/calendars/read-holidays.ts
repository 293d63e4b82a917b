/** Reads the file of `holidays:`, a calendar in iCalendar form with all-day events. */

import type Ical from "ical.js";
import { readRegular } from "../disk/files.ts";
import { placeInProject } from "../disk/place.ts";
import { type DaysOfRule, loadDaysOfRule } from "../checks/series/occurrences.ts";
import { type RepeatRule, readRepeat } from "../checks/series/repeat-words.ts";
import type { Holidays } from "../checks/slots/closed-times.ts";
import { Failure, errorCode, reasonOf } from "../model/failure.ts";
import { reportInput } from "../model/input-size.ts";
import { type Problem, problem } from "../model/problem.ts";
import type { Project } from "../settings/config.ts";

/** Larger than any real calendar of holidays, in bytes. */
const MAX_BYTES = 1_000_000;
/** A longer event is a mistake, days. */
const MAX_DAYS = 366;
/** More days and repeats than any real calendar of holidays has. */
const MAX_STEPS = 100_000;
const DAY_MS = 86_400_000;

export interface ReadHolidays {
  readonly holidays: Holidays;
  readonly problems: readonly Problem[];
}

const NONE: ReadHolidays = { holidays: new Map(), problems: [] };

/** @param until ms since the epoch; events that repeat are repeated up to then */
export async function readHolidays(
  { root, config: { holidays: file } }: Pick<Project, "root" | "config">,
  until: number,
): Promise<ReadHolidays> {
  if (file === undefined) return NONE;
  try {
    const bytes = await readRegular(await placeInProject(root, file));
    if (bytes.byteLength > MAX_BYTES) return unusable(file, "it is larger than 1 MB");
    reportInput(bytes.byteLength);
    return await parseHolidays(bytes.toString("utf8"), file, until);
  } catch (error) {
    if (error instanceof Failure) return unusable(file, error.message);
    return unusable(file, errorCode(error) === "ENOENT" ? "it does not exist" : reasonOf(error));
  }
}

function unusable(file: string, why: string): ReadHolidays {
  const message = `plancast cannot read the holidays in ${file}: ${why.replace(/\.$/, "")}. Correct \`holidays:\` in plancast.yaml, or the file.`;
  return { holidays: new Map(), problems: [problem("project/holidays", message)] };
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/**
 * The properties that set the days of an event. Each may appear at most once. With any other property, the library
 * may never return.
 */
const UNDERSTOOD: ReadonlyMap<string, RegExp> = new Map([
  ["dtstart", DAY],
  ["dtend", DAY],
  ["duration", /^P\d{1,3}[DW]$/],
  ["rrule", /^FREQ=/],
  ["recurrence-id", /^\d{4}-\d\d-\d\d/],
]);
/** Outdated: it would change the days, but calendars of holidays do not need it. */
const NOT_UNDERSTOOD: ReadonlySet<string> = new Set(["exrule"]);
/** More added and removed days of one event are a mistake. */
const MAX_LISTED = 100;

/** @param name of the file, for messages */
export async function parseHolidays(text: string, name: string, until: number): Promise<ReadHolidays> {
  const { default: ical } = await import("ical.js");
  const daysOfRule = await loadDaysOfRule();
  try {
    return eventsIn(new ical.Component(ical.parse(text)), ical.Event, { name, until, daysOfRule });
  } catch (error) {
    return unusable(name, `it is not a valid iCalendar file (${reasonOf(error)})`);
  }
}

interface Reading {
  readonly name: string;
  readonly until: number;
  readonly daysOfRule: DaysOfRule;
}

function eventsIn(root: Ical.Component, IcalEvent: typeof Ical.Event, reading: Reading): ReadHolidays {
  const { name } = reading;
  const found = new Map<string, string>();
  const components = root.getAllSubcomponents("vevent");
  const moved = movedDays(components);
  let steps = 0;
  for (const component of components) {
    // Only events of whole days are holidays.
    if (component.getFirstProperty("dtstart")?.type !== "date" || isCancelled(component)) continue;
    const summary = textOf(component, "summary");
    const strange = strangePart(component);
    const rule = ruleOf(component);
    if (strange !== undefined || (rule !== undefined && "message" in rule))
      return unusable(
        name,
        `its event "${summary}" has days that plancast cannot read (${strange ?? shownPart(component, "rrule")})`,
      );
    const event = new IcalEvent(component);
    const first = dayOf(event.startDate);
    const days = Math.min(MAX_DAYS, Math.max(1, Math.round((dayOf(event.endDate) - first) / DAY_MS)));
    if (rule !== undefined) steps += periodsOf(rule, reading.until - first);
    const except = moved.get(textOf(component, "uid"));
    const removed = listedDays(component, "exdate");
    const added = listedDays(component, "rdate");
    const isSingle = (rule === undefined && added.size === 0) || steps > MAX_STEPS;
    const own = rule === undefined || isSingle ? [first] : startsOf(rule, first, reading);
    const all = [...new Set([...own, ...[...added].map((day) => Date.parse(day))])];
    const starts = isSingle
      ? own
      : all.filter((start) => except?.has(start) !== true && !removed.has(isoDay(start)));
    steps += starts.length * days;
    if (steps > MAX_STEPS) return unusable(name, "its events have more than 100,000 days");
    for (const start of starts)
      for (let day = 0; day < days; day += 1) found.set(isoDay(start + day * DAY_MS), summary || "holiday");
  }
  return { holidays: found, problems: [] };
}

function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, "2027-03-01".length);
}

function textOf(component: Ical.Component, name: string): string {
  return String(component.getFirstPropertyValue(name) ?? "");
}

function isCancelled(component: Ical.Component): boolean {
  return textOf(component, "status").toUpperCase() === "CANCELLED";
}

/** The days on which a single event replaces one of an event that repeats, by the ids of the events. */
function movedDays(components: readonly Ical.Component[]): ReadonlyMap<string, ReadonlySet<number>> {
  const found = new Map<string, Set<number>>();
  for (const component of components) {
    const day = textOf(component, "recurrence-id").slice(0, "2027-03-01".length);
    if (!DAY.test(day)) continue;
    const uid = textOf(component, "uid");
    found.set(uid, (found.get(uid) ?? new Set()).add(Date.parse(day)));
  }
  return found;
}

/** The days that `EXDATE` removes, or that `RDATE` adds. */
function listedDays(component: Ical.Component, name: "exdate" | "rdate"): ReadonlySet<string> {
  const values = component.getAllProperties(name).flatMap((property) => property.getValues());
  return new Set(values.map((each) => String(each).slice(0, "2027-03-01".length)));
}

/** The first property that plancast does not evaluate, shortened. */
function strangePart(component: Ical.Component): string | undefined {
  const seen = new Set<string>();
  let listed = 0;
  for (const property of component.getAllProperties()) {
    const { name } = property;
    const isAgain = seen.has(name);
    seen.add(name);
    const form = UNDERSTOOD.get(name);
    const days = name === "exdate" || name === "rdate" ? property.getValues() : [];
    listed += days.length;
    const value = String(form === undefined ? "" : property.getFirstValue());
    if (
      NOT_UNDERSTOOD.has(name) ||
      listed > MAX_LISTED ||
      (name === "rdate" && !days.every((each) => DAY.test(String(each)))) ||
      (name === "recurrence-id" && property.getFirstParameter("range") !== undefined) ||
      (form !== undefined && (isAgain || !form.test(value)))
    )
      return shownPart(component, name);
  }
  return undefined;
}

function shownPart(component: Ical.Component, name: string): string {
  const value = UNDERSTOOD.has(name) ? textOf(component, name) : "";
  return `${name.toUpperCase()} ${value}`.trim().slice(0, 80);
}

type ICalendarDay = Pick<Ical.Time, "year" | "month" | "day">;
function dayOf({ year, month, day }: ICalendarDay): number {
  return Date.UTC(year, month - 1, day);
}

/** As for rows that repeat, whose rules the library for rules can read in any case. */
function ruleOf(component: Ical.Component): ReturnType<typeof readRepeat> | undefined {
  const text = textOf(component, "rrule");
  return text === "" ? undefined : readRepeat(text, () => undefined);
}

/** Fewest days of each frequency. */
const PERIODS = { DAILY: 1, WEEKLY: 7, MONTHLY: 28, YEARLY: 365 };

/** How often the library may have to look, also if a rule gives no day. */
function periodsOf({ rule }: RepeatRule, spanMs: number): number {
  const [, found] = Object.entries(PERIODS).find(([name]) => rule.includes(`FREQ=${name}`)) ?? [];
  return Math.max(0, Math.ceil(spanMs / DAY_MS / (found ?? 1)));
}

/** The days on which an event that repeats begins, in ms, up to a time. */
function startsOf({ rule, count, until: end }: RepeatRule, first: number, reading: Reading): number[] {
  const starts: number[] = [];
  const last =
    end === undefined ? reading.until : Math.min(reading.until, "wall" in end ? end.wall : end.utc);
  reading.daysOfRule(rule, { start: isoDay(first), until: isoDay(reading.until) }, (day) => {
    if (Date.parse(day) > last || starts.length === count) return false;
    starts.push(Date.parse(day));
    return starts.length <= MAX_STEPS;
  });
  return starts;
}
