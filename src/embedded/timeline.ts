/**
 * What happens by itself, in the order of its times. Time goes on with the clock, or is moved; either way the same
 * things happen in the same order.
 */
import type { Outbox } from "./outbox.ts";
import { postAt } from "./publishing.ts";
import type { StoredMedia, StoredPost } from "./records.ts";
import type { Backend } from "./route.ts";
import type { ServiceClock } from "./service-clock.ts";

export interface Timeline {
  /** Publishes what is due by now. Rejects with the disk's error. */
  settle(): Promise<void>;
  /** Goes to that time, ms, through all that comes due on the way; gives the posts, in order. */
  moveTo(time: number): Promise<readonly StoredPost[]>;
  /** Resolves when nothing is under way; nothing happens after it. */
  close(): Promise<void>;
}

export interface TimelineOptions {
  readonly backend: Pick<Backend, "store" | "failures">;
  readonly clock: ServiceClock;
  readonly outbox: Outbox;
}

/** Of a store that is open for reading alone: nothing happens, readers tell what would have. */
export const noTimeline: Timeline = {
  settle: () => Promise.resolve(),
  moveTo: () => Promise.resolve([]),
  close: () => Promise.resolve(),
};

export function openTimeline({ backend, clock, outbox }: TimelineOptions): Timeline {
  const { store } = backend;
  const one = "timeline";
  let closed = false;

  async function publishDue(): Promise<StoredPost[]> {
    const done: StoredPost[] = [];
    for (const post of store.waiting.due(clock.now())) {
      // One after the other: their order is what others see.
      // oxlint-disable-next-line no-await-in-loop
      const published = await publish(post.id);
      if (published !== undefined) done.push(published);
    }
    return done;
  }

  /** Undefined for a post that was cancelled meanwhile. */
  async function publish(id: string): Promise<StoredPost | undefined> {
    return await store.inTurn(id, async () => {
      const post = store.post(id);
      const published = post === undefined ? undefined : postAt(post, clock.now(), backend);
      if (published === undefined || published === post || published.results === undefined) return undefined;
      const media = published.media_ids
        .map((each) => store.media(each))
        .filter((each): each is StoredMedia => each !== undefined);
      const reached = published.results.filter((result) => result.error === undefined);
      await Promise.all(reached.map(({ platform }) => outbox(published, platform, media)));
      await store.append({ post: published });
      return published;
    });
  }

  return {
    async settle() {
      if (!closed && store.waiting.next() <= clock.now()) await store.inTurn(one, publishDue);
    },
    moveTo: (time) =>
      store.inTurn(one, async () => {
        const done = await publishDue();
        for (let next = store.waiting.next(); next <= time; next = store.waiting.next()) {
          clock.moveTo(next);
          // oxlint-disable-next-line no-await-in-loop
          done.push(...(await publishDue()));
        }
        clock.moveTo(time);
        return done;
      }),
    async close() {
      closed = true;
      await store.inTurn(one, () => Promise.resolve());
    },
  };
}
