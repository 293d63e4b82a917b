import type { IANAZone } from "luxon";

export const DAY_MS = 86_400_000;

/** Offsets at the beginnings of UTC days, by zone and day. To ask for one takes longer than all else with a time. */
const offsetsByDay = new WeakMap<IANAZone, Map<number, number>>();

/** The offset from the day before a local day to the day after it, by zone and day; undefined where it changes. */
const constantOffsets = new WeakMap<IANAZone, Map<number, number | undefined>>();

/**
 * The zone's offset at an instant (ms since the epoch), in ms. Where it is the same at both ends of the UTC day it is
 * so all day: no zone has ever changed its offset and changed it back within a day.
 */
export function offsetAt(zone: IANAZone, ms: number): number {
  const day = Math.floor(ms / DAY_MS);
  const atStart = offsetOfDay(zone, day);
  return atStart === offsetOfDay(zone, day + 1) ? atStart : zone.offset(ms) * 60_000;
}

/**
 * The zone's offset around a wall time (ms as if it were UTC), in ms; undefined where it changes within a day or so of
 * it. The rows of a long calendar share days, so this is one look for nearly all of them.
 */
export function constantOffset(zone: IANAZone, wall: number): number | undefined {
  const days = daysOf(constantOffsets, zone);
  const day = Math.floor(wall / DAY_MS);
  const found = days.get(day);
  if (found !== undefined || days.has(day)) return found;
  const offset = offsetOfDay(zone, day - 1);
  const isSteady = [day, day + 1, day + 2].every((each) => offsetOfDay(zone, each) === offset);
  days.set(day, isSteady ? offset : undefined);
  return isSteady ? offset : undefined;
}

function offsetOfDay(zone: IANAZone, day: number): number {
  const days = daysOf(offsetsByDay, zone);
  const found = days.get(day);
  if (found !== undefined) return found;
  const offset = zone.offset(day * DAY_MS) * 60_000;
  days.set(day, offset);
  return offset;
}

function daysOf<V>(cache: WeakMap<IANAZone, Map<number, V>>, zone: IANAZone): Map<number, V> {
  const found = cache.get(zone);
  if (found !== undefined) return found;
  const days = new Map<number, V>();
  cache.set(zone, days);
  return days;
}
