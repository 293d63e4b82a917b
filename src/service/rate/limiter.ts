/**
 * Every request of a run passes here. The queue (Bottleneck) decides which request is next and how many are in flight.
 * The gate decides when it may start, and learns from every answer. Several processes may share a gate. Until an answer
 * shows the limit, the gate follows the settings of the project.
 */

import Bottleneck from "bottleneck/light.js";
import { type Clock, type Pace, type Wait, LONGEST_WAIT_MS } from "../../model/clock.ts";
import { type PublishedLimit, DEFAULT_RATE_PLAN, RATE_PLANS } from "../../model/service-interface.ts";
import type { Config } from "../../settings/config.ts";
import type { RateObservation } from "./rate-headers.ts";
import { type GateState, type Opening, type RateRules, type ToldLimits, RateLimits } from "./rate-limits.ts";

/** Requests in flight at the same time: enough to hide latency, few enough for a small service. */
export const CONCURRENCY = 6;

/** Lower numbers go first. A refused request goes before others of its kind. */
export const PRIORITY = { read: 2, write: 5, again: -1 } as const;

/** Shorter waits are not reported, and neither is a wait that becomes longer by less than this, in ms. */
const SHORT_MS = 1_000;

type Unsent = "stopped" | "closed";

export interface LimiterOptions extends RateRules {
  readonly clock: Clock;
  /** Requests in flight at the same time. Default: `CONCURRENCY`. */
  readonly concurrency?: number;
  /** When aborted, nothing may start, and waiting requests end immediately. */
  readonly stop: AbortSignal;
  readonly onWait: (wait: Wait) => void;
  /** Longest wait for a window to open, in ms. Default: an hour. */
  readonly maxClosedMs?: number | undefined;
  /** For a limit that several processes share. */
  readonly shared?: { readonly gate: RateGate } | undefined;
  /** What the service reported in an earlier run. */
  readonly told?: ToldLimits | undefined;
}

interface LimitedRequest<T> {
  readonly priority: number;
  /** Whether it is sent even if the run is stopped, as long as the limit allows it immediately. */
  readonly isUrgent?: boolean;
  /** Called when the request may start. If it returns a result, nothing is sent. */
  readonly instead?: () => T | undefined;
  readonly send: () => Promise<T>;
  /** What the answer says about the limit; undefined without an answer. */
  readonly observationOf: (result: T) => RateObservation | undefined;
}

export class Limiter {
  readonly #options: LimiterOptions;
  readonly #gate: RateGate;
  readonly #queue: RequestQueue;
  /** Requests that left the queue, in order, and wait for the gate. */
  #held: (() => void)[] = [];
  /** Stops the timer that waits for the window to open. */
  #opening: AbortController | undefined;
  #notifiedUntil = -Infinity;
  #waitingSince: number | undefined;
  #waitedMs = 0;

  constructor(options: LimiterOptions) {
    this.#options = options;
    const { shared, clock, concurrency = CONCURRENCY } = options;
    this.#queue = new RequestQueue(concurrency);
    this.#gate = shared?.gate ?? new LocalGate(new RateLimits(options, options.told), clock);
    options.stop.addEventListener("abort", () => this.#giveUp(), { once: true });
  }

  /** Ms that requests waited for the limit. */
  get waitedMs(): number {
    return this.#waitedMs;
  }

  /** Requests that wait here. */
  get waiting(): number {
    return this.#queue.waiting + this.#held.length;
  }

  /** How fast requests may go now. */
  pace(): Pace {
    return this.#gate.pace();
  }

  /** What the service said about its limits, for the next run. Nothing if other processes share it. */
  told(): ToldLimits {
    return this.#gate.told();
  }

  /** When requests may start again, if that is too far away for any run. */
  closedForLong(): Opening | undefined {
    const { allowance, opening } = this.#gate.state();
    const { clock, maxClosedMs = LONGEST_WAIT_MS } = this.#options;
    const isFar = opening !== undefined && opening.at - clock.now() > maxClosedMs;
    return allowance === 0 && isFar ? opening : undefined;
  }

  /**
   * Runs a request when it may be sent. Otherwise it was not sent: `stopped`, because the run is ending, or `closed`,
   * because the limit opens too late.
   */
  async schedule<T>(request: LimitedRequest<T>): Promise<T | Unsent> {
    const { stop } = this.#options;
    const result = stop.aborted ? "stopped" : await this.#queued(request);
    return result === "stopped" && stop.aborted && request.isUrgent === true
      ? this.#sendUrgent(request)
      : result;
  }

  /** Skips the queue, if the limit allows it immediately. */
  async #sendUrgent<T>(request: LimitedRequest<T>): Promise<T | "stopped"> {
    const place = await this.#gate.start();
    return place === undefined ? "stopped" : this.#send(place, request);
  }

  async #queued<T>(request: LimitedRequest<T>): Promise<T | Unsent> {
    const queued = this.#queue.schedule(request.priority, () => this.#start(request));
    // The window may have opened or closed while the queue was empty.
    this.#update();
    return queued;
  }

  /** The queue uses the latest allowance, but the gate decides. */
  async #start<T>(request: LimitedRequest<T>): Promise<T | Unsent> {
    // Requests that already wait go first.
    if (this.#held.length > 0) await this.#opened();
    while (!this.#options.stop.aborted) {
      const other = request.instead?.();
      if (other !== undefined) {
        this.#update();
        return other;
      }
      const place = await this.#gate.start();
      if (place !== undefined) return this.#send(place, request);
      if (this.closedForLong() !== undefined) return "closed";
      if (!this.#options.stop.aborted) await this.#opened();
    }
    return "stopped";
  }

  async #send<T>(
    place: Slot,
    { send, instead, observationOf, isUrgent = false }: LimitedRequest<T>,
  ): Promise<T | "stopped"> {
    let observation: RateObservation | undefined;
    try {
      if (this.#options.stop.aborted && !isUrgent) return "stopped";
      // Asking a shared gate may have taken long.
      const other = isUrgent ? undefined : instead?.();
      if (other !== undefined) return other;
      const result = await send();
      observation = observationOf(result);
      return result;
    } finally {
      place.end(observation);
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
    // No timer may outlive the stop, because the process would wait for it.
    if (stop.aborted) return;
    const now = clock.now();
    const { allowance, opening } = this.#gate.state();
    const isUseless = this.closedForLong() !== undefined;
    // If it is useless to wait, all requests leave the queue, and learn it.
    this.#queue.admit(isUseless ? this.#queue.waiting : allowance);
    this.#opening?.abort();
    this.#opening = undefined;
    if (allowance > 0 || isUseless) {
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

/** Decides who may start a request now: by a rate window of this process, or by one that several processes share. */
export interface RateGate {
  /** A consistent snapshot of what is known about the limit. */
  state(): GateState;
  /** How fast requests may go now. */
  pace(): Pace;
  /** What the service said about its limits, if only this process knows it. */
  told(): ToldLimits;
  /** A place for one request that is sent immediately; undefined if none may start now. */
  start(): Promise<Slot | undefined>;
}

/** One request in flight. */
export interface Slot {
  /** Ends it; `observation` is what its answer said, undefined without an answer. */
  end(observation: RateObservation | undefined): void;
}

class LocalGate implements RateGate {
  readonly #limits: RateLimits;
  readonly #clock: Clock;

  constructor(limits: RateLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  state(): GateState {
    return this.#limits.state(this.#clock.now());
  }

  pace(): Pace {
    return this.#limits.pace(this.#clock.now());
  }

  told(): ToldLimits {
    return this.#limits.told(this.#clock.now());
  }

  async start(): Promise<Slot | undefined> {
    const sentAt = this.#clock.now();
    if (this.#limits.state(sentAt).allowance === 0) return undefined;
    this.#limits.started(sentAt);
    return { end: (observation) => this.#limits.ended(sentAt, this.#clock.now(), observation) };
  }
}

/** Waiting requests, by priority. */
class RequestQueue {
  readonly #bottleneck: Bottleneck;

  /** @param concurrency requests that run at the same time */
  constructor(concurrency: number) {
    this.#bottleneck = new Bottleneck({ maxConcurrent: concurrency, reservoir: 1 });
  }

  get waiting(): number {
    const { RECEIVED, QUEUED } = this.#bottleneck.counts();
    return RECEIVED + QUEUED;
  }

  async schedule<T>(priority: number, run: () => Promise<T>): Promise<T | "stopped"> {
    try {
      return await this.#bottleneck.schedule({ priority }, run);
    } catch (error) {
      if (error instanceof Bottleneck.BottleneckError) return "stopped";
      throw error;
    }
  }

  admit(requests: number): void {
    // Not awaited: it resolves in a later turn, and requests that leave the queue in between ask the gate.
    void this.#bottleneck.updateSettings({ reservoir: requests });
  }

  stop(): void {
    void this.#bottleneck.stop({ dropWaitingJobs: true });
  }
}

/** For a receiver without a limit: requests in a minute that nothing reaches. */
export const UNLIMITED: PublishedLimit = { fallbackLimit: 1_000_000, fallbackWindowMs: 60_000 };

/** What a gate assumes until the service reports its limit. @param published of the service. Default: the rate plan's */
export function windowRules(
  { plan, reserve }: Config["service"],
  random: () => number,
  published?: PublishedLimit,
): RateRules {
  const rules = published ?? { fallbackLimit: RATE_PLANS[plan ?? DEFAULT_RATE_PLAN] };
  return { ...rules, reserve: (most) => reserveOf(reserve, most), random };
}

/**
 * How many of `limit` requests each window leaves to other users of the key (`service.reserve`).
 * @param reserve a count, or a share such as `20%`, as in plancast.yaml
 */
export function reserveOf(reserve: number | string, limit: number): number {
  return typeof reserve === "number" ? reserve : Math.ceil((limit * Number.parseInt(reserve, 10)) / 100);
}
