/** Formats UTC times for people in a time zone. */

import { DateTime } from "luxon";
import type { UtcTime } from "../../model/post.ts";

/** A time in a zone, as people write it. */
export interface LocalTime {
  /** `Mon 1 March 2027` */
  readonly day: string;
  /** `09:00`, with seconds only if there are any. */
  readonly clock: string;
  /** `+01:00`: distinguishes the two hours with the same local time when clocks go back. */
  readonly offset: string;
}

/** A UTC time in a zone (IANA). Returns an unreadable time as it is. */
export function localTime(time: UtcTime, timezone: string): LocalTime {
  const local = DateTime.fromISO(time, { zone: timezone, locale: "en-GB" });
  if (!local.isValid) return { day: time, clock: "", offset: "" };
  return {
    day: local.toFormat("ccc d LLLL yyyy"),
    clock: clockOf(local),
    offset: local.toFormat("ZZ"),
  };
}

/** A time in a zone, in a sortable form. */
interface SortableTime {
  /** `2027-03-01` */
  readonly date: string;
  /** As in LocalTime. */
  readonly clock: string;
  readonly offset: string;
}

/** A UTC time in a zone (IANA). Returns an unreadable time as the date. */
export function sortableTime(time: UtcTime, timezone: string): SortableTime {
  const local = DateTime.fromISO(time, { zone: timezone });
  if (!local.isValid) return { date: time, clock: "", offset: "" };
  return { date: local.toISODate(), clock: clockOf(local), offset: local.toFormat("ZZ") };
}

/** Short and sortable: `2027-03-01 09:00`. Returns an unreadable time as it is. */
export function shortTime(time: UtcTime, timezone: string): string {
  const { date, clock } = sortableTime(time, timezone);
  return `${date} ${clock}`.trimEnd();
}

function clockOf(local: DateTime): string {
  return local.toFormat(local.second === 0 ? "HH:mm" : "HH:mm:ss");
}

/** Day and time: `Mon 1 March 2027 09:00`. */
export function fullTime({ day, clock }: LocalTime): string {
  return `${day} ${clock}`.trimEnd();
}
