/**
 * Every request of a run passes here. Bottleneck carries concurrency, order and waiting; the rate window says how
 * many may start, and is told of every answer.
 */
import Bottleneck from "bottleneck/light.js";
import type { Clock } from "../calendar/clock.ts";
import type { RateReading } from "./rate-headers.ts";
import { RateWindow } from "./rate-window.ts";

export const PLAN_LIMITS = { free: 30, pro: 120, business: 600 } as const;

/** Requests in flight at once: enough to hide latency, few enough not to surprise a small service. */
const CONCURRENCY = 6;

/** Lower numbers go first. */
export const PRIORITY = { read: 1, write: 5 } as const;

export interface LimiterOptions {
  readonly clock: Clock;
  /** Requests a minute where the service does not say. */
  readonly fallbackLimit: number;
  /** Aborted when nothing may start any more: what waits is given up at once. */
  readonly stop: AbortSignal;
  /** Told when requests wait for the limit, with the ms until it may open. */
  readonly onWait?: (ms: number) => void;
}

export class Limiter {
  readonly #clock: Clock;
  readonly #stop: AbortSignal;
  readonly #window: RateWindow;
  readonly #queue = new Bottleneck({ maxConcurrent: CONCURRENCY, reservoir: 1 });
  readonly #onWait: (ms: number) => void;
  /** Ends the timer that waits for the window to open. */
  #opening: AbortController | undefined;
  #waitingSince: number | undefined;
  #waitedMs = 0;

  constructor({ clock, fallbackLimit, stop, onWait }: LimiterOptions) {
    this.#clock = clock;
    this.#stop = stop;
    stop.addEventListener("abort", () => this.#giveUp(), { once: true });
    this.#window = new RateWindow(fallbackLimit);
    this.#onWait = onWait ?? (() => {});
  }

  /** Ms during which requests waited for the limit. */
  get waitedMs(): number {
    return this.#waitedMs;
  }

  /**
   * Runs a request when it may be sent. `readingOf` gets what the answer says of the limit, or undefined without
   * an answer. Gives `stopped` when the request was not sent because the run is ending.
   */
  async schedule<T>(
    priority: number,
    send: () => Promise<T>,
    readingOf: (result: T) => RateReading | undefined,
  ): Promise<T | "stopped"> {
    while (!this.#stop.aborted) {
      const queued = this.#queue
        .schedule({ priority }, () => this.#start(send, readingOf))
        .catch((error) => {
          if (error instanceof Bottleneck.BottleneckError) return "stopped" as const;
          throw error;
        });
      // The window may have opened, or closed, while nothing was queued.
      this.#update();
      // oxlint-disable-next-line no-await-in-loop
      const result = await queued;
      if (typeof result === "object") return result.value;
    }
    return "stopped";
  }

  #giveUp(): void {
    this.#opening?.abort();
    void this.#queue.stop({ dropWaitingJobs: true });
  }

  /** Holds every request back until `until`, local ms. */
  pause(until: number): void {
    this.#window.pause(until);
    this.#update();
  }

  /** Bottleneck admits by its reservoir, which lags by a turn; the window has the last word. */
  async #start<T>(
    send: () => Promise<T>,
    readingOf: (result: T) => RateReading | undefined,
  ): Promise<{ value: T } | "closed"> {
    const sentAt = this.#clock.now();
    if (this.#window.allowance(sentAt) === 0) {
      this.#update();
      return "closed";
    }
    this.#window.started();
    let reading: RateReading | undefined;
    try {
      const value = await send();
      reading = readingOf(value);
      return { value };
    } finally {
      this.#window.ended(sentAt, this.#clock.now(), reading);
      this.#update();
    }
  }

  #update(): void {
    // No timer may outlive the stop: the process would wait for it.
    if (this.#stop.aborted) return;
    const now = this.#clock.now();
    const allowance = this.#window.allowance(now);
    // Not awaited: it resolves in a later turn, and what is queued meanwhile asks the window itself.
    void this.#queue.updateSettings({ reservoir: allowance });
    this.#opening?.abort();
    this.#opening = undefined;
    if (allowance > 0) this.#noteOpen(now);
    else void this.#openLater(now);
  }

  async #openLater(now: number): Promise<void> {
    const opensAt = this.#window.opensAt(now);
    if (opensAt === undefined || this.#queue.counts().QUEUED + this.#queue.counts().RECEIVED === 0) return;
    if (this.#waitingSince === undefined) this.#onWait(opensAt - now);
    this.#waitingSince ??= now;
    const opening = new AbortController();
    this.#opening = opening;
    await this.#clock.sleep(opensAt - now, opening.signal);
    if (!opening.signal.aborted) this.#update();
  }

  #noteOpen(now: number): void {
    if (this.#waitingSince !== undefined) this.#waitedMs += now - this.#waitingSince;
    this.#waitingSince = undefined;
  }
}
