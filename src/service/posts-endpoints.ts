/** The endpoints of posts. */
import { utcMs } from "../calendar/canonical.ts";
import { Failure } from "../calendar/failure.ts";
import type { CallResult } from "./call-result.ts";
import { pathOf, type Caller } from "./caller.ts";
import { decodePost, decodePostRecord } from "./decode-post.ts";
import type { HttpAnswer } from "./http.ts";
import { isOwnAnswer } from "./own-answer.ts";
import { isOfStatus, isStillScheduled, stateOf } from "./post-state.ts";
import { decodeId, recordOf } from "./record.ts";
import type { Json, Listed, PostRecord, WriteResult } from "./records.ts";
import { readFailure, toWriteResult } from "./results.ts";
import type { CancelResult, CreatedPost, PostDraft, PostState, RemoteList, Service } from "./service.ts";
import type { Call } from "./transport.ts";

type PostsEndpoints = Pick<
  Service,
  "listScheduled" | "getPost" | "listPosts" | "readPost" | "createPost" | "cancelPost"
>;

export function postsEndpoints(caller: Caller): PostsEndpoints {
  const { read, list, write } = caller;
  return {
    listScheduled: async () => scheduledOf(await list("/posts", { status: "scheduled" })),
    getPost: async (id) => postState(id, await read(pathOf("/posts", id))),
    listPosts: async (status) =>
      ofStatus(status, await list("/posts", status === undefined ? {} : { status })),
    readPost: async (id) => postRecord(id, await read(pathOf("/posts", id))),
    createPost: async (draft) => created(await write(createCall(draft))),
    cancelPost: async (id) => cancelled(id, await write(cancelCall(id)), read),
  };
}

function scheduledOf({ items, wholeness }: Listed<unknown>): RemoteList {
  const records = items.map((item) => decodePost(item, "GET /v1/posts")).filter(isStillScheduled);
  // A list that changes while it is paged may tell a post twice.
  const posts = new Map(records.map(({ post }) => [post.id, post]));
  return { posts: [...posts.values()], wholeness };
}

function postState(id: string, result: CallResult): PostState {
  const endpoint = `GET /v1/posts/${id}`;
  if (result.kind === "refused" && result.error.code === "not_found")
    return { state: "gone", why: "not_found" };
  if (result.kind !== "answer") throw readFailure(endpoint, result);
  return stateOf(decodePost(recordOf(result.answer, endpoint), endpoint));
}

/** Services may ignore the filter, or tell no status. */
function ofStatus(status: string | undefined, { items, wholeness }: Listed<unknown>): Listed<PostRecord> {
  const records = items.map((item) => decodePostRecord(item, "GET /v1/posts"));
  const asked = status === undefined ? records : records.filter((each) => isOfStatus(each.status, status));
  return { items: [...new Map(asked.map((each) => [each.id, each])).values()], wholeness };
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
  return { method: "DELETE", path: pathOf("/posts", id), repeat: "repeatable" };
}

/**
 * An answer that the service may have given means cancelled, whatever it says. Any other answer is not trusted: a
 * refusal may come because the post is gone, or published already, and a page of a network's sign-in says nothing at
 * all. Then the post itself is asked for.
 */
async function cancelled(id: string, result: CallResult, read: Caller["read"]): Promise<CancelResult> {
  if (result.kind === "answer" && isOwnAnswer(result.answer)) {
    return { result: "done", value: wasPublished(result.answer) ? "published" : "cancelled" };
  }
  const told = unlessDone(result);
  const isTelling =
    result.kind === "refused" && !["not_found", "validation_error"].includes(result.error.code);
  if ((result.kind !== "answer" && result.kind !== "refused") || isTelling) return told;
  const wasNotFound = result.kind === "refused" && result.error.code === "not_found";
  const state = stateIfReadable(id, await read(pathOf("/posts", id)));
  switch (state?.state) {
    case "published":
      return { result: "done", value: "published" };
    case "gone":
      return { result: "done", value: result.kind === "answer" ? "cancelled" : "already-gone" };
    case "scheduled":
      return told;
    case "unclear":
    case undefined:
      // The next list tells.
      return wasNotFound ? { result: "unknown", message: NOT_FOUND_BUT_TOLD } : told;
  }
}

const NOT_FOUND_BUT_TOLD = "the service does not find the post to cancel, but does not tell that it is gone";

/** Whether the answer to a cancel is the record of a post that was published before. */
function wasPublished(answer: HttpAnswer): boolean {
  try {
    const endpoint = "DELETE /v1/posts";
    return stateOf(decodePost(recordOf(answer, endpoint), endpoint)).state === "published";
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

function unlessDone(result: CallResult): CancelResult {
  return toWriteResult<never>(result, () => {
    throw new Failure("service/unreadable", "the answer to the cancel cannot be read");
  });
}

function stateIfReadable(id: string, result: CallResult): PostState | undefined {
  try {
    return postState(id, result);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
