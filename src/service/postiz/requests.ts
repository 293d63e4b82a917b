/** The requests to Postiz. Creates have their own rate limit, and everything else has none. */

import { DiskFile } from "../../media/disk-file.ts";
import { utcMs, utcTime } from "../../model/canonical.ts";
import { decodeRead } from "../answers/typed-answer.ts";
import type { FormPart } from "../http/request-body.ts";
import type { CallResult, Transport } from "../http/transport.ts";
import { recordPath } from "../endpoints/endpoint-calls.ts";
import { PRIORITY } from "../rate/limiter.ts";
import type { PostSettings } from "../post-settings.ts";
import type { PostDraft, UploadFile } from "../service.ts";
import {
  type ListedPost,
  type PostizAccount,
  accountsIn,
  integrationsAnswer,
  postsAnswer,
} from "./answers.ts";
import { toHtml } from "./html.ts";

/** A media id as the lockfile stores it: the address of the file, and its id in Postiz. Posts need both. */
export function mediaId({ id, path }: { readonly id: string; readonly path: string }): string {
  return `${path}#${id}`;
}

function mediaOf(id: string): { readonly id: string; readonly path: string } {
  const split = id.lastIndexOf("#");
  return { id: id.slice(split + 1), path: id.slice(0, Math.max(0, split)) };
}

interface PostizRequestsOptions {
  /** For creates. */
  readonly creates: Transport;
  /** For everything else. */
  readonly others: Transport;
  readonly settings: PostSettings<PostizAccount>;
}

export class PostizRequests {
  readonly #creates: Transport;
  readonly #others: Transport;
  readonly #settings: PostSettings<PostizAccount>;

  constructor({ creates, others, settings }: PostizRequestsOptions) {
    this.#settings = settings;
    this.#creates = creates;
    this.#others = others;
  }

  /** Throws a Failure if the answer cannot be read. */
  async accounts(): Promise<readonly PostizAccount[]> {
    return accountsIn(decodeRead(await this.#get("/integrations"), integrationsAnswer, "GET /integrations"));
  }

  /**
   * All posts that are due between two times, in ms. Postiz has no pages. A post that repeats is in the answer once for each
   * of its dates, and here only with the first. Throws a Failure if the answer cannot be read.
   */
  async posts(from: number, to: number): Promise<readonly ListedPost[]> {
    const query = new URLSearchParams({ startDate: utcTime(from), endDate: utcTime(to) });
    const { posts } = decodeRead(await this.#get(`/posts?${query.toString()}`), postsAnswer, "GET /posts");
    const byId = new Map<string, ListedPost>();
    for (const post of posts) {
      const known = byId.get(post.id);
      if (known === undefined || post.publishDate < known.publishDate) byId.set(post.id, post);
    }
    return [...byId.values()];
  }

  /** One post, for one account: Postiz gives it a group of its own. Never sent again if it may have arrived. */
  create(draft: PostDraft, account: PostizAccount, beforeSend?: () => Promise<void>): Promise<CallResult> {
    const { content, scheduledAt, mediaIds, alt = [], thread = [], first_comment = "" } = draft;
    const image = mediaIds.map((each, index) => ({
      ...mediaOf(each),
      ...((alt[index] ?? "") === "" ? {} : { alt: alt[index] }),
    }));
    const replies = [...thread, first_comment].filter((text) => text !== "");
    const value = [
      { content: toHtml(content), image },
      ...replies.map((text) => ({ content: toHtml(text), image: [] })),
    ];
    const settings = { ...this.#settings.of(account, content), __type: account.identifier };
    const json = {
      type: "schedule",
      shortLink: false,
      date: scheduledAt,
      tags: [],
      posts: [{ integration: { id: account.id }, value, settings }],
    };
    const notAfter = utcMs(scheduledAt);
    const { isUrgent = false } = draft;
    const priority = PRIORITY.write;
    return this.#creates.call({
      method: "POST",
      path: "/posts",
      repeat: "once",
      json,
      notAfter,
      isUrgent,
      beforeSend,
      priority,
    });
  }

  /** Deletes the whole group of the post. */
  deleteGroupOf(id: string): Promise<CallResult> {
    const path = recordPath("/posts", id);
    return this.#others.call({ method: "DELETE", path, repeat: "repeatable", priority: PRIORITY.write });
  }

  upload({ absolutePath, name, mime }: UploadFile): Promise<CallResult> {
    const form = async (): Promise<FormPart[]> => {
      const value = await DiskFile.open(absolutePath, mime);
      return [{ name: "file", value, fileName: name }];
    };
    const priority = PRIORITY.write;
    return this.#others.call({ method: "POST", path: "/upload", repeat: "repeatable", form, priority });
  }

  #get(path: string): Promise<CallResult> {
    return this.#others.call({ method: "GET", path, repeat: "repeatable", priority: PRIORITY.read });
  }
}
