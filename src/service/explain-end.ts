/** What explains just when a window ends: that its first request began it, or that it follows the clock. Pure. */
import type { ResetHeader } from "./rate-headers.ts";
import { CLOCK_TOLERANCE_MS, type ServiceClock } from "./service-clock.ts";
import { hull, intersect, type Span } from "./span.ts";
import { MINUTE_MS, type WindowEnd } from "./window-end.ts";

/** What windows last, ms. */
const USUAL_WINDOWS_MS = [10, 15, 20, 30, 60, 120, 300, 600, 900, 1_800, 3_600].map(
  (seconds) => seconds * 1_000,
);
/** And what they may last, at least five seconds from any other. */
const POSSIBLE_WINDOWS_MS = [...USUAL_WINDOWS_MS, 25_000, 40_000, 45_000, 50_000, 90_000].sort(
  (a, b) => a - b,
);

/** How much of a window must be left for a guess about it, ms. */
const MIN_LEFT_FOR_GUESS_MS = 8_000;
/** When the first request of a window was sent and answered. */
export interface FirstRequest {
  readonly sentAt: number;
  readonly receivedAt: number;
  /** The window before was waited for, so this one cannot have begun long ago. */
  readonly follows: boolean;
}

/** When a window ends that its first request began, if windows last a usual time. */
export function endFromFirstRequest(
  reset: ResetHeader,
  told: WindowEnd,
  { sentAt, receivedAt, follows }: FirstRequest,
  savedMs: number,
): Span | undefined {
  const lengths = follows ? POSSIBLE_WINDOWS_MS : USUAL_WINDOWS_MS;
  const ends = lengths.map((ms) => ({ from: sentAt + ms, to: receivedAt - savedMs + ms }));
  const possible = reset.isCoarse ? told.likely : hull(told.bounds.values());
  return ends.findLast((each) => intersect(each, possible) !== undefined);
}

/** The first answer of a window that may follow the clock. */
export interface ClockBoundary {
  readonly reset: ResetHeader;
  readonly told: WindowEnd;
  readonly receivedAt: number;
  /** Other windows have shown it; else it is a guess. */
  readonly isKnown: boolean;
}

/** When a window ends that follows the clock: at a multiple of a usual length, as a guess at the full minute. */
export function endOnClockBoundary(
  { reset, told, receivedAt, isKnown }: ClockBoundary,
  clock: ServiceClock,
): number | undefined {
  const { likely } = told;
  const leftMs = likely.from - receivedAt;
  if (!isKnown && leftMs < MIN_LEFT_FOR_GUESS_MS) return undefined;
  const lengthMs = isKnown ? USUAL_WINDOWS_MS.find((ms) => leftMs <= ms) : MINUTE_MS;
  if (lengthMs === undefined) return undefined;
  if (reset.unit !== "seconds") {
    return reset.ms % lengthMs === 0 ? clock.likelyLocal(reset.ms) + CLOCK_TOLERANCE_MS : undefined;
  }
  const ahead = -clock.likelyLocal(0);
  const at = Math.floor((likely.to + ahead) / lengthMs) * lengthMs - ahead;
  return at >= likely.from ? at + CLOCK_TOLERANCE_MS : undefined;
}
