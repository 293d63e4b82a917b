import { deliveriesOf, eventsOfPost } from "./events.ts";
import type { Outbox } from "./outbox.ts";
import { postAt } from "./publishing.ts";
import type { StoredMedia, StoredPost } from "./records.ts";
import type { Backend } from "./route.ts";

/**
 * Publishes what is due at that time, ms, and gives those posts in their order. Before the record that a post was
 * published, its files are in the outbox; with it, its events are there to be delivered.
 */
export async function publishDue(
  at: number,
  backend: Omit<Backend, "timeline">,
  outbox: Outbox,
): Promise<StoredPost[]> {
  const done: StoredPost[] = [];
  for (const { id } of backend.store.scheduled.due(at)) {
    // One after the other: their order is what others see.
    // oxlint-disable-next-line no-await-in-loop
    const published = await backend.store.runExclusive(id, () => publish(id, at, backend, outbox));
    if (published !== undefined) done.push(published);
  }
  return done;
}

/** Undefined for a post that was cancelled meanwhile. */
async function publish(
  id: string,
  at: number,
  backend: Omit<Backend, "timeline">,
  outbox: Outbox,
): Promise<StoredPost | undefined> {
  const { store, origin } = backend;
  const scheduled = store.post(id);
  if (scheduled === undefined) return undefined;
  const post = postAt(scheduled, at, backend);
  if (post === scheduled || post.results === undefined) return undefined;
  const media = mediaOf(post, backend);
  const reached = post.results.filter((result) => result.error === undefined);
  await Promise.all(reached.map(({ platform }) => outbox(post, platform, media)));
  await store.append({ post, deliveries: deliveriesOf(eventsOfPost(post, origin()), backend, at) });
  return post;
}

export function mediaOf(post: StoredPost, { store }: Pick<Backend, "store">): StoredMedia[] {
  return post.media_ids
    .map((id) => store.media(id))
    .filter((item): item is StoredMedia => item !== undefined);
}
