/** Days and clocks in the form that the reader's browser prefers. */

import { shownClock, dateOf, englishOf, firstWeekday, hasTwelveHours, weekOf, weeksOf } from "./days.ts";

const FIRST_WEEKDAY = firstWeekday(navigator.language);
const IS_TWELVE_HOURS = hasTwelveHours(navigator.language);
const ENGLISH = englishOf(navigator.languages);

/** The days of a week. @param day any of them */
export function readersWeek(day: string): string[] {
  return weekOf(day, FIRST_WEEKDAY);
}

/** The weeks that a month touches. */
export function readersWeeks(month: string): string[][] {
  return weeksOf(month, FIRST_WEEKDAY);
}

const format = (options: Intl.DateTimeFormatOptions): ((day: string) => string) => {
  const formatter = new Intl.DateTimeFormat(ENGLISH, { ...options, timeZone: "UTC" });
  return (day) => formatter.format(dateOf(day));
};

/** `Monday 1 March 2027` */
export const fullDay = format({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
/** `1 March` */
export const shortDay = format({ day: "numeric", month: "long" });
/** `Mon` */
export const shortWeekday = format({ weekday: "short" });
/** `Monday` */
export const longWeekday = format({ weekday: "long" });
const monthName = format({ month: "long", year: "numeric" });

/** `March 2027` */
export function monthTitle(month: string): string {
  return monthName(`${month}-01`);
}

/** `1–7 March 2027` */
export function weekTitle(day: string): string {
  const week = readersWeek(day);
  const formatter = new Intl.DateTimeFormat(ENGLISH, {
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
  return formatter.formatRange(dateOf(week[0] ?? day), dateOf(week.at(-1) ?? day));
}

/** @param clock `HH:mm`, with seconds if there are any */
export function readersClock(clock: string): string {
  return shownClock(clock, IS_TWELVE_HOURS);
}

/** The day and clock of a moment in a zone; undefined if the browser does not know the zone. */
export function inZone(at: Date, timeZone: string): { day: string; clock: string } | undefined {
  try {
    const parts = new Intl.DateTimeFormat("en-CA", {
      timeZone,
      dateStyle: "short",
      timeStyle: "short",
      hourCycle: "h23",
    }).format(at);
    const [, day, clock] = /^(\d{4}-\d\d-\d\d)\D+(\d\d:\d\d)$/.exec(parts) ?? [];
    return day === undefined || clock === undefined ? undefined : { day, clock };
  } catch {
    return undefined;
  }
}
