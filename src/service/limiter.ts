/**
 * Every request of a run passes here. Bottleneck carries concurrency, order and waiting; the rate window says how
 * many may start, and is told of every answer.
 */
import Bottleneck from "bottleneck/light.js";
import type { Clock } from "../calendar/clock.ts";
import type { Pace } from "../calendar/pace.ts";
import type { Wait } from "../calendar/wait.ts";
import type { RateNews } from "./rate-headers.ts";
import { RateWindow, type Opening } from "./rate-window.ts";

export const PLAN_LIMITS = { free: 30, pro: 120, business: 600 } as const;

/** Requests in flight at once: enough to hide latency, few enough not to surprise a small service. */
const CONCURRENCY = 6;

/** Lower numbers go first. What was refused keeps its place before what comes after it. */
export const PRIORITY = { read: 2, write: 5, again: -1 } as const;

/** Waits shorter than this are not told, and neither is a wait that turns out to last so much longer, ms. */
const SHORT_MS = 1_000;

export interface LimiterOptions {
  readonly clock: Clock;
  /** Requests a minute where the service does not say. */
  readonly fallbackLimit: number;
  /** Of a limit, how many requests of each window are left to others. */
  readonly reserve: (limit: number) => number;
  readonly random: () => number;
  /** Aborted when nothing may start any more: what waits is given up at once. */
  readonly stop: AbortSignal;
  readonly onWait: (wait: Wait) => void;
}

export interface LimitedRequest<T> {
  readonly priority: number;
  /** Asked when its turn has come: what it gives is the result, and nothing is sent. */
  readonly instead?: () => T | undefined;
  readonly send: () => Promise<T>;
  /** What the answer says of the limit; undefined without an answer. */
  readonly newsOf: (result: T) => RateNews | undefined;
}

export class Limiter {
  readonly #options: LimiterOptions;
  readonly #window: RateWindow;
  readonly #queue = new Bottleneck({ maxConcurrent: CONCURRENCY, reservoir: 1 });
  /** Requests that Bottleneck let through, in their order, but the window not yet. */
  #held: (() => void)[] = [];
  /** Ends the timer that waits for the window to open. */
  #opening: AbortController | undefined;
  #told = -Infinity;
  #waitingSince: number | undefined;
  #waitedMs = 0;

  constructor(options: LimiterOptions) {
    this.#options = options;
    this.#window = new RateWindow(options);
    options.stop.addEventListener("abort", () => this.#giveUp(), { once: true });
  }

  /** Ms during which requests waited for the limit. */
  get waitedMs(): number {
    return this.#waitedMs;
  }

  /** Requests that wait here. */
  get waiting(): number {
    const { RECEIVED, QUEUED } = this.#queue.counts();
    return RECEIVED + QUEUED + this.#held.length;
  }

  /** How fast requests may go from now on. */
  pace(): Pace {
    return this.#window.pace(this.#options.clock.now());
  }

  /** Runs a request when it may be sent. Gives `stopped` when it was not sent because the run is ending. */
  async schedule<T>(request: LimitedRequest<T>): Promise<T | "stopped"> {
    if (this.#options.stop.aborted) return "stopped";
    const queued = this.#queue.schedule({ priority: request.priority }, () => this.#start(request));
    // The window may have opened, or closed, while nothing was queued.
    this.#update();
    try {
      return await queued;
    } catch (error) {
      if (error instanceof Bottleneck.BottleneckError) return "stopped";
      throw error;
    }
  }

  /** Bottleneck admits by its reservoir, which lags by a turn; the window has the last word. */
  async #start<T>({ send, instead, newsOf }: LimitedRequest<T>): Promise<T | "stopped"> {
    const { clock, stop } = this.#options;
    // Who is held already goes first.
    if (this.#held.length > 0) await this.#opened();
    // oxlint-disable-next-line no-await-in-loop
    while (!stop.aborted && this.#window.allowance(clock.now()) === 0) await this.#opened();
    if (stop.aborted) return "stopped";
    const other = instead?.();
    if (other !== undefined) {
      this.#update();
      return other;
    }
    const sentAt = clock.now();
    this.#window.started(sentAt);
    let news: RateNews | undefined;
    try {
      const result = await send();
      news = newsOf(result);
      return result;
    } finally {
      this.#window.ended(sentAt, clock.now(), news);
      this.#update();
    }
  }

  #opened(): Promise<void> {
    const opened = new Promise<void>((resolve) => this.#held.push(resolve));
    this.#update();
    return opened;
  }

  #giveUp(): void {
    this.#opening?.abort();
    this.#letGo();
    void this.#queue.stop({ dropWaitingJobs: true });
  }

  #letGo(): void {
    const held = this.#held;
    this.#held = [];
    for (const resume of held) resume();
  }

  #update(): void {
    const { clock, stop } = this.#options;
    // No timer may outlive the stop: the process would wait for it.
    if (stop.aborted) return;
    const now = clock.now();
    const allowance = this.#window.allowance(now);
    // Not awaited: it resolves in a later turn, and what is let through meanwhile asks the window itself.
    void this.#queue.updateSettings({ reservoir: allowance });
    this.#opening?.abort();
    this.#opening = undefined;
    if (allowance > 0) {
      this.#noteOpen(now);
      this.#letGo();
    } else void this.#openLater(now);
  }

  async #openLater(now: number): Promise<void> {
    const opening = this.#window.opening(now);
    if (opening === undefined || this.waiting === 0) return;
    this.#noteWait(opening, now);
    const timer = new AbortController();
    this.#opening = timer;
    await this.#options.clock.sleep(opening.at - now, timer.signal);
    if (!timer.signal.aborted) this.#update();
  }

  #noteWait({ at, why }: Opening, now: number): void {
    this.#waitingSince ??= now;
    if (at < now + SHORT_MS || at < this.#told + SHORT_MS) return;
    this.#told = at;
    this.#options.onWait({ requests: this.waiting, until: at, ms: at - now, why });
  }

  #noteOpen(now: number): void {
    if (this.#waitingSince !== undefined) this.#waitedMs += now - this.#waitingSince;
    this.#waitingSince = undefined;
  }
}
