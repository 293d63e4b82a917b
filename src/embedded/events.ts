/** What is told to webhooks, and to which. Source of the kinds and the envelope: the interface, section 6. */
import type { EventEnvelope } from "../calendar/service-event.ts";
import { outboxPath } from "./outbox-page.ts";
import { randomId, type Random } from "./random-id.ts";
import type { StoredDelivery, StoredPost, StoredRun } from "./records.ts";
import type { Store } from "./store.ts";

/** One event for each platform. `origin` is the service's address without a path. */
export function eventsOfPost({ id, published_at, results }: StoredPost, origin: string): EventEnvelope[] {
  if (published_at === undefined || results === undefined) return [];
  return results.map(({ platform, error }) => {
    const about = { post_id: id, platform };
    return error === undefined
      ? {
          event: "post.published",
          timestamp: published_at,
          data: { ...about, url: `${origin}${outboxPath(id, platform)}` },
        }
      : {
          event: "post.failed",
          timestamp: published_at,
          data: { ...about, error: { code: "platform_error", message: error } },
        };
  });
}

export function eventsOfRun({
  id,
  automation_id,
  status,
  result,
  error,
  completed_at,
}: StoredRun): EventEnvelope[] {
  const data = { automation_id, run_id: id, status, ...(result && { result }), ...(error && { error }) };
  return [{ event: "automation.completed", timestamp: completed_at, data }];
}

/** A delivery of each event to each webhook that wants it, due at that time, ms. */
export function deliveriesOf(
  events: readonly EventEnvelope[],
  { store, random }: { readonly store: Store; readonly random: Random },
  at: number,
): StoredDelivery[] {
  const next_attempt_at = new Date(at).toISOString();
  return events.flatMap((event) =>
    store
      .webhooks()
      .filter((webhook) => webhook.events.includes(event.event))
      .map(({ id: webhook_id, url }) => ({
        id: randomId("delivery", random, (id) => store.delivery(id) !== undefined),
        webhook_id,
        url,
        event,
        state: "waiting",
        attempts: [],
        next_attempt_at,
      })),
  );
}
