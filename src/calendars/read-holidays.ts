/** Reads the file of `holidays:`, a calendar in iCalendar form with all-day events. */

import type Ical from "ical.js";
import { readRegular } from "../disk/files.ts";
import { placeInProject } from "../disk/place.ts";
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

/** @param until ms since the epoch; yearly events are repeated up to then */
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
const YEARLY =
  /^FREQ=YEARLY(?:;(?:INTERVAL=[1-9]\d?|COUNT=\d{1,3}|UNTIL=[\dTZ]+|BYMONTH=\d{1,2}|BYMONTHDAY=-?\d{1,2}|BYDAY=-?[1-5]?[A-Z]{2}|WKST=[A-Z]{2}))*$/;

/**
 * The properties that set the days of an event. Each may appear at most once. With any other property, the library
 * may never return.
 */
const UNDERSTOOD: ReadonlyMap<string, RegExp> = new Map([
  ["dtstart", DAY],
  ["dtend", DAY],
  ["duration", /^P\d{1,3}[DW]$/],
  ["rrule", YEARLY],
]);
/** These would change the days, but calendars of holidays do not need them. */
const NOT_UNDERSTOOD: ReadonlySet<string> = new Set(["rdate", "exrule", "recurrence-id"]);
/** The library's time grows with the square of their number. */
const MAX_EXCEPTIONS = 100;

/** @param name of the file, for messages */
export async function parseHolidays(text: string, name: string, until: number): Promise<ReadHolidays> {
  const { default: ical } = await import("ical.js");
  try {
    return eventsIn(new ical.Component(ical.parse(text)), ical.Event, name, until);
  } catch (error) {
    return unusable(name, `it is not a valid iCalendar file (${reasonOf(error)})`);
  }
}

function eventsIn(
  root: Ical.Component,
  IcalEvent: typeof Ical.Event,
  name: string,
  until: number,
): ReadHolidays {
  const found = new Map<string, string>();
  let steps = 0;
  for (const component of root.getAllSubcomponents("vevent")) {
    // Only events of whole days are holidays.
    if (component.getFirstProperty("dtstart")?.type !== "date") continue;
    const summary = String(component.getFirstPropertyValue("summary") ?? "");
    const strange = strangePart(component);
    if (strange !== undefined)
      return unusable(
        name,
        `it repeats "${summary}", but not once a year, or its days are unclear (${strange})`,
      );
    const event = new IcalEvent(component);
    const days = Math.min(
      MAX_DAYS,
      Math.max(1, Math.round((dayOf(event.endDate) - dayOf(event.startDate)) / DAY_MS)),
    );
    for (const first of startsOf(event, until)) {
      steps += days;
      if (steps > MAX_STEPS) return unusable(name, "its events have more than 100,000 days");
      for (let day = 0; day < days; day += 1)
        found.set(new Date(first + day * DAY_MS).toISOString().slice(0, 10), summary || "holiday");
    }
  }
  return { holidays: found, problems: [] };
}

/** The first property that plancast does not evaluate, shortened. */
function strangePart(component: Ical.Component): string | undefined {
  const seen = new Set<string>();
  let exceptions = 0;
  for (const property of component.getAllProperties()) {
    const { name } = property;
    const isAgain = seen.has(name);
    seen.add(name);
    const form = UNDERSTOOD.get(name);
    if (name === "exdate") exceptions += property.getValues().length;
    const value = String(form === undefined ? "" : property.getFirstValue());
    if (
      NOT_UNDERSTOOD.has(name) ||
      exceptions > MAX_EXCEPTIONS ||
      (form !== undefined && (isAgain || !form.test(value)))
    )
      return `${name.toUpperCase()} ${value}`.trim().slice(0, 80);
  }
  return undefined;
}

type ICalendarDay = Pick<Ical.Time, "year" | "month" | "day">;
function dayOf({ year, month, day }: ICalendarDay): number {
  return Date.UTC(year, month - 1, day);
}

/** The days on which an event begins, in ms, up to a time. */
function startsOf(event: Ical.Event, until: number): number[] {
  if (!event.isRecurring()) return [dayOf(event.startDate)];
  const starts: number[] = [];
  const iterator = event.iterator();
  for (let each = iterator.next(); each; each = iterator.next()) {
    const day = dayOf(each);
    if (day > until || starts.length >= 1_000) break;
    starts.push(day);
  }
  return starts;
}
