/** What becomes of a post: told from its record and the clock, so that a reader need not wait for anything to run. */
import type { PostStatus } from "./answers.ts";
import { platformFails } from "./failures.ts";
import { PLATFORM_ACCOUNTS } from "./platform-accounts.ts";
import type { StoredPost } from "./records.ts";
import type { Backend } from "./route.ts";

/** Whether a post is published by that time, ms, if nobody cancels it. */
function isDue(post: StoredPost, at: number): boolean {
  return post.cancelled_at === undefined && Date.parse(post.scheduled_at) <= at;
}

/** The post as it is at that time, ms: one that is due is published at the second that it was scheduled for. */
export function postAt(
  post: StoredPost,
  at: number,
  backend: Pick<Backend, "store" | "failures">,
): StoredPost {
  if (post.published_at !== undefined || !isDue(post, at)) return post;
  const results = post.platforms.map((platform) => ({ platform, ...errorOn(platform, backend) }));
  return { ...post, published_at: post.scheduled_at, results };
}

/** One platform that fails makes the whole post failed; its results tell which. */
export function statusOf({ cancelled_at, results }: StoredPost): PostStatus {
  if (cancelled_at !== undefined) return "cancelled";
  if (results === undefined) return "scheduled";
  return results.every((result) => result.error === undefined) ? "published" : "failed";
}

function errorOn(
  platform: string,
  { store, failures }: Pick<Backend, "store" | "failures">,
): { error?: string } {
  if (platformFails(failures, platform)) return { error: `${platform} is made to fail.` };
  const account = PLATFORM_ACCOUNTS.find((each) => each.platform === platform);
  const isConnected = account !== undefined && !store.isDisconnected(account.id);
  return isConnected ? {} : { error: `There is no connected account on ${platform}.` };
}
