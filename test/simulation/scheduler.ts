/**
 * Time and the order of events. Every answer of a disk, of the network and of a clock is an event. Events of one moment
 * happen in an order that the seed decides. Between two events, the program runs until it waits for the next.
 */

import { setTimeout as realSleep } from "node:timers/promises";
import type { Clock } from "../../src/model/clock.ts";
import type { Random } from "./random.ts";

/** A run of the program on a machine, which can die between any two events. */
export class Process {
  /** Unlike those of earlier processes. */
  readonly pid: number;
  isDead = false;
  /** Events so far. */
  steps = 0;
  /** Dies at this event. */
  diesAt = Number.POSITIVE_INFINITY;
  /** Gets a signal to stop at this event. */
  stopsAt = Number.POSITIVE_INFINITY;
  readonly stop = new AbortController();
  /** Called when it dies. */
  onDeath: () => void = () => undefined;

  constructor(pid: number) {
    this.pid = pid;
  }

  die(): void {
    if (this.isDead) return;
    this.isDead = true;
    this.onDeath();
  }
}

interface Event {
  readonly at: number;
  readonly tie: number;
  readonly fire: () => void;
}

/** Turns of the event loop until the program certainly waits for an event. An import on demand takes real time. */
const QUIET_TURNS = 2;
const LONGEST_WAIT_TURNS = 3_000;

export class Scheduler {
  now: number;
  /** Events that have happened. */
  count = 0;
  /** The numbers of the processes that run. */
  readonly living = new Set<number>();
  readonly #random: Random;
  readonly #events: Event[] = [];
  /** Turns of the event loop that the program waits for. */
  #turns = 0;

  constructor(start: number, random: Random) {
    this.now = start;
    this.#random = random;
  }

  at(ms: number, fire: () => void): void {
    this.#events.push({ at: ms, tie: this.#random.next(), fire });
  }

  /**
   * What a process waits for. A dead process waits forever.
   * @param work happens at that time. If the process dies at this event, `half` happens instead
   */
  wait<T>(process: Process, delayMs: number, work: () => T, half: () => void = () => undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      if (process.isDead) return;
      this.at(this.now + delayMs, () => {
        if (process.isDead) return;
        process.steps += 1;
        if (process.steps === process.stopsAt) process.stop.abort();
        if (process.steps >= process.diesAt) {
          half();
          process.die();
          return;
        }
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  clockOf(process: Process): Clock {
    return {
      now: () => Math.floor(this.now),
      sleep: (ms, signal) => {
        if (signal?.aborted === true) return Promise.resolve();
        const slept = this.wait(process, Math.max(0, ms), () => undefined);
        if (signal === undefined) return slept;
        const stopped = new Promise<void>((resolve) =>
          signal.addEventListener("abort", () => resolve(), { once: true }),
        );
        return Promise.race([slept, stopped]);
      },
    };
  }

  /**
   * Until the returned function is called, timers of the program are events, too. A library waits for the shortest one
   * before each request: that is a turn of the event loop.
   */
  takeTimers(): () => void {
    const { setTimeout: start, clearTimeout: clear } = globalThis;
    const ended = new WeakSet<object>();
    const startSimulated = (work: (...given: unknown[]) => void, ms = 0, ...given: unknown[]): object => {
      const timer: { unref: () => object; ref: () => object } = { unref: () => timer, ref: () => timer };
      const fire = (): void => {
        if (!ended.has(timer)) work(...given);
      };
      if (ms > 1) this.at(this.now + ms, fire);
      else {
        this.#turns += 1;
        setImmediate(() => {
          this.#turns -= 1;
          fire();
        });
      }
      return timer;
    };
    const clearSimulated = (timer: unknown): void => {
      if (typeof timer === "object" && timer !== null) ended.add(timer);
    };
    Object.assign(globalThis, { setTimeout: startSimulated, clearTimeout: clearSimulated });
    return () => void Object.assign(globalThis, { setTimeout: start, clearTimeout: clear });
  }

  /** Lets events happen until this is over. */
  async until(isOver: () => boolean): Promise<void> {
    let idle = 0;
    for (;;) {
      for (let turn = 0; (turn < QUIET_TURNS || this.#turns > 0) && !isOver(); turn += 1)
        await new Promise(setImmediate);
      if (isOver()) return;
      const next = this.#take();
      if (next === undefined) {
        idle += 1;
        if (idle > LONGEST_WAIT_TURNS)
          throw new Error("The program waits for something outside the simulation.");
        if (idle > 3) await realSleep(1);
        continue;
      }
      idle = 0;
      this.#fire(next);
    }
  }

  /** Lets all events until then happen, also those of requests whose sender is dead. */
  pass(ms: number): void {
    const end = this.now + ms;
    for (let next = this.#take(end); next !== undefined; next = this.#take(end)) this.#fire(next);
    this.now = end;
  }

  #fire(event: Event): void {
    this.now = Math.max(this.now, event.at);
    this.count += 1;
    event.fire();
  }

  /** The earliest event, if it is not later than `end`. */
  #take(end = Number.POSITIVE_INFINITY): Event | undefined {
    let found = -1;
    let best: Event | undefined;
    for (const [index, event] of this.#events.entries()) {
      const isEarlier =
        best === undefined || event.at < best.at || (event.at === best.at && event.tie < best.tie);
      if (isEarlier) [found, best] = [index, event];
    }
    if (best === undefined || best.at > end) return undefined;
    this.#events.splice(found, 1);
    return best;
  }
}
