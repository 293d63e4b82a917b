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

/** How much later than the header says the reset is, ms. */
const ROUNDING_SPANS: Readonly<Record<Rounding, Span>> = {
  none: { from: -1, to: 1 },
  up: { from: -1_000, to: 0 },
  nearest: { from: -500, to: 500 },
  down: { from: 0, to: 1_000 },
};
const WHOLE_SECONDS: readonly Rounding[] = ["up", "nearest", "down"];

/** Longest plausible window, ms. The service counts requests per minute. */
const MAX_WINDOW_MS = 3_600_000;
/** A reset so long before the request is of a window that had just ended, ms. */
const MIN_WINDOW_MS = -2_000;
/** After this many answers it is known how long the quickest takes, */
const ENOUGH_ANSWERS = 8;
/** give or take this much, ms. */
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

  /** The end that an answer reports; undefined when there is none, or none that is plausible. */
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

  /** The end of a window of which this is the first answer, which says `reported`. */
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
    // It was the first request of its window, so it began it, unless windows follow the clock.
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
    // A window after one that was waited for is explained best; one mistake is not enough to doubt that.
    if (begun !== undefined && beginning.follows && this.#mistakes < 2)
      return this.#learnExactEnd(reset, reported, begun);
    if (this.#mistakes > 0) return reported;
    // Else it may be older than it seems, so whatever explains the answer is waited for.
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

  /** An explanation was wrong: a window was not over when it should have been. */
  #distrust(): void {
    this.#mistakes += 1;
    this.#roundings = WHOLE_SECONDS;
  }

  /** Two answers' ends of one window in one. */
  join(known: WindowEnd, reported: WindowEnd): WindowEnd {
    const bounds = commonBounds(known.bounds, (rounding) => reported.bounds.get(rounding));
    if (bounds.size === 0) return this.#contradicted(reported);
    this.#learn(bounds);
    const { from, to } = hull(bounds.values());
    const { likely, isExplained } = known;
    const at = isExplained ? known.at : Math.min(known.at, reported.at);
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

  /** A window whose first request is known shows how the service rounds, and how its clock goes. */
  #learnExactEnd(reset: ResetHeader, reported: WindowEnd, end: Span): WindowEnd {
    const bounds = boundsWithin(reported.bounds, end);
    this.#learn(bounds);
    if (!reset.isCoarse) this.#clock.compare(reset.ms, end);
    // A time to the ms says more than when the request was under way, if the clocks agree.
    const precise = reset.isCoarse ? undefined : intersect(reported.likely, end);
    return { bounds, likely: reported.likely, at: (precise ?? end).to, isExplained: true };
  }

  #learn(bounds: ReadonlyMap<Rounding, Span>): void {
    if (bounds.has("none")) return;
    const left = this.#roundings.filter((rounding) => bounds.has(rounding));
    this.#roundings = left.length === 0 ? WHOLE_SECONDS : left;
  }

  /** No way of rounding explains all answers: what was learned was wrong, or the service does not keep to its windows. */
  #contradicted(reported: WindowEnd): WindowEnd {
    this.#roundings = WHOLE_SECONDS;
    return reported;
  }
}

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
interface FirstRequest {
  readonly sentAt: number;
  readonly receivedAt: number;
  /** The window before was waited for, so this one cannot have begun long ago. */
  readonly follows: boolean;
}

/** When a window ends that its first request began, if windows last a usual time. */
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
  /** Other windows have shown it; else it is a guess. */
  readonly isKnown: boolean;
}

/** When a window ends that follows the clock: at a multiple of a usual length, as a guess at the full minute. */
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

/** How long a window lasts whose end is unknown: the service's limit is per minute. */
export const MINUTE_MS = 60_000;

/** How the service rounded a reset. */
type Rounding = "none" | "up" | "nearest" | "down";

/** The end of one window: where it lies for certain, and the time at which it is taken to be over. Ms by the local clock. */
export interface WindowEnd {
  /** Where it lies for certain, under each way of rounding that is possible. */
  readonly bounds: ReadonlyMap<Rounding, Span>;
  /** Where it lies if the clocks agree; windows are told apart by it. */
  readonly likely: Span;
  /** From here on it is taken to be over. */
  readonly at: number;
  /** Whether something explains exactly that time; otherwise it is the latest that is likely. */
  readonly isExplained: boolean;
}

/** An end that no answer reported. Any end that an answer reports replaces it. */
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

/** A later end is another window's only where the known one may be over. */
export function isNewerWindow({ likely }: WindowEnd, known: WindowEnd, now: number): boolean {
  return likely.from > known.likely.to && now >= known.likely.from;
}

/** What is left of bounds when they must meet a span. May be nothing. */
function boundsWithin(bounds: WindowEnd["bounds"], span: Span): Map<Rounding, Span> {
  return commonBounds(bounds, () => span);
}

/** What two answers leave of a window's bounds. May be nothing. */
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

/** Without any Date, clocks are taken to agree this well, ms. */
const DEFAULT_OFFSET: Span = { from: -1_000, to: 1_000 };
/** Clocks that agree do so to this much, ms. */
const CLOCK_TOLERANCE_MS = 25;
/** A Date has whole seconds, and servers make it anew up to so much too late, ms. */
const DATE_PRECISION_MS = 1_100;

/** The service's clock, seen from here: each Date header bounds how far it is ahead of the local one. */
export class ServiceClock {
  #ahead: Span | undefined;

  /** Learns from the Date of an answer that was asked for and received at these local times, ms. */
  observe(date: number | undefined, sentAt: number, receivedAt: number): void {
    if (date === undefined) return;
    const ahead: Span = { from: date - receivedAt, to: date + DATE_PRECISION_MS - sentAt };
    // Where the two exclude each other, a clock was set meanwhile: start again from this answer.
    this.#ahead = (this.#ahead && intersect(this.#ahead, ahead)) ?? ahead;
  }

  /** Learns from a moment of which both times are known, ms; what contradicts the Dates is not taken. */
  compare(serviceTime: number, local: Span): void {
    const ahead: Span = { from: serviceTime - local.to, to: serviceTime - local.from };
    this.#ahead = intersect(this.#ahead ?? DEFAULT_OFFSET, ahead) ?? this.#ahead;
  }

  /** When it is that time at the service, for certain. */
  local(serviceTime: number): Span {
    const ahead = this.#ahead ?? DEFAULT_OFFSET;
    return { from: serviceTime - ahead.to, to: serviceTime - ahead.from };
  }

  /** When it is that time at the service, most likely: clocks that may both be right are. Never too early else. */
  likelyLocal(serviceTime: number): number {
    const { from, to } = this.#ahead ?? DEFAULT_OFFSET;
    return from <= 0 && to >= 0 ? serviceTime : serviceTime - from;
  }
}

/** A time that is known within bounds, both included: ms, by the local clock or as a difference of clocks. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** What two spans have in common; undefined when they do not meet. */
function intersect(one: Span, other: Span): Span | undefined {
  const from = Math.max(one.from, other.from);
  const to = Math.min(one.to, other.to);
  return from <= to ? { from, to } : undefined;
}

/** A span moved by a time that is itself known within bounds. */
function shift(span: Span, by: Span): Span {
  return { from: span.from + by.from, to: span.to + by.to };
}

/** The span that holds all of them. */
function hull(spans: Iterable<Span>): Span {
  const all = [...spans];
  return { from: Math.min(...all.map(({ from }) => from)), to: Math.max(...all.map(({ to }) => to)) };
}
