/**
 * How many requests may start now, by what the service said of its limit. No I/O and no clock: times come in, ms by
 * the local clock.
 *
 * Within a window: the least remaining that any answer told, minus what is in flight, and never more than the first
 * answer left less what was started since. Windows are told apart by their reset. After a reset one request goes ahead
 * alone (the probe) and brings the new window's count. Where the headers say nothing usable, requests are counted here
 * against the plan's limit a minute.
 */
import type { Pace } from "../calendar/pace.ts";
import { CountCheck } from "./count-check.ts";
import { beginWindow, closedUntil, countLocally, type CountedWindow } from "./counted-window.ts";
import { OtherClients } from "./other-clients.ts";
import type { RateObservation } from "./rate-headers.ts";
import { ResetTimes } from "./reset-times.ts";
import { Backoff, type BackoffReason } from "./stay-away.ts";
import { isEarlierWindow, isNewerWindow, isSameWindow, type WindowEnd } from "./window-end.ts";

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
  /** Whether the latest request went alone, to see what others are at. */
  #isProbe = false;

  constructor(options: RateWindowOptions) {
    this.#options = options;
    this.#limit = options.fallbackLimit;
    this.#backoff = new Backoff(options.random);
  }

  /** Requests that may start at `now`. */
  allowance(now: number): number {
    this.#tick(now);
    if (now < this.#backoff.until) return 0;
    const window = this.#openWindow(now);
    if (window === undefined) return this.#inFlight === 0 ? 1 : 0;
    const several = this.#free(window, this.#others.margin(now, false));
    if (several > 0 || this.#inFlight > 0) return Math.max(0, several);
    return this.#isSafeAlone(window, now) || now >= this.#probeAt(window) ? 1 : 0;
  }

  /** When the allowance may grow without an answer; undefined when only an answer can help. */
  opening(now: number): Opening | undefined {
    const { until, why } = this.#backoff;
    const window = this.#openWindow(Math.max(now, until));
    if (window === undefined || (this.#free(window, 0) > 0 && until > now))
      return until > now ? { at: until, why } : undefined;
    const look = this.#probeAt(window);
    return look > now && look < window.end.at
      ? { at: look, why: "others" }
      : { at: window.end.at, why: "limit" };
  }

  /** How fast it goes on, where nobody else uses the key. */
  pace(now: number): Pace {
    const perWindow = Math.max(1, this.#limit - this.#options.reserve(this.#limit));
    const window = this.#openWindow(now);
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
    const window = this.#openWindow(now);
    this.#isProbe = window !== undefined && !this.#isSafeAlone(window, now);
    this.#inFlight += 1;
    if (window === undefined) return;
    window.left -= 1;
    window.used += 1;
  }

  #openWindow(now: number): CountedWindow | undefined {
    return this.#window !== undefined && now < this.#window.end.at ? this.#window : undefined;
  }

  /** What is left of a window where so much is to be left to others. */
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
  #tick(now: number): void {
    if (now < this.#now - CLOCK_SET_BACK_MS) {
      this.#window = undefined;
      this.#backoff.reset();
    }
    this.#now = now;
  }

  /** A request that was sent at `sentAt` is over. `news` is undefined when there was no answer: it counts all the same. */
  ended(sentAt: number, now: number, news: RateObservation | undefined): void {
    this.#inFlight -= 1;
    if (news !== undefined) this.observe(sentAt, now, news);
  }

  /** Takes an answer into account, of this process or of another one that uses the same key. */
  observe(sentAt: number, now: number, news: RateObservation): void {
    this.#resets.observe(news.reading, sentAt, now);
    this.#limit = news.reading.limit ?? this.#limit;
    // What was sent after a reset is of a newer window, however near the two resets are.
    if (this.#window !== undefined && sentAt >= this.#window.end.at) {
      this.#resets.windowEnded(this.#window.end);
      this.#window = undefined;
    }
    this.#take(news, sentAt, now);
    if (news.refused) this.#refused(news, sentAt, now);
    else this.#backoff.accepted(sentAt);
    if (!news.refused && news.retryAfterMs !== undefined) {
      this.#backoff.requested(now, news.retryAfterMs);
      this.#window = closedUntil(this.#backoff.until);
    }
  }

  #take({ reading, refused, retryAfterMs }: RateObservation, sentAt: number, now: number): void {
    const believed = this.#check.isConstant ? { ...reading, remaining: undefined } : reading;
    const { remaining } = believed;
    // A reset of what is not counted says nothing.
    const told = remaining === undefined ? undefined : this.#resets.reportedEnd(reading, sentAt, now);
    const window = this.#window;
    if (window === undefined || (told !== undefined && isNewerWindow(told, window.end, now))) {
      this.#begin({ reading: believed, refused, retryAfterMs }, told, sentAt, now);
      return;
    }
    if (told !== undefined) {
      // An earlier reset, told to a request that was sent before this window was known, is an older window's.
      if (isEarlierWindow(told, window.end) && sentAt < window.seenAt) return;
      window.end = isSameWindow(told, window.end) ? this.#resets.join(window.end, told) : told;
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

  #begin(news: RateObservation, told: WindowEnd | undefined, sentAt: number, now: number): void {
    const { limit, remaining } = news.reading;
    const end = told && this.#resets.windowStarted(news, told, sentAt, now);
    const window = beginWindow(news.reading, end, now, this.#options.fallbackLimit);
    this.#window = window;
    this.#others.windowStarted(now);
    if (remaining !== undefined && !news.refused && limit !== 1) {
      this.#check.windowStarted(remaining, now, window.end.at - now);
    }
    if (this.#check.isConstant) countLocally(window, this.#options.fallbackLimit);
  }

  #refused({ reading, retryAfterMs }: RateObservation, sentAt: number, now: number): void {
    // A limit that refuses although some are left is not the one that the headers tell of.
    const isToldOf = !this.#check.isConstant && (reading.remaining ?? 0) === 0;
    const tellsReset = isToldOf && this.#resets.reportedEnd(reading, sentAt, now) !== undefined;
    this.#backoff.refused({ sentAt, receivedAt: now, retryAfterMs, tellsReset });
    const { until } = this.#backoff;
    const end = this.#window?.end.at ?? Infinity;
    const isFar = retryAfterMs !== undefined && end > until + SAME_MOMENT_MS;
    if (!tellsReset || isFar) this.#window = closedUntil(until);
    else if (this.#window !== undefined) this.#window.left = 0;
  }
}
