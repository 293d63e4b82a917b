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
  const atStart = offsetOfDay(zone, day);
  return atStart === offsetOfDay(zone, day + 1) ? atStart : zone.offset(ms) * 60_000;
}

function offsetOfDay(zone: IANAZone, day: number): number {
  const days = known.get(zone) ?? new Map<number, number>();
  known.set(zone, days);
  const found = days.get(day) ?? zone.offset(day * DAY_MS) * 60_000;
  days.set(day, found);
  return found;
}
