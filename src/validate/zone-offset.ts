import type { IANAZone } from "luxon";

export const DAY_MS = 86_400_000;

/** Offsets at the beginnings of UTC days, by zone and day. To ask for one takes longer than all else with a time. */
const known = new WeakMap<IANAZone, Map<number, number>>();

/**
 * The zone's offset at an instant (ms since the epoch), in ms. Where it is the same at both ends of the UTC day it is
 * so all day: no zone has ever changed its offset and changed it back within a day.
 */
export function offsetAt(zone: IANAZone, ms: number): number {
  const day = Math.floor(ms / DAY_MS);
  const days = daysOf(zone);
  const atStart = offsetOfDay(zone, days, day);
  return atStart === offsetOfDay(zone, days, day + 1) ? atStart : zone.offset(ms) * 60_000;
}

function daysOf(zone: IANAZone): Map<number, number> {
  const found = known.get(zone);
  if (found !== undefined) return found;
  const days = new Map<number, number>();
  known.set(zone, days);
  return days;
}

function offsetOfDay(zone: IANAZone, days: Map<number, number>, day: number): number {
  const found = days.get(day);
  if (found !== undefined) return found;
  const offset = zone.offset(day * DAY_MS) * 60_000;
  days.set(day, offset);
  return offset;
}
