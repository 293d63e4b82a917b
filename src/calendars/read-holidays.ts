/** Reads the file of `holidays:`, a calendar in iCalendar form with all-day events. */

import type Ical from "ical.js";
import { readRegular } from "../disk/files.ts";
import { placeInProject } from "../disk/place.ts";
import type { Holidays } from "../checks/slots/closed-times.ts";
import { Failure, errorCode, reasonOf } from "../model/failure.ts";
import { type Problem, problem } from "../model/problem.ts";
import type { Project } from "../settings/config.ts";

/** Larger than any real calendar of holidays, bytes. */
const MAX_BYTES = 2_000_000;
/** A longer event is a mistake, days. */
const MAX_DAYS = 366;
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
    if (bytes.byteLength > MAX_BYTES) return unusable(file, "it is larger than 2 MB");
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

/** Parts of a rule that repeats an event each year. The library may never return from other rules. */
const YEARLY = /^FREQ=YEARLY(?:;(?:INTERVAL=[1-9]\d?|COUNT=\d{1,3}|UNTIL=[\dTZ]+|BYMONTH=\d{1,2}|BYMONTHDAY=-?\d{1,2}|BYDAY=-?[1-5]?[A-Z]{2}|WKST=[A-Z]{2}))*$/;

/** @param name of the file, for messages */
export async function parseHolidays(text: string, name: string, until: number): Promise<ReadHolidays> {
  const { default: ical } = await import("ical.js");
  try {
    return eventsIn(new ical.Component(ical.parse(text)), ical.Event, name, until);
  } catch (error) {
    return unusable(name, `it is not a valid iCalendar file (${reasonOf(error)})`);
  }
}

function eventsIn(root: Ical.Component, IcalEvent: typeof Ical.Event, name: string, until: number): ReadHolidays {
  const found = new Map<string, string>();
  for (const component of root.getAllSubcomponents("vevent")) {
    if (component.getFirstProperty("dtstart") === null) continue;
    const event = new IcalEvent(component);
    const { startDate: start, endDate: end, summary } = event;
    // Only events of whole days are holidays.
    if (!start.isDate) continue;
    const rule = String(component.getFirstPropertyValue("rrule") ?? "");
    if (rule !== "" && !YEARLY.test(rule))
      return unusable(name, `it repeats "${summary}", but not once a year (${rule.slice(0, 80)})`);
    const days = Math.min(MAX_DAYS, Math.max(1, Math.round((dayOf(end) - dayOf(start)) / DAY_MS)));
    for (const first of startsOf(event, until)) {
      for (let day = 0; day < days; day += 1)
        found.set(new Date(first + day * DAY_MS).toISOString().slice(0, 10), summary || "holiday");
    }
  }
  return { holidays: found, problems: [] };
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
