/** Local times in IANA zones, with the two hours a year that go wrong told apart. */
import type { IANAZone } from "luxon";
import { DAY_MS, offsetAt, constantOffset } from "./zone-offset.ts";

/** What a local time is in a zone: one instant, none (a gap), or two. */
export type LocalTime =
  | { readonly kind: "instant"; readonly ms: number }
  | { readonly kind: "gap"; readonly shiftMinutes: number }
  | { readonly kind: "twice"; readonly offsets: readonly [string, string] };

/**
 * Finds the instants at which the zone's clocks show a wall time (ms as if it were UTC): one, none or two.
 * No rule change lies further than a day away without being seen, so the offsets a day before and after are
 * all the candidates; each is checked by going back.
 */
export function localInstant(zone: IANAZone, wall: number): LocalTime {
  const always = constantOffset(zone, wall);
  if (always !== undefined) return { kind: "instant", ms: wall - always };
  const before = offsetAt(zone, wall - DAY_MS);
  const after = offsetAt(zone, wall + DAY_MS);
  if (before === after && offsetAt(zone, wall - before) === before)
    return { kind: "instant", ms: wall - before };
  const [first, second] = [before, after].filter((offset) => offsetAt(zone, wall - offset) === offset);
  if (first === undefined) return { kind: "gap", shiftMinutes: Math.abs(after - before) / 60_000 };
  if (second === undefined) return { kind: "instant", ms: wall - first };
  return { kind: "twice", offsets: [offsetText(first), offsetText(second)] };
}

/**
 * An instant (ms since the epoch) as people write it in a zone: `2027-03-01 09:30`, with seconds where there are any.
 * Where the clocks show that time twice, and would leave open which is meant: with its offset, `2027-10-31T02:30+01:00`.
 */
export function localText(zone: IANAZone, ms: number): string {
  const offset = offsetAt(zone, ms);
  const [day = "", time = ""] = new Date(ms + offset).toISOString().slice(0, 19).split("T");
  const short = time.endsWith(":00") ? time.slice(0, 5) : time;
  return localInstant(zone, ms + offset).kind === "instant"
    ? `${day} ${short}`
    : `${day}T${short}${offsetText(offset)}`;
}

function offsetText(ms: number): string {
  const minutes = Math.abs(ms) / 60_000;
  return `${ms < 0 ? "-" : "+"}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
