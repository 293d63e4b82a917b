/**
 * Every request of a run passes here. Bottleneck, in the queue, carries concurrency, order and waiting; the gate, with
 * the rate window, says how many may start, and is told of every answer. Either may be shared with other processes.
 */
import type { Clock } from "../calendar/clock.ts";
import type { Pace } from "../calendar/pace.ts";
import type { Wait } from "../calendar/wait.ts";
import { LocalGate, type Slot, type RateGate } from "./rate-gate.ts";
import type { RateObservation } from "./rate-headers.ts";
import { RateWindow, type Opening, type RateWindowOptions } from "./rate-window.ts";
import { LocalQueue, type RequestQueue } from "./request-queue.ts";

export const PLAN_LIMITS = { free: 30, pro: 120, business: 600 } as const;

/** Requests in flight at once: enough to hide latency, few enough not to surprise a small service. */
export const CONCURRENCY = 6;

/** Lower numbers go first. What was refused keeps its place before what comes after it. */
export const PRIORITY = { read: 2, write: 5, again: -1 } as const;

/** Waits shorter than this are not told, and neither is a wait that turns out to last so much longer, ms. */
const SHORT_MS = 1_000;

export interface LimiterOptions extends RateWindowOptions {
  readonly clock: Clock;
  /** Aborted when nothing may start any more: what waits is given up at once. */
  readonly stop: AbortSignal;
  readonly onWait: (wait: Wait) => void;
  /** Where several processes share the limit. */
  readonly shared?: { readonly gate: RateGate; readonly queue: RequestQueue } | undefined;
}

export interface LimitedRequest<T> {
  readonly priority: number;
  /** Whether it is sent also when the run is stopped, as long as the limit lets it go at once. */
  readonly isUrgent?: boolean;
  /** Asked when its turn has come: what it gives is the result, and nothing is sent. */
  readonly instead?: () => T | undefined;
  readonly send: () => Promise<T>;
  /** What the answer says of the limit; undefined without an answer. */
  readonly observationOf: (result: T) => RateObservation | undefined;
}

export class Limiter {
  readonly #options: LimiterOptions;
  readonly #gate: RateGate;
  readonly #queue: RequestQueue;
  /** Requests that the queue let through, in their order, but the gate not yet. */
  #held: (() => void)[] = [];
  /** Ends the timer that waits for the window to open. */
  #opening: AbortController | undefined;
  #notifiedUntil = -Infinity;
  #waitingSince: number | undefined;
  #waitedMs = 0;

  constructor(options: LimiterOptions) {
    this.#options = options;
    const { shared, clock } = options;
    this.#gate = shared?.gate ?? new LocalGate(new RateWindow(options), clock);
    this.#queue = shared?.queue ?? new LocalQueue(CONCURRENCY);
    this.#gate.onChange(() => this.#update());
    options.stop.addEventListener("abort", () => this.#giveUp(), { once: true });
  }

  /** Ms during which requests waited for the limit. */
  get waitedMs(): number {
    return this.#waitedMs;
  }

  /** Requests that wait here. */
  get waiting(): number {
    return this.#queue.waiting + this.#held.length;
  }

  /** How fast requests may go from now on. */
  pace(): Pace {
    return this.#gate.pace();
  }

  /** Runs a request when it may be sent. Gives `stopped` when it was not sent because the run is ending. */
  async schedule<T>(request: LimitedRequest<T>): Promise<T | "stopped"> {
    const { stop } = this.#options;
    const result = stop.aborted ? "stopped" : await this.#queued(request);
    return result === "stopped" && stop.aborted && request.isUrgent === true
      ? this.#sendUrgent(request)
      : result;
  }

  /** Past the queue, if the limit lets it go at once. */
  async #sendUrgent<T>(request: LimitedRequest<T>): Promise<T | "stopped"> {
    const place = await this.#gate.start();
    return place === undefined ? "stopped" : this.#send(place, request);
  }

  async #queued<T>(request: LimitedRequest<T>): Promise<T | "stopped"> {
    const queued = this.#queue.schedule(request.priority, () => this.#start(request));
    // The window may have opened, or closed, while nothing was queued.
    this.#update();
    return queued;
  }

  /** The queue lets through by what it was told last; the gate has the last word. */
  async #start<T>(request: LimitedRequest<T>): Promise<T | "stopped"> {
    // Who is held already goes first.
    if (this.#held.length > 0) await this.#opened();
    while (!this.#options.stop.aborted) {
      const other = request.instead?.();
      if (other !== undefined) {
        this.#update();
        return other;
      }
      // oxlint-disable-next-line no-await-in-loop
      const place = await this.#gate.start();
      if (place !== undefined) return this.#send(place, request);
      // oxlint-disable-next-line no-await-in-loop
      if (!this.#options.stop.aborted) await this.#opened();
    }
    return "stopped";
  }

  async #send<T>(
    place: Slot,
    { send, observationOf: newsOf, isUrgent = false }: LimitedRequest<T>,
  ): Promise<T | "stopped"> {
    let news: RateObservation | undefined;
    try {
      if (this.#options.stop.aborted && !isUrgent) return "stopped";
      const result = await send();
      news = newsOf(result);
      return result;
    } finally {
      place.end(news);
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
    this.#resumeHeld();
    this.#queue.stop();
  }

  #resumeHeld(): void {
    const held = this.#held;
    this.#held = [];
    for (const resume of held) resume();
  }

  #update(): void {
    const { clock, stop } = this.#options;
    // No timer may outlive the stop: the process would wait for it.
    if (stop.aborted) return;
    const now = clock.now();
    const { allowance, opening } = this.#gate.state();
    this.#queue.admit(allowance);
    this.#opening?.abort();
    this.#opening = undefined;
    if (allowance > 0) {
      this.#noteOpen(now);
      this.#resumeHeld();
    } else if (opening !== undefined && this.waiting > 0) void this.#openLater(opening, now);
  }

  async #openLater(opening: Opening, now: number): Promise<void> {
    this.#noteWait(opening, now);
    const timer = new AbortController();
    this.#opening = timer;
    await this.#options.clock.sleep(opening.at - now, timer.signal);
    if (!timer.signal.aborted) this.#update();
  }

  #noteWait({ at, why }: Opening, now: number): void {
    this.#waitingSince ??= now;
    if (at < now + SHORT_MS || at < this.#notifiedUntil + SHORT_MS) return;
    this.#notifiedUntil = at;
    this.#options.onWait({ requests: this.waiting, until: at, ms: at - now, why });
  }

  #noteOpen(now: number): void {
    if (this.#waitingSince !== undefined) this.#waitedMs += now - this.#waitingSince;
    this.#waitingSince = undefined;
  }
}
