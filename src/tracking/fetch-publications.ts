/** What the service itself says became of posts, asked for with few requests. */

import type { UtcTime } from "../model/post.ts";
import type { Publication } from "../model/publication.ts";
import { publicationOf } from "../service/answers/publication.ts";
import type { PostRecord } from "../service/records.ts";
import type { ReadFullService } from "../service/full-service.ts";

interface PostToFetch {
  readonly id: string;
  readonly dueAt: UtcTime;
  /** Whether an event said where it is published. */
  readonly hasAddress: boolean;
}

type PostReader = Pick<ReadFullService, "findPosts" | "readPost">;

/**
 * What became of each post. Posts to come are looked for in the list of scheduled posts, which shows them together; the
 * others, and those that are not in it, in the list of all posts; the rest is read by id. Throws a Failure when the
 * service cannot be asked.
 * @param now a post that is due later is still to come
 */
export async function fetchPublications(
  posts: readonly PostToFetch[],
  now: UtcTime,
  service: PostReader,
): Promise<ReadonlyMap<string, Publication>> {
  const toCome = posts.filter(({ dueAt }) => dueAt > now);
  const found = new Map(await service.findPosts(idsOf(toCome), "scheduled"));
  const missing = posts.filter(({ id }) => !found.has(id));
  for (const [id, post] of await service.findPosts(idsOf(missing))) found.set(id, post);
  const addressless = missing.filter(({ id, hasAddress }) => !hasAddress && lacksAddress(found.get(id)));
  const left = posts.filter(({ id }) => !found.has(id));
  for (const [id, post] of await readEach(left, service)) found.set(id, post);
  for (const [id, post] of await readAddresses(addressless, service)) found.set(id, post);
  return new Map(posts.map(({ id }) => [id, publicationOf(found.get(id))]));
}

function idsOf(posts: readonly PostToFetch[]): ReadonlySet<string> {
  return new Set(posts.map(({ id }) => id));
}

/** Published, and the list does not say where: the post's own record may. */
function lacksAddress(post: PostRecord | undefined): boolean {
  if (post === undefined) return false;
  const { state, results } = publicationOf(post);
  return state === "published" && !results.some(({ url }) => url !== undefined);
}

/** Reads one. The others are worth a request each only if that one has an address, which the list left out. */
async function readAddresses(
  posts: readonly PostToFetch[],
  service: PostReader,
): Promise<ReadonlyMap<string, PostRecord>> {
  const first = await readEach(posts.slice(0, 1), service);
  if ([...first.values()].every(lacksAddress)) return first;
  return new Map([...first, ...(await readEach(posts.slice(1), service))]);
}

async function readEach(
  posts: readonly PostToFetch[],
  { readPost }: PostReader,
): Promise<ReadonlyMap<string, PostRecord>> {
  const read = await Promise.all(posts.map(async ({ id }) => [id, await readPost(id)] as const));
  return new Map(read.flatMap(([id, post]) => (post === undefined ? [] : [[id, post] as const])));
}
