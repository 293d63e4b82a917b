import type { Clock } from "../../../src/model/clock.ts";
import { systemClock } from "../../../src/service/system-clock.ts";

/** How long plancast waits for an answer of Redis, ms. */
const PATIENCE_MS = 5_000;

/** Waits a minute for an answer of Redis, for a busy machine may need long to start it again. Other waits are as usual. */
export const patientClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => systemClock.sleep(ms === PATIENCE_MS ? 60_000 : ms, signal),
};
