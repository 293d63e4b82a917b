/** How long stores keep records that are over, so that they do not grow for ever. Pure. */

import { statusOf } from "./store-index.ts";
import type { Entry } from "./store.ts";

/** How long records stay after they are over, in ms. */
const KEEP_MS = 90 * 86_400_000;

/** The time before which records are old. @param now ms since the epoch */
export function oldBefore(now: number): string {
  return new Date(now - KEEP_MS).toISOString();
}

/** Whether a record was over before that time, so that nobody needs it in a list any more. */
export function isOld({ kind, record }: Entry, before: string): boolean {
  switch (kind) {
    case "post":
      return statusOf(record) !== "scheduled" && record.scheduled_at < before;
    case "media":
      return record.used_until !== undefined && record.used_until < before;
    case "run":
      return record.completed_at < before;
    case "delivery":
      return record.state !== "waiting" && record.event.timestamp < before;
    case "archived":
    case "disconnection":
    case "webhook":
    case "move":
      return false;
  }
}
