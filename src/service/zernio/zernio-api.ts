/**
 * The requests to Zernio, the meaning of its answers, and the sending of files to its storage. Source:
 * zernio-dev/zernio-node, the types of its OpenAPI description.
 */

import { DiskFile } from "../../media/media-file.ts";
import type { Dispatcher } from "undici";
import { z } from "zod";
import { whyNotAllowed } from "../../media/allowed-hosts.ts";
import { anyConnections, publicConnections } from "../../media/checked-request.ts";
import {
  canonicalContent,
  canonicalExtras,
  canonicalPlatforms,
  utcMs,
  utcTime,
} from "../../model/canonical.ts";
import { durationMs } from "../../model/clock.ts";
import { type ExtraPart, EMPTY_EXTRAS, mediaByText } from "../../model/extras.ts";
import { withoutUndefined } from "../../model/data.ts";
import type { RemotePost, UtcTime } from "../../model/post.ts";
import { isLoopback, parseUrl } from "../../model/address.ts";
import { ignoreFailure } from "../../model/failure.ts";
import { stateOf } from "../answers/post.ts";
import { incompleteList } from "../answers/results.ts";
import { answerAddress, answerCount, answerId, answerTime, decodeRead } from "../answers/typed-answer.ts";
import { recordPath } from "../endpoints/endpoint-calls.ts";
import { addressId, mediaItemOf } from "../endpoints/media-addresses.ts";
import {
  type Account,
  everyNetwork,
  onlyOn,
  supportedParts,
  usableAccounts,
} from "../endpoints/posts-only.ts";
import { CARRIED_BY_ZERNIO, carriedFields, shownOptions } from "../../model/options/carried.ts";
import { type CallResult, type ConnectionOptions, Transport } from "../http/transport.ts";
import type { RequestKey } from "../http/key.ts";
import { Limiter, PRIORITY } from "../rate/limiter.ts";
import type { PostRecord } from "../records.ts";
import type { PostDraft, PostState, UploadFile } from "../service.ts";

/** The whole post, for a create and for an update. */
function bodyOf(draft: PostDraft, accounts: readonly Account[]): object {
  const { content, scheduledAt, mediaIds, alt = [], thread = [], first_comment = "", options } = draft;
  const items = mediaIds.map((each, index) => ({
    ...mediaItemOf(each),
    ...((alt[index] ?? "") === "" ? {} : { altText: alt[index] }),
  }));
  const [mediaItems = [], ...inThread] = mediaByText(items, draft);
  const threadItems = [
    { content, mediaItems },
    ...thread.map((text, index) => {
      const own = inThread[index] ?? [];
      return { content: text, ...(own.length === 0 ? {} : { mediaItems: own }) };
    }),
  ];
  const platforms = accounts.map((account) => ({
    platform: account.network,
    accountId: account.id,
    platformSpecificData: {
      ...carriedFields(CARRIED_BY_ZERNIO, account.platform, options),
      ...(thread.length > 0 && SUPPORTS.has("thread", account.network) ? { threadItems } : {}),
      ...(first_comment !== "" && SUPPORTS.has("first_comment", account.network)
        ? { firstComment: first_comment }
        : {}),
    },
  }));
  return { content, mediaItems, platforms, scheduledFor: scheduledAt, timezone: "UTC" };
}

/** Posts in one page. */
const PAGE = 100;
/** How often a list is read that changes while it is read. */
const MAX_READINGS = 3;

export class ZernioRequests {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Throws a Failure if the answer cannot be read. */
  async accounts(): Promise<readonly Account[]> {
    return accountsIn(decodeRead(await this.get("/accounts"), accountsAnswer, "GET /accounts"));
  }

  /** Every post with a status; with any by default. Throws a Failure if the list cannot be read to its end. */
  async posts(status?: string): Promise<readonly ZernioPost[]> {
    for (let reading = 0; reading < MAX_READINGS; reading += 1) {
      const posts = await this.#pages(status);
      if (posts !== undefined) return posts;
    }
    throw incompleteList("GET /posts", "its pages do not have as many posts as it says");
  }

  /** All pages of a list. Undefined if they have fewer posts than they promise. */
  async #pages(status: string | undefined): Promise<readonly ZernioPost[] | undefined> {
    const found = new Map<string, ZernioPost>();
    for (let page = 1; ; page += 1) {
      const query = new URLSearchParams({ page: String(page), limit: String(PAGE), sortBy: "created-asc" });
      if (status !== undefined) query.set("status", status);
      const { posts, pagination } = decodeRead(
        await this.get(`/posts?${query.toString()}`),
        postsAnswer,
        "GET /posts",
      );
      const before = found.size;
      for (const post of posts) found.set(post.id, post);
      // A page without a new post counts as the last, whatever it says. Otherwise, reading could continue for ever.
      if (page < pagination.pages && found.size > before) continue;
      return found.size === pagination.total ? [...found.values()] : undefined;
    }
  }

  /** Undefined if Zernio does not have the post. Throws a Failure if it cannot be read. */
  async post(id: string): Promise<ZernioPost | undefined> {
    const result = await this.get(recordPath("/posts", id));
    if (result.kind === "refused" && result.error.code === "not_found") return undefined;
    return decodeRead(result, zernioPostAnswer, "GET /posts/{id}").post;
  }

  get(path: string): Promise<CallResult> {
    return this.#transport.call({ method: "GET", path, repeat: "repeatable", priority: PRIORITY.read });
  }

  /** Never sent again if it may have arrived. */
  create(
    draft: PostDraft,
    accounts: readonly Account[],
    beforeSend: (() => Promise<void>) | undefined,
  ): Promise<CallResult> {
    return this.#transport.call({
      method: "POST",
      path: "/posts",
      repeat: "once",
      json: bodyOf(draft, accounts),
      notAfter: utcMs(draft.scheduledAt),
      isUrgent: draft.isUrgent === true,
      beforeSend,
      priority: PRIORITY.write,
    });
  }

  update(id: string, draft: PostDraft, accounts: readonly Account[]): Promise<CallResult> {
    return this.#transport.call({
      method: "PUT",
      path: recordPath("/posts", id),
      repeat: "repeatable",
      json: bodyOf(draft, accounts),
      notAfter: utcMs(draft.scheduledAt),
      priority: PRIORITY.write,
    });
  }

  delete(id: string): Promise<CallResult> {
    const path = recordPath("/posts", id);
    return this.#transport.call({ method: "DELETE", path, repeat: "repeatable", priority: PRIORITY.write });
  }

  /** Asks where to send a file. Asking again does no harm. */
  presign(filename: string, contentType: string): Promise<CallResult> {
    return this.#transport.call({
      method: "POST",
      path: "/media/presign",
      repeat: "repeatable",
      json: { filename, contentType },
      priority: PRIORITY.write,
    });
  }
}

/** Files per minute. The storage has its own limit, and does not state it. */
const FILES_PER_MINUTE = 600;

/** A secret in a query has at least this many characters. */
const MIN_SECRET = 6;

/** The storage gets no key. Its answers may repeat the permission, which is in the query of the address. */
function keyFor({ search, searchParams }: URL): RequestKey {
  const parts = [...searchParams.values()].filter((value) => value.length >= MIN_SECRET);
  return { authorization: () => undefined, text: search.slice(1), parts };
}

/** The storage of files that Zernio names. It gets no key, because the address contains the permission. */
export class Storage {
  readonly #options: ConnectionOptions;
  readonly #limiter: Limiter;
  readonly #dispatcher: Dispatcher;
  readonly #isLocal: boolean;

  constructor(options: ConnectionOptions) {
    const { clock, stop, onWait, random, address } = options;
    const rules = { fallbackLimit: FILES_PER_MINUTE, reserve: () => 0, random };
    this.#options = options;
    this.#limiter = new Limiter({ ...rules, clock, stop, onWait });
    this.#isLocal = isLoopback(new URL(address.base));
    this.#dispatcher = this.#isLocal ? anyConnections() : publicConnections();
  }

  /** Why the file must not be sent to an address, as the end of a sentence; undefined if it may. */
  whyNot(url: URL): string | undefined {
    if (whyNotAllowed(url, () => this.#isLocal) !== undefined) return "is not on the public web";
    return url.protocol === "https:" || this.#isLocal ? undefined : "is plain http";
  }

  /** Sends the file as it is, and repeats that if it fails. Throws a Failure if the storage redirects elsewhere. */
  async put(url: URL, { absolutePath, mime }: UploadFile): Promise<CallResult> {
    const data = await DiskFile.open(absolutePath, mime);
    return this.#to(url).call({
      method: "PUT",
      path: url.href,
      repeat: "repeatable",
      bytes: { data, type: mime },
      priority: PRIORITY.write,
    });
  }

  /** Whether the storage says that it no longer has a file. It may delete files after some days. */
  async isGone(address: string): Promise<boolean> {
    const url = parseUrl(address);
    if (url === undefined || this.whyNot(url) !== undefined) return false;
    const call = { method: "HEAD", path: url.href, repeat: "once", priority: PRIORITY.read } as const;
    const asked = await this.#to(url).call(call).catch(ignoreFailure);
    return asked?.kind === "refused" && asked.error.code === "not_found";
  }

  #to(url: URL): Transport {
    const { onRequest } = this.#options;
    return new Transport({
      ...this.#options,
      address: { origin: url.origin, base: url.origin },
      key: keyFor(url),
      limiter: this.#limiter,
      dispatcher: this.#dispatcher,
      timeoutMs: durationMs(this.#options.settings.timeout),
      onExchange: undefined,
      // The query contains the permission to write.
      onRequest: (log) => onRequest({ ...log, path: log.path.replace(/\?.*$/s, "?…") }),
    });
  }

  close(): Promise<void> {
    return this.#dispatcher.destroy();
  }
}

/** Zernio calls it `_id`. */
function withId<Given extends { readonly _id: string }>(given: Given): Given & { readonly id: string } {
  const { _id } = given;
  return { ...given, id: _id };
}

const mediaItem = z.looseObject({
  type: z.string().nullish(),
  url: z.string().nullish(),
  altText: z.string().nullish(),
});

const target = z.looseObject({
  platform: z.string(),
  /** The account, or only its id. */
  accountId: z.union([answerId, z.looseObject({ _id: answerId }).transform(({ _id }) => _id)]).nullish(),
  customContent: z.string().nullish(),
  customMedia: z.array(mediaItem).nullish(),
  scheduledFor: z.string().nullish(),
  platformSpecificData: z
    .looseObject({
      threadItems: z
        .array(z.looseObject({ content: z.string().nullish(), mediaItems: z.array(mediaItem).nullish() }))
        .nullish(),
      firstComment: z.string().nullish(),
    })
    .nullish(),
  status: z.string().nullish(),
  platformPostUrl: z.string().nullish(),
  errorMessage: z.string().nullish(),
});

const post = z
  .looseObject({
    _id: answerId,
    content: z.string().nullish(),
    mediaItems: z.array(mediaItem).nullish(),
    platforms: z.array(target).nullish(),
    scheduledFor: answerTime.nullish(),
    status: z.string(),
  })
  .transform(withId);

export type ZernioPost = z.infer<typeof post>;

export const zernioPostAnswer = z.object({ post });

/** A page of posts. Without its numbers, nobody knows whether it is the last. */
const postsAnswer = z.object({
  posts: z.array(post),
  pagination: z.object({ pages: answerCount, total: answerCount }),
});

const accountsAnswer = z.object({
  accounts: z.array(
    z
      .looseObject({
        _id: answerId,
        platform: z.string(),
        username: z.string().nullish(),
        displayName: z.string().nullish(),
        isActive: z.boolean().nullish(),
        /** False for an account that came with another one, and that nobody has turned on. */
        enabled: z.boolean().nullish(),
      })
      .transform(withId),
  ),
});

export const presignAnswer = z.object({ uploadUrl: z.url(), publicUrl: answerAddress });

/** What a refusal of a create says about a post with the same content. */
export const duplicateAnswer = z.object({ details: z.object({ existingPostId: answerId }) });

function accountsIn({ accounts }: z.infer<typeof accountsAnswer>): readonly Account[] {
  return usableAccounts(
    accounts.map((record) => {
      const { id, platform, username, displayName } = record;
      const names = [username ?? "", displayName ?? ""];
      const isActive = record.isActive !== false && record.enabled !== false;
      return { id, network: platform.toLowerCase(), names, isActive, record };
    }),
  );
}

const ON_THREADED = onlyOn("twitter", "threads", "bluesky");

/** Source: rules/posts.md and rules/platforms.md in zernio-dev/zernio-api, 2026-11. */
export const SUPPORTS = supportedParts(
  {
    alt: everyNetwork,
    thread: ON_THREADED,
    thread_media: ON_THREADED,
    first_comment: onlyOn("facebook", "instagram", "linkedin", "youtube"),
    options: everyNetwork,
  },
  CARRIED_BY_ZERNIO,
);

/** The network of an account that Zernio does not list any more is not known by its name in calendars. */
function platformOf({ platform, accountId }: z.infer<typeof target>, accounts: readonly Account[]): string {
  return (
    accounts.find((each) => each.id === accountId)?.platform ?? `${platform.toLowerCase()}/not-connected`
  );
}

export function zernioRemotePost(given: ZernioPost, accounts: readonly Account[]): RemotePost {
  const targets = given.platforms ?? [];
  const replies = targets.map(({ platform, platformSpecificData: own }) => ({
    platform,
    items: (own?.threadItems ?? [])
      .slice(1)
      .map(({ content, mediaItems }) => ({ text: content ?? "", media: mediaItems ?? [] })),
  }));
  const comments = targets.map(({ platform, platformSpecificData: own }) => ({
    platform,
    items: [own?.firstComment ?? ""].filter((text) => text !== ""),
  }));
  const [thread, comment] = [common("thread", replies), common("first_comment", comments)];
  const media = [...(given.mediaItems ?? []), ...thread.items.flatMap((each) => each.media)];
  const extras = canonicalExtras({
    alt: media.map(({ altText }) => altText ?? ""),
    thread: thread.items.map(({ text }) => text),
    thread_media: thread.items.map((each) => each.media.length),
    first_comment: comment.items.join("\n"),
    options: targets.flatMap((each) =>
      shownOptions(CARRIED_BY_ZERNIO, platformOf(each, accounts), each.platformSpecificData ?? {}),
    ),
  });
  const own = ownTexts(given);
  const isOfAll = own.length === 0 && thread.isOfAll && comment.isOfAll;
  return withoutUndefined({
    id: given.id,
    noRow: isOfAll ? undefined : ("own-parts" as const),
    content: canonicalContent([given.content ?? "", ...own].join("\n\n")),
    platforms: canonicalPlatforms(targets.map((each) => platformOf(each, accounts))),
    scheduledAt: given.scheduledFor ?? firstTime(targets),
    mediaIds: media.map(({ url, type }) => addressId(url ?? "", type ?? undefined)),
    alt: extras.alt ?? EMPTY_EXTRAS.alt,
    thread: extras.thread ?? EMPTY_EXTRAS.thread,
    thread_media: extras.thread_media ?? EMPTY_EXTRAS.thread_media,
    first_comment: extras.first_comment ?? EMPTY_EXTRAS.first_comment,
    options: extras.options ?? EMPTY_EXTRAS.options,
  });
}

/** The time of a post with a time for each network, and none of its own. It equals no row: see `ownTexts`. */
function firstTime(targets: readonly z.infer<typeof target>[]): UtcTime | undefined {
  const times = targets.map((each) => Date.parse(each.scheduledFor ?? "")).filter((ms) => !Number.isNaN(ms));
  return times.length === 0 ? undefined : utcTime(Math.min(...times));
}

/**
 * What all networks of a post that can have a part have in common. plancast sends the same to all of them; for other
 * posts, everything counts.
 */
function common<Item>(
  part: ExtraPart,
  targets: readonly { readonly platform: string; readonly items: readonly Item[] }[],
): { readonly items: readonly Item[]; readonly isOfAll: boolean } {
  const lists = targets
    .filter(({ platform, items }) => items.length > 0 || SUPPORTS.has(part, platform.toLowerCase()))
    .map(({ items }) => items);
  const [first = []] = lists;
  const isOfAll = lists.every((each) => JSON.stringify(each) === JSON.stringify(first));
  return { items: isOfAll ? first : lists.flat(), isOfAll };
}

/**
 * The parts for only one network of a post. plancast never sends that, so it belongs to the text: the post then
 * equals no row.
 */
function ownTexts({ content, scheduledFor, platforms }: ZernioPost): readonly string[] {
  return (platforms ?? []).flatMap((each) => {
    const root = each.platformSpecificData?.threadItems?.[0]?.content ?? content;
    const texts = [
      ...(isOther(each.customContent, content) ? [each.customContent] : []),
      ...(isOther(root, content) ? [root] : []),
      ...(each.customMedia ?? []).map(({ url }) => url),
      ...(isOtherTime(each.scheduledFor, scheduledFor) ? [each.scheduledFor] : []),
    ];
    return texts.length === 0 ? [] : [`${each.platform}: ${texts.join(" ")}`];
  });
}

function isOther(own: string | null | undefined, all: string | null | undefined): boolean {
  return (own ?? "") !== "" && own !== all;
}

function isOtherTime(own: string | null | undefined, all: string | null | undefined): boolean {
  return (own ?? "") !== "" && Date.parse(own ?? "") !== Date.parse(all ?? "");
}

/** A post that one network has published cannot be scheduled again, whatever the result on the others. */
export function zernioState({ status, platforms }: ZernioPost): PostState {
  const isOut = platforms?.some((each) => each.status === "published") === true;
  if (isOut || status === "partial") return { state: "published" };
  return stateOf(status.toLowerCase());
}

/** The results of the networks have the names that calendars use. */
export function zernioRecord(given: ZernioPost, accounts: readonly Account[]): PostRecord {
  const results = (given.platforms ?? []).map((each) => ({
    platform: platformOf(each, accounts),
    status: each.status,
    url: each.platformPostUrl,
    error: each.errorMessage,
  }));
  return {
    ...zernioRemotePost(given, accounts),
    status: given.status.toLowerCase(),
    record: { ...given, results },
  };
}
