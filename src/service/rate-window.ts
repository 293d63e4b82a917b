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
import { beginWindow, closedUntil, countHere, type CountedWindow } from "./counted-window.ts";
import { OtherClients } from "./other-clients.ts";
import type { RateNews } from "./rate-headers.ts";
import { ResetTimes } from "./reset-times.ts";
import { StayAway, type AwayReason } from "./stay-away.ts";
import { isEarlier, isNewer, isSame, type WindowEnd } from "./window-end.ts";

/** A local clock that goes back by more than this was set, ms. */
const SET_BACK_MS = 1_000;
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
  readonly why: AwayReason | "limit" | "others";
}

export class RateWindow {
  readonly #options: RateWindowOptions;
  readonly #resets = new ResetTimes();
  readonly #check = new CountCheck();
  readonly #others = new OtherClients();
  readonly #away: StayAway;
  #limit: number;
  #window: CountedWindow | undefined;
  #inFlight = 0;
  #now = -Infinity;
  /** Whether the latest request went alone, to see what others are at. */
  #isLook = false;

  constructor(options: RateWindowOptions) {
    this.#options = options;
    this.#limit = options.fallbackLimit;
    this.#away = new StayAway(options.random);
  }

  /** Requests that may start at `now`. */
  allowance(now: number): number {
    this.#tick(now);
    if (now < this.#away.until) return 0;
    const window = this.#openWindow(now);
    if (window === undefined) return this.#inFlight === 0 ? 1 : 0;
    const several = this.#free(window, this.#others.margin(now, false));
    if (several > 0 || this.#inFlight > 0) return Math.max(0, several);
    return this.#isSafeAlone(window, now) || now >= this.#lookAt(window) ? 1 : 0;
  }

  /** When the allowance may grow without an answer; undefined when only an answer can help. */
  opening(now: number): Opening | undefined {
    const { until, why } = this.#away;
    const window = this.#openWindow(Math.max(now, until));
    if (window === undefined || (this.#free(window, 0) > 0 && until > now))
      return until > now ? { at: until, why } : undefined;
    const look = this.#lookAt(window);
    return look > now && look < window.end.at
      ? { at: look, why: "others" }
      : { at: window.end.at, why: "limit" };
  }

  /** How fast it goes on, where nobody else uses the key. */
  pace(now: number): Pace {
    const perWindow = Math.max(1, this.#limit - this.#options.reserve(this.#limit));
    const window = this.#openWindow(now);
    const free = window === undefined ? perWindow : Math.max(0, this.#free(window, 0));
    const opensAt = Math.max(window?.end.at ?? now + this.#resets.lengthMs, this.#away.until);
    return {
      free: now < this.#away.until ? 0 : free,
      opensInMs: opensAt - now,
      perWindow,
      windowMs: this.#resets.lengthMs,
    };
  }

  started(now: number): void {
    const window = this.#openWindow(now);
    this.#isLook = window !== undefined && !this.#isSafeAlone(window, now);
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

  #lookAt(window: CountedWindow): number {
    const free = this.#free(window, 0);
    return free > 0 ? this.#others.lookAt(window.end.at, free, this.#limit) : Infinity;
  }

  /** Times by a clock that was set back meanwhile mean nothing any more. */
  #tick(now: number): void {
    if (now < this.#now - SET_BACK_MS) {
      this.#window = undefined;
      this.#away.forget();
    }
    this.#now = now;
  }

  /** A request that was sent at `sentAt` is over. `news` is undefined when there was no answer: it counts all the same. */
  ended(sentAt: number, now: number, news: RateNews | undefined): void {
    this.#inFlight -= 1;
    if (news !== undefined) this.heard(sentAt, now, news);
  }

  /** Takes an answer into account, of this process or of another one that uses the same key. */
  heard(sentAt: number, now: number, news: RateNews): void {
    this.#resets.hear(news.reading, sentAt, now);
    this.#limit = news.reading.limit ?? this.#limit;
    // What was sent after a reset is of a newer window, however near the two resets are.
    if (this.#window !== undefined && sentAt >= this.#window.end.at) {
      this.#resets.over(this.#window.end);
      this.#window = undefined;
    }
    this.#take(news, sentAt, now);
    if (news.refused) this.#refused(news, sentAt, now);
    else this.#away.accepted(sentAt);
    if (!news.refused && news.retryAfterMs !== undefined) {
      this.#away.asked(now, news.retryAfterMs);
      this.#window = closedUntil(this.#away.until);
    }
  }

  #take({ reading, refused, retryAfterMs }: RateNews, sentAt: number, now: number): void {
    const believed = this.#check.isConstant ? { ...reading, remaining: undefined } : reading;
    const { remaining } = believed;
    // A reset of what is not counted says nothing.
    const told = remaining === undefined ? undefined : this.#resets.told(reading, sentAt, now);
    const window = this.#window;
    if (window === undefined || (told !== undefined && isNewer(told, window.end, now))) {
      this.#begin({ reading: believed, refused, retryAfterMs }, told, sentAt, now);
      return;
    }
    if (told !== undefined) {
      // An earlier reset, told to a request that was sent before this window was known, is an older window's.
      if (isEarlier(told, window.end) && sentAt < window.seenAt) return;
      window.end = isSame(told, window.end) ? this.#resets.join(window.end, told) : told;
    }
    if (remaining === undefined) return;
    this.#others.heard(now, now - sentAt, Math.max(0, window.left - remaining));
    if (this.#isLook) this.#others.looked(refused);
    this.#isLook = false;
    window.left = Math.min(window.left, remaining);
    window.least = Math.min(window.least, remaining);
    if (!refused) this.#check.went(remaining, sentAt, now);
    if (this.#check.isConstant) countHere(window, this.#options.fallbackLimit);
  }

  #begin(news: RateNews, told: WindowEnd | undefined, sentAt: number, now: number): void {
    const { limit, remaining } = news.reading;
    const end = told && this.#resets.begin(news, told, sentAt, now);
    const window = beginWindow(news.reading, end, now, this.#options.fallbackLimit);
    this.#window = window;
    this.#others.began(now);
    if (remaining !== undefined && !news.refused && limit !== 1) {
      this.#check.began(remaining, now, window.end.at - now);
    }
    if (this.#check.isConstant) countHere(window, this.#options.fallbackLimit);
  }

  #refused({ reading, retryAfterMs }: RateNews, sentAt: number, now: number): void {
    // A limit that refuses although some are left is not the one that the headers tell of.
    const isToldOf = !this.#check.isConstant && (reading.remaining ?? 0) === 0;
    const tellsReset = isToldOf && this.#resets.told(reading, sentAt, now) !== undefined;
    this.#away.refused({ sentAt, receivedAt: now, retryAfterMs, tellsReset });
    const { until } = this.#away;
    const end = this.#window?.end.at ?? Infinity;
    const isFar = retryAfterMs !== undefined && end > until + SAME_MOMENT_MS;
    if (!tellsReset || isFar) this.#window = closedUntil(until);
    else if (this.#window !== undefined) this.#window.left = 0;
  }
}
