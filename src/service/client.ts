/** The service over HTTP: the interface's endpoints, as `Service` has them. */
import { openAsBlob } from "node:fs";
import { FormData } from "undici";
import { utcMs } from "../calendar/canonical.ts";
import { Failure } from "../calendar/failure.ts";
import type { RemotePost } from "../calendar/post.ts";
import { cancelResult } from "./cancel-result.ts";
import { decodeId, decodeMediaType, decodePost, platformNames, recordOf } from "./decode-post.ts";
import { isObject } from "./decode-list.ts";
import { PRIORITY } from "./limiter.ts";
import { readList, type WholeList } from "./read-list.ts";
import { stateOf, isStillScheduled } from "./post-state.ts";
import type {
  CreatedPost,
  PostDraft,
  PostState,
  RemoteList,
  Service,
  UploadedMedia,
  UploadFile,
  WriteResult,
} from "./service.ts";
import type { CallResult } from "./call-result.ts";
import type { Call, Transport } from "./transport.ts";
import { readFailure, toWriteResult } from "./results.ts";

export interface ClientOptions {
  /** Name of the service in the lockfile. */
  readonly origin: string;
  readonly transport: Transport;
  /** Name of the file field of an upload, which the interface does not show. */
  readonly uploadField: string;
  readonly listLimit: number | undefined;
}

export function createClient({ origin, transport, uploadField, listLimit }: ClientOptions): Service {
  const read = (path: string): Promise<CallResult> =>
    transport.call({ method: "GET", path, repeat: "repeatable", priority: PRIORITY.read });
  const list = (path: string, query: Record<string, string>): Promise<WholeList> =>
    readList({ path, query }, listLimit, async (page) => {
      const result = await read(page);
      if (result.kind === "answer") return result.answer;
      if (result.kind === "refused" && result.error.code === "validation_error") return "too-large";
      throw readFailure(`GET /v1${path}`, result);
    });
  return {
    origin,
    listScheduled: async () => scheduledOf(await list("/posts", { status: "scheduled" })),
    getPost: async (id) => postState(id, await read(`/posts/${encodeURIComponent(id)}`)),
    listPlatforms: async () => platformsIn(await unlessUnreadable(list("/platforms", {}))),
    findMissingMedia: async (ids) => missingFrom(ids, await unlessUnreadable(list("/media", {}))),
    createPost: async (draft, leaving) => created(await transport.call({ ...createCall(draft), leaving })),
    cancelPost: async (id) =>
      cancelResult(await transport.call(cancelCall(id)), async () =>
        stateIfReadable(id, await read(`/posts/${encodeURIComponent(id)}`)),
      ),
    uploadMedia: async (file) => uploaded(await transport.call(uploadCall(file, uploadField))),
  };
}

function scheduledOf({ items, wholeness }: WholeList): RemoteList {
  // A list that changes while it is paged may tell a post twice.
  const posts = new Map<string, RemotePost>();
  for (const item of items) {
    const record = decodePost(item, "GET /v1/posts");
    if (isStillScheduled(record)) posts.set(record.post.id, record.post);
  }
  return { posts: [...posts.values()], wholeness };
}

function postState(id: string, result: CallResult): PostState {
  const endpoint = `GET /v1/posts/${id}`;
  if (result.kind === "refused" && result.error.code === "not_found")
    return { state: "gone", why: "not_found" };
  if (result.kind !== "answer") throw readFailure(endpoint, result);
  return stateOf(decodePost(recordOf(result.answer, endpoint), endpoint));
}

/** For lists that only help: what cannot be understood is as good as not asked. Other failures end the run. */
async function unlessUnreadable(list: Promise<WholeList>): Promise<WholeList | undefined> {
  try {
    return await list;
  } catch (error) {
    const isOnlyUnreadable =
      error instanceof Failure &&
      ["service/unreadable", "service/list-not-whole", "service/refused", "service/forbidden"].includes(
        error.code,
      );
    if (isOnlyUnreadable) return undefined;
    throw error;
  }
}

function platformsIn(list: WholeList | undefined): ReadonlySet<string> | undefined {
  const names = list?.items.map(platformNames);
  if (names === undefined || names.length === 0) return undefined;
  return names.every((each) => each !== undefined) ? new Set(names.flat()) : undefined;
}

function missingFrom(ids: readonly string[], list: WholeList | undefined): ReadonlySet<string> {
  if (list === undefined || list.wholeness !== "end") return new Set();
  const known = new Set(list.items.filter(isObject).map((item) => decodeId(item, "GET /v1/media")));
  return new Set(ids.filter((id) => !known.has(id)));
}

function createCall({ content, platforms, scheduledAt, mediaIds, isUrgent = false }: PostDraft): Call {
  const json = { content, platforms, scheduled_at: scheduledAt, media_ids: mediaIds };
  const notAfter = utcMs(scheduledAt);
  return {
    method: "POST",
    path: "/posts",
    repeat: "once",
    priority: PRIORITY.write,
    json,
    notAfter,
    isUrgent,
  };
}

function created(result: CallResult): WriteResult<CreatedPost> {
  const endpoint = "POST /v1/posts";
  return toWriteResult(result, (answer) => {
    const record = recordOf(answer, endpoint);
    return { id: decodeId(record, endpoint), ...echoIn(record, endpoint) };
  });
}

/** What the answer to a create tells of the post besides its id; nothing where that cannot be read. */
function echoIn(record: Readonly<Record<string, unknown>>, endpoint: string): Partial<CreatedPost> {
  try {
    return decodePost(record, endpoint).post;
  } catch (error) {
    if (error instanceof Failure) return {};
    throw error;
  }
}

function cancelCall(id: string): Call {
  const path = `/posts/${encodeURIComponent(id)}`;
  return { method: "DELETE", path, repeat: "repeatable", priority: PRIORITY.write };
}

function stateIfReadable(id: string, result: CallResult): PostState | undefined {
  try {
    return postState(id, result);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

function uploadCall(file: UploadFile, field: string): Call {
  const form = async (): Promise<FormData> => {
    const blob = await openAsBlob(file.absolutePath, { type: file.mime });
    const data = new FormData();
    data.append(field, blob, file.name);
    return data;
  };
  return { method: "POST", path: "/media", repeat: "repeatable", priority: PRIORITY.write, form };
}

function uploaded(result: CallResult): WriteResult<UploadedMedia> {
  return toWriteResult(result, (answer) => {
    const record = recordOf(answer, "POST /v1/media");
    return { id: decodeId(record, "POST /v1/media"), type: decodeMediaType(record) ?? "" };
  });
}
