/**
 * Decides how many requests may start now, by what the service said about its limits. No I/O and no clock: times are
 * parameters, in ms by the local clock. A service may have any number of windows at once, such as 100 requests in 15
 * minutes and 250 a day. Together they are always in one of three phases:
 *
 * | phase     | known                                                     | who may start                                |
 * | --------- | --------------------------------------------------------- | -------------------------------------------- |
 * | `unknown` | nothing, or a window is over and the next one is unknown  | one request while none is in flight: the probe |
 * | `open`    | how many are left in each window, and until when          | those that are left in every window          |
 * | `closed`  | a window is used up, or the service asked to wait         | nobody                                       |
 *
 * The answer to a probe opens windows. Two answers belong to one window if they report the same end. The smallest count of
 * its answers applies, but never more than the first count minus the requests started since. If the headers are unusable,
 * requests are counted here against the rate plan's limit per minute: a guess, which any reported window replaces.
 */

import type { Pace } from "../../model/clock.ts";
import { Backoff, type BackoffReason } from "./backoff.ts";
import { CountCheck } from "./count-check.ts";
import type { RateObservation, WindowReading } from "./rate-headers.ts";
import {
  type WindowEnd,
  FOLLOWS_MS,
  WindowEnds,
  fixedEnd,
  isSameEnd,
  joinEnds,
  toldEnd,
} from "./window-ends.ts";

export interface RateRules {
  /** Requests per window if the headers say nothing. */
  readonly fallbackLimit: number;
  /** Length of a window if the headers say nothing, in ms. Default: a minute. */
  readonly fallbackWindowMs?: number;
  /** The longest plausible window without a policy, in ms. Default: an hour. */
  readonly longestWindowMs?: number;
  /** How many requests of each window are left to others. */
  readonly reserve: (limit: number) => number;
  /** A share of the limit, from 0 to 1. */
  readonly random: () => number;
}

/** When requests may start again, unless an answer changes that. */
export interface Opening {
  readonly at: number;
  /** `limit`: a window is used up. `others`: other users of the key may have just used the rest. */
  readonly why: BackoffReason | "limit" | "others";
}

/** Who may start now, and when that may change. */
export interface GateState {
  /** Requests that may start now. */
  readonly allowance: number;
  /** When the allowance may grow without an answer, in ms by the local clock; undefined if that needs an answer. */
  readonly opening: Opening | undefined;
}

/** What the service's answers show. `left`: without the reserve; requests in flight are not subtracted. */
export type RateState = GateState &
  (
    | { readonly phase: "unknown"; readonly opening: undefined }
    | { readonly phase: "open"; readonly left: number; readonly opening: Opening }
    | { readonly phase: "closed"; readonly left: 0; readonly opening: Opening }
  );

/** What a service said about its limits, for the next run. Times in ms by the local clock. */
export interface ToldLimits {
  readonly windows: readonly ToldWindow[];
  /** Until then, it asked all clients to wait. */
  readonly closedUntil?: number | undefined;
}

interface ToldWindow {
  readonly name: string;
  readonly limit: number;
  readonly left: number;
  readonly endsAt: number;
  readonly lengthMs: number;
  /** The service said nothing: requests were counted here. */
  readonly isGuess?: true | undefined;
}

interface CountedWindow {
  readonly name: string;
  /** Whether the service reported it. */
  readonly isTold: boolean;
  readonly limit: number;
  end: WindowEnd;
  readonly lengthMs: number;
  /** Time of its first answer. */
  readonly seenAt: number;
  /** Requests left after the first answer, minus those started since. */
  left: number;
  /** The smallest count in any answer. */
  least: number;
  /** Requests started here. */
  used: number;
  /** The most requests that others sent between two answers: that many times `TAKEN_AGAIN` are left to them. */
  taken: number;
}

/** Others may send several times between two answers while one request of ours is on its way. */
const TAKEN_AGAIN = 4;

/** A window without an answer lasts as long as the documented one. */
const MINUTE_MS = 60_000;
/** A local clock that goes back by more than this was changed, in ms. */
const CLOCK_SET_BACK_MS = 1_000;
/** A reset that is this much later than the Retry-After time belongs to another limit, in ms. */
const SAME_MOMENT_MS = 1_500;

export class RateLimits {
  readonly #rules: RateRules;
  readonly #ends: WindowEnds;
  readonly #check = new CountCheck();
  readonly #backoff: Backoff;
  #windows: readonly CountedWindow[] = [];
  /** The limit and the length of a window that must be guessed: as the service said last. */
  #limit: number;
  #lengthMs: number;
  #inFlight = 0;
  #now = -Infinity;

  /** @param told what the service said in an earlier run */
  constructor(rules: RateRules, told: ToldLimits = { windows: [] }) {
    this.#rules = rules;
    this.#limit = rules.fallbackLimit;
    this.#lengthMs = rules.fallbackWindowMs ?? MINUTE_MS;
    this.#ends = new WindowEnds(rules.longestWindowMs);
    this.#backoff = new Backoff(rules.random, told.closedUntil);
    this.#windows = told.windows.map(({ endsAt, isGuess, ...window }) => ({
      ...window,
      end: isGuess === true ? fixedEnd(endsAt) : toldEnd(endsAt),
      isTold: isGuess !== true,
      seenAt: -Infinity,
      least: window.left,
      used: 0,
      taken: 0,
    }));
  }

  /** What the service said, as far as it is still true at `now`. Also what was counted here, for a limit of an hour or so. */
  told(now: number): ToldLimits {
    const { until, why } = this.#backoff;
    return {
      windows: this.#windows
        .filter(({ isTold, end, lengthMs }) => (isTold || lengthMs > MINUTE_MS) && end.at > now)
        .map(({ name, isTold, limit, left, least, end, lengthMs }) => ({
          ...(isTold ? {} : { isGuess: true }),
          name,
          limit,
          left: Math.max(0, Math.min(left, least)),
          endsAt: end.at,
          lengthMs,
        })),
      closedUntil: until > now && why === "told" ? until : undefined,
    };
  }

  state(now: number): RateState {
    this.#forgetAfterClockSetBack(now);
    const { until, why } = this.#backoff;
    const after = Math.max(now, until);
    const usedUp = this.#windows.filter((window) => window.end.at > after && this.#leftIn(window) === 0);
    if (usedUp.length > 0) return closed(latestEnd(usedUp), "limit");
    if (until > now) return closed(until, why);
    const isKnown = this.#windows.length > 0 && this.#windows.every(({ end }) => end.at > now);
    if (!isKnown) return { phase: "unknown", allowance: this.#inFlight === 0 ? 1 : 0, opening: undefined };
    const least = (of: (window: CountedWindow) => number): number => Math.min(...this.#windows.map(of));
    return {
      phase: "open",
      left: least((window) => this.#leftIn(window)),
      allowance: Math.max(
        0,
        least((window) => this.#free(window, window.taken * TAKEN_AGAIN)),
      ),
      opening: {
        at: least(({ end }) => end.at),
        why: this.#windows.some(({ taken }) => taken > 0) ? "others" : "limit",
      },
    };
  }

  /** The pace from now on, if nobody else uses the key: for each window. */
  pace(now: number): Pace {
    const { until } = this.#backoff;
    const perWindow = (limit: number): number => Math.max(1, limit - this.#rules.reserve(limit));
    const known = this.#windows.filter(({ end }) => end.at > now);
    if (known.length === 0) {
      const guessed = perWindow(this.#limit);
      const opensInMs = until > now ? until - now : this.#lengthMs;
      return [{ free: until > now ? 0 : guessed, opensInMs, perWindow: guessed, windowMs: this.#lengthMs }];
    }
    return known.map((window) => ({
      free: until > now ? 0 : Math.max(0, this.#free(window, 0)),
      opensInMs: Math.max(window.end.at, until) - now,
      perWindow: perWindow(window.limit),
      windowMs: window.lengthMs,
    }));
  }

  /** A new window begins: one that was only guessed is over. */
  forgetGuess(): void {
    this.#windows = this.#windows.filter(({ isTold }) => isTold);
  }

  started(now: number): void {
    this.#inFlight += 1;
    for (const window of this.#windows.filter(({ end }) => end.at > now)) {
      window.left -= 1;
      window.used += 1;
    }
  }

  /** A request that was sent at `sentAt` is finished. Without an `observation` there was no answer, but it counts. */
  ended(sentAt: number, now: number, observation: RateObservation | undefined): void {
    this.#inFlight -= 1;
    if (observation === undefined) return;
    const { reading, refused, retryAfterMs } = observation;
    this.#ends.observe(reading.date, sentAt, now);
    // The answer to a request that was sent before the last refusal says nothing about the windows after it.
    if (sentAt >= this.#backoff.refusedAt || refused) this.#take(observation, sentAt, now);
    if (refused) this.#refused(observation, sentAt, now);
    else this.#backoff.accepted(sentAt);
    if (!refused && retryAfterMs !== undefined) {
      this.#backoff.requested(now, retryAfterMs);
      this.#windows = [];
    }
  }

  #take({ reading, refused }: RateObservation, sentAt: number, now: number): void {
    // A request that was sent after a reset is in a newer window, however near the two resets are.
    const over = this.#windows.filter(({ end }) => sentAt >= end.at);
    this.#windows = this.#windows.filter(({ end }) => sentAt < end.at);
    if (!refused) this.#check.answered(reading.windows, over.length > 0, sentAt, now);
    if (this.#check.isConstant) {
      this.#countHere(now);
      return;
    }
    const readings = reading.windows
      // A refusal with a reset but without a count: none is left.
      .map((each) =>
        refused && each.reset !== undefined ? { ...each, remaining: each.remaining ?? 0 } : each,
      )
      .filter(({ remaining }) => remaining !== undefined);
    // A reported window replaces a guessed one at once.
    if (readings.length > 0) this.#windows = this.#windows.filter(({ isTold }) => isTold);
    for (const each of readings) {
      const previous = over.find(({ name }) => name === each.name);
      this.#windows = [
        ...this.#windows.filter(({ name }) => name !== each.name),
        this.#next({ reading: each, refused, sentAt, receivedAt: now }, previous),
      ];
    }
    this.#limit = reading.windows[0]?.limit ?? this.#limit;
    if (this.#windows.length === 0) this.#windows = [this.#guess(now, now, 1, this.#limit)];
  }

  /** A window after one more answer. */
  #next(answer: WindowAnswer, previous: CountedWindow | undefined): CountedWindow {
    const { reading, sentAt, receivedAt } = answer;
    const reported = this.#ends.reported(reading, sentAt, receivedAt);
    const known = this.#windows.find(({ name }) => name === reading.name);
    const isNewer =
      known !== undefined &&
      reported !== undefined &&
      reported.from > known.end.to &&
      receivedAt >= known.end.from;
    if (known === undefined || isNewer) return this.#begin(answer, reported, previous);
    if (reported !== undefined) {
      // An earlier reset, in the answer to a request that was sent before this window was known, belongs to an older one.
      if (reported.to < known.end.from && sentAt < known.seenAt) return known;
      known.end = isSameEnd(reported, known.end) ? joinEnds(known.end, reported) : reported;
    }
    const { remaining = Infinity } = reading;
    known.taken = Math.max(known.taken, known.left - remaining);
    known.left = Math.min(known.left, remaining);
    known.least = Math.min(known.least, remaining);
    return known;
  }

  #begin(
    { reading, refused, sentAt, receivedAt }: WindowAnswer,
    reported: WindowEnd | undefined,
    previous: CountedWindow | undefined,
  ): CountedWindow {
    const { remaining = Infinity } = reading;
    const limit = reading.limit ?? previous?.limit ?? Math.max(remaining + 1, 1);
    const follows = previous !== undefined && sentAt - previous.end.at < FOLLOWS_MS;
    if (refused && follows && reported !== undefined && isSameEnd(reported, previous.end))
      this.#ends.wasTooEarly();
    const lengthMs = reading.lengthMs ?? previous?.lengthMs ?? this.#lengthMs;
    const end =
      reported === undefined
        ? fixedEnd(receivedAt + lengthMs)
        : this.#ends.begun(reported, { reading, refused, sentAt, receivedAt, follows });
    const lastsMs = wholeSeconds(end.at - sentAt);
    const isFirst = remaining >= limit - 1;
    return {
      name: reading.name,
      isTold: true,
      limit,
      end,
      lengthMs: reading.lengthMs ?? (isFirst ? lastsMs : Math.max(lengthMs, lastsMs)),
      seenAt: receivedAt,
      left: Math.max(0, Math.min(remaining, limit - 1)),
      least: remaining,
      used: 1,
      taken: 0,
    };
  }

  /** The headers are unusable: from here on, requests are counted here. */
  #countHere(now: number): void {
    const [window] = this.#windows;
    if (window?.isTold === false) return;
    this.#limit = this.#rules.fallbackLimit;
    this.#lengthMs = this.#rules.fallbackWindowMs ?? MINUTE_MS;
    this.#windows = [this.#guess(window?.seenAt ?? now, now, window?.used ?? 1, this.#limit)];
  }

  #guess(since: number, now: number, used: number, limit: number): CountedWindow {
    const left = Math.max(0, limit - used);
    const end = fixedEnd(Math.max(since, now - this.#lengthMs) + this.#lengthMs);
    const common = { name: "", isTold: false, limit, lengthMs: this.#lengthMs, seenAt: now };
    return { ...common, end, left, least: Infinity, used, taken: 0 };
  }

  #refused({ reading, retryAfterMs }: RateObservation, sentAt: number, now: number): void {
    const { until } = this.#backoff;
    // If the service refuses a request although requests are left, its limit is not the limit in the headers.
    const usedUp = this.#check.isConstant
      ? []
      : this.#windows.filter(
          ({ name, end }) =>
            end.from <= end.to &&
            reading.windows.some((each) => each.name === name && (each.remaining ?? 0) === 0),
        );
    this.#backoff.refused({ sentAt, receivedAt: now, retryAfterMs, tellsReset: usedUp.length > 0 });
    const again = Math.max(until, this.#backoff.until);
    const isFar = retryAfterMs !== undefined && usedUp.some(({ end }) => end.at > again + SAME_MOMENT_MS);
    if (usedUp.length === 0 || isFar) this.#windows = [];
    for (const window of usedUp) window.left = 0;
  }

  /** Requests of a window that are left for us, including those in flight. */
  #leftIn({ left, least, limit }: CountedWindow): number {
    return Math.max(0, Math.min(left, least) - this.#rules.reserve(limit));
  }

  /** Requests that may start in a window if others use `margin` at the same time. Negative if too many have started. */
  #free({ left, least, limit }: CountedWindow, margin: number): number {
    return Math.min(left, least - this.#inFlight) - Math.max(margin, this.#rules.reserve(limit));
  }

  /** After the clock was set back, its earlier times mean nothing. */
  #forgetAfterClockSetBack(now: number): void {
    if (now < this.#now - CLOCK_SET_BACK_MS) {
      this.#windows = [];
      this.#backoff.reset();
    }
    this.#now = now;
  }
}

/** What one answer says about one window. */
interface WindowAnswer {
  readonly reading: WindowReading;
  readonly refused: boolean;
  readonly sentAt: number;
  readonly receivedAt: number;
}

function closed(at: number, why: Opening["why"]): RateState {
  return { phase: "closed", left: 0, allowance: 0, opening: { at, why } };
}

function latestEnd(windows: readonly CountedWindow[]): number {
  return Math.max(...windows.map(({ end }) => end.at));
}

function wholeSeconds(ms: number): number {
  return Math.max(1, Math.round(ms / 1_000)) * 1_000;
}
