/**
 * The rate window that all processes with one key share.
 *
 * Each process replays the same list of events on a rate window of its own, with the times that Redis gave them; so all
 * know the least that any answer left, every pause and every request in flight, whoever sent it. A request may start
 * when its event could be written, and that succeeds only if nothing was written that this process has not replayed.
 * So each start was decided with all earlier starts known, as if one process had sent them all; and after a reset
 * exactly one request of one process goes ahead as the probe, since its event makes that of any other fail.
 *
 * A process that dies in flight is no longer among those that live, after a while. Its requests are then over
 * without an answer, for every process that looks.
 */
import type { Clock } from "../calendar/clock.ts";
import type { Pace } from "../calendar/pace.ts";
import type { RateObservation } from "../service/rate-headers.ts";
import type { GateState, Slot, RateGate } from "../service/rate-gate.ts";
import type { RateWindow } from "../service/rate-window.ts";
import { RateLog, type LogExchange, type TimedEvent } from "./rate-log.ts";
import type { RedisLink } from "./redis-link.ts";

/** How often a process says that it lives, and looks what others did, ms. */
const BEAT_MS = 1_000;
/** A clock that differs by more than this from what it was was set, ms; less is an answer that was read late. */
const SET_MS = 5_000;
/** Clocks drift apart by less than this from one answer to the next, ms. */
const DRIFT_MS = 1;

export interface SharedGateOptions {
  readonly link: RedisLink;
  /** Name of the limit in Redis. */
  readonly name: string;
  readonly window: RateWindow;
  /** Name of this process among those that share. */
  readonly process: string;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Asked last before each request; false when it must not be sent. */
  readonly confirm: () => Promise<boolean>;
  /** Told when other processes should look. */
  readonly announce: () => void;
}

interface InFlight {
  readonly by: string;
  readonly startedAt: number;
}

export class SharedGate implements RateGate {
  readonly #options: SharedGateOptions;
  readonly #log: RateLog;
  readonly #inFlight = new Map<string, InFlight>();
  readonly #ending = new Set<Promise<void>>();
  readonly #closed = new AbortController();
  /** How far Redis' clock is ahead of the local one, ms; rather too little, so that nothing opens too early. */
  #ahead = 0;
  /** Redis' clock when it was heard of last, ms. */
  #latest = 0;
  /** One start at a time: two that are tried together would only fail each other. */
  #turn: Promise<unknown> = Promise.resolve();
  #changed = (): void => {};

  constructor(options: SharedGateOptions) {
    this.#options = options;
    const { link, name, process } = options;
    this.#log = new RateLog(link, name, process, (exchange) => this.#replay(exchange));
  }

  /** Learns what happened so far. Throws a Failure when Redis does not answer. */
  async open(): Promise<void> {
    await this.#log.exchange("read");
    void this.#beat();
  }

  onChange(listener: () => void): void {
    this.#changed = listener;
  }

  state(): GateState {
    const { window } = this.#options;
    const now = this.#now();
    const opening = window.opening(now);
    return {
      allowance: window.allowance(now),
      opening: opening === undefined ? undefined : { ...opening, at: opening.at - this.#ahead },
    };
  }

  pace(): Pace {
    return this.#options.window.pace(this.#now());
  }

  async start(): Promise<Slot | undefined> {
    const turn = this.#turn.then(() => this.#take());
    this.#turn = turn;
    const id = await turn;
    if (id === undefined) return undefined;
    if (await this.#options.confirm()) return { end: (news) => this.#end(id, news) };
    this.#end(id, undefined);
    return undefined;
  }

  /** Looks what others did. What goes wrong loses the run. */
  async refresh(): Promise<void> {
    try {
      await this.#log.exchange("read");
    } catch (error) {
      this.#options.link.lose(error);
    }
  }

  /** Resolves when the last answers are told to the others. */
  async close(): Promise<void> {
    this.#closed.abort();
    if (!this.#options.link.lost.aborted) await Promise.all(this.#ending);
  }

  /** Gives the id of a request that may be sent. */
  async #take(): Promise<string | undefined> {
    const { link, process: by, newId, window } = this.#options;
    const id = newId();
    try {
      while (!link.lost.aborted && window.allowance(this.#now()) > 0) {
        // oxlint-disable-next-line no-await-in-loop
        await this.#log.exchange("if-nothing-new", { event: "started", id, by });
        if (this.#inFlight.has(id)) return id;
      }
    } catch (error) {
      link.lose(error);
    }
    return undefined;
  }

  #end(id: string, news: RateObservation | undefined): void {
    const { link, announce } = this.#options;
    const ending = this.#log
      .exchange("always", { event: "ended", id, news })
      .then(announce)
      .catch((error: unknown) => link.lose(error))
      .finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  async #beat(): Promise<void> {
    const { clock, link } = this.#options;
    const over = AbortSignal.any([this.#closed.signal, link.lost]);
    while (!over.aborted) {
      // oxlint-disable-next-line no-await-in-loop
      await clock.sleep(BEAT_MS, over);
      // oxlint-disable-next-line no-await-in-loop
      if (!over.aborted) await this.refresh();
    }
  }

  #replay({ now, events, alive }: LogExchange): void {
    const ahead = now - this.#options.clock.now();
    const isSet = Math.abs(ahead - this.#ahead) > SET_MS;
    this.#ahead = isSet ? ahead : Math.max(ahead, this.#ahead - DRIFT_MS);
    if (isSet) this.#latest = now;
    for (const event of events) this.#apply(event);
    for (const [id, { by }] of this.#inFlight) if (!alive.has(by)) this.#over(id, now, undefined);
    this.#changed();
  }

  #apply({ at, event }: TimedEvent): void {
    this.#latest = Math.max(this.#latest, at);
    if (event.event === "ended") this.#over(event.id, at, event.news);
    else if (!this.#inFlight.has(event.id)) {
      this.#inFlight.set(event.id, { by: event.by, startedAt: at });
      this.#options.window.started(at);
    }
  }

  /** What is not known to be in flight is told twice, or was over long ago. */
  #over(id: string, at: number, news: RateObservation | undefined): void {
    const known = this.#inFlight.get(id);
    if (known === undefined) return;
    this.#inFlight.delete(id);
    this.#options.window.ended(known.startedAt, at, news);
  }

  /** Redis' clock, ms. */
  #now(): number {
    return Math.max(this.#latest, this.#options.clock.now() + this.#ahead);
  }
}
