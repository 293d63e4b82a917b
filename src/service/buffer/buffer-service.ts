/**
 * Buffer through its GraphQL API. What differs from other services:
 *
 * - Requests are scarce: three windows at once, and the longest allows 100 a day on a month's average. Several changes travel
 *   in one request (mutations.ts), and a list brings the channels, too (buffer-reads.ts).
 * - A create is never safe to repeat. An edit keeps the post's id.
 * - A post is for one channel. A row for two accounts becomes two posts before it gets here.
 * - Media have addresses, which Buffer reads when the post goes out. So they must stay, and presigned addresses would end too
 *   early. Source: developers.buffer.com/guides/hosting-media.
 * - All parts of a post are in its record. A list holds all scheduled posts, whatever their dates: somebody may have moved one.
 */

import { utcMs } from "../../model/canonical.ts";
import type { Clock } from "../../model/clock.ts";
import { groupBy } from "../../model/data.ts";
import { Failure, ignoreFailure } from "../../model/failure.ts";
import type { MediaFile, RemotePost } from "../../model/post.ts";
import type { PublicFiles } from "../../media/public-files.ts";
import { findZone, localDay } from "../../checks/when/local-time.ts";
import { CARRIED_BY_BUFFER } from "../../model/options/carried.ts";
import { toWriteResult } from "../answers/results.ts";
import {
  accountLists,
  otherLists,
  recordLists,
  refusedOtherWrites,
  refusedWrite,
  whyOptionsLack,
} from "../endpoints/posts-only.ts";
import { addressId, mediaItemOf } from "../endpoints/media-addresses.ts";
import { type Connection, type ConnectionOptions, openTransport } from "../http/transport.ts";
import type { MediaRecord, PostRecord, WriteResult } from "../records.ts";
import type {
  CancelResult,
  DuePost,
  FullService,
  PostDraft,
  PostState,
  ReadFullService,
} from "../service.ts";
import { MOST_CHANGES } from "./buffer-documents.ts";
import {
  type BufferPost,
  SUPPORTS,
  bufferPost,
  bufferRecord,
  bufferRemotePost,
  bufferState,
  postInput,
  statusFilter,
} from "./buffer-posts.ts";
import { type BufferAccount, BufferReads } from "./buffer-reads.ts";
import { type MutationEnd, type Payload, Mutations } from "./mutations.ts";

/** A post that is due sooner than this may have been published since the list, in ms. */
const SOON_MS = 15 * 60_000;
/** How often a change that may repeat is sent. */
const MOST_ATTEMPTS = 3;
/** No network allows fewer posts a day, so fewer need no question. */
const SMALLEST_DAILY_LIMIT = 5;

/** Opens Buffer: its connections, its rate limit and its requests. */
export function openBuffer(options: ConnectionOptions): Connection {
  const { transport, ...connection } = openTransport(options);
  const { origin, clock, settings, stop, publicFiles, knownAccounts = () => Promise.resolve([]) } = options;
  const { organization } = settings;
  const reads = new BufferReads({ transport, clock, organization, knownAccounts });
  const mutations = new Mutations(transport, clock, stop);
  return { ...connection, service: bufferService({ origin, reads, mutations, clock, publicFiles }) };
}

interface Context {
  /** Name of the service in the lockfile. */
  readonly origin: string;
  readonly reads: BufferReads;
  readonly mutations: Mutations;
  readonly clock: Pick<Clock, "now">;
  /** Undefined for a client without a project. */
  readonly publicFiles: PublicFiles | undefined;
}

function bufferService(context: Context): FullService {
  const { origin, reads, publicFiles } = context;
  const full = new Set<string>();
  return {
    origin,
    supports: SUPPORTS,
    changesPerRequest: MOST_CHANGES,
    // The next document fills while one is under way.
    writesAtOnce: 2 * MOST_CHANGES,
    ...readMethods(context),
    findMissingMedia: (ids) => findMissingMedia(ids, publicFiles),
    whyNot: async (post) => whyOptionsLack(CARRIED_BY_BUFFER, await reads.accounts(), post),
    whyNotFile: (file) => whyNotFile(file, publicFiles),
    whyLate: (kept, sent) => whyLate(kept, sent, reads),
    createPost: (draft, beforeSend) => createPost(draft, context, full, beforeSend),
    updatePost: (id, draft) => updatePost(id, draft, context),
    cancelPost: (id) => cancelPost(id, context),
    publishFile: (file) => publishFile(file, publicFiles),
    uploadMedia: () =>
      Promise.resolve(
        refusedWrite("not_supported", "Buffer takes no uploads, only addresses at which it can read a file"),
      ),
    ...refusedOtherWrites(
      "Buffer's API has no request for this that plancast uses",
      "Disconnect the channel in Buffer, which also shows its scheduled posts",
    ),
  };
}

function readMethods({ reads }: Context): Omit<ReadFullService, "origin" | "supports"> {
  const records = async (posts: readonly BufferPost[]): Promise<readonly PostRecord[]> => {
    const accounts = await reads.accounts();
    return posts.map((post) => bufferRecord(post, accounts));
  };
  const lists = recordLists(async (status) => records(await reads.past(statusFilter(status))));
  return {
    async listScheduled() {
      const scheduled = await reads.scheduled();
      const accounts = await reads.accounts();
      const posts = scheduled
        .filter((post) => bufferState(post).state === "scheduled")
        .map((post) => bufferRemotePost(post, accounts));
      return { name: "Buffer's posts", posts, wholeness: "end", isTold: true };
    },
    getPost: (id) => stateById(id, reads),
    async readPost(id) {
      const post = await reads.post(id);
      return post && bufferRecord(post, await reads.accounts());
    },
    ...lists,
    async findPosts(ids, status) {
      if (ids.size < 2) return new Map();
      const found = await reads.past(statusFilter(status), (posts) => [...ids].some((id) => !posts.has(id)));
      const own = await records(found.filter(({ id }) => ids.has(id)));
      return new Map(own.map((each) => [each.id, each]));
    },
    ...accountLists(reads.accounts),
    listAccountIds: () => reads.accountIds(),
    ...otherLists("Buffer"),
  };
}

async function stateById(id: string, reads: BufferReads): Promise<PostState> {
  const post = await reads.post(id);
  return post === undefined ? { state: "missing" } : bufferState(post);
}

/** The channel of a draft, or why it cannot be sent. */
function accountOf(
  { platforms }: PostDraft,
  accounts: readonly BufferAccount[],
): BufferAccount | ReturnType<typeof refusedWrite> {
  const [account, ...others] = accounts.filter(({ platform }) => platforms.includes(platform));
  if (account === undefined || others.length > 0 || platforms.length !== 1)
    return refusedWrite(
      "platform/unknown",
      `Buffer does not have exactly one channel ${platforms.join(", ")}`,
    );
  if (account.isActive) return account;
  return refusedWrite(
    "platform/unknown",
    `the channel ${account.platform} is locked or disconnected in Buffer`,
  );
}

/** @param full channels that accept no more posts: each further create would be refused, too */
async function createPost(
  draft: PostDraft,
  { reads, mutations }: Context,
  full: Set<string>,
  beforeSend: (() => Promise<void>) | undefined,
): Promise<WriteResult<RemotePost>> {
  const accounts = await reads.accounts();
  const account = accountOf(draft, accounts);
  if ("result" in account) return account;
  const { id: channelId, platform } = account;
  if (full.has(channelId)) return { result: "not_started" };
  const input = { channelId, ...postInput(draft, platform) };
  const notAfter = utcMs(draft.scheduledAt);
  const end = await mutations.send("createPost", input, { notAfter, beforeSend });
  if (end.kind === "payload" && end.payload.type === LIMIT_REACHED) {
    // The refusal of one post of a channel is enough for people to read.
    if (full.has(channelId)) return { result: "not_started" };
    full.add(channelId);
    const said = messageOf(end.payload);
    return refusedWrite(
      "buffer/post-limit",
      `Buffer accepts no more posts for ${platform} now (${said}). Later posts for it were not sent. Run plancast apply again when posts have gone out`,
    );
  }
  return written(end, accounts);
}

const LIMIT_REACHED = "LimitReachedError";

async function updatePost(
  id: string,
  draft: PostDraft,
  { reads, mutations }: Context,
): Promise<WriteResult<RemotePost>> {
  const accounts = await reads.accounts();
  const account = accountOf(draft, accounts);
  if ("result" in account) return account;
  const before = reads.listed(id) ?? (await reads.post(id).catch(ignoreFailure));
  if (before === undefined) return { result: "unknown", message: "Buffer does not show the post to change" };
  if (before.channelId !== account.id)
    return refusedWrite(
      "buffer/other-channel",
      `a post in Buffer cannot move to another channel. Give the row for ${account.platform} another id`,
    );
  const input = { id, ...postInput(draft, account.platform, before) };
  const notAfter = utcMs(draft.scheduledAt);
  let end = await mutations.send("editPost", input, { notAfter });
  // Another change of the same document may have failed. An edit may repeat.
  for (let attempt = 1; end.kind === "unknown" && attempt < MOST_ATTEMPTS; attempt += 1)
    end = await mutations.send("editPost", input, { notAfter });
  return written(end, accounts);
}

/** A post that may be published by now is looked at first. */
async function cancelPost(id: string, { reads, mutations, clock }: Context): Promise<CancelResult> {
  const { dueAt } = reads.listed(id) ?? {};
  if (typeof dueAt !== "string" || utcMs(dueAt) - clock.now() < SOON_MS) {
    const before = await stateById(id, reads).catch(ignoreFailure);
    if (before === undefined) return { result: "unknown", message: "Buffer does not show the post" };
    if (before.state === "missing") return { result: "done", value: "already-gone" };
    if (before.state === "published") return { result: "done", value: "published" };
  }
  for (let attempt = 1; ; attempt += 1) {
    const end = await mutations.send("deletePost", { id });
    if (end.kind === "payload" && end.payload.type === "DeletePostSuccess")
      return { result: "done", value: "cancelled" };
    if (end.kind === "refused" && end.error.code === "not_found")
      return { result: "done", value: "already-gone" };
    if (end.kind !== "payload" && end.kind !== "unknown") return withoutAnswer(end);
    // Buffer refused it, or another change of the same document failed: the post itself shows the result.
    const after = await stateById(id, reads).catch(ignoreFailure);
    if (after?.state === "missing") return { result: "done", value: "cancelled" };
    if (after?.state === "published") return { result: "done", value: "published" };
    if (end.kind === "payload") return refusedWrite("validation_error", messageOf(end.payload));
    if (attempt >= MOST_ATTEMPTS || after === undefined) return { result: "unknown", message: end.why };
  }
}

function withoutAnswer(end: Exclude<MutationEnd, { kind: "payload" }>): WriteResult<never> {
  return toWriteResult<never>(end, () => {
    throw new Failure("service/unreadable", "Buffer's answer has no result");
  });
}

/** The result of a create or an edit. */
function written(end: MutationEnd, accounts: readonly BufferAccount[]): WriteResult<RemotePost> {
  if (end.kind !== "payload") return withoutAnswer(end);
  const { payload } = end;
  if (payload.type !== "PostActionSuccess") return notWritten(payload);
  const read = bufferPost.safeParse(payload.post);
  if (!read.success) return { result: "unknown", message: "plancast cannot read Buffer's answer" };
  const { state } = bufferState(read.data);
  if (state === "scheduled") return { result: "done", value: bufferRemotePost(read.data, accounts) };
  return refusedWrite("apply/already-published", `the post is ${read.data.status} by now`);
}

/** The errors that are members of the answer's union. One that Buffer adds later also says that nothing was done. */
const ERRORS: ReadonlyMap<string, string> = new Map([
  ["NotFoundError", "not_found"],
  ["UnauthorizedError", "forbidden"],
]);

function notWritten(payload: Payload): WriteResult<never> {
  const message = messageOf(payload);
  const { type, code } = payload;
  const isServerError = type === "RestProxyError" && typeof code === "number" && code >= 500 && code < 600;
  if (type === "UnexpectedError" || isServerError) return { result: "unknown", message };
  return refusedWrite(ERRORS.get(type) ?? "validation_error", message);
}

function messageOf({ type, message }: Payload): string {
  return message || type;
}

/** Why Buffer cannot get a file. It needs a picture of the first page for a document, which plancast does not make. */
async function whyNotFile(file: MediaFile, files: PublicFiles | undefined): Promise<string | undefined> {
  if (!/^(?:image|video)\//.test(file.mime))
    return `plancast sends only pictures and videos to Buffer, and ${file.path} is neither. Take it out of the row.`;
  return files?.whyNot(file);
}

async function publishFile(
  file: MediaFile,
  files: PublicFiles | undefined,
): Promise<WriteResult<MediaRecord>> {
  const found = (await files?.verified(file)) ?? { why: "without a project, no file has an address" };
  if ("why" in found) return refusedWrite("media/no-address", found.why);
  const type = file.mime.split("/", 1)[0] ?? "";
  const id = addressId(found.address, type);
  return { result: "done", value: { id, type, url: found.address, record: { ...mediaItemOf(id) } } };
}

async function findMissingMedia(
  ids: readonly string[],
  files: PublicFiles | undefined,
): Promise<ReadonlySet<string>> {
  const asked = ids.map(async (id) => ((await files?.isGone(mediaItemOf(id).url)) === true ? [id] : []));
  return new Set((await Promise.all(asked)).flat());
}

/** Paused queues, and days with more posts than a network accepts. */
async function whyLate(
  kept: readonly DuePost[],
  sent: readonly DuePost[],
  reads: BufferReads,
): Promise<ReadonlyMap<string, string>> {
  const accounts = await reads.accounts();
  const all = [...kept, ...sent];
  const concerned = accounts.filter(({ platform }) =>
    all.some(({ platforms }) => platforms.includes(platform)),
  );
  const paused = concerned.filter(({ isPaused }) => isPaused);
  const days = concerned.flatMap((account) => fullestDay(account, all));
  const asked = days.filter(
    ({ account, posts }) =>
      posts >= SMALLEST_DAILY_LIMIT && sent.some(({ platforms }) => platforms.includes(account.platform)),
  );
  const limits =
    asked.length === 0
      ? new Map<string, number>()
      : ((await reads.dailyLimits(asked.map(({ account }) => account.id)).catch(ignoreFailure)) ??
        new Map<string, number>());
  return new Map([
    ...asked.flatMap(({ account: { id, platform }, day, posts }) => {
      const limit = limits.get(id) ?? Infinity;
      return posts <= limit ? [] : [[platform, tooManyText(platform, day, posts, limit)] as const];
    }),
    ...paused.map(({ platform }) => [platform, pausedText(platform)] as const),
  ]);
}

/** The day with the most posts on a channel, in its zone. */
function fullestDay(account: BufferAccount, posts: readonly DuePost[]) {
  const zone = findZone(account.timezone) ?? findZone("UTC");
  if (zone === undefined) return [];
  const own = posts.filter(({ platforms }) => platforms.includes(account.platform));
  const byDay = groupBy(own, ({ scheduledAt }) => localDay(zone, utcMs(scheduledAt)));
  const [fullest] = [...byDay].toSorted(([, one], [, other]) => other.length - one.length);
  return fullest === undefined ? [] : [{ account, day: fullest[0], posts: fullest[1].length }];
}

function tooManyText(platform: string, day: string, posts: number, limit: number): string {
  return `${platform} has ${posts} posts on ${day}, and the network accepts ${limit} a day. Move some of them to another day, or Buffer publishes them late or not at all.`;
}

function pausedText(platform: string): string {
  return `The queue of ${platform} is paused in Buffer, so Buffer publishes nothing there. Resume it in Buffer.`;
}
