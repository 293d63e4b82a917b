/** IANA zones by name, and local times in them. Detects the two hours per year that are skipped or repeated. */

import { IANAZone } from "luxon";
import { isoInstant } from "../../model/canonical.ts";
import { foldName, nearest, twoDigits } from "../../model/text.ts";

/**
 * The zone of that name; undefined if there is none. Names without a region, such as `EST` or `CET`, are refused
 * although tzdata has them: people who write them mean a place with daylight saving time.
 */
export function findZone(name: string): IANAZone | undefined {
  if (!/^(utc|gmt)$|^[a-z_]+\/[a-z0-9_+/-]+$/i.test(name)) return undefined;
  const zone = IANAZone.create(name);
  return zone.isValid ? zone : undefined;
}

/** A UTC time as a message names it: `2027-03-01 09:30 (Europe/Paris)`. A time that cannot be read stays as it is. */
export function timeInZone(time: string, timezone: string): string {
  const [zone, ms] = [findZone(timezone), isoInstant(time, "Z")];
  if (zone === undefined || ms === undefined) return time;
  const { day, clock } = wallText(ms + offsetAt(zone, ms));
  return `${day} ${clock} (${shownZone(timezone)})`;
}

/** A zone with a fixed offset as people know it: `UTC+2` for `Etc/GMT-2`. Other names stay as they are. */
export function shownZone(zone: string): string {
  const [, sign, hours] = /^Etc\/GMT([+-])(\d{1,2})$/.exec(zone) ?? [];
  return hours === undefined ? zone : `UTC${sign === "-" ? "+" : "-"}${hours}`;
}

const COMMON_ABBREVIATIONS = new Map([
  ["est", "America/New_York"],
  ["edt", "America/New_York"],
  ["cst", "America/Chicago"],
  ["mst", "America/Denver"],
  ["pst", "America/Los_Angeles"],
  ["pdt", "America/Los_Angeles"],
  ["bst", "Europe/London"],
  ["wet", "Europe/Lisbon"],
  ["cet", "Europe/Paris"],
  ["cest", "Europe/Paris"],
  ["eet", "Europe/Helsinki"],
  ["ist", "Asia/Kolkata"],
  ["jst", "Asia/Tokyo"],
  ["aest", "Australia/Sydney"],
]);

/** A zone to suggest for an unknown name: by abbreviation, by city, or by spelling. */
export function suggestZone(name: string): string | undefined {
  const wanted = foldName(name);
  const names = Intl.supportedValuesOf("timeZone");
  return (
    COMMON_ABBREVIATIONS.get(wanted) ??
    names.find((each) => each.toLowerCase().split("/").at(-1) === wanted) ??
    nearest(wanted, names)
  );
}

/**
 * The zone that a person means: an exact name, or a city in exactly one name, such as `Berlin`. Undefined if that is not
 * certain.
 */
export function zoneMeant(typed: string): string | undefined {
  if (findZone(typed) !== undefined) return typed;
  const city = foldName(typed);
  if (!/^[a-z][a-z_]+$/.test(city)) return undefined;
  const names = Intl.supportedValuesOf("timeZone");
  const listed = names.filter((each) => each.toLowerCase().endsWith(`/${city}`));
  if (listed.length > 0) return listed.length === 1 ? listed[0] : undefined;
  // The list has only one name of each zone, and often an old one: Europe/Kiev.
  const regions = new Set(names.map((each) => each.slice(0, each.lastIndexOf("/") + 1)));
  const others = [...regions].map((region) => region + titleCase(city)).filter((each) => findZone(each));
  return others.length === 1 ? others[0] : undefined;
}

/** `Ho_Chi_Minh`, as names of zones are written. */
function titleCase(folded: string): string {
  return folded.replaceAll(/(?<=^|_)[a-z]/g, (letter) => letter.toUpperCase());
}

/** The instants of a local time in a zone: one, none (a gap), or two. For two, `ms` is the first. */
export type LocalTime =
  | { readonly kind: "instant"; readonly ms: number }
  | { readonly kind: "gap"; readonly shiftMinutes: number }
  | { readonly kind: "twice"; readonly ms: number; readonly offsets: readonly [string, string] };

/**
 * Finds the instants at which the zone's clocks show a wall time (ms as if it were UTC): one, none or two. Clock
 * changes within a day show in the offsets a day before and a day after, so these are the only candidates. Each is
 * checked by converting it back.
 */
export function localInstant(zone: IANAZone, wall: number): LocalTime {
  const before = offsetAt(zone, wall - DAY_MS);
  const after = offsetAt(zone, wall + DAY_MS);
  if (before === after && offsetAt(zone, wall - before) === before)
    return { kind: "instant", ms: wall - before };
  const [first, second] = [before, after].filter((offset) => offsetAt(zone, wall - offset) === offset);
  if (first === undefined) return { kind: "gap", shiftMinutes: Math.abs(after - before) / 60_000 };
  if (second === undefined) return { kind: "instant", ms: wall - first };
  return { kind: "twice", ms: wall - first, offsets: [offsetText(first), offsetText(second)] };
}

/**
 * The end of a local day, in ms since the epoch: the first moment of the next day, also if a clock change skips or repeats
 * midnight.
 * @param midnight the start of the day, in ms as if it were UTC
 */
export function endOfDay(zone: IANAZone, midnight: number): number {
  const next = midnight + DAY_MS;
  const found = localInstant(zone, next);
  // The clocks go forward at midnight: the offset before the change still leads to the moment of the change.
  return found.kind === "gap" ? next - offsetAt(zone, next - DAY_MS) : found.ms;
}

/**
 * An instant (ms since the epoch) as people write it in a zone: `2027-03-01 09:30`, with seconds if there are any. If
 * the clocks show that time twice, with its offset: `2027-10-31T02:30+01:00`.
 */
export function localText(zone: IANAZone, ms: number): string {
  const offset = offsetAt(zone, ms);
  const { day, clock } = wallText(ms + offset);
  return localInstant(zone, ms + offset).kind === "instant"
    ? `${day} ${clock}`
    : `${day}T${clock}${offsetText(offset)}`;
}

/** A wall time (ms as if it were UTC) as `2027-03-01` and `09:30`, with seconds if there are any. */
function wallText(wall: number): { readonly day: string; readonly clock: string } {
  const [day = "", clock = ""] = new Date(wall).toISOString().slice(0, 19).split("T");
  return { day, clock: clock.replace(/:00$/, "") };
}

/** An offset in ms: `+01:00`. */
export function offsetText(ms: number): string {
  const minutes = Math.abs(ms) / 60_000;
  return `${ms < 0 ? "-" : "+"}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

const DAY_MS = 86_400_000;

/**
 * Offsets at the start of UTC days, by zone and day. The rows of a calendar share days, and without this memo, reading
 * their times would take a hundred times as long. An offset never changes, so nobody can see what is in it.
 */
const offsetsByDay = new WeakMap<IANAZone, Map<number, number>>();

/**
 * The zone's offset at an instant (ms since the epoch), in ms. An offset that is the same at both ends of a UTC day is
 * valid all day: no zone ever changed twice within a day.
 */
export function offsetAt(zone: IANAZone, ms: number): number {
  const day = Math.floor(ms / DAY_MS);
  const atStart = offsetOfDay(zone, day);
  return atStart === offsetOfDay(zone, day + 1) ? atStart : zone.offset(ms) * 60_000;
}

function offsetOfDay(zone: IANAZone, day: number): number {
  const days = offsetsByDay.get(zone) ?? new Map<number, number>();
  const found = days.get(day);
  if (found !== undefined) return found;
  const offset = zone.offset(day * DAY_MS) * 60_000;
  offsetsByDay.set(zone, days.set(day, offset));
  return offset;
}

/** The local day of an instant (ms since the epoch): `2027-03-01`. */
export function localDay(zone: IANAZone, ms: number): string {
  return new Date(ms + offsetAt(zone, ms)).toISOString().slice(0, 10);
}
