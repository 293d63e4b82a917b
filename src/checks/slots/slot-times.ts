/** The instants of weekly slots in a time zone, across clock changes. */

import type { IANAZone } from "luxon";
import { type SlotSettings, type WeekSlots, DEFAULT_SLOTS, weekSlots } from "../../settings/time-settings.ts";
import { type Aliases, identify, networkOf } from "../networks/network-names.ts";
import { localDay, localInstant } from "../when/local-time.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/**
 * The instants of a day's slots, in ms since the epoch, earliest first. A time that the clocks skip on that day gives
 * none. A time that happens twice gives the first.
 * @param day `2027-03-01`
 */
export function slotsOfDay(week: WeekSlots, zone: IANAZone, day: string): number[] {
  const start = Date.parse(day);
  const weekday = new Date(start).getUTCDay() || 7;
  return (week.get(weekday) ?? []).flatMap((minutes) => {
    const found = localInstant(zone, start + minutes * MINUTE_MS);
    return found.kind === "gap" ? [] : [found.ms];
  });
}

/** The slots from an instant on, in order. Reads only as many days as are asked for. */
export class SlotSequence {
  readonly #week: WeekSlots;
  readonly #zone: IANAZone;
  readonly #from: number;
  readonly #found: number[] = [];
  #nextDay: number;

  /** @param from ms since the epoch; the first slot is later */
  constructor(week: WeekSlots, zone: IANAZone, from: number) {
    this.#week = week;
    this.#zone = zone;
    this.#from = from;
    this.#nextDay = Date.parse(localDay(zone, from));
  }

  /** The slot with an index from 0; undefined if it is not before `until`. */
  at(index: number, until: number): number | undefined {
    while (this.#found.length <= index && this.#nextDay < until + DAY_MS) {
      const day = new Date(this.#nextDay).toISOString().slice(0, 10);
      for (const ms of slotsOfDay(this.#week, this.#zone, day)) if (ms > this.#from) this.#found.push(ms);
      this.#nextDay += DAY_MS;
    }
    const found = this.#found[index];
    return found !== undefined && found < until ? found : undefined;
  }
}

/** Finds the slots of a network by its identifier. */
export type SlotsOfNetwork = (network: string) => WeekSlots | undefined;

/** The slots of `slots:`. Networks with the same times share an object. */
export function slotsByNetwork(settings: SlotSettings, aliases: Aliases): SlotsOfNetwork {
  const same = new Map<string, WeekSlots>();
  const own = new Map<string, WeekSlots>();
  for (const [name, written] of Object.entries(settings)) {
    const week = weekSlots(written);
    const mark = JSON.stringify([...week].sort(([one], [other]) => one - other));
    const shared = same.get(mark) ?? week;
    same.set(mark, shared);
    own.set(name === DEFAULT_SLOTS ? name : identify(name, aliases), shared);
  }
  // `linkedin/founder` is an account of `linkedin`.
  return (network) => own.get(network) ?? own.get(networkOf(network)) ?? own.get(DEFAULT_SLOTS);
}
