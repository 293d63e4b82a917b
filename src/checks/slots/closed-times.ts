/** Quiet hours and holidays: when nothing should be published, by the clock of the row's time zone. */

import { IANAZone } from "luxon";
import { type QuietSpan, quietSpans } from "../../settings/time-settings.ts";
import type { Config } from "../../settings/config.ts";
import { networkOf } from "../../model/options/catalogue.ts";
import { Aliases, identify } from "../networks/network-names.ts";
import { findZone, offsetAt } from "../when/local-time.ts";

/** The names of holidays by their local days: `2027-12-25`. */
export type Holidays = ReadonlyMap<string, string>;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;

export class ClosedTimes {
  readonly #spans: readonly QuietSpan[];
  readonly #holidays: Holidays;

  constructor(
    { quiet_hours }: Pick<Config, "quiet_hours">,
    aliases: Aliases,
    holidays: Holidays = new Map(),
  ) {
    this.#spans = quietSpans(quiet_hours).map(({ networks, ...span }) => ({
      ...span,
      ...(networks === undefined ? {} : { networks: networks.map((name) => identify(name, aliases)) }),
    }));
    this.#holidays = holidays;
  }

  /** Whether no time is ever closed, so that no check is needed. */
  get isEmpty(): boolean {
    return this.#spans.length + this.#holidays.size === 0;
  }

  /** Why a slot must be left out, to follow "because of"; undefined if it need not. `ms`: since the epoch. */
  whyClosed(ms: number, zone: IANAZone, networks: readonly string[]): string | undefined {
    if (this.isEmpty) return undefined;
    const wall = ms + offsetAt(zone, ms);
    const holiday = this.#holidayAt(wall);
    if (holiday !== undefined) return `a holiday (${holiday})`;
    const [quiet] = networks.flatMap((name) => this.#quietAt(wall, name) ?? []);
    return quiet && `quiet hours (${quiet.text})`;
  }

  /** The holiday on the local day of an instant. */
  holiday(ms: number, timezone: string | undefined): string | undefined {
    return this.#holidays.size === 0 ? undefined : this.#holidayAt(wallOf(ms, timezone));
  }

  /** The quiet hours of a network at an instant, as people write them. */
  quietHours(ms: number, timezone: string | undefined, network: string): string | undefined {
    return this.#spans.length === 0 ? undefined : this.#quietAt(wallOf(ms, timezone), network)?.text;
  }

  #holidayAt(wall: number): string | undefined {
    return this.#holidays.get(new Date(wall).toISOString().slice(0, 10));
  }

  #quietAt(wall: number, network: string): QuietSpan | undefined {
    const today = new Date(wall).getUTCDay() || 7;
    const minute = Math.floor((wall % DAY_MS) / MINUTE_MS);
    return this.#spans.find(({ from, to, days, networks }) => {
      if (networks !== undefined && !networks.includes(network) && !networks.includes(networkOf(network)))
        return false;
      const isToday = days.has(today) && minute >= from && minute < to;
      // Since yesterday evening.
      return isToday || (days.has(today === 1 ? 7 : today - 1) && minute + DAY_MINUTES < to);
    });
  }
}

/** For a project without quiet hours and holidays. */
export const NEVER_CLOSED = new ClosedTimes({ quiet_hours: undefined }, new Aliases());

/** Ms since the epoch, as if the row's local time were UTC. */
function wallOf(ms: number, timezone: string | undefined): number {
  const zone = findZone(timezone ?? "");
  return zone === undefined ? ms : ms + offsetAt(zone, ms);
}
