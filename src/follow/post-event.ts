/** What an event says of a post. */
import { createHash } from "node:crypto";
import type { PlatformResult } from "../calendar/fate.ts";
import type { ReceivedEvent } from "../calendar/service-event.ts";
import { pickAddress, reasonIn } from "../service/decode-fate.ts";
import { platformName } from "../service/decode-platform.ts";
import { idFrom } from "../service/record.ts";

export interface PostEvent {
  readonly postId: string;
  readonly state: PlatformResult["state"];
  /** Undefined where the event does not tell: the interface does not show what `post.failed` holds. */
  readonly platform: string | undefined;
  readonly url: string | undefined;
  readonly reason: string | undefined;
}

const STATES = new Map<string, PlatformResult["state"]>([
  ["post.published", "published"],
  ["post.failed", "failed"],
]);

/** Undefined for an event of another kind, and for one that names no post. */
export function postEventOf({ event, data }: ReceivedEvent): PostEvent | undefined {
  const state = STATES.get(event);
  const postId = idFrom(data["post_id"] ?? data["postId"] ?? data["id"]);
  if (state === undefined || postId === undefined) return undefined;
  const platform = platformName(data["platform"] ?? data["network"])
    ?.trim()
    .toLowerCase();
  return {
    postId,
    state,
    platform,
    url: state === "published" ? pickAddress(data) : undefined,
    reason: state === "failed" ? reasonIn(data) : undefined,
  };
}

/**
 * The same for an event that is sent again, and for no other. With an id, the time may differ; without one, all that it
 * says is what tells. An id alone is not trusted: it might be the post's.
 */
export function eventHash({ event, timestamp, data, id, event_id }: ReceivedEvent): string {
  const name = event_id ?? id;
  const parts = name === undefined ? [event, timestamp, data] : [event, name, data];
  return createHash("sha256").update(canonicalJson(parts)).digest("hex");
}

/** JSON with the keys of objects sorted. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );
}
