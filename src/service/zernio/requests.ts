/** The requests to Zernio, what a post is there, and the sending of files to its storage. */

import { openAsBlob } from "node:fs";
import type { Dispatcher } from "undici";
import { whyNotAllowed } from "../../media/allowed-hosts.ts";
import { anyConnections, publicConnections } from "../../media/checked-request.ts";
import { utcMs } from "../../model/canonical.ts";
import { durationMs } from "../../model/clock.ts";
import { isLoopback } from "../../model/url.ts";
import type { Account, PostSettings } from "../endpoints/posts-only.ts";
import { incompleteList } from "../answers/results.ts";
import { decodeRead } from "../answers/typed-answer.ts";
import { recordPath } from "../endpoints/endpoint-calls.ts";
import type { ConnectionOptions } from "../http/connection.ts";
import type { RequestKey } from "../http/key.ts";
import { type CallResult, Transport } from "../http/transport.ts";
import { Limiter, PRIORITY } from "../rate/limiter.ts";
import type { PostDraft, UploadFile } from "../service.ts";
import {
  type ZernioPost,
  SUPPORTS,
  accountsAnswer,
  accountsIn,
  mediaItemOf,
  postAnswer,
  postsAnswer,
} from "./answers.ts";

/** The whole post, for a create and for an update. */
function bodyOf(draft: PostDraft, accounts: readonly Account[], settings: PostSettings<Account>): object {
  const { content, scheduledAt, mediaIds, alt = [], thread = [], first_comment = "" } = draft;
  const mediaItems = mediaIds.map((each, index) => ({
    ...mediaItemOf(each),
    ...((alt[index] ?? "") === "" ? {} : { altText: alt[index] }),
  }));
  const threadItems = [{ content, mediaItems }, ...thread.map((text) => ({ content: text }))];
  const platforms = accounts.map((account) => ({
    platform: account.network,
    accountId: account.id,
    platformSpecificData: {
      ...settings.of(account, content),
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
  readonly #settings: PostSettings<Account>;

  constructor(transport: Transport, settings: PostSettings<Account>) {
    this.#transport = transport;
    this.#settings = settings;
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
    return decodeRead(result, postAnswer, "GET /posts/{id}").post;
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
      json: bodyOf(draft, accounts, this.#settings),
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
      json: bodyOf(draft, accounts, this.#settings),
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

/** Sends files to the storage that Zernio names. It gets no key, because the address contains the permission. */
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
    const { onRequest } = this.#options;
    const transport = new Transport({
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
    const data = await openAsBlob(absolutePath, { type: mime });
    return transport.call({
      method: "PUT",
      path: url.href,
      repeat: "repeatable",
      bytes: { data, type: mime },
      priority: PRIORITY.write,
    });
  }

  close(): Promise<void> {
    return this.#dispatcher.destroy();
  }
}
