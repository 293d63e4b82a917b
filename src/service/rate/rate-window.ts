/**
 * Decides how many requests may start now, by what the service said about its limit. No I/O and no clock: times are
 * parameters, in ms by the local clock. The window is always in one of three phases:
 *
 * | phase     | known                                                    | who may start                                |
 * | --------- | -------------------------------------------------------- | -------------------------------------------- |
 * | `unknown` | nothing about the current window                         | one request while none is in flight: the probe |
 * | `open`    | how many are left, and until when                        | those that are left, minus those in flight and those that other clients may be using |
 * | `closed`  | the window is used up, or the service asked to wait      | nobody                                       |
 *
 * The answer to a probe opens a window. The end of a window or of a wait makes it unknown again. Two answers belong to
 * one window if they report the same end. The smallest count of its answers applies, but never more than the first count
 * minus the requests started since. If the headers are unusable, requests are counted here against the rate plan's limit
 * per minute.
 */

import type { Pace } from "../../model/clock.ts";
import type { RateObservation, RateReading } from "./rate-headers.ts";
import {
  type WindowEnd,
  MINUTE_MS,
  ResetTimes,
  fixedEnd,
  isEarlierWindow,
  isNewerWindow,
  isSameWindow,
} from "./reset-times.ts";

/** A local clock that goes back by more than this was changed, in ms. */
const CLOCK_SET_BACK_MS = 1_000;
/** A reset that is this much later than the Retry-After time belongs to another limit, in ms. */
const SAME_MOMENT_MS = 1_500;

export interface RateWindowOptions {
  /** Requests per window if the headers say nothing. */
  readonly fallbackLimit: number;
  /** Length of a window if the headers say nothing, in ms. Default: a minute. */
  readonly fallbackWindowMs?: number;
  /** How many requests of each window are left to others. */
  readonly reserve: (limit: number) => number;
  /** A share of the limit, from 0 to 1. */
  readonly random: () => number;
}

/** When requests may start again, unless an answer changes that. */
export interface Opening {
  readonly at: number;
  /** `limit`: the window is used up. `others`: other users of the key may have just used the rest. */
  readonly why: BackoffReason | "limit" | "others";
}

/** What the service's answers show. `until`: when the phase ends unless an answer changes it, in ms by the local clock. */
export type RateState =
  | { readonly phase: "unknown" }
  /** `left`: without the reserve; requests in flight are not subtracted. */
  | { readonly phase: "open"; readonly left: number; readonly until: number }
  | {
      readonly phase: "closed";
      readonly left: 0;
      readonly until: number;
      readonly why: BackoffReason | "limit";
    };

export class RateWindow {
  readonly #options: RateWindowOptions;
  readonly #resets = new ResetTimes();
  readonly #check = new CountCheck();
  readonly #others = new OtherClients();
  readonly #backoff: Backoff;
  readonly #windowMs: number;
  #limit: number;
  #window: CountedWindow | undefined;
  #inFlight = 0;
  #now = -Infinity;
  /** Whether the latest request was a probe although others may have used the rest. */
  #isProbe = false;

  constructor(options: RateWindowOptions) {
    this.#options = options;
    this.#limit = options.fallbackLimit;
    this.#windowMs = options.fallbackWindowMs ?? MINUTE_MS;
    this.#resets.lengthMs = this.#windowMs;
    this.#backoff = new Backoff(options.random);
  }

  state(now: number): RateState {
    this.#forgetAfterClockSetBack(now);
    const { until, why } = this.#backoff;
    const window = this.#windowAt(Math.max(now, until));
    const left = window === undefined ? 0 : this.#leftIn(window);
    if (until > now && (window === undefined || left > 0)) return { phase: "closed", left: 0, until, why };
    if (window === undefined) return { phase: "unknown" };
    if (left > 0) return { phase: "open", left, until: window.end.at };
    return { phase: "closed", left: 0, until: window.end.at, why: "limit" };
  }

  /** Requests that may start at `now`. */
  allowance(now: number): number {
    const { phase } = this.state(now);
    const window = this.#windowAt(now);
    if (phase === "closed") return 0;
    if (window === undefined) return this.#inFlight === 0 ? 1 : 0;
    const several = this.#free(window, this.#others.margin(now, false));
    if (several > 0 || this.#inFlight > 0) return Math.max(0, several);
    return this.#isSafeAlone(window, now) || now >= this.#probeAt(window) ? 1 : 0;
  }

  /** When the allowance may grow without an answer; undefined if that needs an answer. */
  opening(now: number): Opening | undefined {
    const state = this.state(now);
    if (state.phase === "unknown") return undefined;
    if (state.phase === "closed") return { at: state.until, why: state.why };
    const window = this.#windowAt(now);
    const probeAt = window === undefined ? Infinity : this.#probeAt(window);
    return probeAt > now && probeAt < state.until
      ? { at: probeAt, why: "others" }
      : { at: state.until, why: "limit" };
  }

  /** The pace from now on, if nobody else uses the key. */
  pace(now: number): Pace {
    const perWindow = Math.max(1, this.#limit - this.#options.reserve(this.#limit));
    const window = this.#windowAt(now);
    const free = window === undefined ? perWindow : Math.max(0, this.#free(window, 0));
    const opensAt = Math.max(window?.end.at ?? now + this.#resets.lengthMs, this.#backoff.until);
    return {
      free: now < this.#backoff.until ? 0 : free,
      opensInMs: opensAt - now,
      perWindow,
      windowMs: this.#resets.lengthMs,
    };
  }

  started(now: number): void {
    const window = this.#windowAt(now);
    this.#isProbe = window !== undefined && !this.#isSafeAlone(window, now);
    this.#inFlight += 1;
    if (window === undefined) return;
    window.left -= 1;
    window.used += 1;
  }

  /** The window that is known at that time. */
  #windowAt(now: number): CountedWindow | undefined {
    return this.#window !== undefined && now < this.#window.end.at ? this.#window : undefined;
  }

  /** Requests of a window that are left for us, including those in flight. */
  #leftIn({ left, least }: CountedWindow): number {
    return Math.max(0, Math.min(left, least) - this.#options.reserve(this.#limit));
  }

  /**
   * The number of requests that may start in a window if others may be using `margin` right now. Negative if too many
   * have started.
   */
  #free({ left, least }: CountedWindow, margin: number): number {
    return Math.min(left, least - this.#inFlight) - Math.max(margin, this.#options.reserve(this.#limit));
  }

  #isSafeAlone(window: CountedWindow, now: number): boolean {
    return this.#free(window, this.#others.margin(now, true)) > 0;
  }

  #probeAt(window: CountedWindow): number {
    const free = this.#free(window, 0);
    return free > 0 ? this.#others.probeAt(window.end.at, free, this.#limit) : Infinity;
  }

  /** After the clock was set back, its earlier times mean nothing. */
  #forgetAfterClockSetBack(now: number): void {
    if (now < this.#now - CLOCK_SET_BACK_MS) {
      this.#window = undefined;
      this.#backoff.reset();
    }
    this.#now = now;
  }

  /** A request that was sent at `sentAt` is finished. Without an `observation` there was no answer, but it counts. */
  ended(sentAt: number, now: number, observation: RateObservation | undefined): void {
    this.#inFlight -= 1;
    if (observation !== undefined) this.#observe(sentAt, now, observation);
  }

  #observe(sentAt: number, now: number, observation: RateObservation): void {
    this.#resets.observe(observation.reading, sentAt, now);
    this.#limit = observation.reading.limit ?? this.#limit;
    // A request that was sent after a reset is in a newer window, however near the two resets are.
    if (this.#window !== undefined && sentAt >= this.#window.end.at) {
      this.#resets.windowEnded(this.#window.end);
      this.#window = undefined;
    }
    this.#take(observation, sentAt, now);
    if (observation.refused) this.#refused(observation, sentAt, now);
    else this.#backoff.accepted(sentAt);
    if (!observation.refused && observation.retryAfterMs !== undefined) {
      this.#backoff.requested(now, observation.retryAfterMs);
      this.#window = closedUntil(this.#backoff.until);
    }
  }

  #take({ reading, refused, retryAfterMs }: RateObservation, sentAt: number, now: number): void {
    const believed = this.#check.isConstant ? { ...reading, remaining: undefined } : reading;
    const { remaining } = believed;
    // A reset means nothing without a count.
    const reported = remaining === undefined ? undefined : this.#resets.reportedEnd(reading, sentAt, now);
    const window = this.#window;
    if (window === undefined || (reported !== undefined && isNewerWindow(reported, window.end, now))) {
      this.#begin({ reading: believed, refused, retryAfterMs }, reported, sentAt, now);
      return;
    }
    if (reported !== undefined) {
      // An earlier reset, in the answer to a request that was sent before this window was known, belongs to an older
      // window.
      if (isEarlierWindow(reported, window.end) && sentAt < window.seenAt) return;
      window.end = isSameWindow(reported, window.end) ? this.#resets.join(window.end, reported) : reported;
    }
    if (remaining === undefined) return;
    this.#others.observe(now, now - sentAt, Math.max(0, window.left - remaining));
    if (this.#isProbe) this.#others.probed(refused);
    this.#isProbe = false;
    window.left = Math.min(window.left, remaining);
    window.least = Math.min(window.least, remaining);
    if (!refused) this.#check.answered(remaining, sentAt, now);
    if (this.#check.isConstant) this.#countLocally(window);
  }

  /** The headers are unusable: from here on, requests are counted here. */
  #countLocally(window: CountedWindow): void {
    window.end = fixedEnd(window.seenAt + this.#windowMs);
    window.left = Math.max(0, this.#options.fallbackLimit - window.used);
    window.least = Infinity;
  }

  #begin(observation: RateObservation, reported: WindowEnd | undefined, sentAt: number, now: number): void {
    const { limit, remaining } = observation.reading;
    const end = reported && this.#resets.windowStarted(observation, reported, sentAt, now);
    const fallbackEnd = fixedEnd(now + this.#windowMs);
    const window = beginWindow(observation.reading, end ?? fallbackEnd, now, this.#options.fallbackLimit);
    this.#window = window;
    this.#others.windowStarted(now);
    if (remaining !== undefined && !observation.refused && limit !== 1) {
      this.#check.windowStarted(remaining, now, window.end.at - now);
    }
    if (this.#check.isConstant) this.#countLocally(window);
  }

  #refused({ reading, retryAfterMs }: RateObservation, sentAt: number, now: number): void {
    // If the service refuses a request although requests are left, its limit is not the limit in the headers.
    const isCounted = !this.#check.isConstant && (reading.remaining ?? 0) === 0;
    const tellsReset = isCounted && this.#resets.reportedEnd(reading, sentAt, now) !== undefined;
    this.#backoff.refused({ sentAt, receivedAt: now, retryAfterMs, tellsReset });
    const { until } = this.#backoff;
    const end = this.#window?.end.at ?? Infinity;
    const isFar = retryAfterMs !== undefined && end > until + SAME_MOMENT_MS;
    if (!tellsReset || isFar) this.#window = closedUntil(until);
    else if (this.#window !== undefined) this.#window.left = 0;
  }
}

/** One window of the rate limit, with the known number of requests left. Times in ms by the local clock. */
interface CountedWindow {
  end: WindowEnd;
  /** Time of its first answer. */
  readonly seenAt: number;
  /** Requests left after the first answer, minus those started since. */
  left: number;
  /** The smallest count in any answer. */
  least: number;
  /** Requests started here. */
  used: number;
}

/** A new window with its first answer. */
function beginWindow(
  { limit, remaining }: RateReading,
  end: WindowEnd,
  now: number,
  fallbackLimit: number,
): CountedWindow {
  const most = (limit ?? (remaining === undefined ? fallbackLimit : Infinity)) - 1;
  const left = Math.max(0, Math.min(remaining ?? most, most));
  return { end, seenAt: now, left, least: remaining ?? Infinity, used: 1 };
}

/** No request starts before that time, and then only one. */
function closedUntil(until: number): CountedWindow {
  return { end: fixedEnd(until), seenAt: until, left: 0, least: 0, used: 0 };
}

/** The longest requested wait that is accepted, in ms. Beyond it, the run ends and says so. */
export const MAX_WAIT_MS = 15 * 60_000;
/** Beyond this, a requested wait is absurd, in ms. */
const MAX_PLAUSIBLE_MS = 86_400_000;
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;

/** Why nobody may start: the service said how long to wait, or it refused without saying. */
type BackoffReason = "told" | "refused";

interface Refusal {
  readonly sentAt: number;
  readonly receivedAt: number;
  /** As the answer says, in ms. */
  readonly retryAfterMs: number | undefined;
  /** Whether the answer shows when the window ends, so that waiting for that is enough. */
  readonly tellsReset: boolean;
}

/** How long all requests wait after the limit refused one, or the service said when to try again. */
class Backoff {
  readonly #random: () => number;
  until = -Infinity;
  why: BackoffReason = "told";
  /** Refusals in a row, each for a request that was sent after the previous one. */
  #refusals = 0;
  #refusedAt = -Infinity;

  /** @param random from 0 to 1, so that clients that were refused together do not retry together */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** A request was accepted. */
  accepted(sentAt: number): void {
    if (sentAt >= this.#refusedAt) this.#refusals = 0;
  }

  refused({ sentAt, receivedAt, retryAfterMs, tellsReset }: Refusal): void {
    if (sentAt >= this.#refusedAt) this.#refusals += 1;
    this.#refusedAt = receivedAt;
    const requestedMs = withinMaxWait(retryAfterMs);
    // The first refusal with a time is followed exactly. After each further refusal, the shortest wait grows.
    const saysWhen = requestedMs !== undefined || tellsReset;
    const attempt = saysWhen ? this.#refusals - 2 : this.#refusals - 1;
    const leastMs = attempt < 0 ? 0 : backoffMs(attempt, this.#random());
    const isAsRequested = (requestedMs ?? 0) >= leastMs;
    this.#extend(receivedAt + Math.max(requestedMs ?? 0, leastMs), isAsRequested ? "told" : "refused");
  }

  /** The service asked for the wait, for a reason other than the limit. */
  requested(receivedAt: number, retryAfterMs: number): void {
    this.#extend(receivedAt + (withinMaxWait(retryAfterMs) ?? 0), "told");
  }

  /** Starts again, because the clock was changed. */
  reset(): void {
    this.until = -Infinity;
    this.#refusedAt = -Infinity;
  }

  #extend(until: number, why: BackoffReason): void {
    if (until <= this.until) return;
    this.until = until;
    this.why = why;
  }
}

/**
 * How long to wait after failed attempts, in ms: twice as long each time.
 * @param random from 0 to 1, so that clients that failed together do not retry together
 */
export function backoffMs(attempt: number, random: number): number {
  return Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** attempt) * (0.75 + random / 2);
}

function withinMaxWait(ms: number | undefined): number | undefined {
  return ms !== undefined && ms <= MAX_WAIT_MS ? ms : undefined;
}

/** The requested wait, unless it is absurd. */
export function plausibleMs(ms: number | undefined): number | undefined {
  return ms !== undefined && ms <= MAX_PLAUSIBLE_MS ? ms : undefined;
}

/** Averages cover this many durations of a request. */
const AVERAGED_REQUESTS = 8;
/** And at least this time, in ms. */
const MIN_AVERAGED_MS = 50;
/** A probe is sent after this part of the remaining time of the window. */
const PROBE_AFTER = 0.25;
/** A probe is worth the risk if at least this part of the limit is left. */
const MIN_SHARE_FOR_PROBE = 0.15;
/** Maximum number of windows without a probe, after refused probes. */
const MAX_WINDOWS_WITHOUT_PROBE = 16;

/**
 * Estimates the requests of other clients with the same key. The service does not report them, but its remaining counts show them.
 * Enough requests for one duration are left to them, because otherwise that request would be refused.
 *
 * They are assumed to be random, in bursts: the usual recent number, plus twice the spread. If that leaves nothing, a
 * request is sent now and then as a probe, to see whether the others still use that much.
 */
class OtherClients {
  /** Requests per ms. */
  #rate = 0;
  /** Average size of bursts, in which larger bursts weigh more. */
  #burst = 1;
  /** Duration of a request, in ms. */
  #flightMs = 0;
  #observedAt = 0;
  /** The number of windows to skip before the next probe, and the number to skip after the next refused probe. */
  #windowsWithoutProbe = 0;
  #nextWithoutProbe = 1;

  /** Starts a window. */
  windowStarted(now: number): void {
    this.#observedAt = now;
    this.#windowsWithoutProbe = Math.max(0, this.#windowsWithoutProbe - 1);
  }

  /** An answer after a request of this duration (ms) shows how many requests others have sent since the last one. */
  observe(now: number, flightMs: number, spent: number): void {
    this.#flightMs += (flightMs - this.#flightMs) / (this.#flightMs === 0 ? 1 : AVERAGED_REQUESTS);
    const ms = Math.max(now - this.#observedAt, 1);
    const weight = 1 - Math.exp(-ms / Math.max(MIN_AVERAGED_MS, AVERAGED_REQUESTS * this.#flightMs));
    this.#rate += (spent / ms - this.#rate) * weight;
    if (spent > 0)
      this.#burst += ((spent - this.#burst) * Math.min(spent, AVERAGED_REQUESTS)) / (2 * AVERAGED_REQUESTS);
    this.#observedAt = now;
  }

  /**
   * The number of requests of other clients that may arrive before a request sent at `now`, and are not visible yet. A
   * single request risks less and shows more, so bursts do not count.
   */
  margin(now: number, alone: boolean): number {
    const usual = this.#rate * (now - this.#observedAt + this.#flightMs);
    // An old rate that has faded this much counts as none.
    return usual < 0.01 ? 0 : Math.ceil(usual + 2 * Math.sqrt(usual * (alone ? 1 : this.#burst)));
  }

  /** When to send a probe in a window that ends at `end`. `left`: requests left in it. Infinity: send none. */
  probeAt(end: number, left: number, limit: number): number {
    if (this.#windowsWithoutProbe > 0 || left < MIN_SHARE_FOR_PROBE * limit) return Infinity;
    return Math.ceil(this.#observedAt + (end - this.#observedAt) * PROBE_AFTER);
  }

  /** The answer to a probe has arrived. */
  probed(refused: boolean): void {
    this.#nextWithoutProbe = refused ? Math.min(MAX_WINDOWS_WITHOUT_PROBE, 2 * this.#nextWithoutProbe) : 1;
    if (refused) this.#windowsWithoutProbe = this.#nextWithoutProbe;
  }
}

/** After this many equal values in a row, each requested after the previous answer, the value is a constant. */
const MAX_STUCK_ANSWERS = 4;
/** The number of windows in a row whose accepted first request reported that no request is left. */
const MAX_EMPTY_WINDOWS = 3;
/** In windows shorter than this, single requests may really be accepted one by one, in ms. */
const LONG_WINDOW_MS = 5_000;

/**
 * Whether X-RateLimit-Remaining can be trusted: some services send a constant. A value that changed once is not
 * constant.
 */
class CountCheck {
  #first: number | undefined;
  #changed = false;
  #latestAt = -Infinity;
  #stuck = 0;
  #empty = 0;

  get isConstant(): boolean {
    return !this.#changed && (this.#stuck >= MAX_STUCK_ANSWERS || this.#empty >= MAX_EMPTY_WINDOWS);
  }

  /** The first answer of a window with this remaining time, in ms. */
  windowStarted(remaining: number, receivedAt: number, lastsMs: number): void {
    this.#record(remaining, receivedAt);
    this.#stuck = 0;
    if (remaining === 0 && lastsMs >= LONG_WINDOW_MS) this.#empty += 1;
  }

  /** A further answer of the window. */
  answered(remaining: number, sentAt: number, receivedAt: number): void {
    if (sentAt >= this.#latestAt) this.#stuck += 1;
    this.#record(remaining, receivedAt);
  }

  #record(remaining: number, receivedAt: number): void {
    this.#first ??= remaining;
    this.#changed ||= remaining !== this.#first;
    this.#latestAt = receivedAt;
  }
}
