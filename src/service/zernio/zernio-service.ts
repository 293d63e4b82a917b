/**
 * Zernio through its API. What differs from other services:
 *
 * - A list has pages and a total. It is complete if the pages have as many posts as the total says.
 * - A PUT changes a scheduled post, which keeps its id.
 * - A create whose text an account already has is refused with the id of that post. Only a post that equals the draft in
 *   all parts counts as the result: any other may belong to somebody else.
 * - Files go to a storage whose address Zernio gives out. Posts contain the address of the file.
 */

import { EMPTY_EXTRAS } from "../../model/extras.ts";
import { ignoreFailure } from "../../model/failure.ts";
import { type RemotePost, differingParts } from "../../model/post.ts";
import { CARRIED_BY_ZERNIO } from "../../model/options/carried.ts";
import {
  type Account,
  accountLists,
  otherLists,
  recordLists,
  refusedOtherWrites,
  refusedWrite,
  whyOptionsLack,
} from "../endpoints/posts-only.ts";
import { onceUntilItFails } from "../endpoints/endpoint-calls.ts";
import { addressId, mediaItemOf } from "../endpoints/media-addresses.ts";
import { toWriteResult } from "../answers/results.ts";
import { decodeAnswer } from "../answers/typed-answer.ts";
import { cancelResult } from "../endpoints/http-service.ts";
import {
  type CallResult,
  type Connection,
  type ConnectionOptions,
  openTransport,
} from "../http/transport.ts";
import { bodyOf as jsonIn } from "../http/refusal.ts";
import type { MediaRecord, NotDone, WriteResult } from "../records.ts";
import type {
  CancelResult,
  FullService,
  PostDraft,
  PostState,
  ReadFullService,
  UploadFile,
} from "../service.ts";
import {
  SUPPORTS,
  Storage,
  ZernioRequests,
  duplicateAnswer,
  zernioPostAnswer,
  zernioRecord,
  presignAnswer,
  zernioRemotePost,
  zernioState,
} from "./zernio-api.ts";

/** The statuses by which Zernio filters a list. Others have no filter of their own. */
const FILTERS = ["draft", "scheduled", "published", "failed"] as const;

/** Opens Zernio: its connections, its rate limit and its requests. */
export function openZernio(options: ConnectionOptions): Connection {
  const { transport, ...connection } = openTransport(options);
  const storage = new Storage(options);
  const requests = new ZernioRequests(transport);
  return {
    ...connection,
    service: zernioService({ origin: options.origin, requests, storage }),
    destroy: async () => void (await Promise.all([connection.destroy(), storage.close()])),
    close: async () => void (await Promise.all([connection.close(), storage.close()])),
  };
}

interface ZernioOptions {
  /** Name of the service in the lockfile. */
  readonly origin: string;
  readonly requests: ZernioRequests;
  readonly storage: Pick<Storage, "put" | "whyNot" | "isGone">;
}

function zernioService({ origin, requests, storage }: ZernioOptions): FullService {
  const accounts = onceUntilItFails(() => requests.accounts());
  const context = { requests, accounts };
  return {
    origin,
    supports: SUPPORTS,
    ...readMethods(context),
    findMissingMedia: (ids) => findMissingMedia(ids, storage),
    whyNot: async (post) => whyOptionsLack(CARRIED_BY_ZERNIO, await accounts(), post),
    createPost: (draft, beforeSend) => createPost(draft, context, beforeSend),
    updatePost: (id, draft) => updatePost(id, draft, context),
    cancelPost: (id) => cancelPost(id, requests),
    uploadMedia: (file) => upload(file, requests, storage),
    ...refusedOtherWrites(
      "plancast does not use this part of Zernio",
      "Disconnect the account in Zernio, which also shows its scheduled posts",
    ),
  };
}

interface Context {
  readonly requests: ZernioRequests;
  readonly accounts: () => Promise<readonly Account[]>;
}

function readMethods({
  requests,
  accounts,
}: Context): Omit<ReadFullService, "origin" | "supports" | "whyNot"> {
  const lists = recordLists(async (status) => {
    const known = await accounts();
    const posts = await requests.posts(FILTERS.find((each) => each === status));
    return posts.map((post) => zernioRecord(post, known));
  });
  return {
    async listScheduled() {
      const known = await accounts();
      // Zernio may ignore the filter.
      const posts = (await requests.posts("scheduled"))
        .filter((post) => zernioState(post).state === "scheduled")
        .map((post) => zernioRemotePost(post, known));
      return { name: "GET /posts", posts, wholeness: "end", isTold: true };
    },
    getPost: (id) => stateById(id, requests),
    async readPost(id) {
      const post = await requests.post(id);
      return post && zernioRecord(post, await accounts());
    },
    ...lists,
    findPosts: async (ids, status) => (ids.size < 2 ? new Map() : lists.findPosts(ids, status)),
    ...accountLists(accounts),
    ...otherLists("Zernio"),
  };
}

/** The accounts of a draft, in its order; or why it cannot be sent. */
async function accountsOf(draft: PostDraft, { accounts }: Context): Promise<readonly Account[] | NotDone> {
  const known = await accounts();
  const chosen = draft.platforms.map((platform) =>
    known.find((each) => each.platform === platform && each.isActive),
  );
  const missing = draft.platforms.find((_, index) => chosen[index] === undefined);
  if (missing !== undefined)
    return refusedWrite("platform/unknown", `Zernio has no active account ${missing}`);
  return chosen.filter((each) => each !== undefined);
}

function written(result: CallResult, known: readonly Account[], endpoint: string): WriteResult<RemotePost> {
  return toWriteResult(result, (answer) =>
    zernioRemotePost(decodeAnswer(answer, zernioPostAnswer, endpoint).post, known),
  );
}

async function createPost(
  draft: PostDraft,
  context: Context,
  beforeSend: (() => Promise<void>) | undefined,
): Promise<WriteResult<RemotePost>> {
  const own = await accountsOf(draft, context);
  if ("result" in own) return own;
  const known = await context.accounts();
  const result = await context.requests.create(draft, own, beforeSend);
  const existing = existingId(result);
  if (existing === undefined) return written(result, known, "POST /posts");
  const post = await context.requests.post(existing).catch(ignoreFailure);
  if (post !== undefined && zernioState(post).state === "scheduled") {
    const found = zernioRemotePost(post, known);
    if (differingParts({ ...EMPTY_EXTRAS, ...draft }, found).length === 0)
      return { result: "done", value: found };
  }
  return refusedWrite(
    "zernio/duplicate",
    `Zernio accepts the same text and media only once in 24 hours for an account, and the account has them in the post ${existing}. Change the text, or run plancast apply again a day later`,
  );
}

/** The id of the post with the same text, if Zernio refuses a create for it; undefined for any other result. */
function existingId(result: CallResult): string | undefined {
  if (result.kind !== "refused" || result.answer?.status !== 409) return undefined;
  return duplicateAnswer.safeParse(jsonIn(result.answer)).data?.details.existingPostId;
}

/** A post that is published on one network must not be changed: Zernio would publish it again. */
async function updatePost(id: string, draft: PostDraft, context: Context): Promise<WriteResult<RemotePost>> {
  const own = await accountsOf(draft, context);
  if ("result" in own) return own;
  const before = await context.requests.post(id).catch(ignoreFailure);
  if (before === undefined) return { result: "unknown", message: "Zernio does not show the post to change" };
  const { state } = zernioState(before);
  if (state !== "scheduled") return refusedWrite("apply/already-published", `the post is ${state} by now`);
  return written(await context.requests.update(id, draft, own), await context.accounts(), "PUT /posts/{id}");
}

async function cancelPost(id: string, requests: ZernioRequests): Promise<CancelResult> {
  return cancelResult(await requests.delete(id), () => stateById(id, requests).catch(ignoreFailure));
}

async function stateById(id: string, requests: ZernioRequests): Promise<PostState> {
  const post = await requests.post(id);
  return post === undefined ? { state: "missing" } : zernioState(post);
}

/** Zernio does not list media, but everybody can read the addresses. */
async function findMissingMedia(
  ids: readonly string[],
  storage: ZernioOptions["storage"],
): Promise<ReadonlySet<string>> {
  const asked = ids.map(async (id) => ((await storage.isGone(mediaItemOf(id).url)) ? [id] : []));
  return new Set((await Promise.all(asked)).flat());
}

/** Two requests: one asks for the address, and one sends the file there. */
async function upload(
  file: UploadFile,
  requests: ZernioRequests,
  storage: ZernioOptions["storage"],
): Promise<WriteResult<MediaRecord>> {
  const asked = toWriteResult(await requests.presign(file.name, file.mime), (answer) =>
    decodeAnswer(answer, presignAnswer, "POST /media/presign"),
  );
  if (asked.result !== "done") return asked;
  const { uploadUrl, publicUrl } = asked.value;
  const url = new URL(uploadUrl);
  const why = storage.whyNot(url);
  if (why !== undefined)
    return refusedWrite("zernio/storage", `Zernio's address for the file (${url.host}) ${why}`);
  const sent = await storage.put(url, file).catch(ignoreFailure);
  if (sent === undefined)
    return refusedWrite("zernio/storage", `the storage ${url.host} redirects to another address`);
  if (sent.kind === "refused") {
    const said = sent.error.message;
    return refusedWrite(
      "zernio/storage",
      `the storage ${url.host} does not take the file: ${said}. Run plancast apply again, which asks Zernio for a new address`,
    );
  }
  const [type = ""] = file.mime.split("/", 1);
  return toWriteResult(sent, () => {
    const id = addressId(publicUrl, type);
    return { id, url: publicUrl, record: { ...mediaItemOf(id) } };
  });
}
