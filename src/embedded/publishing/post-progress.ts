/** How far a post is on an account, and whose work it is. Pure. */

import type { Random } from "../../model/random.ts";
import { compareText } from "../../model/text.ts";
import type { StoredPost, StoredPublication } from "../store/records.ts";

export function withProgress(post: StoredPost, platform: string, publication: StoredPublication): StoredPost {
  return { ...post, publications: { ...post.publications, [platform]: publication } };
}

/** Whether the claim is still ours. Somebody else may have taken over after its end. */
export function isHeld(post: StoredPost, platform: string, token: string): boolean {
  return post.publications?.[platform]?.claim?.token === token;
}

/** A post that is certainly published is worth knowing, even from a publisher whose claim is over. */
export function isNewsFor(current: StoredPublication | undefined, { state }: StoredPublication): boolean {
  return state === "published" && current?.state !== "published" && current?.claim === undefined;
}

/** In random order, but posts with an earlier time first. */
export function mixed(posts: readonly StoredPost[], random: Random): StoredPost[] {
  return posts
    .map((post) => ({ post, key: `${post.scheduled_at} ${Buffer.from(random(2)).toString("hex")}` }))
    .sort((one, other) => compareText(one.key, other.key))
    .map(({ post }) => post);
}

/** What a post says that waits because its account's secret is wrong. @param at ms since the epoch */
export function heldBack(accountId: string, at: number, reason: string): StoredPublication {
  const now = new Date(at).toISOString();
  return {
    account_id: accountId,
    state: "waiting",
    attempts: 0,
    sent_at: now,
    next_at: now,
    reason,
    parts: [],
  };
}
