/** The clock of this machine. Most code gets a clock as a parameter, so that tests need not wait. */

import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../model/clock.ts";

/** The time of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    try {
      // A timer takes at most 2^31 - 1 ms.
      await delay(
        Math.min(Math.max(0, ms), 2_147_483_647),
        undefined,
        signal === undefined ? {} : { signal },
      );
    } catch (error) {
      if (signal?.aborted !== true) throw error;
    }
  },
};
