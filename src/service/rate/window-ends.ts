/**
 * Finds out when windows end. A reset in whole seconds may be rounded up, down or to the nearest second, and the service's
 * clock is known only to the second. A request that is too early is refused, and one that is too late wastes a second of
 * each window. So an answer gives an earliest and a latest possible end, and an explanation selects a time between them:
 *
 * - the first request of a window began it, and windows last a usual number of seconds, or as long as the policy says;
 * - windows follow the clock, and end at a full minute.
 *
 * If nothing explains it, or explanations were wrong, the latest possible end counts.
 */

import type { ResetHeader, WindowReading } from "./rate-headers.ts";

/** The end of one window, in ms by the local clock. */
export interface WindowEnd {
  /** The earliest and the latest possible end. */
  readonly from: number;
  readonly to: number;
  /** From here on, the window counts as over. */
  readonly at: number;
  /** Whether something explains exactly that time. */
  readonly isExplained: boolean;
}

/** An end that no answer reported. Any reported end replaces it. */
export function fixedEnd(at: number): WindowEnd {
  return { from: Infinity, to: -Infinity, at, isExplained: false };
}

/** An end as an earlier run kept it. */
export function toldEnd(at: number): WindowEnd {
  return { from: at - ROUNDING_MS, to: at + ROUNDING_MS, at, isExplained: true };
}

/** Whether two answers may report the end of one window. */
export function isSameEnd(one: WindowEnd, other: WindowEnd): boolean {
  return Math.max(one.from, other.from) <= Math.min(one.to, other.to);
}

/** The longest plausible window: of a policy, and where the service counts requests per minute, in ms. */
export const MAX_POLICY_MS = 31 * 86_400_000;
const MAX_WINDOW_MS = 3_600_000;
/** A reset this long before the request belongs to a window that had just ended, in ms. */
const ENDED_MS = 2_000;
/** Whole seconds may be this far from the truth, in ms. */
const ROUNDING_MS = 1_000;
/** Clocks agree if they differ by at most this, in ms. */
const CLOCK_TOLERANCE_MS = 25;
/** A Date has whole seconds, and servers update it up to this much too late, in ms. */
const DATE_PRECISION_MS = 1_100;

const MINUTE_MS = 60_000;
/** Usual lengths of windows, in ms. */
const USUAL_MS = [10, 15, 20, 30, 60, 120, 300, 600, 900, 1_800, 3_600].map((seconds) => seconds * 1_000);
/** Possible lengths, if it is known when the window began. */
const POSSIBLE_MS = [...USUAL_MS, 25_000, 40_000, 45_000, 50_000, 90_000].toSorted((a, b) => a - b);
/** With less time left, in ms, a full minute explains too little. */
const MIN_LEFT_FOR_CLOCK_MS = 8_000;

/** The first answer of a window. */
interface FirstAnswer {
  readonly reading: WindowReading;
  readonly refused: boolean;
  readonly sentAt: number;
  readonly receivedAt: number;
  /** plancast waited for the end of the previous window, so this one began at most `FOLLOWS_MS` ago. */
  readonly follows: boolean;
}

export class WindowEnds {
  readonly #longestMs: number;
  /** How far the service's clock is ahead, in ms: by the Dates of all answers. */
  #ahead: { readonly from: number; readonly to: number } | undefined;
  /** Whether an explanation was wrong. */
  #isDoubtful = false;

  constructor(longestMs = MAX_WINDOW_MS) {
    this.#longestMs = longestMs;
  }

  /** Learns from the Date of any answer. */
  observe(date: number | undefined, sentAt: number, receivedAt: number): void {
    if (date === undefined) return;
    const now = { from: date - receivedAt, to: date + DATE_PRECISION_MS - sentAt };
    const both = {
      from: Math.max(now.from, this.#ahead?.from ?? -Infinity),
      to: Math.min(now.to, this.#ahead?.to ?? Infinity),
    };
    // If the two contradict each other, a clock was changed: starts again from this answer.
    this.#ahead = both.from <= both.to ? both : now;
  }

  /** The service said that a window was not over when it counted as over. */
  wasTooEarly(): void {
    this.#isDoubtful = true;
  }

  /** The end in an answer; undefined if there is none, or an implausible one. */
  reported({ reset, lengthMs }: WindowReading, sentAt: number, receivedAt: number): WindowEnd | undefined {
    if (reset === undefined) return undefined;
    const rounding = reset.isCoarse ? ROUNDING_MS : 0;
    const exact = isDelay(reset)
      ? { from: sentAt + reset.ms, to: receivedAt + reset.ms }
      : this.#localSpan(reset.ms);
    const [from, to] = [exact.from - rounding, exact.to + rounding];
    const longest = lengthMs === undefined ? this.#longestMs : MAX_POLICY_MS;
    if (exact.to - receivedAt > longest + ROUNDING_MS || to < sentAt - ENDED_MS) return undefined;
    return { from, to, at: to, isExplained: false };
  }

  /** The end of a window after its first answer; `reported` is the end that this answer reports. */
  begun(reported: WindowEnd, first: FirstAnswer): WindowEnd {
    const { reset } = first.reading;
    if (reset === undefined) return reported;
    const begins = first.follows || isFirstRequest(first) ? endByLength(reported, first) : undefined;
    if (begins !== undefined && first.follows) return explainedAt(reported, begins);
    if (this.#isDoubtful) return reported;
    // The window may be older than it seems: waits until the latest of all explanations.
    // A window with a policy may roll, and then it ends at any time.
    const isRolling = first.reading.lengthMs !== undefined;
    const minute = isRolling ? undefined : this.#endAtMinute(reset, reported, first.receivedAt);
    const precise = reset.isCoarse ? undefined : reported.to;
    const explained = [begins, minute, precise].filter((each) => each !== undefined);
    return explained.length === 0 ? reported : explainedAt(reported, Math.max(...explained));
  }

  /** The end at a full minute of the service's clock, if there is one. */
  #endAtMinute(reset: ResetHeader, { from, to }: WindowEnd, receivedAt: number): number | undefined {
    if (from - receivedAt < MIN_LEFT_FOR_CLOCK_MS) return undefined;
    if (!isDelay(reset)) return reset.ms % MINUTE_MS === 0 ? this.#localSpan(reset.ms).to : undefined;
    const ahead = -this.#localSpan(0).to;
    const at = Math.floor((to + ahead) / MINUTE_MS) * MINUTE_MS - ahead;
    return at >= from ? at : undefined;
  }

  /** The local times at which it may be that time at the service. Clocks that may both be right count as equal. */
  #localSpan(serviceTime: number): { from: number; to: number } {
    const { from, to } = this.#ahead ?? { from: 0, to: 0 };
    if (from > 0 || to < 0) return { from: serviceTime - to, to: serviceTime - from + CLOCK_TOLERANCE_MS };
    // After a mistake, nothing is assumed about the clocks.
    const doubt = this.#isDoubtful ? ROUNDING_MS : CLOCK_TOLERANCE_MS;
    return { from: serviceTime - doubt, to: serviceTime + doubt };
  }
}

/** Merges the ends of one window from two answers. */
export function joinEnds(known: WindowEnd, reported: WindowEnd): WindowEnd {
  const [from, to] = [Math.max(known.from, reported.from), Math.min(known.to, reported.to)];
  const at = known.isExplained ? known.at : Math.min(known.at, reported.at);
  return { from, to, at: Math.max(from, Math.min(at, to)), isExplained: known.isExplained };
}

function isDelay({ unit }: ResetHeader): boolean {
  return unit === "seconds" || unit === "ms";
}

/** Whether nobody else seems to have used the window before. */
function isFirstRequest({ reading: { limit, remaining }, refused }: FirstAnswer): boolean {
  return !refused && limit !== undefined && remaining !== undefined && remaining >= limit - 1;
}

/** A window that begins this soon after the end of the previous one was waited for, in ms. */
export const FOLLOWS_MS = 2_500;

/** The latest end of a window that has just begun, if its length fits. */
function endByLength({ from, to }: WindowEnd, first: FirstAnswer): number | undefined {
  const { reading, sentAt, receivedAt, follows } = first;
  const usual = follows ? POSSIBLE_MS : USUAL_MS;
  const lengths = reading.lengthMs === undefined ? usual : [reading.lengthMs];
  const begunAt = follows ? sentAt - FOLLOWS_MS : sentAt;
  const length = lengths.findLast((ms) => begunAt + ms <= to && receivedAt + ms >= from);
  return length === undefined ? undefined : Math.min(receivedAt + length, to);
}

function explainedAt({ from, to }: WindowEnd, at: number): WindowEnd {
  return { from, to, at: Math.max(from, Math.min(at, to)), isExplained: true };
}
