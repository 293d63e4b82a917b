/**
 * How many requests may start now, by what the service said about its limit. No I/O and no clock: times come in, ms by
 * the local clock. At any time the window is in one of three phases:
 *
 * | phase     | known                                                    | who may start                                |
 * | --------- | -------------------------------------------------------- | -------------------------------------------- |
 * | `unknown` | nothing about the current window                         | one request while none is in flight: the probe |
 * | `open`    | how many are left, and until when                        | what is left, minus what is in flight and what other clients may be spending |
 * | `closed`  | the window is used up, or the service said to stay away  | nobody                                       |
 *
 * The answer to a probe opens a window; the end of a window, or of the time to stay away, makes it unknown again. Two
 * answers belong to one window if they tell the same end. Of one window the least count of any answer holds, and never
 * more than the first answer left minus what was started since. Where the headers say nothing usable, requests are
 * counted here against the rate plan's limit a minute.
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

/** A local clock that goes back by more than this was set, ms. */
const CLOCK_SET_BACK_MS = 1_000;
/** A reset this much later than the time at which to come again is of another limit, ms. */
const SAME_MOMENT_MS = 1_500;

export interface RateWindowOptions {
  /** Requests a minute where the headers say nothing. */
  readonly fallbackLimit: number;
  /** Of a limit, how many requests of each window are left to others. */
  readonly reserve: (limit: number) => number;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** When requests may start again, unless an answer changes that. */
export interface Opening {
  readonly at: number;
  /** `limit`: the window is used up. `others`: what is left of it may just be spent by others who use the key. */
  readonly why: BackoffReason | "limit" | "others";
}

/** What the service's answers say. `until`: when the phase ends unless an answer changes it, ms by the local clock. */
export type RateState =
  | { readonly phase: "unknown" }
  /** `left`: minus the reserve; requests in flight are not deducted. */
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
  #limit: number;
  #window: CountedWindow | undefined;
  #inFlight = 0;
  #now = -Infinity;
  /** Whether the latest request went ahead although others may have spent all that is left. */
  #isProbe = false;

  constructor(options: RateWindowOptions) {
    this.#options = options;
    this.#limit = options.fallbackLimit;
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

  /** When the allowance may grow without an answer; undefined when only an answer can help. */
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

  /** How fast it goes on, where nobody else uses the key. */
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

  /** What is left of a window for us, requests in flight included. */
  #leftIn({ left, least }: CountedWindow): number {
    return Math.max(0, Math.min(left, least) - this.#options.reserve(this.#limit));
  }

  /** How many may start in a window where others may be spending `margin` just now. Negative where too many did. */
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

  /** Times by a clock that was set back meanwhile mean nothing any more. */
  #forgetAfterClockSetBack(now: number): void {
    if (now < this.#now - CLOCK_SET_BACK_MS) {
      this.#window = undefined;
      this.#backoff.reset();
    }
    this.#now = now;
  }

  /** A request that was sent at `sentAt` is over. Without an `observation` there was no answer: it counts all the same. */
  ended(sentAt: number, now: number, observation: RateObservation | undefined): void {
    this.#inFlight -= 1;
    if (observation !== undefined) this.#observe(sentAt, now, observation);
  }

  #observe(sentAt: number, now: number, observation: RateObservation): void {
    this.#resets.observe(observation.reading, sentAt, now);
    this.#limit = observation.reading.limit ?? this.#limit;
    // What was sent after a reset is of a newer window, however near the two resets are.
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
    // A reset says nothing where nothing is counted.
    const reported = remaining === undefined ? undefined : this.#resets.reportedEnd(reading, sentAt, now);
    const window = this.#window;
    if (window === undefined || (reported !== undefined && isNewerWindow(reported, window.end, now))) {
      this.#begin({ reading: believed, refused, retryAfterMs }, reported, sentAt, now);
      return;
    }
    if (reported !== undefined) {
      // An earlier reset, in the answer to a request that was sent before this window was known, is an older window's.
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
    if (this.#check.isConstant) countLocally(window, this.#options.fallbackLimit);
  }

  #begin(observation: RateObservation, reported: WindowEnd | undefined, sentAt: number, now: number): void {
    const { limit, remaining } = observation.reading;
    const end = reported && this.#resets.windowStarted(observation, reported, sentAt, now);
    const window = beginWindow(observation.reading, end, now, this.#options.fallbackLimit);
    this.#window = window;
    this.#others.windowStarted(now);
    if (remaining !== undefined && !observation.refused && limit !== 1) {
      this.#check.windowStarted(remaining, now, window.end.at - now);
    }
    if (this.#check.isConstant) countLocally(window, this.#options.fallbackLimit);
  }

  #refused({ reading, retryAfterMs }: RateObservation, sentAt: number, now: number): void {
    // A limit that refuses although some are left is not the one in the headers.
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

/** One window of the rate limit, with what is known to be left of it. Times in ms by the local clock. */
interface CountedWindow {
  end: WindowEnd;
  /** When its first answer came. */
  readonly seenAt: number;
  /** What the first answer left, less what was started since. */
  left: number;
  /** The least that any answer told. */
  least: number;
  /** Requests started here. */
  used: number;
}

/** A window of which the first answer has come; `end` is undefined where that does not tell it. */
function beginWindow(
  { limit, remaining }: RateReading,
  end: WindowEnd | undefined,
  now: number,
  fallbackLimit: number,
): CountedWindow {
  const most = (limit ?? (remaining === undefined ? fallbackLimit : Infinity)) - 1;
  const left = Math.max(0, Math.min(remaining ?? most, most));
  return { end: end ?? fixedEnd(now + MINUTE_MS), seenAt: now, left, least: remaining ?? Infinity, used: 1 };
}

/** Nobody starts before that time, and then one alone. */
function closedUntil(until: number): CountedWindow {
  return { end: fixedEnd(until), seenAt: until, left: 0, least: 0, used: 0 };
}

/** The headers turned out to say nothing: from here on requests are counted against a limit a minute. */
function countLocally(window: CountedWindow, limit: number): void {
  window.end = fixedEnd(window.seenAt + MINUTE_MS);
  window.left = Math.max(0, limit - window.used);
  window.least = Infinity;
}

/** The longest wait that is obeyed without asking, ms; beyond it the run ends and says so. */
export const MAX_WAIT_MS = 15 * 60_000;
/** Beyond this a time to come again is absurd, ms. */
const MAX_PLAUSIBLE_MS = 86_400_000;
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;

/** Why nobody may start: the service said how long, or it refused without saying. */
type BackoffReason = "told" | "refused";

interface Refusal {
  readonly sentAt: number;
  readonly receivedAt: number;
  /** As the answer says, ms. */
  readonly retryAfterMs: number | undefined;
  /** Whether the answer tells when the window ends, so that this can be waited for instead. */
  readonly tellsReset: boolean;
}

/** How long everybody stays away after the limit refused a request, or the service said when to come again. */
class Backoff {
  readonly #random: () => number;
  until = -Infinity;
  why: BackoffReason = "told";
  /** Refusals in a row, each of a request that was sent after the one before. */
  #refusals = 0;
  #refusedAt = -Infinity;

  /** @param random from 0 to 1, so that clients that were refused together do not come back together */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** A request was let in. */
  accepted(sentAt: number): void {
    if (sentAt >= this.#refusedAt) this.#refusals = 0;
  }

  refused({ sentAt, receivedAt, retryAfterMs, tellsReset }: Refusal): void {
    if (sentAt >= this.#refusedAt) this.#refusals += 1;
    this.#refusedAt = receivedAt;
    const requestedMs = withinMaxWait(retryAfterMs);
    // The first refusal that says when to come again is taken at its word; later ones wait longer each time at least.
    const saysWhen = requestedMs !== undefined || tellsReset;
    const attempt = saysWhen ? this.#refusals - 2 : this.#refusals - 1;
    const leastMs = attempt < 0 ? 0 : backoffMs(attempt, this.#random());
    const isAsRequested = (requestedMs ?? 0) >= leastMs;
    this.#extend(receivedAt + Math.max(requestedMs ?? 0, leastMs), isAsRequested ? "told" : "refused");
  }

  /** The service asked for it, for reasons other than the limit. */
  requested(receivedAt: number, retryAfterMs: number): void {
    this.#extend(receivedAt + (withinMaxWait(retryAfterMs) ?? 0), "told");
  }

  /** Starts anew, by a clock that was set. */
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
 * How long to wait after failed attempts, ms: twice as long each time.
 * @param random from 0 to 1, so that clients that failed together do not come back together
 */
export function backoffMs(attempt: number, random: number): number {
  return Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** attempt) * (0.75 + random / 2);
}

function withinMaxWait(ms: number | undefined): number | undefined {
  return ms !== undefined && ms <= MAX_WAIT_MS ? ms : undefined;
}

/** A time to stay away, unless it is absurd. */
export function plausibleMs(ms: number | undefined): number | undefined {
  return ms !== undefined && ms <= MAX_PLAUSIBLE_MS ? ms : undefined;
}

/** Averages reach back over so many requests' times under way. */
const AVERAGED_REQUESTS = 8;
/** And at least over so long, ms. */
const MIN_AVERAGED_MS = 50;
/** A probe goes ahead after this part of the time that the window has left. */
const PROBE_AFTER = 0.25;
/** A probe is worth the risk where at least this part of the limit is left. */
const MIN_SHARE_FOR_PROBE = 0.15;
/** Most windows without a probe, after probes that were refused. */
const MAX_WINDOWS_WITHOUT_PROBE = 16;

/**
 * What other clients of the same key spend. Nobody reports it, but it shows in what the answers leave. As many requests as
 * they may send while one is in flight are left to them, or that one would be refused.
 *
 * They are assumed to come at random, in bursts: as many in a time as is usual lately, plus twice the spread. Where that
 * leaves nothing, one request now and then goes ahead as a probe, to see whether they still spend that much.
 */
class OtherClients {
  /** Requests in a ms. */
  #rate = 0;
  /** How many come at once: the sizes seen, each weighed by itself. */
  #burst = 1;
  /** How long a request is under way, ms. */
  #flightMs = 0;
  #observedAt = 0;
  /** Windows to go without a probe, and how many it will be after the next one that is refused. */
  #windowsWithoutProbe = 0;
  #nextWithoutProbe = 1;

  /** A window began. */
  windowStarted(now: number): void {
    this.#observedAt = now;
    this.#windowsWithoutProbe = Math.max(0, this.#windowsWithoutProbe - 1);
  }

  /** An answer, which was under way for so long (ms), shows that they spent so many since the last one. */
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
   * How many requests of others may come before one that is sent at `now`, and do not show in any answer yet. One that
   * goes alone risks less and shows more, so bursts do not count.
   */
  margin(now: number, alone: boolean): number {
    const usual = this.#rate * (now - this.#observedAt + this.#flightMs);
    // What is left of a rate long ago counts as none.
    return usual < 0.01 ? 0 : Math.ceil(usual + 2 * Math.sqrt(usual * (alone ? 1 : this.#burst)));
  }

  /** When to send a probe in a window that ends at `end`. `left`: requests left in it. Infinity: send none. */
  probeAt(end: number, left: number, limit: number): number {
    if (this.#windowsWithoutProbe > 0 || left < MIN_SHARE_FOR_PROBE * limit) return Infinity;
    return Math.ceil(this.#observedAt + (end - this.#observedAt) * PROBE_AFTER);
  }

  /** The answer to a probe has come. */
  probed(refused: boolean): void {
    this.#nextWithoutProbe = refused ? Math.min(MAX_WINDOWS_WITHOUT_PROBE, 2 * this.#nextWithoutProbe) : 1;
    if (refused) this.#windowsWithoutProbe = this.#nextWithoutProbe;
  }
}

/** So many answers in a row, each asked for after the one before, that told the same. */
const MAX_STUCK_ANSWERS = 4;
/** So many windows in a row in which the first request was let in and told that none is left. */
const MAX_EMPTY_WINDOWS = 3;
/** Where windows are shorter than this, single requests may well be let in one by one, ms. */
const LONG_WINDOW_MS = 5_000;

/** Whether X-RateLimit-Remaining counts at all: some services send a constant. A value that changed once is none. */
class CountCheck {
  #first: number | undefined;
  #changed = false;
  #latestAt = -Infinity;
  #stuck = 0;
  #empty = 0;

  get isConstant(): boolean {
    return !this.#changed && (this.#stuck >= MAX_STUCK_ANSWERS || this.#empty >= MAX_EMPTY_WINDOWS);
  }

  /** The first answer of a window, which lasts so long yet, ms. */
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
