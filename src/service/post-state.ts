/** What a record's status means. Only `scheduled` is documented; the other words are what services commonly use. */
import type { DecodedPost } from "./decode-post.ts";
import type { PostState } from "./service.ts";

type StatusMeaning = "scheduled" | "published" | "cancelled" | "failed" | "other";

const STATUS_MEANINGS: ReadonlyMap<string, StatusMeaning> = new Map([
  ["scheduled", "scheduled"],
  ["pending", "scheduled"],
  ["queued", "scheduled"],
  ["published", "published"],
  ["publishing", "published"],
  ["posted", "published"],
  ["sent", "published"],
  ["cancelled", "cancelled"],
  ["canceled", "cancelled"],
  ["deleted", "cancelled"],
  ["removed", "cancelled"],
  ["failed", "failed"],
  ["error", "failed"],
  ["draft", "other"],
  ["archived", "other"],
  ["paused", "other"],
  ["expired", "other"],
]);

/** What a status means, as the service says it, lower case; undefined for a word that is not known. */
export function statusMeaning(status: string): StatusMeaning | undefined {
  return STATUS_MEANINGS.get(status);
}

/** Whether it is being published just now: it can be cancelled no more, and is not published yet. */
export function isPublishing(status: string | undefined): boolean {
  return status === "publishing";
}

/** Whether a record of the list of scheduled posts is one: services may ignore the filter, or tell no status. */
export function isStillScheduled({ status }: Pick<DecodedPost, "status">): boolean {
  const meaning = status === undefined ? undefined : STATUS_MEANINGS.get(status);
  return meaning === undefined || meaning === "scheduled";
}

/** Whether a status, as the service says it, is the one asked for, by another word perhaps; where none is told, it may be. */
export function matchesStatus(status: string | undefined, asked: string): boolean {
  if (status === undefined || status === asked.toLowerCase()) return true;
  const meaning = STATUS_MEANINGS.get(status);
  return meaning !== undefined && meaning !== "other" && meaning === STATUS_MEANINGS.get(asked.toLowerCase());
}

/** What the record of one post says became of it. */
export function stateOf({ post, status }: DecodedPost): PostState {
  switch (status === undefined ? undefined : STATUS_MEANINGS.get(status)) {
    case "scheduled":
      return { state: "scheduled", post };
    case "published":
      return { state: "published" };
    case "cancelled":
      return { state: "gone", why: "cancelled" };
    case "failed":
      return { state: "gone", why: "failed" };
    case "other":
    case undefined:
      return { state: "unclear", status };
  }
}
