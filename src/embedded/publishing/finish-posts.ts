/** Posts get their results when nothing more happens on any of their accounts. */

import { isOverOnAccount } from "../../model/publication.ts";
import type { StoredPost } from "../store/records.ts";
import { placeOfPost } from "../store/store-index.ts";
import { accountFor } from "./accounts.ts";
import { type AccountConnections, type ServiceState, connectionsOf, errorOn } from "./post-state.ts";
import { resultOf } from "./publication-steps.ts";

/** Posts that are read at once. */
const GROUP = 256;

/** The post with its results, once each of its accounts has one. */
export function finished(post: StoredPost, connections: AccountConnections, at: number): StoredPost {
  if (post.published_at !== undefined || post.cancelled_at !== undefined) return post;
  const { list } = connections.accounts;
  const isDone = post.platforms.every((platform) => {
    const publication = post.publications?.[platform];
    if (publication === undefined) return accountFor(post, platform, connections.accounts) === undefined;
    // The account of an unfinished publication may not be configured any more.
    return isOverOnAccount(publication) || list.every(({ id }) => id !== publication.account_id);
  });
  if (!isDone) return post;
  const results = post.platforms.map((platform) => {
    const publication = post.publications?.[platform];
    return publication === undefined
      ? { platform, ...errorOn(post, platform, connections) }
      : resultOf(platform, publication);
  });
  return { ...post, published_at: new Date(at).toISOString(), results };
}

/** Gives posts their results that only waited for accounts which are not configured any more. */
export async function finishOrphans(backend: ServiceState): Promise<void> {
  const { store, now } = backend;
  const connections = await connectionsOf(backend);
  for (let after: string | undefined = ""; after !== undefined;) {
    const posts: readonly StoredPost[] = await store.list("post", {
      status: "scheduled",
      after,
      limit: GROUP,
    });
    for (const { id, publications } of posts) {
      if (publications === undefined) continue;
      await store.update("post", id, (post) => {
        const record = finished(post, connections, now());
        return record === post ? undefined : { record };
      });
    }
    const last: StoredPost | undefined = posts.at(-1);
    after = last === undefined ? undefined : placeOfPost(last);
  }
}
