/** Runs requests through rate windows with a model of a service and a simulated clock. */

import type { RateObservation } from "../../../src/service/rate/rate-headers.ts";
import { type RateRules, RateLimits } from "../../../src/service/rate/rate-limits.ts";

export interface SimulationOptions {
  /** Answers a request, by the service's clock; undefined for a connection that breaks. */
  readonly answer: (now: number) => RateObservation | undefined;
  /** How many requests each client has; clients do not know each other. */
  readonly clients: readonly number[];
  /** When it begins by the local clock, ms since the epoch. */
  readonly startAt: number;
  /** How far the service's clock is ahead, in ms. */
  readonly aheadMs?: number;
  /** How long the next request and its answer take to arrive, in ms. */
  readonly latency: () => number;
  readonly window?: Partial<RateRules>;
  /** Another user of the key: called at this local time, returns the next time. */
  readonly other?: { readonly at: number; readonly act: (now: number) => number };
  /** Longer than this is a hang, in ms. */
  readonly mostMs: number;
}

export interface Simulated {
  /** From the first request to the last answer, in ms. */
  readonly tookMs: number;
  readonly sent: number;
  readonly refused: number;
}

const CONCURRENCY = 6;

interface Event {
  readonly at: number;
  readonly happen: (now: number) => void;
}

/** Ends when all requests are accepted. Throws if that takes too long, or if nothing more can happen. */
export function simulate(options: SimulationOptions): Simulated[] {
  const { startAt, other, mostMs } = options;
  const timeline = new Timeline(startAt);
  const clients = options.clients.map((requests) => new Client(requests, options, timeline));
  const act = (now: number): void => {
    if (other !== undefined) timeline.add(other.act(now), act);
  };
  if (other !== undefined) timeline.add(other.at, act);
  for (;;) {
    for (const client of clients) client.startAll(timeline.now);
    const busy = clients.filter(({ isDone }) => !isDone);
    if (busy.length === 0) return clients.map(({ tookMs, sent, refused }) => ({ tookMs, sent, refused }));
    const openings = busy.map((client) => client.opensAt(timeline.now));
    timeline.goOn(Math.min(...openings));
    if (timeline.now - startAt > mostMs) throw new Error(`It hangs: it is not done after ${mostMs} ms.`);
  }
}

class Timeline {
  #events: Event[] = [];
  now: number;

  constructor(now: number) {
    this.now = now;
  }

  add(at: number, happen: Event["happen"]): void {
    const index = this.#events.findLastIndex((each) => each.at <= at);
    this.#events.splice(index + 1, 0, { at, happen });
  }

  /** To the next event, or to that time if it is earlier. */
  goOn(at: number): void {
    const [next] = this.#events;
    const to = Math.min(next?.at ?? Infinity, at);
    if (to === Infinity) throw new Error("It hangs: nothing is under way, and nothing will open.");
    this.now = Math.max(this.now, to);
    if (next === undefined || next.at > this.now) return;
    this.#events.shift();
    next.happen(this.now);
  }
}

class Client {
  readonly #options: SimulationOptions;
  readonly #timeline: Timeline;
  readonly #window: RateLimits;
  #toSend: number;
  #inFlight = 0;
  tookMs = 0;
  sent = 0;
  refused = 0;

  constructor(requests: number, options: SimulationOptions, timeline: Timeline) {
    this.#options = options;
    this.#timeline = timeline;
    this.#toSend = requests;
    const careful = { fallbackLimit: 30, reserve: () => 0, random: () => 0.5 };
    this.#window = new RateLimits({ ...careful, ...options.window });
  }

  get isDone(): boolean {
    return this.#toSend === 0 && this.#inFlight === 0;
  }

  opensAt(now: number): number {
    return (this.#toSend > 0 ? this.#window.state(now).opening?.at : undefined) ?? Infinity;
  }

  startAll(now: number): void {
    while (this.#toSend > 0 && this.#inFlight < CONCURRENCY && this.#window.state(now).allowance > 0)
      this.#start(now);
  }

  #start(sentAt: number): void {
    const { answer, latency, aheadMs = 0 } = this.#options;
    this.#toSend -= 1;
    this.#inFlight += 1;
    this.sent += 1;
    this.#window.started(sentAt);
    this.#timeline.add(sentAt + latency(), (arrived) => {
      const news = answer(arrived + aheadMs);
      this.#timeline.add(arrived + latency(), (now) => this.#ended(sentAt, now, news));
    });
  }

  #ended(sentAt: number, now: number, news: RateObservation | undefined): void {
    this.#inFlight -= 1;
    this.#window.ended(sentAt, now, news);
    if (news?.refused === false) this.tookMs = now - this.#options.startAt;
    else this.#toSend += 1;
    if (news?.refused === true) this.refused += 1;
  }
}
