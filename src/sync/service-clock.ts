/** What a run does if the clock of the service differs from its own. */

import type { Clock } from "../model/clock.ts";
import { Failure } from "../model/failure.ts";
import { otherClockText } from "../problems/plan-texts.ts";

/** If the clocks differ by more, they disagree about which posts are past. */
const MAX_DIFFERENCE_MS = 10 * 60_000;

/**
 * Throws a Failure if the service's clock differs from this machine's.
 * @param aheadMs how far it is ahead; undefined if the service does not show it
 */
export function refuseOtherClock(aheadMs: number | undefined): void {
  if (aheadMs === undefined || Math.abs(aheadMs) <= MAX_DIFFERENCE_MS) return;
  const { message, hint } = otherClockText(aheadMs);
  throw new Failure("service/other-clock", message, hint);
}

/**
 * The clock of an embedded service that somebody has moved: it decides what is past. Undefined if it shows the time of the
 * run, or if the run is a trial at another time.
 */
export function movedClock(
  theirs: Clock | undefined,
  { clock, isTrial }: { readonly clock: Clock; readonly isTrial?: boolean },
): Clock | undefined {
  if (theirs === undefined || isTrial === true) return undefined;
  return Math.abs(theirs.now() - clock.now()) > MAX_DIFFERENCE_MS ? theirs : undefined;
}
