import { z } from "zod";
import { pageOf, pageQuery } from "./paging.ts";
import { PLATFORM_ACCOUNTS } from "./platform-accounts.ts";
import { randomId } from "./random-id.ts";
import type { StoredPost } from "./records.ts";
import { invalid, readJson, readQuery } from "./request-body.ts";
import type { Backend, RequestContext, Route } from "./route.ts";
import { ServiceError } from "./service-error.ts";

const STATUSES = ["scheduled", "published", "cancelled"] as const;

type PostStatus = (typeof STATUSES)[number];

/** Longest text, in UTF-16 units. */
const MAX_CONTENT = 100_000;
const MAX_PARTS = 100;

const listQuery = pageQuery.extend({
  status: z.enum(STATUSES, `must be one of ${STATUSES.join(", ")}`).optional(),
});

const text = (error: string) => z.string(error);

const newPost = z.object(
  {
    content: text("must be a text").max(MAX_CONTENT, `must not exceed ${MAX_CONTENT} characters`).default(""),
    platforms: z
      .array(text("must be a text"), "must be a list of platforms")
      .min(1, "must name at least one platform")
      .max(MAX_PARTS, `must not name more than ${MAX_PARTS} platforms`),
    scheduled_at: text("must be a time of the form YYYY-MM-DDTHH:MM:SSZ").refine(
      isUtcTime,
      "must be a time of the form YYYY-MM-DDTHH:MM:SSZ",
    ),
    media_ids: z
      .array(text("must be a text"), "must be a list of media ids")
      .max(MAX_PARTS, `must not name more than ${MAX_PARTS} media`)
      .default([]),
  },
  "must be an object",
);

type NewPost = z.infer<typeof newPost>;

export const postsRoutes: readonly Route[] = [
  { method: "GET", path: "/posts", scope: "read", handle: listPosts },
  { method: "POST", path: "/posts", scope: "write", handle: createPost },
  { method: "GET", path: "/posts/:id", scope: "read", handle: getPost },
  { method: "DELETE", path: "/posts/:id", scope: "write", handle: cancelPost },
];

function listPosts(context: RequestContext, { store, now }: Backend): Response {
  const query = readQuery(context.req.query(), listQuery);
  const at = now();
  const matching = store
    .posts()
    .filter((post) => query.status === undefined || statusAt(post, at) === query.status);
  const page = pageOf(matching, (post) => `${post.scheduled_at} ${post.id}`, query);
  return context.json({ ...page, data: page.data.map((post) => shown(post, at)) });
}

async function createPost(context: RequestContext, { store, now, random }: Backend): Promise<Response> {
  const draft = await readJson(context.env.incoming, newPost);
  const at = now();
  checkDraft(draft, store, at);
  const post: StoredPost = {
    id: randomId("post", random, (id) => store.post(id) !== undefined),
    content: draft.content,
    platforms: [...new Set(draft.platforms)],
    scheduled_at: draft.scheduled_at,
    media_ids: draft.media_ids,
    created_at: new Date(at).toISOString(),
  };
  await store.append({ post });
  return context.json(shown(post, at), 201);
}

function getPost(context: RequestContext, { store, now }: Backend): Response {
  const id = context.req.param("id") ?? "";
  return context.json(shown(existing(store, id), now()));
}

async function cancelPost(context: RequestContext, { store, now }: Backend): Promise<Response> {
  const id = context.req.param("id") ?? "";
  return await store.inTurn(id, async () => {
    const at = now();
    const post = existing(store, id);
    refuseUnlessScheduled(post, at);
    const cancelled = { ...post, cancelled_at: new Date(at).toISOString() };
    await store.append({ post: cancelled });
    return context.json(shown(cancelled, at));
  });
}

function refuseUnlessScheduled(post: StoredPost, at: number): void {
  switch (statusAt(post, at)) {
    case "cancelled":
      throw new ServiceError("not_found", "The post is already cancelled.");
    case "published":
      throw invalid("id", "the post is already published, so it cannot be cancelled");
    case "scheduled":
      break;
  }
}

function existing(store: Backend["store"], id: string): StoredPost {
  const post = store.post(id);
  if (post === undefined) throw new ServiceError("not_found", "There is no such post.");
  return post;
}

/** A post whose time has come is published: told from the clock, so that nothing need run, or write, for it. */
function statusAt(post: StoredPost, at: number): PostStatus {
  if (post.cancelled_at !== undefined) return "cancelled";
  return Date.parse(post.scheduled_at) <= at ? "published" : "scheduled";
}

function shown(post: StoredPost, at: number) {
  return { ...post, status: statusAt(post, at) };
}

function checkDraft(draft: NewPost, store: Backend["store"], at: number): void {
  if (draft.content.trim() === "" && draft.media_ids.length === 0) {
    throw invalid("content", "must not be empty where media_ids is");
  }
  if (Date.parse(draft.scheduled_at) <= at) throw invalid("scheduled_at", "must be in the future");
  for (const [index, platform] of draft.platforms.entries()) {
    const account = PLATFORM_ACCOUNTS.find((each) => each.platform === platform);
    if (account === undefined || store.isDisconnected(account.id)) {
      throw invalid(`platforms[${index}]`, "is not a connected platform");
    }
  }
  for (const [index, id] of draft.media_ids.entries()) {
    if (store.media(id) === undefined) throw invalid(`media_ids[${index}]`, "there is no such media item");
  }
}

/** Whether the text is a moment that exists, in the one form that the interface shows. */
function isUtcTime(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text)) return false;
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString() === text.replace("Z", ".000Z");
}
