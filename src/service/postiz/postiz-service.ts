/**
 * Postiz through its public API. What differs from other services:
 *
 * - A list is for a range of dates and has no pages. So "all scheduled posts" means a range that is long enough.
 * - No request reads one post: plancast looks for it in a list.
 * - A list shows no media, threads, alt texts and options. plancast compares those with what it sent.
 * - A delete removes the whole group of a post. plancast first checks that the group has no other post.
 * - A create with the id of a post changes it in place.
 * - A post is for one account. A row for two accounts becomes two posts before it gets here.
 */

import { utcMs } from "../../model/canonical.ts";
import type { Clock } from "../../model/clock.ts";
import { Failure, ignoreFailure } from "../../model/failure.ts";
import { CARRIED_BY_POSTIZ } from "../../model/options/carried.ts";
import type { RemotePost } from "../../model/post.ts";
import { isJsonOrEmpty, toWriteResult } from "../answers/results.ts";
import { decodeAnswer } from "../answers/typed-answer.ts";
import {
  accountLists,
  allBut,
  everyNetwork,
  onlyOn,
  otherLists,
  recordLists,
  refusedOtherWrites,
  refusedWrite,
  supportedParts,
  whyOptionsLack,
} from "../endpoints/posts-only.ts";
import { onceUntilItFails } from "../endpoints/endpoint-calls.ts";
import {
  type CallResult,
  type Connection,
  type ConnectionOptions,
  openTransport,
} from "../http/transport.ts";
import type { NotDone, PostRecord, WriteResult } from "../records.ts";
import type {
  CancelResult,
  FullService,
  PlannedPost,
  PostDraft,
  ReadFullService,
  RefusedPost,
} from "../service.ts";
import {
  type AccountSettings,
  type PostizPost,
  type PostizAccount,
  PostizRequests,
  createdAnswer,
  postizMediaId,
  postizRecord,
  postizRemotePost,
  postizState,
  uploadAnswer,
} from "./postiz-api.ts";
import { whyPostizRefuses } from "./postiz-refusals.ts";

const DAY_MS = 86_400_000;
/** The status with which Postiz refuses a create over the limit of the user's plan. */
const PAYMENT_REQUIRED = 402;
/** Posts that were due until now may still wait to be published, in ms. */
const LATE_MS = DAY_MS;
/** How far back another post of a group may be due that is not due yet, in ms: nobody plans a group over more than a month. */
const GROUP_MS = 31 * DAY_MS;
/** How far back `plancast status` finds posts, in ms. */
const PAST_MS = 400 * DAY_MS;
/** How far ahead each list reaches, or further, in ms. A post that repeats is in it once for each of its dates. */
const LISTED_MS = 2 * 365 * DAY_MS;
/** plancast schedules posts up to this time from now, and finds them up to then, in ms. */
const FUTURE_MS = 10 * 365 * DAY_MS;

/** Elsewhere, Postiz stores replies and a first comment, and publishes neither. */
const WITH_REPLIES = allBut(
  "youtube",
  "pinterest",
  "tiktok",
  "googlebusiness",
  "tumblr",
  "mewe",
  "medium",
  "devto",
  "hashnode",
  "wordpress",
  "listmonk",
  "dribbble",
);

/** Source: integrations/social in gitroomhq/postiz-app, 2026-08. Its lists do not show these parts. */
const SUPPORTS = supportedParts(
  {
    alt: onlyOn("bluesky", "mastodon", "tumblr"),
    thread: WITH_REPLIES,
    // On LinkedIn, Postiz refuses comments with pictures.
    thread_media: (network) => network !== "linkedin" && WITH_REPLIES(network),
    first_comment: WITH_REPLIES,
    options: everyNetwork,
  },
  CARRIED_BY_POSTIZ,
);

/** Requests besides creates have no limit, so this number only keeps the pace of a fast client, per minute. */
const OTHER_REQUESTS = 600;

/** Opens a Postiz: its connections, its rate limit for creates, and its requests. */
export function openPostiz(options: ConnectionOptions): Connection {
  const { origin, clock, random } = options;
  // Postiz takes the key as it is.
  const common = { ...options, key: options.key.withoutScheme() };
  const creates = openTransport(common);
  const noLimit = { fallbackLimit: OTHER_REQUESTS, reserve: () => 0, random };
  const others = openTransport({ ...common, rules: noLimit, shared: undefined, told: undefined });
  const requests = new PostizRequests({ creates: creates.transport, others: others.transport });
  return {
    service: postizService({
      origin,
      requests,
      clock,
    }),
    requests: () => creates.requests() + others.requests(),
    waitedMs: () => creates.waitedMs() + others.waitedMs(),
    pace: creates.pace,
    told: creates.told,
    clockAheadMs: () => others.clockAheadMs() ?? creates.clockAheadMs(),
    destroy: async () => void (await Promise.all([creates.destroy(), others.destroy()])),
    close: async () => void (await Promise.all([creates.close(), others.close()])),
  };
}

interface PostizOptions {
  /** Name of the service in the lockfile. */
  readonly origin: string;
  readonly requests: PostizRequests;
  readonly clock: Pick<Clock, "now">;
}

function postizService({ origin, requests, clock }: PostizOptions): FullService {
  const posts = new PostizPosts(requests, clock);
  return {
    origin,
    supports: SUPPORTS,
    listsByDate: true,
    readsBack: true,
    ...readMethods(posts),
    whyNot: (post) => whyNot(post, posts),
    whyNotReplace: async (id) => {
      const why = whyNotDeleted(id, (await posts.around(id).catch(ignoreFailure)) ?? []);
      return why && `${why}.`;
    },
    createPost: (draft, beforeSend) => createPost(draft, posts, beforeSend),
    updatePost: (id, draft) => updatePost(id, draft, posts),
    updatesKeepNetworks: true,
    cancelPost: (id) => cancelPost(id, posts),
    uploadMedia: async (file) =>
      toWriteResult(await requests.upload(file), (answer) => {
        const media = decodeAnswer(answer, uploadAnswer, "POST /upload");
        return { id: postizMediaId(media), url: media.path, record: media };
      }),
    ...refusedOtherWrites(
      "Postiz's public API has no request for this",
      "Disconnect the account in Postiz. That deletes its scheduled posts, too",
    ),
  };
}

function readMethods(
  posts: PostizPosts,
): Omit<ReadFullService, "origin" | "supports" | "listsByDate" | "readsBack" | "whyNot" | "whyNotReplace"> {
  const records = async (): Promise<readonly PostRecord[]> => {
    const accounts = await posts.accounts();
    return (await posts.all()).map((post) => postizRecord(post, accounts));
  };
  return {
    async listScheduled(range) {
      const accounts = await posts.accounts();
      const until = range === undefined ? 0 : utcMs(range.to);
      const scheduled = (await posts.recent(until)).filter((post) => postizState(post).state === "scheduled");
      const listed = scheduled.map((post) => postizRemotePost(post, accounts));
      return { name: "GET /posts", posts: listed, wholeness: "end", isTold: true };
    },
    async getPost(id) {
      const post = (await posts.all()).find((each) => each.id === id);
      return post === undefined ? { state: "missing" } : postizState(post);
    },
    readPost: async (id) => (await records()).find((each) => each.id === id),
    ...recordLists(records),
    ...accountLists(posts.accounts),
    ...otherLists("Postiz"),
  };
}

/** The posts and accounts, with the ranges of dates that matter. */
class PostizPosts {
  readonly requests: PostizRequests;
  readonly accounts: () => Promise<readonly PostizAccount[]>;
  readonly #clock: Pick<Clock, "now">;
  #all: Promise<readonly PostizPost[]> | undefined;
  readonly #settings = new Map<string, Promise<AccountSettings>>();
  /**
   * Whether the account may have no more posts. Each further create would be refused, too, and count for the limit of
   * creates an hour. A cancelled post makes room for another.
   */
  isFull = false;

  constructor(requests: PostizRequests, clock: Pick<Clock, "now">) {
    this.requests = requests;
    this.accounts = onceUntilItFails(() => requests.accounts());
    this.#clock = clock;
  }

  /** Undefined if Postiz does not say it. Each account is asked once. */
  settingsOf(id: string): Promise<AccountSettings> {
    const asked = this.#settings.get(id) ?? this.requests.settings(id).catch(ignoreFailure);
    this.#settings.set(id, asked);
    return asked;
  }

  /** From yesterday on. @param until at least up to then, in ms since the epoch */
  recent(until: number): Promise<readonly PostizPost[]> {
    const now = this.#clock.now();
    return this.requests.posts(now - LATE_MS, Math.max(until, now + LISTED_MS));
  }

  /** A post with those that may be in its group. An account may have many posts that are much older. */
  async around(id: string): Promise<readonly PostizPost[]> {
    const now = this.#clock.now();
    const posts = await this.requests.posts(now - GROUP_MS, now + LISTED_MS);
    return posts.some((each) => each.id === id) ? posts : this.allNow();
  }

  /** Also those that were published before. Calls at the same time share one request. */
  all(): Promise<readonly PostizPost[]> {
    this.#all ??= this.allNow().finally(() => {
      this.#all = undefined;
    });
    return this.#all;
  }

  /** Like `all`, but with a request that starts now. */
  allNow(): Promise<readonly PostizPost[]> {
    const now = this.#clock.now();
    return this.requests.posts(now - PAST_MS, now + FUTURE_MS);
  }

  isTooFar(ms: number): boolean {
    return ms > this.#clock.now() + FUTURE_MS;
  }
}

async function whyNot(post: PlannedPost, posts: PostizPosts): Promise<RefusedPost | undefined> {
  const accounts = await posts.accounts();
  const lacks = whyOptionsLack(CARRIED_BY_POSTIZ, accounts, post);
  if (lacks !== undefined) return lacks;
  for (const account of accounts.filter(({ platform }) => post.platforms.includes(platform))) {
    const refused = await whyPostizRefuses(post, account, () => posts.settingsOf(account.id));
    if (refused !== undefined) return refused;
  }
  return undefined;
}

/** The account of a draft; or why it cannot be sent. */
async function accountOf(draft: PostDraft, posts: PostizPosts): Promise<PostizAccount | NotDone> {
  if (posts.isTooFar(utcMs(draft.scheduledAt)))
    return refusedWrite("schedule/too-far", "plancast schedules posts in Postiz up to ten years ahead");
  const accounts = await posts.accounts();
  const [account, ...others] = accounts.filter(({ platform }) => draft.platforms.includes(platform));
  if (account === undefined || others.length > 0 || draft.platforms.length !== 1)
    return refusedWrite(
      "platform/unknown",
      `Postiz does not have exactly one account ${draft.platforms.join(", ")}`,
    );
  if (!account.isActive)
    return refusedWrite("platform/unknown", `the account ${account.platform} is disabled in Postiz`);
  // The refusal of one post is enough for people to read.
  return posts.isFull && draft.isUrgent !== true ? { result: "not_started" } : account;
}

async function createPost(
  draft: PostDraft,
  posts: PostizPosts,
  beforeSend: (() => Promise<void>) | undefined,
): Promise<WriteResult<RemotePost>> {
  const account = await accountOf(draft, posts);
  if ("result" in account) return account;
  const sent = await posts.requests.save(draft, account, { beforeSend });
  return saved(sent, { draft, account, posts });
}

/**
 * Changes a post, which keeps its id. Postiz stores the texts after it again, and deletes its old group at the end. It does
 * so in several steps: if the result is unknown, plancast deletes what is left of the old group, and the next run sends all
 * of the post again.
 */
async function updatePost(
  id: string,
  draft: PostDraft,
  posts: PostizPosts,
): Promise<WriteResult<RemotePost>> {
  const account = await accountOf(draft, posts);
  if ("result" in account) return account;
  const listed = await posts.around(id).catch(ignoreFailure);
  const before = listed?.find((each) => each.id === id);
  if (listed === undefined || before === undefined)
    return { result: "unknown", message: "Postiz does not show the post to change" };
  const { state } = postizState(before);
  if (state !== "scheduled") return refusedWrite("apply/already-published", `the post is ${state} by now`);
  const why = whyNotDeleted(id, listed);
  if (why !== undefined) return refusedWrite("postiz/shared-group", why);
  const sent = await posts.requests.save(draft, account, { before });
  const result = await saved(sent, { draft, account, posts });
  if (result.result === "unknown") await sweep(before, utcMs(draft.scheduledAt), posts);
  return result;
}

/** Deletes the old group of a post that has another one by now. */
async function sweep({ id, group }: PostizPost, due: number, { requests }: PostizPosts): Promise<void> {
  const after = (await requests.posts(due, due).catch(ignoreFailure))?.find((each) => each.id === id);
  if (after !== undefined && after.group !== group) await requests.deleteGroup(group);
}

interface SavedPost {
  readonly draft: PostDraft;
  readonly account: PostizAccount;
  readonly posts: PostizPosts;
}

/** The post after a create or an update. */
async function saved(
  sent: CallResult,
  { draft, account, posts }: SavedPost,
): Promise<WriteResult<RemotePost>> {
  if (sent.kind === "refused" && sent.error.status === PAYMENT_REQUIRED) {
    if (posts.isFull && draft.isUrgent !== true) return { result: "not_started" };
    posts.isFull = true;
    return refusedWrite("postiz/post-limit", postLimitText(sent.error.message));
  }
  const made = toWriteResult(sent, (answer) => {
    const [created] = decodeAnswer(answer, createdAnswer, "POST /posts");
    if (created?.integration === account.id) return created.postId;
    throw new Failure("service/unreadable", "Postiz's answer is about another account");
  });
  if (made.result !== "done") return made;
  const id = made.value;
  const due = utcMs(draft.scheduledAt);
  // The answer has only the id. The list shows how Postiz stores the text: it may shorten links, for example.
  const listed = await posts.requests.posts(due, due).catch(ignoreFailure);
  const stored = listed?.find((each) => each.id === id);
  return {
    result: "done",
    value: stored === undefined ? { id } : postizRemotePost(stored, await posts.accounts()),
  };
}

/** Deletes the group of a post, if no other post is in it. */
async function cancelPost(id: string, posts: PostizPosts): Promise<CancelResult> {
  const before = await posts.around(id).catch(ignoreFailure);
  if (before === undefined) return { result: "unknown", message: "Postiz does not list its posts" };
  const post = before.find((each) => each.id === id);
  if (post === undefined) return { result: "done", value: "already-gone" };
  if (postizState(post).state === "published") return { result: "done", value: "published" };
  const why = whyNotDeleted(id, before);
  if (why !== undefined) return refusedWrite("postiz/shared-group", why);
  const deleted = await posts.requests.deleteGroupOf(id);
  // Postiz answers every delete with `{ "error": true }`, also if it worked.
  if (deleted.kind === "answer" && isJsonOrEmpty(deleted.answer)) {
    posts.isFull = false;
    return { result: "done", value: "cancelled" };
  }
  const after = deleted.kind === "unsent" ? undefined : await posts.allNow().catch(ignoreFailure);
  if (after?.every((each) => each.id !== id) === true) return { result: "done", value: "cancelled" };
  return toWriteResult<never>(deleted, () => {
    throw new Failure("service/unreadable", "Postiz does not show whether the post is deleted");
  });
}

function postLimitText(said: string): string {
  return `Postiz accepts no more posts on your plan (${said}). plancast sends no other new posts until a post is cancelled. Cancel posts or change your plan in Postiz`;
}

/** Also in Postiz itself, a delete removes the whole group. Undefined if the post is the only one in its group. */
function whyNotDeleted(id: string, posts: readonly PostizPost[]): string | undefined {
  const group = posts.find((each) => each.id === id)?.group;
  const others = posts.filter((each) => each.group === group && each.id !== id).length;
  if (group === undefined || others === 0) return undefined;
  const [count, them] = others === 1 ? ["another post", "it"] : [`${others} other posts`, "them"];
  return `Postiz has ${count} in the same group and would delete ${them}, too, even if you delete this post there. Copy ${them} in Postiz first, then delete this post there`;
}
