/**
 * Learns from answers when windows end. A reset in whole seconds may have been rounded up, down or to the nearest, and the service's
 * clock is known to a second only; to be too early costs a refusal, to be too late a second of each window. So the
 * end is bounded under each way of rounding, and what explains an answer picks within the bounds:
 *
 * - the first request of a window began it, and windows last a usual number of seconds;
 * - windows follow the clock, and end at a multiple of their length.
 *
 * Where nothing explains it, or an explanation was wrong once, the latest bound counts.
 */
import type { RateObservation, RateReading, ResetHeader } from "./rate-headers.ts";
import { endFromFirstRequest, endOnClockBoundary, type FirstRequest } from "./explain-end.ts";
import { CLOCK_TOLERANCE_MS, ServiceClock } from "./service-clock.ts";
import { hull, intersect, shift, type Span } from "./span.ts";
import {
  commonBounds,
  isSameWindow,
  MINUTE_MS,
  boundsWithin,
  type Rounding,
  type WindowEnd,
} from "./window-end.ts";

/** How much later than told the reset is, ms. */
const ROUNDING_SPANS: Readonly<Record<Rounding, Span>> = {
  none: { from: -1, to: 1 },
  up: { from: -1_000, to: 0 },
  nearest: { from: -500, to: 500 },
  down: { from: 0, to: 1_000 },
};
const WHOLE_SECONDS: readonly Rounding[] = ["up", "nearest", "down"];

/** Longest window that is believed, ms. The service counts requests per minute. */
const MAX_WINDOW_MS = 3_600_000;
/** A reset so long before the request is of a window that had just ended, ms. */
const MIN_WINDOW_MS = -2_000;
/** So many answers show how quick they are, up to so much, ms. */
const ENOUGH_ANSWERS = 8;
const JITTER_MS = 5;
/** A window that begins this soon after the end of the one before was waited for, ms. */
const FOLLOWS_MS = 2_500;

/** Lengths that differ by more than rounding and latency do, ms. */
const SAME_LENGTH_MS = 1_500;

export class ResetTimes {
  readonly #clock = new ServiceClock();
  #roundings = WHOLE_SECONDS;
  /** How long the quickest answer took, ms, and out of how many. */
  #quickestMs = Infinity;
  #answers = 0;
  /** How often an explanation was wrong. */
  #mistakes = 0;
  #lastEnd: WindowEnd | undefined;
  /** How long after its first request the last window was to end, ms. */
  #lastLength: number | undefined;
  /** First requests have shown that windows do not begin with them. */
  #followsClock = false;
  /** How long windows last, as far as known, ms. */
  lengthMs = MINUTE_MS;

  /** Learns from any answer. */
  observe({ date }: RateReading, sentAt: number, receivedAt: number): void {
    this.#clock.observe(date, sentAt, receivedAt);
    this.#quickestMs = Math.min(this.#quickestMs, receivedAt - sentAt);
    this.#answers += 1;
  }

  /** A window is over. */
  windowEnded(end: WindowEnd): void {
    this.#lastEnd = end;
  }

  /** The end that an answer tells; undefined when it tells none, or one that is not believed. */
  reportedEnd({ reset }: RateReading, sentAt: number, receivedAt: number): WindowEnd | undefined {
    if (reset === undefined) return undefined;
    const [certain, likely] = this.#unrounded(reset, sentAt, receivedAt);
    if (likely.to - receivedAt > MAX_WINDOW_MS || likely.to - sentAt < MIN_WINDOW_MS) return undefined;
    const roundings = reset.isCoarse ? this.#roundings : (["none"] as const);
    const bounds = new Map(roundings.map((rounding) => [rounding, shift(certain, ROUNDING_SPANS[rounding])]));
    const rounded = hull(roundings.map((rounding) => shift(likely, ROUNDING_SPANS[rounding])));
    const latest = this.#mistakes === 0 ? rounded.to : hull(bounds.values()).to;
    return { bounds, likely: rounded, at: latest, isExplained: false };
  }

  /** The end of a window of which this is the first answer; it tells `told`. */
  windowStarted(
    { reading, refused }: RateObservation,
    told: WindowEnd,
    sentAt: number,
    receivedAt: number,
  ): WindowEnd {
    const { limit, remaining, reset } = reading;
    const follows = this.#lastEnd !== undefined && sentAt - this.#lastEnd.at < FOLLOWS_MS;
    if (refused && follows && this.#lastEnd !== undefined && isSameWindow(told, this.#lastEnd))
      this.#distrust();
    if (reset === undefined) return told;
    const isFirst = !refused && limit !== undefined && remaining !== undefined && remaining >= limit - 1;
    const beginning = { sentAt, receivedAt, follows };
    if (isFirst) this.#compareLengths(told.likely.to - sentAt);
    // It was the first request of its window, so it began it, unless windows follow the clock.
    const begun = isFirst ? endFromFirstRequest(reset, told, beginning, this.#savedMs) : undefined;
    const end = this.#explain(reset, told, begun, beginning);
    if (isFirst && !this.#followsClock) this.lengthMs = Math.round((end.at - sentAt) / 1_000) * 1_000;
    return end;
  }

  #explain(reset: ResetHeader, told: WindowEnd, begun: Span | undefined, beginning: FirstRequest): WindowEnd {
    const clockwise = { reset, told, receivedAt: beginning.receivedAt, isKnown: this.#followsClock };
    const onTheClock = endOnClockBoundary(clockwise, this.#clock);
    if (this.#followsClock && onTheClock !== undefined && this.#mistakes === 0) {
      return { ...told, at: onTheClock, isExplained: true };
    }
    // A window after one that was waited for is explained best; one mistake is not enough to doubt that.
    if (begun !== undefined && beginning.follows && this.#mistakes < 2)
      return this.#settle(reset, told, begun);
    if (this.#mistakes > 0) return told;
    // Else it may be older than it seems, so whatever explains the answer is waited for.
    const precise = reset.isCoarse ? undefined : told.at;
    const explained = [begun?.to, onTheClock, precise].filter((each) => each !== undefined);
    if (explained.length === 0) return told;
    return { ...told, at: Math.max(...explained), isExplained: true };
  }

  #compareLengths(length: number): void {
    if (this.#lastLength !== undefined && Math.abs(length - this.#lastLength) > SAME_LENGTH_MS) {
      this.#followsClock = true;
    }
    this.#lastLength = length;
  }

  /** An explanation was wrong: a window was not over when it should have been. */
  #distrust(): void {
    this.#mistakes += 1;
    this.#roundings = WHOLE_SECONDS;
  }

  /** Two answers' ends of one window in one. */
  join(known: WindowEnd, told: WindowEnd): WindowEnd {
    const bounds = commonBounds(known.bounds, (rounding) => told.bounds.get(rounding));
    if (bounds.size === 0) return this.#contradicted(told);
    this.#learn(bounds);
    const { from, to } = hull(bounds.values());
    const { likely, isExplained } = known;
    const at = isExplained ? known.at : Math.min(known.at, told.at);
    return { bounds, likely, at: Math.max(from, Math.min(at, to)), isExplained };
  }

  /** Without rounding: for certain, and if the clocks agree. */
  #unrounded({ unit, ms }: ResetHeader, sentAt: number, receivedAt: number): [certain: Span, likely: Span] {
    if (unit === "seconds") {
      const span = { from: sentAt + ms, to: receivedAt + ms };
      return [span, span];
    }
    const at = this.#clock.likelyLocal(ms);
    return [this.#clock.local(ms), { from: at - CLOCK_TOLERANCE_MS, to: at + CLOCK_TOLERANCE_MS }];
  }

  /**
   * A window began before its first answer came, and the next request needs time to arrive: half of what answers take
   * at the least need not be waited for.
   */
  get #savedMs(): number {
    return this.#answers < ENOUGH_ANSWERS ? 0 : Math.max(0, this.#quickestMs / 2 - JITTER_MS);
  }

  /** A window that certainly began within bounds shows how the service rounds, and how its clock goes. */
  #settle(reset: ResetHeader, told: WindowEnd, end: Span): WindowEnd {
    const bounds = boundsWithin(told.bounds, end);
    this.#learn(bounds);
    if (!reset.isCoarse) this.#clock.compare(reset.ms, end);
    // A time to the ms says more than when the request was under way, if the clocks agree.
    const precise = reset.isCoarse ? undefined : intersect(told.likely, end);
    return { bounds, likely: told.likely, at: (precise ?? end).to, isExplained: true };
  }

  #learn(bounds: ReadonlyMap<Rounding, Span>): void {
    if (bounds.has("none")) return;
    const left = this.#roundings.filter((rounding) => bounds.has(rounding));
    this.#roundings = left.length === 0 ? WHOLE_SECONDS : left;
  }

  /** No way of rounding explains all answers: what was learned was wrong, or the service does not keep to its windows. */
  #contradicted(told: WindowEnd): WindowEnd {
    this.#roundings = WHOLE_SECONDS;
    return told;
  }
}
