/** Lists, creates and cancels posts. */

import { type AccountConnections, connectionsOf, postAt } from "../publishing/post-state.ts";
import { hasBegun } from "../publishing/publication-steps.ts";
import { withoutUndefined } from "../../model/data.ts";
import { filledExtras } from "../../model/extras.ts";
import { keptExtras } from "../../model/lockfile.ts";
import { type StoredPost, freeId } from "../store/records.ts";
import { statusOf } from "../store/store-index.ts";
import type { Store } from "../store/store.ts";
import type { Accounts } from "../publishing/accounts.ts";
import {
  type Backend,
  type RequestContext,
  type Route,
  EndpointError,
  endpoint,
  invalidField,
  originOf,
  pageOfStore,
} from "./endpoint.ts";
import { outboxPath } from "../publishing/paths.ts";
import { type NewPostBody, type PostAnswer, newPost, postAnswer, postPage, postsQuery } from "./schemas.ts";

const listPosts = endpoint({
  method: "GET",
  path: "/posts",
  scope: "read",
  operation: "listPosts",
  summary: "Lists posts by scheduled_at, then by id",
  query: postsQuery,
  answer: postPage,
  async handle({ query, context }, backend) {
    const at = backend.now();
    const connections = await connectionsOf(backend);
    const status = query.status === "failed" && (await mayBeLost(backend)) ? undefined : query.status;
    return pageOfStore(backend.store, "post", { ...query, status }, (record) => {
      const post = postAt(record, at, connections);
      return query.status === undefined || statusOf(post) === query.status
        ? toAnswer(post, context)
        : undefined;
    });
  },
});

/** Whether there may be scheduled posts without a configured account. They count as failed. */
async function mayBeLost({ accounts, store }: Backend): Promise<boolean> {
  if (!accounts.areReal) return false;
  const known = new Set(accounts.list.map(({ id }) => id));
  return (await store.lanes("post")).some((lane) => !known.has(lane));
}

const createPost = endpoint({
  method: "POST",
  path: "/posts",
  scope: "write",
  operation: "createPost",
  summary: "Schedules a post",
  body: newPost,
  status: 201,
  answer: postAnswer,
  async handle({ body, context }, backend) {
    const { store, now, random } = backend;
    const at = now();
    await checkNewPost(body, backend, at);
    const made: StoredPost = {
      id: await freeId("post", random, async (id) => (await store.get("post", id)) !== undefined),
      content: body.content,
      platforms: [...new Set(body.platforms)],
      ...accountsFor(body.platforms, backend.accounts),
      scheduled_at: body.scheduled_at,
      media_ids: body.media_ids,
      ...keptExtras(filledExtras(body)),
      created_at: new Date(at).toISOString(),
    };
    for (const [index, id] of made.media_ids.entries()) await keepMedia(id, index, made, store);
    await store.add({ kind: "post", record: made });
    return toAnswer(made, context);
  },
});

const getPost = endpoint({
  method: "GET",
  path: "/posts/:id",
  scope: "read",
  operation: "getPost",
  summary: "Shows one post",
  answer: postAnswer,
  async handle({ id, context }, backend) {
    const post = await backend.store.get("post", id);
    if (post === undefined) throw noSuchPost();
    return toAnswer(postAt(post, backend.now(), await connectionsOf(backend)), context);
  },
});

const cancelPost = endpoint({
  method: "DELETE",
  path: "/posts/:id",
  scope: "write",
  operation: "cancelPost",
  summary: "Cancels a scheduled post",
  answer: postAnswer,
  async handle({ id, context }, backend) {
    const connections = await connectionsOf(backend);
    const at = backend.now();
    const change = (post: StoredPost) => ({ record: cancelledAt(post, at, connections) });
    const cancelled = await backend.store.update("post", id, change);
    if (cancelled !== undefined) return toAnswer(cancelled, context);
    const archived = await backend.store.get("post", id);
    if (archived !== undefined) refuseUnlessScheduled(archived);
    throw noSuchPost();
  },
});

export const postsRoutes: readonly Route[] = [listPosts, createPost, getPost, cancelPost];

function refuseUnlessScheduled(post: StoredPost): void {
  const status = statusOf(post);
  switch (status) {
    case "cancelled":
      throw new EndpointError("not_found", "The post is already cancelled.");
    case "published":
    case "failed":
      throw invalidField("id", `the post is already ${status}, so it cannot be cancelled`);
    case "scheduled":
      break;
  }
}

/** Throws a ServiceError if it is too late. */
function cancelledAt(post: StoredPost, at: number, connections: AccountConnections): StoredPost {
  const found = postAt(post, at, connections);
  refuseUnlessScheduled(found);
  if (found.platforms.some((platform) => hasBegun(found.publications?.[platform])))
    throw invalidField("id", "the post is being published, so it cannot be cancelled");
  return { ...found, cancelled_at: new Date(at).toISOString() };
}

function noSuchPost(): EndpointError {
  return new EndpointError("not_found", "This post does not exist.");
}

function toAnswer(post: StoredPost, context: RequestContext) {
  const { results, accounts: _accounts, publications, ...rest } = post;
  const status = statusOf(post);
  if (results === undefined) return { ...rest, status, ...progressIn(publications) };
  const shownResults = results.map(({ platform, error, code = "platform_error" as const, url, note }) =>
    error === undefined
      ? withoutUndefined({
          platform,
          status: "published" as const,
          ...addressOf(post, { platform, url }, context),
          note,
        })
      : { platform, status: "failed" as const, error: { code, message: error } },
  );
  return { ...rest, status, results: shownResults };
}

/** What already happened on accounts, before the post is over on all of them. */
function progressIn(publications: StoredPost["publications"] = {}): Partial<Pick<PostAnswer, "results">> {
  const results: PostAnswer["results"] = [];
  for (const [platform, { state, url, reason: note }] of Object.entries(publications)) {
    if (state === "published") results.push(withoutUndefined({ platform, status: state, url, note }));
    if (state === "waiting" && note !== undefined) results.push({ platform, status: "scheduled", note });
  }
  return results.length === 0 ? {} : { results };
}

/** Where a platform shows the post. Some webhooks show no address. */
function addressOf(
  { id, accounts }: StoredPost,
  { platform, url }: { readonly platform: string; readonly url?: string | undefined },
  context: RequestContext,
): { url?: string } {
  if (accounts !== undefined) return url === undefined ? {} : { url };
  return { url: `${originOf(context)}${outboxPath(id, platform)}` };
}

/** The accounts for the post, so that it never goes to others. */
function accountsFor(
  platforms: readonly string[],
  { areReal, list }: Accounts,
): Pick<StoredPost, "accounts"> {
  if (!areReal) return {};
  const wanted = list.filter(({ platform }) => platforms.includes(platform));
  return { accounts: Object.fromEntries(wanted.map(({ platform, id }) => [platform, id])) };
}

async function checkNewPost(draft: NewPostBody, backend: Backend, at: number): Promise<void> {
  const { accounts } = backend;
  const { disconnected } = await connectionsOf(backend);
  if (draft.content.trim() === "" && draft.media_ids.length === 0) {
    throw invalidField("content", "must not be empty if media_ids is empty");
  }
  if (Date.parse(draft.scheduled_at) <= at) throw invalidField("scheduled_at", "must be in the future");
  if (draft.expires !== undefined && Date.parse(draft.expires) <= Date.parse(draft.scheduled_at))
    throw invalidField("expires", "must be later than scheduled_at");
  for (const [index, platform] of draft.platforms.entries()) {
    const account = accounts.list.find((each) => each.platform === platform);
    if (account === undefined || disconnected.has(account.id)) {
      throw invalidField(`platforms[${index}]`, "is not a connected platform");
    }
  }
  const inThread = draft.thread_media ?? [];
  if (inThread.length > (draft.thread ?? []).length)
    throw invalidField("thread_media", "must not have more numbers than thread has texts");
  if (inThread.reduce((sum, count) => sum + count, 0) > draft.media_ids.length)
    throw invalidField("thread_media", "must not count more media than media_ids has");
  if ((draft.alt?.length ?? 0) > draft.media_ids.length)
    throw invalidField("alt", "must not have more texts than media_ids has items");
}

/** Keeps a file until after the post, in one step with the check that it is there. It may be about to be removed. */
async function keepMedia(
  id: string,
  index: number,
  { scheduled_at: at }: StoredPost,
  store: Store,
): Promise<void> {
  const found = await store.get("media", id);
  if (found !== undefined && (found.used_until ?? at) >= at) return;
  const kept = await store.update("media", id, (item) => ({
    record: {
      ...item,
      used_until: item.used_until !== undefined && item.used_until > at ? item.used_until : at,
    },
  }));
  if (kept === undefined) throw invalidField(`media_ids[${index}]`, "this media item does not exist");
}
