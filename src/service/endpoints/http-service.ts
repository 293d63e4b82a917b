/**
 * The service over HTTP: connections, the rate limiter and the endpoints together. The endpoints of posts come first, then
 * the media library, connected platforms, and what the service creates on request: texts, pictures, runs of automations,
 * and webhooks.
 */

import { DiskFile } from "../../media/media-file.ts";
import { utcMs } from "../../model/canonical.ts";
import { isObject } from "../../model/data.ts";
import { type ExtraPart, NO_EXTRAS, filledExtras } from "../../model/extras.ts";
import { Failure, unlessFailure } from "../../model/failure.ts";
import { type RemotePost, indexById } from "../../model/post.ts";
import {
  decodeAutomation,
  decodeImage,
  decodeMedia,
  decodePlatform,
  decodeGeneratedText,
  decodeTrigger,
  decodeWebhook,
  platformName,
} from "../answers/other-records.ts";
import {
  decodePost,
  decodePostRecord,
  isStillScheduled,
  matchesStatus,
  requireFields,
  stateOf,
  publicationOf,
} from "../answers/post.ts";
import { decodeId, idFrom, idIn, recordOf } from "../answers/record.ts";
import {
  ifReadable,
  isJsonOrEmpty,
  readFailure,
  requireJsonOrEmpty,
  toWriteResult,
} from "../answers/results.ts";
import { bodyOf } from "../http/refusal.ts";
import type { FormPart, HttpAnswer } from "../http/request.ts";
import {
  type Call,
  type CallResult,
  type Connection,
  type ConnectionOptions,
  openTransport,
} from "../http/transport.ts";
import type { Disconnected, Listed, MediaRecord, PostRecord, WriteResult } from "../records.ts";
import type { CancelResult, FullService, PostDraft, PostState, RemoteList, UploadFile } from "../service.ts";
import {
  type EndpointCalls,
  type EndpointCallsOptions,
  endpointCalls,
  onceUntilItFails,
  recordPath,
} from "./endpoint-calls.ts";

export function openConnection(options: ConnectionOptions): Connection {
  const { origin, settings, supports } = options;
  const { upload_field: uploadField, list_limit: listLimit, shape } = settings;
  const { transport, ...connection } = openTransport(options);
  return {
    ...connection,
    service: httpService({ origin, transport, uploadField, listLimit, shape, supports }),
  };
}

interface HttpServiceOptions extends EndpointCallsOptions {
  /** Name of the service in the lockfile. */
  readonly origin: string;
  /** Name of the file field in an upload, which the interface does not document. */
  readonly uploadField: string;
  readonly supports?: ReadonlySet<ExtraPart> | undefined;
}

/** The service over HTTP. */
export function httpService({
  origin,
  uploadField,
  supports = NO_EXTRAS,
  ...options
}: HttpServiceOptions): FullService {
  const calls = endpointCalls(options);
  return {
    origin,
    supports,
    ...postsEndpoints(calls, supports),
    ...mediaEndpoints(calls, uploadField),
    ...platformsEndpoints(calls),
    ...aiAndAutomationsEndpoints(calls),
  };
}

type PostsEndpoints = Pick<
  FullService,
  "listScheduled" | "getPost" | "listPosts" | "readPost" | "findPosts" | "createPost" | "cancelPost"
>;

const LIST = "GET /v1/posts";

/** @param supports the extra parts that the service stores and shows */
function postsEndpoints(calls: EndpointCalls, supports: ReadonlySet<ExtraPart>): PostsEndpoints {
  const { read, list, write } = calls;
  return {
    listScheduled: async (_range, longest = {}) =>
      scheduledOf(await list("/posts", { status: "scheduled" }, longest), supports),
    getPost: async (id) => postState(id, await read(recordPath("/posts", id))),
    listPosts: async (status) =>
      ofStatus(status, await list("/posts", status === undefined ? {} : { status })),
    readPost: async (id) => postRecord(id, await read(recordPath("/posts", id))),
    findPosts: (ids, status) => findPosts(ids, status, calls),
    createPost: async (draft, beforeSend) =>
      created(await write({ ...createCall(draft), beforeSend }), supports),
    cancelPost: async (id) =>
      cancelResult(await write(cancelCall(id)), async () => {
        const answer = await read(recordPath("/posts", id));
        return unlessFailure(() => postState(id, answer));
      }),
  };
}

function scheduledOf({ items, ...rest }: Listed<unknown>, supports: ReadonlySet<ExtraPart>): RemoteList {
  const posts: RemotePost[] = [];
  for (const item of items) {
    const { post, status } = decodePost(item, LIST, supports);
    if (!isStillScheduled(status)) continue;
    if (isObject(item)) requireFields(item, post.id, LIST);
    posts.push(post);
  }
  // A list that changes during paging may contain a post twice.
  const index = indexById(posts);
  return { ...rest, name: LIST, posts: index.size === posts.length ? posts : [...index.values()] };
}

function postState(id: string, result: CallResult): PostState {
  const post = postRecord(id, result);
  if (post === undefined) return { state: "missing" };
  // A post that one network has published cannot be scheduled again, whatever the result on the others.
  const isOut = publicationOf(post).results.some(({ state }) => state === "published");
  const state = stateOf(post.status);
  return isOut && state.state === "failed" ? { state: "published" } : state;
}

/** Services may ignore the filter, or send no status. */
function ofStatus(status: string | undefined, { items, ...rest }: Listed<unknown>): Listed<PostRecord> {
  const records = items.map((item) => decodePostRecord(item, LIST));
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
  ...extras
}: PostDraft): Omit<Call, "priority"> {
  const json = {
    content,
    platforms,
    scheduled_at: scheduledAt,
    media_ids: mediaIds,
    ...filledExtras(extras),
  };
  const notAfter = utcMs(scheduledAt);
  return { method: "POST", path: "/posts", repeat: "once", json, notAfter, isUrgent };
}

function created(result: CallResult, supports: ReadonlySet<ExtraPart>): WriteResult<RemotePost> {
  const endpoint = "POST /v1/posts";
  return toWriteResult(result, (answer) => {
    const record = recordOf(answer, endpoint);
    // The rest of the record need not be readable.
    return {
      id: decodeId(record, endpoint),
      ...unlessFailure(() => decodePost(record, endpoint, supports).post),
    };
  });
}

function cancelCall(id: string): Omit<Call, "priority"> {
  return { method: "DELETE", path: recordPath("/posts", id), repeat: "repeatable" };
}

/**
 * The result of a cancel: from the answer if it is trustworthy, otherwise from the post itself.
 *
 * A service accepts a cancel with JSON, or with an empty answer. Other answers are not trusted. A refusal may mean that
 * the post is gone, or already published. A network's sign-in page means nothing. A successful answer with a body that
 * says the opposite is not clear, either. In these cases, the post itself is requested.
 * @param ask requests the post as it is now; undefined if it cannot be read
 */
export async function cancelResult(
  result: CallResult,
  ask: () => Promise<PostState | undefined>,
): Promise<CancelResult> {
  const said = result.kind === "answer" ? outcomeIn(result.answer) : undefined;
  if (said !== undefined) return { result: "done", value: said };
  const answered = unconfirmed(result);
  const isTelling =
    result.kind === "refused" && !["not_found", "validation_error"].includes(result.error.code);
  if ((result.kind !== "answer" && result.kind !== "refused") || isTelling) return answered;
  const wasNotFound = result.kind === "refused" && result.error.code === "not_found";
  const state = await ask();
  switch (state?.state) {
    case "published":
      return { result: "done", value: "published" };
    case "missing":
    case "cancelled":
    case "failed":
      return {
        result: "done",
        value: result.kind === "answer" || result.inDoubt === true ? "cancelled" : "already-gone",
      };
    case "scheduled":
      return answered;
    case "unknown":
    case undefined:
      // The next list will show it.
      return wasNotFound ? { result: "unknown", message: NOT_FOUND_UNCONFIRMED } : answered;
  }
}

const NOT_FOUND_UNCONFIRMED =
  "the service does not find the post to cancel, but does not say that it is gone";

/** Undefined if the answer is not JSON, or says something else: accepted for later, failed, or the post as it is. */
function outcomeIn(answer: HttpAnswer): "cancelled" | "published" | undefined {
  if (answer.status === ACCEPTED) return undefined;
  if (answer.text.trim() === "") return "cancelled";
  const body = bodyOf(answer);
  if (body === undefined || (isObject(body) && saysFailure(body))) return undefined;
  const state = stateInAnswer(answer);
  if (state === "scheduled") return undefined;
  return state === "published" ? "published" : "cancelled";
}

/** Words for a cancel that is accepted for later. */
const ACCEPTED = 202;
const OUTCOME_KEYS = ["success", "ok", "deleted", "cancelled", "canceled"];

function saysFailure(body: Readonly<Record<string, unknown>>): boolean {
  const { error } = body;
  return (
    (error !== undefined && error !== null && error !== false) ||
    OUTCOME_KEYS.some((key) => body[key] === false)
  );
}

/** The status in the answer's record; undefined if there is no record. */
function stateInAnswer(answer: HttpAnswer): PostState["state"] | undefined {
  const endpoint = "DELETE /v1/posts";
  return unlessFailure(() => stateOf(decodePost(recordOf(answer, endpoint), endpoint).status).state);
}

function unconfirmed(result: CallResult): CancelResult {
  return toWriteResult<never>(result, () => {
    throw new Failure("service/unreadable", "its answer does not say that the post is cancelled");
  });
}

/** Up to this many posts are read by their ids; more are looked up in lists. */
const MAX_SINGLE_READS = 1;

/**
 * Reads at most as many pages as there are posts left. If the list has them together, one or two are enough, and it
 * never takes more than twice the requests of reading each post.
 */
async function findPosts(
  ids: ReadonlySet<string>,
  status: string | undefined,
  { pages }: Pick<EndpointCalls, "pages">,
): Promise<ReadonlyMap<string, PostRecord>> {
  const found = new Map<string, PostRecord>();
  let asked = 0;
  const take = (items: readonly unknown[]): boolean => {
    asked += 1;
    for (const item of items) {
      const id = isObject(item) ? idIn(item) : undefined;
      if (id !== undefined && ids.has(id)) found.set(id, decodePostRecord(item, LIST));
    }
    return ids.size - found.size > Math.max(MAX_SINGLE_READS, asked);
  };
  if (ids.size > MAX_SINGLE_READS) await pages("/posts", status === undefined ? {} : { status }, take);
  return found;
}

type MediaEndpoints = Pick<FullService, "findMissingMedia" | "listMedia" | "uploadMedia">;

/** @param uploadField name of the file field in an upload, which the interface does not document */
function mediaEndpoints({ list, write }: EndpointCalls, uploadField: string): MediaEndpoints {
  return {
    findMissingMedia: async (ids) => missingFrom(ids, await ifReadable(list("/media"))),
    listMedia: async (type) => ofType(type, await list("/media", type === undefined ? {} : { type })),
    uploadMedia: async (file) =>
      toWriteResult(await write(uploadCall(file, uploadField)), (answer) =>
        decodeMedia(recordOf(answer, "POST /v1/media"), "POST /v1/media"),
      ),
  };
}

function missingFrom(ids: readonly string[], list: Listed<unknown> | undefined): ReadonlySet<string> {
  if (list === undefined || list.wholeness !== "end") return new Set();
  const known = new Set(list.items.filter(isObject).map((item) => decodeId(item, "GET /v1/media")));
  return new Set(ids.filter((id) => !known.has(id)));
}

/** Services may ignore the filter, or send no type. */
function ofType(type: string | undefined, { items, ...rest }: Listed<unknown>): Listed<MediaRecord> {
  const records = items.map((item) => decodeMedia(item, "GET /v1/media"));
  const asked = records.filter((each) => (each.type ?? type) === type || type === undefined);
  return { items: [...new Map(asked.map((each) => [each.id, each])).values()], ...rest };
}

function uploadCall(file: UploadFile, field: string): Omit<Call, "priority"> {
  const form = async (): Promise<FormPart[]> => {
    const value = await DiskFile.open(file.absolutePath, file.mime);
    return [{ name: field, value, fileName: file.name }];
  };
  return { method: "POST", path: "/media", repeat: "repeatable", form };
}

type PlatformsEndpoints = Pick<
  FullService,
  "listNetworks" | "listAccountIds" | "listAccounts" | "disconnectPlatform"
>;

function platformsEndpoints({ list, write }: EndpointCalls): PlatformsEndpoints {
  const listAccounts = async () => {
    const { items, ...rest } = await list("/platforms");
    return { items: items.map((item) => decodePlatform(item, "GET /v1/platforms")), ...rest };
  };
  // A run needs networks and accounts, and one answer has both.
  const platforms = onceUntilItFails(() => ifReadable(list("/platforms")));
  return {
    listNetworks: async () => platformsIn(await platforms()),
    listAccountIds: async () => accountIdsIn(await platforms()),
    listAccounts,
    disconnectPlatform: async (id) => {
      const path = recordPath("/platforms", id);
      return disconnected(id, await write({ method: "DELETE", path, repeat: "repeatable" }), listAccounts);
    },
  };
}

/** Undefined if there are accounts, and none has an id. */
function accountIdsIn(list: Listed<unknown> | undefined): ReadonlySet<string> | undefined {
  if (list === undefined) return undefined;
  const ids = list.items.map((item) => (isObject(item) ? idIn(item) : idFrom(item)));
  const shown = new Set(ids.filter((id) => id !== undefined));
  return shown.size === 0 && ids.length > 0 ? undefined : shown;
}

function platformsIn(list: Listed<unknown> | undefined): ReadonlySet<string> | undefined {
  const names = list?.items.map(platformName);
  if (names === undefined || names.length === 0) return undefined;
  return names.every((each) => each !== undefined) ? new Set(names) : undefined;
}

/**
 * Any answer from the service means disconnected. Two answers are not trusted: that the account is not found, and an
 * answer in an unknown form. Then the list of accounts decides.
 */
async function disconnected(
  id: string,
  result: CallResult,
  listAccounts: FullService["listAccounts"],
): Promise<WriteResult<Disconnected>> {
  const isOwn = result.kind === "answer" && isJsonOrEmpty(result.answer);
  const isMissing = result.kind === "refused" && result.error.code === "not_found";
  if (isOwn || (result.kind !== "answer" && !isMissing)) return toWriteResult(result, () => "disconnected");
  const accounts = await ifReadable(listAccounts());
  if (accounts?.items.some((each) => each.id === id) === true && isMissing)
    return toWriteResult(result, () => "disconnected");
  const isGone =
    accounts?.wholeness === "end" && accounts.items.every((each) => each.id !== undefined && each.id !== id);
  if (isGone) return { result: "done", value: isMissing ? "already-gone" : "disconnected" };
  return { result: "unknown", message: "the service does not show whether the account is still connected" };
}

type Endpoints = Pick<
  FullService,
  "generateText" | "generateImage" | "listAutomations" | "triggerAutomation" | "addWebhook"
>;

function aiAndAutomationsEndpoints({ list, write }: EndpointCalls): Endpoints {
  const postOnce = (path: string, json: object): Promise<CallResult> =>
    write({ method: "POST", path, repeat: "once", json });
  return {
    generateText: async ({ prompt, platform, tone }) =>
      withAnswer(await postOnce("/ai/text", { prompt, platform, tone }), (answer) =>
        decodeGeneratedText(answer, "POST /v1/ai/text"),
      ),
    generateImage: async ({ prompt, size }) =>
      withAnswer(await postOnce("/ai/image", { prompt, size }), (answer) =>
        decodeImage(answer, "POST /v1/ai/image"),
      ),
    listAutomations: async () => {
      const { items, ...rest } = await list("/automations");
      return { items: items.map((item) => decodeAutomation(item, "GET /v1/automations")), ...rest };
    },
    triggerAutomation: async (id, input) => {
      const path = `${recordPath("/automations", id)}/trigger`;
      return toWriteResult(await postOnce(path, { input }), (answer) =>
        decodeTrigger(requireJsonOrEmpty(answer, `POST /v1${path}`)),
      );
    },
    addWebhook: async ({ url, events }) =>
      toWriteResult(await postOnce("/webhooks", { url, events }), (answer) =>
        decodeWebhook(requireJsonOrEmpty(answer, "POST /v1/webhooks")),
      ),
  };
}

/** The result may have cost money. If it cannot be read, people can look for it in the answer. */
function withAnswer<T>(call: CallResult, decode: (answer: HttpAnswer) => T): WriteResult<T> {
  const written = toWriteResult(call, decode);
  if (call.kind !== "answer" || written.result !== "unknown") return written;
  return { ...written, answer: call.answer.text };
}
