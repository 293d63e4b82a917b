/** Lists, creates and cancels posts. */

import { hasBegun, postAt, statusOf } from "../publishing/post-state.ts";
import { filledExtras } from "../../model/extras.ts";
import { keptExtras } from "../../model/lockfile.ts";
import { type StoredPost, randomId } from "../store/records.ts";
import type { Accounts } from "../publishing/accounts.ts";
import {
  type Backend,
  type RequestContext,
  type Route,
  ServiceError,
  endpoint,
  invalidField,
  originOf,
  pageOf,
} from "./endpoint.ts";
import { outboxPath } from "../publishing/paths.ts";
import { type NewPost, newPost, postAnswer, postList, postsQuery } from "./schemas.ts";

const listPosts = endpoint({
  method: "GET",
  path: "/posts",
  scope: "read",
  operation: "listPosts",
  summary: "Lists posts by scheduled_at, then by id",
  query: postsQuery,
  answer: postList,
  handle({ query, context }, backend) {
    const at = backend.now();
    const matching = backend.store
      .posts()
      .map((each) => postAt(each, at, backend))
      .filter((each) => query.status === undefined || statusOf(each) === query.status);
    const page = pageOf(matching, (each) => `${each.scheduled_at} ${each.id}`, query);
    return { ...page, data: page.data.map((each) => toAnswer(each, context)) };
  },
});

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
    checkNewPost(body, backend, at);
    const made: StoredPost = {
      id: randomId("post", random, (id) => store.post(id) !== undefined),
      content: body.content,
      platforms: [...new Set(body.platforms)],
      ...accountsFor(body.platforms, backend.accounts),
      scheduled_at: body.scheduled_at,
      media_ids: body.media_ids,
      ...keptExtras(filledExtras(body)),
      created_at: new Date(at).toISOString(),
    };
    await store.append({ post: made });
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
  handle: ({ id, context }, backend) => toAnswer(findPost(id, backend), context),
});

const cancelPost = endpoint({
  method: "DELETE",
  path: "/posts/:id",
  scope: "write",
  operation: "cancelPost",
  summary: "Cancels a scheduled post",
  answer: postAnswer,
  handle: ({ id, context }, backend) =>
    backend.store.runExclusive(id, async () => {
      const found = findPost(id, backend);
      refuseUnlessScheduled(found);
      if (found.platforms.some((platform) => hasBegun(backend.store.publication(id, platform))))
        throw invalidField("id", "the post is being published, so it cannot be cancelled");
      const cancelled = { ...found, cancelled_at: new Date(backend.now()).toISOString() };
      await backend.store.append({ post: cancelled });
      return toAnswer(cancelled, context);
    }),
});

export const postsRoutes: readonly Route[] = [listPosts, createPost, getPost, cancelPost];

function refuseUnlessScheduled(post: StoredPost): void {
  const status = statusOf(post);
  switch (status) {
    case "cancelled":
      throw new ServiceError("not_found", "The post is already cancelled.");
    case "published":
    case "failed":
      throw invalidField("id", `the post is already ${status}, so it cannot be cancelled`);
    case "scheduled":
      break;
  }
}

/** The post as it is now. */
function findPost(id: string, backend: Backend): StoredPost {
  const post = backend.store.post(id);
  if (post === undefined) throw new ServiceError("not_found", "This post does not exist.");
  return postAt(post, backend.now(), backend);
}

function toAnswer(post: StoredPost, context: RequestContext) {
  const { results, accounts: _accounts, ...rest } = post;
  const status = statusOf(post);
  if (results === undefined) return { ...rest, status };
  const shownResults = results.map(({ platform, error, code = "platform_error" as const, url }) =>
    error === undefined
      ? { platform, status: "published" as const, ...addressOf(post, { platform, url }, context) }
      : { platform, status: "failed" as const, error: { code, message: error } },
  );
  return { ...rest, status, results: shownResults };
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

function checkNewPost(draft: NewPost, { store, accounts }: Backend, at: number): void {
  if (draft.content.trim() === "" && draft.media_ids.length === 0) {
    throw invalidField("content", "must not be empty if media_ids is empty");
  }
  if (Date.parse(draft.scheduled_at) <= at) throw invalidField("scheduled_at", "must be in the future");
  if (draft.expires !== undefined && Date.parse(draft.expires) <= Date.parse(draft.scheduled_at))
    throw invalidField("expires", "must be later than scheduled_at");
  for (const [index, platform] of draft.platforms.entries()) {
    const account = accounts.list.find((each) => each.platform === platform);
    if (account === undefined || store.isDisconnected(account.id)) {
      throw invalidField(`platforms[${index}]`, "is not a connected platform");
    }
  }
  for (const [index, id] of draft.media_ids.entries()) {
    if (store.media(id) === undefined)
      throw invalidField(`media_ids[${index}]`, "this media item does not exist");
  }
  if ((draft.alt?.length ?? 0) > draft.media_ids.length)
    throw invalidField("alt", "must not have more texts than media_ids has items");
}
