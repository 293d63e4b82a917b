/**
 * What happens by itself, in the order of its times. Time goes on with the clock, or is moved; either way the same
 * things happen in the same order.
 */

import type { Outbox } from "../store/files.ts";
import type { StoredPost } from "../store/records.ts";
import { publishDue, type ServiceState } from "./publish.ts";
import type { Deliveries } from "./webhook-deliveries.ts";

export interface Timeline {
  /** Publishes what is due by now, and has events sent that are; nothing while time is moved. Rejects with the disk's error. */
  catchUp(): Promise<void>;
  /** Goes to that time, ms, through all that comes due on the way; gives the posts, in order. */
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

/** Of a store that is open for reading alone: nothing happens, readers tell what would have. */
export const noTimeline: Timeline = {
  catchUp: () => Promise.resolve(),
  moveTo: () => Promise.resolve([]),
  close: () => Promise.resolve(),
};

/** Names the turn in which things happen. */
const TIMELINE_LOCK = "timeline";

export function openTimeline({ backend, clock, outbox, deliveries }: TimelineOptions): Timeline {
  const { store } = backend;
  let closed = false;
  /** Who gets an event while time is moved may ask for its post before it answers: that must not wait for the end. */
  let moving = false;
  const publish = (): Promise<StoredPost[]> => publishDue(clock.now(), backend, outbox);
  const next = (): number => Math.min(store.scheduled.next(), deliveries.next());
  const play = async (time: number): Promise<StoredPost[]> => {
    const done: StoredPost[] = [];
    do {
      clock.moveTo(Math.min(next(), time));
      done.push(...(await publish()));
      await deliveries.attemptDue();
    } while (next() <= time);
    clock.moveTo(time);
    return done;
  };
  return {
    async catchUp() {
      if (closed || moving) return;
      if (store.scheduled.next() <= clock.now()) await store.runExclusive(TIMELINE_LOCK, publish);
      // Nobody waits for those who get the events; a disk that fails is told to who asks next.
      if (deliveries.next() <= clock.now()) deliveries.attemptDue().catch(() => undefined);
    },
    moveTo: (time) =>
      store.runExclusive(TIMELINE_LOCK, async () => {
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
      await store.runExclusive(TIMELINE_LOCK, () => Promise.resolve());
    },
  };
}

/** The time that the service goes by. It can be moved forward, so that tests need not wait for a post to come due. */
interface ServiceClock {
  /** Unix time, ms. */
  now(): number;
  /** Makes it this time, unless it is later already. Unix time, ms. */
  moveTo(time: number): void;
  /** Whether time goes on by itself. */
  readonly runs: boolean;
}

/** Goes as the machine's clock does; once it is moved, ahead of it. */
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

/** Stands still, from the given Unix time in ms, until it is moved. */
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
