/** Posts by their ids, from pages of a list. */
import type { Caller } from "./caller.ts";
import { isObject } from "./decode-list.ts";
import { decodePostRecord } from "./decode-post.ts";
import { idIn } from "./record.ts";
import type { PostRecord } from "./records.ts";

/** So few are read by their ids at once. */
const MAX_SINGLE_READS = 1;

/**
 * Pages are asked for until there have been as many as posts are left: where the list has them together, that is one
 * or two; and it never takes more than twice the requests that it would take to read each.
 */
export async function lookForPosts(
  ids: ReadonlySet<string>,
  status: string | undefined,
  { pages }: Pick<Caller, "pages">,
): Promise<ReadonlyMap<string, PostRecord>> {
  const found = new Map<string, PostRecord>();
  let asked = 0;
  const take = (items: readonly unknown[]): boolean => {
    asked += 1;
    for (const item of items) {
      const id = isObject(item) ? idIn(item) : undefined;
      if (id !== undefined && ids.has(id)) found.set(id, decodePostRecord(item, "GET /v1/posts"));
    }
    return ids.size - found.size > Math.max(MAX_SINGLE_READS, asked);
  };
  if (ids.size > MAX_SINGLE_READS) await pages("/posts", status === undefined ? {} : { status }, take);
  return found;
}
