/** The time of this machine, but waits for something that is down end almost immediately. */

import type { Clock } from "../../src/model/clock.ts";
import { systemClock } from "../../src/service/system-clock.ts";

/** How much faster time passes while it is down. */
const FACTOR = 100;
/** How often a sleep looks, in ms. */
const TURN_MS = 5;

/** @param what time passes faster while this is down */
export function outageClock(what: { readonly isUp: boolean }): Clock {
  let seen = Date.now();
  let ms = seen;
  const now = (): number => {
    const real = Date.now();
    ms += (real - seen) * (what.isUp ? 1 : FACTOR);
    seen = real;
    return ms;
  };
  return {
    now,
    sleep: async (sleepMs, signal) => {
      const end = now() + sleepMs;
      const isOver = (): boolean => now() >= end || signal?.aborted === true;
      while (!isOver()) {
        await systemClock.sleep(Math.min(TURN_MS, end - now()), signal);
      }
    },
  };
}
