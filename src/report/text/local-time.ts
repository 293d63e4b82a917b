/** Formats UTC times for people in a time zone. */

import { ENGLISH_MONTHS, ENGLISH_WEEKDAYS } from "../../checks/when/written-forms.ts";
import { findZone, offsetAt, offsetText, shownZone } from "../../checks/when/local-time.ts";
import { utcMs, utcTime } from "../../model/canonical.ts";
import type { UtcTime } from "../../model/post.ts";

/** A time in a zone, as people write it. */
export interface ShownTime {
  /** `Mon 1 March 2027` */
  readonly day: string;
  /** The two halves of the day: `Mon 1` and `March 2027`. */
  readonly date: string;
  readonly month: string;
  /** The day in a form that sorts: `2027-03-01`. */
  readonly isoDay: string;
  /** `09:00`, with seconds only if there are any. */
  readonly clock: string;
  /** The requested zone, an IANA name. */
  readonly timezone: string;
  /** `+01:00`: distinguishes the two hours with the same local time when clocks go back. */
  readonly offset: string;
}

/** A UTC time in a zone (IANA). Returns an unreadable time as it is. */
export function localTime(time: UtcTime, timezone: string): ShownTime {
  const { date: isoDay, clock, offset } = sortableTime(time, timezone);
  if (offset === "") return { day: time, date: time, month: "", isoDay: time, clock: "", timezone, offset };
  const [date, month] = dayNames(isoDay);
  return { day: `${date} ${month}`, date, month, isoDay, clock, timezone, offset };
}

/** `Mon 1` and `March 2027`. */
function dayNames(isoDay: string): readonly [date: string, month: string] {
  const day = new Date(isoDay);
  const weekday = ENGLISH_WEEKDAYS[(day.getUTCDay() + 6) % 7] ?? "";
  const month = ENGLISH_MONTHS[day.getUTCMonth()] ?? "";
  return [`${weekday.slice(0, 3)} ${day.getUTCDate()}`, `${month} ${isoDay.slice(0, 4)}`];
}

/** A post's time in the zone of its row. Undefined if the project's zone has the same time then. */
export function rowTime(
  { scheduledAt, timezone: own }: { readonly scheduledAt: UtcTime; readonly timezone?: string | undefined },
  timezone: string,
): ShownTime | undefined {
  if (own === undefined || own === timezone) return undefined;
  const when = localTime(scheduledAt, own);
  return when.offset === localTime(scheduledAt, timezone).offset ? undefined : when;
}

/** The IANA zone of the times. `hasOthers`: rows with another zone show their own time, then this zone's. */
export function timesText(timezone: string, hasOthers: boolean): string {
  return `Times are in ${shownZone(timezone)}.${hasOthers ? " If a row has another time zone, its own time is first." : ""}`;
}

/** `America/New_York` is New York. */
export function cityOf(timezone: string): string {
  const shown = shownZone(timezone);
  return shown.slice(shown.lastIndexOf("/") + 1).replaceAll("_", " ");
}

/** A time in a zone, in a sortable form. */
interface SortableTime {
  /** `2027-03-01` */
  readonly date: string;
  /** The time of day, as in LocalTime. */
  readonly clock: string;
  readonly offset: string;
}

/** A UTC time in a zone (IANA). Returns an unreadable time as the date. */
export function sortableTime(time: UtcTime, timezone: string): SortableTime {
  const [zone, ms] = [findZone(timezone), utcMs(time)];
  if (zone === undefined || Number.isNaN(ms) || utcTime(ms) !== time)
    return { date: time, clock: "", offset: "" };
  const offset = offsetAt(zone, ms);
  const [date = "", clock = ""] = utcTime(ms + offset)
    .slice(0, -1)
    .split("T");
  return { date, clock: clock.replace(/:00$/, ""), offset: offsetText(offset) };
}

/** Short and sortable: `2027-03-01 09:00`. Returns an unreadable time as it is. */
export function shortTime(time: UtcTime, timezone: string): string {
  const { date, clock } = sortableTime(time, timezone);
  return `${date} ${clock}`.trimEnd();
}

/** The end of something: `Mon 1 March 2027 09:00`, and for midnight `end of Sun 28 February 2027`. */
export function endTime(time: UtcTime, timezone: string): string {
  const end = localTime(time, timezone);
  if (end.clock !== "00:00") return fullTime(end);
  return `end of ${localTime(utcTime(utcMs(time) - 1_000), timezone).day}`;
}

/** Day and time: `Mon 1 March 2027 09:00`. */
export function fullTime({ day, clock }: ShownTime): string {
  return `${day} ${clock}`.trimEnd();
}

/** Two times, as short as possible: without days if they are equal, and with offsets if the clocks are equal, too. */
export function timesBetween(
  before: UtcTime | undefined,
  after: UtcTime,
  timezone: string,
): { readonly before: string | undefined; readonly after: string } {
  const to = localTime(after, timezone);
  if (before === undefined) return { before, after: fullTime(to) };
  const from = localTime(before, timezone);
  if (from.day !== to.day) return { before: fullTime(from), after: fullTime(to) };
  if (from.clock !== to.clock) return { before: from.clock, after: to.clock };
  return { before: `${from.clock} (${from.offset})`, after: `${to.clock} (${to.offset})` };
}
