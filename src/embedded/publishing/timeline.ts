/**
 * Everything that happens at set times, in order. The clock runs, or is moved; either way, the same things happen in
 * the same order.
 */

import pLimit from "p-limit";
import type { StoredPost } from "../store/records.ts";
import { SIMULATED_LANE } from "../store/store-index.ts";
import { type Outbox, type ServiceState, publishDuePosts } from "./post-state.ts";
import type { Publisher } from "./publisher.ts";
import type { Deliveries } from "./webhook-deliveries.ts";

export interface Timeline {
  /**
   * Publishes what is due now, and sends due events; does nothing while the clock is being moved. Rejects with the
   * disk's error.
   */
  catchUp(): Promise<void>;
  /** Moves the clock to that time, in ms, through everything that is due on the way. Returns the posts, in order. */
  moveTo(time: number): Promise<readonly StoredPost[]>;
  /** Resolves when nothing is under way; nothing happens after it. */
  close(): Promise<void>;
}

interface TimelineOptions {
  readonly backend: ServiceState;
  readonly clock: ServiceClock;
  readonly outbox: Outbox;
  readonly deliveries: Deliveries;
}

/** For a store that is open only for reading. It changes nothing, but readers see the state as if it did. */
export const noTimeline: Timeline = {
  catchUp: () => Promise.resolve(),
  moveTo: () => Promise.resolve([]),
  close: () => Promise.resolve(),
};

/** The timeline for real accounts. The publisher works independently and in real time. Nobody can move the clock. */
export function publisherTimeline(publisher: Publisher, deliveries: Deliveries, now: () => number): Timeline {
  return {
    async catchUp() {
      publisher.start();
      // The caller does not wait for the deliveries. The next request reports a disk error.
      if ((await deliveries.next()) <= now()) deliveries.attemptDue().catch(() => undefined);
    },
    moveTo: () => Promise.resolve([]),
    async close() {
      await publisher.close();
      await deliveries.close();
    },
  };
}

export function openTimeline({ backend, clock, outbox, deliveries }: TimelineOptions): Timeline {
  const { store } = backend;
  let closed = false;
  /**
   * A receiver of an event may request its post before it answers, so that request must not wait for the end of a clock
   * move.
   */
  let moving = false;
  /** These tasks wait for each other. */
  const inTurn = pLimit(1);
  const publish = (): Promise<StoredPost[]> => publishDuePosts(clock.now(), backend, outbox);
  const nextPost = (): Promise<number> => store.nextDue("post", [SIMULATED_LANE]);
  const next = async (): Promise<number> => Math.min(await nextPost(), await deliveries.next());
  const play = async (time: number): Promise<StoredPost[]> => {
    const done: StoredPost[] = [];
    do {
      clock.moveTo(Math.min(await next(), time));
      done.push(...(await publish()));
      await deliveries.attemptDue();
    } while ((await next()) <= time);
    clock.moveTo(time);
    return done;
  };
  return {
    async catchUp() {
      if (closed || moving) return;
      if ((await nextPost()) <= clock.now()) await inTurn(publish);
      // The caller does not wait for the deliveries. The next request reports a disk error.
      if ((await deliveries.next()) <= clock.now()) deliveries.attemptDue().catch(() => undefined);
    },
    moveTo: (time) =>
      inTurn(async () => {
        moving = true;
        try {
          return await play(time);
        } finally {
          moving = false;
        }
      }),
    async close() {
      closed = true;
      await deliveries.close();
      await inTurn(() => Promise.resolve());
    },
  };
}

/** The service's clock. It can be moved forward, so that tests need not wait for posts. */
interface ServiceClock {
  /** Unix time, in ms. */
  now(): number;
  /** Sets this time, unless the clock is already later. Unix time, in ms. */
  moveTo(time: number): void;
  /** Whether the clock runs. */
  readonly runs: boolean;
}

/** Runs with the machine's clock, and ahead of it after a move. */
export function runningClock(machine: () => number): ServiceClock {
  let ahead = 0;
  return {
    runs: true,
    now: () => machine() + ahead,
    moveTo(time) {
      ahead = Math.max(ahead, time - machine());
    },
  };
}

/** Stays at the given Unix time, in ms, until it is moved. */
export function manualClock(start: number): ServiceClock {
  let time = start;
  return {
    runs: false,
    now: () => time,
    moveTo(to) {
      time = Math.max(time, to);
    },
  };
}
