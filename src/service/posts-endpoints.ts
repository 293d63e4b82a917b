/** The endpoints of posts. */
import { utcMs } from "../calendar/canonical.ts";
import { Failure } from "../calendar/failure.ts";
import type { RemotePost } from "../calendar/post.ts";
import { indexById } from "../calendar/post-index.ts";
import type { CallResult } from "./call-result.ts";
import { cancelResult } from "./cancel-result.ts";
import { recordPath, type Caller } from "./caller.ts";
import { decodePost, decodePostRecord } from "./decode-post.ts";
import { lookForPosts } from "./look-for-posts.ts";
import { matchesStatus, isStillScheduled, stateOf } from "./post-state.ts";
import { decodeId, recordOf } from "./record.ts";
import type { Json, Listed, PostRecord, WriteResult } from "./records.ts";
import { readFailure, toWriteResult } from "./results.ts";
import type { CreatedPost, PostDraft, PostState, RemoteList, Service } from "./service.ts";
import type { Call } from "./transport.ts";

type PostsEndpoints = Pick<
  Service,
  "listScheduled" | "getPost" | "listPosts" | "readPost" | "lookForPosts" | "createPost" | "cancelPost"
>;

export function postsEndpoints(caller: Caller): PostsEndpoints {
  const { read, list, write } = caller;
  return {
    listScheduled: async () => scheduledOf(await list("/posts", { status: "scheduled" })),
    getPost: async (id) => postState(id, await read(recordPath("/posts", id))),
    listPosts: async (status) =>
      ofStatus(status, await list("/posts", status === undefined ? {} : { status })),
    readPost: async (id) => postRecord(id, await read(recordPath("/posts", id))),
    lookForPosts: (ids, status) => lookForPosts(ids, status, caller),
    createPost: async (draft, leaving) => created(await write({ ...createCall(draft), beforeSend: leaving })),
    cancelPost: async (id) =>
      cancelResult(await write(cancelCall(id)), async () =>
        stateIfReadable(id, await read(recordPath("/posts", id))),
      ),
  };
}

function scheduledOf({ items, ...rest }: Listed<unknown>): RemoteList {
  const posts: RemotePost[] = [];
  for (const item of items) {
    const record = decodePost(item, "GET /v1/posts");
    if (isStillScheduled(record)) posts.push(record.post);
  }
  // A list that changes while it is paged may tell a post twice.
  const index = indexById(posts);
  return { ...rest, posts: index.size === posts.length ? posts : [...index.values()] };
}

function postState(id: string, result: CallResult): PostState {
  const endpoint = `GET /v1/posts/${id}`;
  if (result.kind === "refused" && result.error.code === "not_found")
    return { state: "gone", why: "not_found" };
  if (result.kind !== "answer") throw readFailure(endpoint, result);
  return stateOf(decodePost(recordOf(result.answer, endpoint), endpoint));
}

/** Services may ignore the filter, or tell no status. */
function ofStatus(status: string | undefined, { items, ...rest }: Listed<unknown>): Listed<PostRecord> {
  const records = items.map((item) => decodePostRecord(item, "GET /v1/posts"));
  const asked = status === undefined ? records : records.filter((each) => matchesStatus(each.status, status));
  return { items: [...new Map(asked.map((each) => [each.id, each])).values()], ...rest };
}

function postRecord(id: string, result: CallResult): PostRecord | undefined {
  const endpoint = `GET /v1/posts/${id}`;
  if (result.kind === "refused" && result.error.code === "not_found") return undefined;
  if (result.kind !== "answer") throw readFailure(endpoint, result);
  return decodePostRecord(recordOf(result.answer, endpoint), endpoint);
}

function createCall({
  content,
  platforms,
  scheduledAt,
  mediaIds,
  isUrgent = false,
}: PostDraft): Omit<Call, "priority"> {
  const json = { content, platforms, scheduled_at: scheduledAt, media_ids: mediaIds };
  const notAfter = utcMs(scheduledAt);
  return { method: "POST", path: "/posts", repeat: "once", json, notAfter, isUrgent };
}

function created(result: CallResult): WriteResult<CreatedPost> {
  const endpoint = "POST /v1/posts";
  return toWriteResult(result, (answer) => {
    const record = recordOf(answer, endpoint);
    return { id: decodeId(record, endpoint), ...echoIn(record, endpoint) };
  });
}

/** What the answer to a create tells of the post besides its id; nothing where that cannot be read. */
function echoIn(record: Json, endpoint: string): Partial<CreatedPost> {
  try {
    return decodePost(record, endpoint).post;
  } catch (error) {
    if (error instanceof Failure) return {};
    throw error;
  }
}

function cancelCall(id: string): Omit<Call, "priority"> {
  return { method: "DELETE", path: recordPath("/posts", id), repeat: "repeatable" };
}

function stateIfReadable(id: string, result: CallResult): PostState | undefined {
  try {
    return postState(id, result);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
