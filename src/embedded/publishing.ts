/** What becomes of a post, and when. */
import type { PostStatus } from "./answers.ts";
import type { StoredPost } from "./records.ts";

/** A post whose time has come is published: told from the clock, so that nothing need run, or write, for it. */
export function statusAt(post: StoredPost, at: number): PostStatus {
  if (post.cancelled_at !== undefined) return "cancelled";
  return Date.parse(post.scheduled_at) <= at ? "published" : "scheduled";
}
