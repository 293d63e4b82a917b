/**
 * The requests to Postiz's public API, and the meaning of its answers. Creates have their own rate limit, and everything
 * else has none. Texts are HTML with a paragraph for each line. Source: gitroomhq/postiz-app, its public API controller.
 */

import { DiskFile } from "../../media/media-file.ts";
import type { FormPart } from "../http/request.ts";
import { z } from "zod";
import { canonicalContent, utcMs, utcTime } from "../../model/canonical.ts";
import { mediaByText } from "../../model/extras.ts";
import { CARRIED_BY_POSTIZ, carriedFields } from "../../model/options/carried.ts";
import type { RemotePost } from "../../model/post.ts";
import { answerAddress, answerId, answerTime, decodeRead } from "../answers/typed-answer.ts";
import { recordPath } from "../endpoints/endpoint-calls.ts";
import { type Account, usableAccounts } from "../endpoints/posts-only.ts";
import type { CallResult, Transport } from "../http/transport.ts";
import { PRIORITY } from "../rate/limiter.ts";
import type { PostRecord } from "../records.ts";
import type { PostDraft, PostState, UploadFile } from "../service.ts";

/** A media id as the lockfile stores it: the address of the file, and its id in Postiz. Posts need both. */
export function postizMediaId({ id, path }: { readonly id: string; readonly path: string }): string {
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
}

export class PostizRequests {
  readonly #creates: Transport;
  readonly #others: Transport;

  constructor({ creates, others }: PostizRequestsOptions) {
    this.#creates = creates;
    this.#others = others;
  }

  /** Throws a Failure if the answer cannot be read. */
  async accounts(): Promise<readonly PostizAccount[]> {
    return accountsIn(decodeRead(await this.#get("/integrations"), integrationsAnswer, "GET /integrations"));
  }

  /** What Postiz says about the settings of an account. Throws a Failure if the answer cannot be read. */
  async settings(id: string): Promise<AccountSettings> {
    const answer = await this.#get(recordPath("/integration-settings", id));
    return decodeRead(answer, settingsAnswer, "GET /integration-settings/{id}").output;
  }

  /**
   * All posts that are due between two times, in ms. Postiz has no pages. A post that repeats is in the answer once for each
   * of its dates, and here only with the first. Throws a Failure if the answer cannot be read.
   */
  async posts(from: number, to: number): Promise<readonly PostizPost[]> {
    const query = new URLSearchParams({ startDate: utcTime(from), endDate: utcTime(to) });
    const { posts } = decodeRead(await this.#get(`/posts?${query.toString()}`), postsAnswer, "GET /posts");
    const byId = new Map<string, PostizPost>();
    for (const post of posts) {
      const known = byId.get(post.id);
      if (known === undefined || post.publishDate < known.publishDate) byId.set(post.id, post);
    }
    return [...byId.values()];
  }

  /**
   * One post, for one account: Postiz gives it a group of its own. Never sent again if it may have arrived.
   * @param before the post to change, which keeps its id. Postiz stores all its texts again, and deletes its old group.
   */
  save(
    draft: PostDraft,
    account: PostizAccount,
    {
      before,
      beforeSend,
    }: { readonly before?: PostizPost; readonly beforeSend?: (() => Promise<void>) | undefined },
  ): Promise<CallResult> {
    const { content, scheduledAt, mediaIds, alt = [], thread = [], first_comment = "", options } = draft;
    const files = mediaIds.map((each, index) => ({
      ...mediaOf(each),
      ...((alt[index] ?? "") === "" ? {} : { alt: alt[index] }),
    }));
    const images = mediaByText(files, draft);
    const comment = first_comment === "" ? [] : [first_comment];
    const value = [content, ...thread, ...comment].map((text, index) => ({
      ...(index === 0 && before !== undefined ? { id: before.id } : {}),
      content: toHtml(text),
      image: images[index] ?? [],
    }));
    const group = before === undefined ? {} : { group: before.group };
    const settings = {
      ...carriedFields(CARRIED_BY_POSTIZ, account.platform, options, mediaOf),
      __type: account.identifier,
    };
    const json = {
      type: "schedule",
      shortLink: false,
      date: scheduledAt,
      tags: [],
      posts: [{ integration: { id: account.id }, value, settings, ...group }],
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

  /** Deletes what is left of a group whose post has another one now. */
  deleteGroup(group: string): Promise<CallResult> {
    const path = recordPath("/posts/group", group);
    return this.#others.call({ method: "DELETE", path, repeat: "repeatable", priority: PRIORITY.write });
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

const schemaOfField = z.looseObject({
  enum: z.array(z.unknown()).optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
});

/** The answer about one account. `settings`: a JSON schema, or a text if the network has none. */
const settingsAnswer = z.object({
  output: z.object({
    maxLength: z.number().catch(0),
    settings: z
      .union([z.string(), z.looseObject({ properties: z.record(z.string(), schemaOfField).default({}) })])
      .optional()
      .catch(undefined),
  }),
});

export type FieldSchema = z.infer<typeof schemaOfField>;

/** What a Postiz says about one account; undefined if it does not say it. */
export type AccountSettings = z.infer<typeof settingsAnswer>["output"] | undefined;

/** An account, which Postiz calls an integration or a channel. */
const integration = z.looseObject({
  id: answerId,
  name: z.string().nullish(),
  identifier: z.string(),
  disabled: z.boolean().nullish(),
  profile: z.string().nullish(),
});

const integrationsAnswer = z.array(integration);

const listedPost = z.looseObject({
  id: answerId,
  content: z.string().nullish(),
  publishDate: answerTime,
  state: z.string(),
  group: z.string().min(1),
  /** A post that repeats has a number of days here. */
  intervalInDays: z.unknown(),
  releaseURL: z.string().nullish(),
  integration: z.looseObject({ id: answerId, providerIdentifier: z.string() }),
});

export type PostizPost = z.infer<typeof listedPost>;

const postsAnswer = z.object({ posts: z.array(listedPost) });

/** The answer to a create with one post. */
export const createdAnswer = z.array(z.looseObject({ postId: answerId, integration: answerId })).length(1);

/** Posts need both. In the lockfile, a `#` is between them. */
export const uploadAnswer = z.looseObject({
  id: answerId.refine((id) => !id.includes("#"), "must be an id"),
  path: answerAddress,
});

/** Postiz's names of networks for which plancast has another one. */
const NETWORKS: ReadonlyMap<string, string> = new Map([
  ["x", "twitter"],
  ["linkedin-page", "linkedin"],
  ["instagram-standalone", "instagram"],
  ["mastodon-custom", "mastodon"],
  ["tiktok-business", "tiktok"],
  ["gmb", "googlebusiness"],
  ["wrapcast", "warpcast"],
]);

function networkOf(identifier: string): string {
  return NETWORKS.get(identifier) ?? identifier.toLowerCase();
}

/** An account, with Postiz's own name of the network. */
export type PostizAccount = Account & { readonly identifier: string };

function accountsIn(answer: z.infer<typeof integrationsAnswer>): readonly PostizAccount[] {
  return usableAccounts(
    answer.map((record) => {
      const { id, identifier, profile, name, disabled } = record;
      const names = [profile ?? "", name ?? ""];
      return { id, identifier, network: networkOf(identifier), names, isActive: disabled !== true, record };
    }),
  );
}

const STATUSES: ReadonlyMap<string, "scheduled" | "published" | "failed"> = new Map([
  ["QUEUE", "scheduled"],
  ["PUBLISHED", "published"],
  ["ERROR", "failed"],
]);

export function postizState({ state }: PostizPost): PostState {
  const known = STATUSES.get(state);
  return known === undefined ? { state: "unknown", status: state.toLowerCase() } : { state: known };
}

/** Postiz does not list media, threads and alt texts, so they are absent. */
export function postizRemotePost(post: PostizPost, accounts: readonly Account[]): RemotePost {
  const { integration: own, content, publishDate, intervalInDays } = post;
  const platform = accounts.find((each) => each.id === own.id)?.platform;
  return {
    id: post.id,
    content: canonicalContent(fromHtml(content ?? "")),
    // An account that was just connected or removed: nobody can compare its posts.
    ...(platform === undefined ? {} : { platforms: [platform] }),
    scheduledAt: publishDate,
    ...(Number(intervalInDays) > 0 ? { noRow: "repeats" } : {}),
  };
}

export function postizRecord(post: PostizPost, accounts: readonly Account[]): PostRecord {
  const remote = postizRemotePost(post, accounts);
  const status = STATUSES.get(post.state) ?? post.state.toLowerCase();
  const results = (remote.platforms ?? []).map((platform) => ({ platform, status, url: post.releaseURL }));
  return { ...remote, status, record: { ...post, status, results } };
}

/** Postiz shows text without `<p>` with its `&amp;`, so every line becomes a paragraph. */
export function toHtml(text: string): string {
  if (text === "") return "";
  return text
    .split("\n")
    .map((line) => `<p>${line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</p>`)
    .join("");
}

const TOKEN = /<[^<>]*>|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8});|[^<&]+|[<&]/gi;
const HREF = /\shref="([^"]*)"/i;
const TAG = /^<(\/?)([a-z][a-z0-9]*)/i;

/** The text that Postiz publishes for its HTML, without bold and the like: a link is its address, and `<br>` is nothing. */
export function fromHtml(html: string): string {
  const parts: string[] = [];
  let hasBlock = false;
  let isInLink = false;
  for (const [token] of html.matchAll(TOKEN)) {
    const [, end, name] = TAG.exec(token) ?? [];
    const tag = name?.toLowerCase();
    const address = tag === "a" && end === "" ? HREF.exec(token)?.[1] : undefined;
    if (tag === "a") isInLink = address !== undefined;
    if (address !== undefined) parts.push(fromHtml(address));
    else if (isInLink) continue;
    else if (tag === undefined) parts.push(token.startsWith("&") ? character(token) : token);
    else if (end === "/") continue;
    else if (BLOCKS.has(tag)) {
      // A paragraph in a list item continues its line.
      if (hasBlock && parts.at(-1) !== BULLET) parts.push("\n");
      if (tag === "li") parts.push(BULLET);
      hasBlock = true;
    }
  }
  return parts.join("");
}

const BULLET = "- ";
const BLOCKS: ReadonlySet<string> = new Set(["p", "h1", "h2", "h3", "li"]);

const NAMED: ReadonlyMap<string, string> = new Map([
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&apos;", "'"],
  ["&nbsp;", "\u00a0"],
]);

/** The character of a reference; other text stays as it is. */
function character(reference: string): string {
  const [, hex, decimal] = /^&#(?:x([0-9a-f]+)|(\d+));$/i.exec(reference) ?? [];
  if (hex === undefined && decimal === undefined) return NAMED.get(reference.toLowerCase()) ?? reference;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code > 0x10ffff ? reference : String.fromCodePoint(code);
}
