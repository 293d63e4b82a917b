import type { Pace } from "../calendar/pace.ts";
import type { RateReading } from "./rate-headers.ts";

/** The service counts requests a minute (its interface, section on limits). */
const WINDOW_MS = 60_000;

/**
 * The pace that the last answer promises; where none has said anything, the plan's own.
 * @param fallbackLimit requests a minute where the service does not say
 * @param now local ms
 */
export function paceOf(reading: RateReading | undefined, fallbackLimit: number, now: number): Pace {
  const perWindow = reading?.limit ?? fallbackLimit;
  const resetAt = reading?.resetAt;
  const isOpen = resetAt === undefined || resetAt <= now;
  return {
    free: isOpen ? perWindow : (reading?.remaining ?? perWindow),
    opensInMs: isOpen ? WINDOW_MS : resetAt - now,
    perWindow,
    windowMs: WINDOW_MS,
  };
}
