/**
 * Learns from answers when windows end. A reset in whole seconds may be rounded up, down or to the nearest second,
 * and the service's clock is known only to the second. A request that is too early is refused, and a request that is
 * too late wastes a second of each window. So the end is bounded for each way of rounding, and an explanation of the
 * answer selects a time within the bounds:
 *
 * - the first request of a window began it, and windows last a usual number of seconds;
 * - windows follow the clock, and end at a multiple of their length.
 *
 * If nothing explains it, or an explanation was wrong once, the latest bound counts.
 */

import type { RateObservation, RateReading, ResetHeader } from "./rate-headers.ts";

/** How much later than the header says the reset is, in ms. */
const ROUNDING_SPANS: Readonly<Record<Rounding, Span>> = {
  none: { from: -1, to: 1 },
  up: { from: -1_000, to: 0 },
  nearest: { from: -500, to: 500 },
  down: { from: 0, to: 1_000 },
};
const WHOLE_SECONDS: readonly Rounding[] = ["up", "nearest", "down"];

/** Longest plausible window, in ms. The service counts requests per minute. */
const MAX_WINDOW_MS = 3_600_000;
/** A reset this long before the request belongs to a window that had just ended, in ms. */
const MIN_WINDOW_MS = -2_000;
/** After this many answers, the duration of the quickest is known, */
const ENOUGH_ANSWERS = 8;
/** with this tolerance, in ms. */
const JITTER_MS = 5;
/** A window that begins this soon after the end of the previous one was waited for, in ms. */
const FOLLOWS_MS = 2_500;

/** Lengths that differ by more than rounding and latency explain, in ms. */
const SAME_LENGTH_MS = 1_500;

export class ResetTimes {
  readonly #clock = new ServiceClock();
  #roundings = WHOLE_SECONDS;
  /** Duration of the quickest answer, in ms, and the number of answers. */
  #quickestMs = Infinity;
  #answers = 0;
  /** How often an explanation was wrong. */
  #mistakes = 0;
  #lastEnd: WindowEnd | undefined;
  /** Expected end of the last window, in ms after its first request. */
  #lastLength: number | undefined;
  /** First requests have shown that they do not start windows. */
  #followsClock = false;
  /** Length of windows, in ms, if it is known. */
  lengthMs = MINUTE_MS;

  /** Learns from any answer. */
  observe({ date }: RateReading, sentAt: number, receivedAt: number): void {
    this.#clock.observe(date, sentAt, receivedAt);
    this.#quickestMs = Math.min(this.#quickestMs, receivedAt - sentAt);
    this.#answers += 1;
  }

  /** Ends a window. */
  windowEnded(end: WindowEnd): void {
    this.#lastEnd = end;
  }

  /** The end in an answer; undefined if there is none, or an implausible one. */
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

  /** The end of a window after its first answer; `reported` is the end that this answer reports. */
  windowStarted(
    { reading, refused }: RateObservation,
    reported: WindowEnd,
    sentAt: number,
    receivedAt: number,
  ): WindowEnd {
    const { limit, remaining, reset } = reading;
    const follows = this.#lastEnd !== undefined && sentAt - this.#lastEnd.at < FOLLOWS_MS;
    if (refused && follows && this.#lastEnd !== undefined && isSameWindow(reported, this.#lastEnd))
      this.#distrust();
    if (reset === undefined) return reported;
    const isFirst = !refused && limit !== undefined && remaining !== undefined && remaining >= limit - 1;
    const beginning = { sentAt, receivedAt, follows };
    if (isFirst) this.#compareLengths(reported.likely.to - sentAt);
    // The first request of a window starts it, unless windows follow the clock.
    const begun = isFirst ? endFromFirstRequest(reset, reported, beginning, this.#savedMs) : undefined;
    const end = this.#explain(reset, reported, begun, beginning);
    if (isFirst && !this.#followsClock) this.lengthMs = Math.round((end.at - sentAt) / 1_000) * 1_000;
    return end;
  }

  #explain(
    reset: ResetHeader,
    reported: WindowEnd,
    begun: Span | undefined,
    beginning: FirstRequest,
  ): WindowEnd {
    const clockwise = { reset, reported, receivedAt: beginning.receivedAt, isKnown: this.#followsClock };
    const onTheClock = endOnClockBoundary(clockwise, this.#clock);
    if (this.#followsClock && onTheClock !== undefined && this.#mistakes === 0) {
      return { ...reported, at: onTheClock, isExplained: true };
    }
    // A window that begins after a wait is the best explanation. One mistake is not enough to doubt it.
    if (begun !== undefined && beginning.follows && this.#mistakes < 2)
      return this.#learnExactEnd(reset, reported, begun);
    if (this.#mistakes > 0) return reported;
    // Otherwise, the window may be older than it seems: waits until the latest of all possible ends.
    const precise = reset.isCoarse ? undefined : reported.at;
    const explained = [begun?.to, onTheClock, precise].filter((each) => each !== undefined);
    if (explained.length === 0) return reported;
    return { ...reported, at: Math.max(...explained), isExplained: true };
  }

  #compareLengths(length: number): void {
    if (this.#lastLength !== undefined && Math.abs(length - this.#lastLength) > SAME_LENGTH_MS) {
      this.#followsClock = true;
    }
    this.#lastLength = length;
  }

  /** An explanation was wrong: a window was not over at the expected time. */
  #distrust(): void {
    this.#mistakes += 1;
    this.#roundings = WHOLE_SECONDS;
  }

  /** Merges the ends of one window from two answers. */
  join(known: WindowEnd, reported: WindowEnd): WindowEnd {
    const bounds = commonBounds(known.bounds, (rounding) => reported.bounds.get(rounding));
    if (bounds.size === 0) return this.#contradicted(reported);
    this.#learn(bounds);
    const { from, to } = hull(bounds.values());
    const { likely, isExplained } = known;
    const at = isExplained ? known.at : Math.min(known.at, reported.at);
    return { bounds, likely, at: Math.max(from, Math.min(at, to)), isExplained };
  }

  /** Without rounding: the certain end, and the end if the clocks agree. */
  #unrounded({ unit, ms }: ResetHeader, sentAt: number, receivedAt: number): [certain: Span, likely: Span] {
    if (unit === "seconds") {
      const span = { from: sentAt + ms, to: receivedAt + ms };
      return [span, span];
    }
    const at = this.#clock.likelyLocal(ms);
    return [this.#clock.local(ms), { from: at - CLOCK_TOLERANCE_MS, to: at + CLOCK_TOLERANCE_MS }];
  }

  /**
   * A window began before its first answer, and the next request needs time to arrive. So half of the shortest duration
   * need not be waited for.
   */
  get #savedMs(): number {
    return this.#answers < ENOUGH_ANSWERS ? 0 : Math.max(0, this.#quickestMs / 2 - JITTER_MS);
  }

  /** A window with a known first request shows how the service rounds, and its clock. */
  #learnExactEnd(reset: ResetHeader, reported: WindowEnd, end: Span): WindowEnd {
    const bounds = boundsWithin(reported.bounds, end);
    this.#learn(bounds);
    if (!reset.isCoarse) this.#clock.compare(reset.ms, end);
    // If the clocks agree, a time in ms is more exact than the times of the request.
    const precise = reset.isCoarse ? undefined : intersect(reported.likely, end);
    return { bounds, likely: reported.likely, at: (precise ?? end).to, isExplained: true };
  }

  #learn(bounds: ReadonlyMap<Rounding, Span>): void {
    if (bounds.has("none")) return;
    const left = this.#roundings.filter((rounding) => bounds.has(rounding));
    this.#roundings = left.length === 0 ? WHOLE_SECONDS : left;
  }

  /** No way of rounding explains all answers: either this was wrong, or the service does not keep its windows. */
  #contradicted(reported: WindowEnd): WindowEnd {
    this.#roundings = WHOLE_SECONDS;
    return reported;
  }
}

/** Usual lengths of windows, in ms. */
const USUAL_WINDOWS_MS = [10, 15, 20, 30, 60, 120, 300, 600, 900, 1_800, 3_600].map(
  (seconds) => seconds * 1_000,
);
/** Possible lengths, at least five seconds from any other. */
const POSSIBLE_WINDOWS_MS = [...USUAL_WINDOWS_MS, 25_000, 40_000, 45_000, 50_000, 90_000].sort(
  (a, b) => a - b,
);

/** A guess about a window needs at least this much remaining time, in ms. */
const MIN_LEFT_FOR_GUESS_MS = 8_000;
/** When the first request of a window was sent and answered. */
interface FirstRequest {
  readonly sentAt: number;
  readonly receivedAt: number;
  /** plancast waited for the end of the previous window, so this one began recently. */
  readonly follows: boolean;
}

/** The end of a window that its first request started, if it has a usual length. */
function endFromFirstRequest(
  reset: ResetHeader,
  reported: WindowEnd,
  { sentAt, receivedAt, follows }: FirstRequest,
  savedMs: number,
): Span | undefined {
  const lengths = follows ? POSSIBLE_WINDOWS_MS : USUAL_WINDOWS_MS;
  const ends = lengths.map((ms) => ({ from: sentAt + ms, to: receivedAt - savedMs + ms }));
  const possible = reset.isCoarse ? reported.likely : hull(reported.bounds.values());
  return ends.findLast((each) => intersect(each, possible) !== undefined);
}

/** The first answer of a window that may follow the clock. */
interface ClockBoundary {
  readonly reset: ResetHeader;
  readonly reported: WindowEnd;
  readonly receivedAt: number;
  /** Other windows have shown it; otherwise, it is a guess. */
  readonly isKnown: boolean;
}

/** The end of a window that follows the clock: at a multiple of a usual length, as a guess at the full minute. */
function endOnClockBoundary(
  { reset, reported, receivedAt, isKnown }: ClockBoundary,
  clock: ServiceClock,
): number | undefined {
  const { likely } = reported;
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

/** Length of a window with an unknown end: the service's limit is per minute. */
export const MINUTE_MS = 60_000;

/** How the service rounded a reset. */
type Rounding = "none" | "up" | "nearest" | "down";

/** The end of one window: its certain range, and the time that counts as the end. Ms by the local clock. */
export interface WindowEnd {
  /** Its certain range, for each possible way of rounding. */
  readonly bounds: ReadonlyMap<Rounding, Span>;
  /** Its range if the clocks agree; used to distinguish windows. */
  readonly likely: Span;
  /** From here on, the window counts as over. */
  readonly at: number;
  /** Whether something explains exactly that time; otherwise it is the latest likely one. */
  readonly isExplained: boolean;
}

/** An end that no answer reported. Any reported end replaces it. */
export function fixedEnd(at: number): WindowEnd {
  return { bounds: new Map(), likely: { from: Infinity, to: -Infinity }, at, isExplained: false };
}

/** Whether two answers may report the end of one window. */
export function isSameWindow({ likely }: WindowEnd, other: WindowEnd): boolean {
  return intersect(likely, other.likely) !== undefined;
}

export function isEarlierWindow({ likely }: WindowEnd, than: WindowEnd): boolean {
  return likely.to < than.likely.from;
}

/** A later end belongs to another window only if the known one may be over. */
export function isNewerWindow({ likely }: WindowEnd, known: WindowEnd, now: number): boolean {
  return likely.from > known.likely.to && now >= known.likely.from;
}

/** The part of bounds within a span. May be empty. */
function boundsWithin(bounds: WindowEnd["bounds"], span: Span): Map<Rounding, Span> {
  return commonBounds(bounds, () => span);
}

/** The bounds that two answers have in common. May be empty. */
function commonBounds(
  bounds: WindowEnd["bounds"],
  spanFor: (rounding: Rounding) => Span | undefined,
): Map<Rounding, Span> {
  const left = new Map<Rounding, Span>();
  for (const [rounding, span] of bounds) {
    const other = spanFor(rounding);
    const both = other && intersect(span, other);
    if (both !== undefined) left.set(rounding, both);
  }
  return left;
}

/** Without any Date, the assumed difference between the clocks, in ms. */
const DEFAULT_OFFSET: Span = { from: -1_000, to: 1_000 };
/** Clocks agree if they differ by at most this, in ms. */
const CLOCK_TOLERANCE_MS = 25;
/** A Date has whole seconds, and servers update it up to this much too late, in ms. */
const DATE_PRECISION_MS = 1_100;

/** The service's clock: each Date header bounds how far it is ahead of the local one. */
export class ServiceClock {
  #ahead: Span | undefined;

  /** Learns from the Date of an answer, with the local times of request and answer, in ms. */
  observe(date: number | undefined, sentAt: number, receivedAt: number): void {
    if (date === undefined) return;
    const ahead: Span = { from: date - receivedAt, to: date + DATE_PRECISION_MS - sentAt };
    // If the two contradict each other, a clock was changed: starts again from this answer.
    this.#ahead = (this.#ahead && intersect(this.#ahead, ahead)) ?? ahead;
  }

  /** Learns from a moment with both times known, in ms. Ignores what contradicts the Dates. */
  compare(serviceTime: number, local: Span): void {
    const ahead: Span = { from: serviceTime - local.to, to: serviceTime - local.from };
    this.#ahead = intersect(this.#ahead ?? DEFAULT_OFFSET, ahead) ?? this.#ahead;
  }

  /** The local times at which it is certainly that time at the service. */
  local(serviceTime: number): Span {
    const ahead = this.#ahead ?? DEFAULT_OFFSET;
    return { from: serviceTime - ahead.to, to: serviceTime - ahead.from };
  }

  /**
   * The most likely local time for that time at the service: clocks that may both be right count as equal. In all
   * other cases, this time is never too early.
   */
  likelyLocal(serviceTime: number): number {
    const { from, to } = this.#ahead ?? DEFAULT_OFFSET;
    return from <= 0 && to >= 0 ? serviceTime : serviceTime - from;
  }
}

/** A time within bounds, both included: ms, by the local clock or as a difference of clocks. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** The intersection of two spans; undefined if it is empty. */
function intersect(one: Span, other: Span): Span | undefined {
  const from = Math.max(one.from, other.from);
  const to = Math.min(one.to, other.to);
  return from <= to ? { from, to } : undefined;
}

/** A span moved by an uncertain time. */
function shift(span: Span, by: Span): Span {
  return { from: span.from + by.from, to: span.to + by.to };
}

/** The smallest span that contains all of them. */
function hull(spans: Iterable<Span>): Span {
  const all = [...spans];
  return { from: Math.min(...all.map(({ from }) => from)), to: Math.max(...all.map(({ to }) => to)) };
}
