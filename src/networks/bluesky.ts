/**
 * Bluesky, or any server of the AT Protocol. A record's key follows from the post, and `putRecord` with `swapRecord: null`
 * only creates: repeating an attempt never publishes twice.
 */

import { z } from "zod";
import { type RichText, richText } from "../checks/networks/bluesky-rich-text.ts";
import { BLUESKY_POST, limitsOfAccount } from "../checks/networks/account-limits.ts";
import { networkNamed } from "../checks/networks/network-names.ts";
import { utcMs } from "../model/canonical.ts";
import type { Clock } from "../model/clock.ts";
import { OriginKey } from "../service/http/key.ts";
import type { BlueskySettings } from "../settings/accounts.ts";
import {
  NOT_FOUND,
  createdAt,
  facetsOf,
  firstLink,
  handleLookup,
  mentionedHandles,
  recordKey,
  REPLY_RULES,
  optionFields,
  replyRules,
} from "./bluesky-record.ts";
import { BlueskySession, cid, did } from "./bluesky-session.ts";
import { type PictureLimits, fittingMedia, fittingPicture } from "./fitting-picture.ts";
import { storedBlob, videoOfGif } from "./bluesky-video.ts";
import type { LinkCards } from "./link-cards.ts";
import {
  type AccountCheck,
  type Attempt,
  type Network,
  type NetworkMedia,
  type NetworkPost,
  type PostText,
  NotPublished,
  type PublishResult,
  type SettleResult,
  parsed,
  refused,
  publishedTexts,
} from "./network.ts";
import {
  type Answered,
  type NetworkCall,
  type NetworkRequests,
  Refusal,
  failedResult,
  notDone,
  notSettled,
  NETWORK_REQUESTS_AT_ONCE,
} from "./network-requests.ts";
import { refuseUnfit } from "./unfit.ts";

const COLLECTION = "app.bsky.feed.post";
const LIMITS = networkNamed("bluesky")?.limits ?? {};
/** Pictures beyond this number are a gallery. Source: the lexicon app.bsky.embed.images. */
const MAX_IMAGES = 4;

/** Sources: the lexicons app.bsky.embed.gallery and app.bsky.embed.images. */
const NEWEST: PictureLimits = {
  bytes: 2_000_000,
  longestSides: [4_000, 2_800, 2_000, 1_400, 1_000],
  types: LIMITS.image_types,
};
/** Servers from before 2026, and pictures of link cards. A server does not say what it accepts before it refuses. */
const OLDER: PictureLimits = { ...NEWEST, bytes: 1_000_000, longestSides: [2_000, 1_400, 1_000] };

/** A post does not wait longer than this for handles that its server cannot look up, in ms after its time. */
const MENTION_PATIENCE_MS = 5 * 60_000;

/** Requests per minute: 3,000 writes in five minutes. Source: docs.bsky.app, "Rate Limits". */
export const BLUESKY_LIMIT = 600;

interface BlueskyTools {
  readonly requests: NetworkRequests;
  /** To the video service. */
  readonly video: NetworkRequests;
  readonly cards: LinkCards;
  readonly clock: Clock;
}

export class Bluesky implements Network {
  readonly atOnce = NETWORK_REQUESTS_AT_ONCE;
  readonly canSettle = true;
  readonly isRepeatable = true;
  readonly #settings: BlueskySettings;
  readonly #tools: BlueskyTools;
  readonly #session: BlueskySession;

  /** @param key the app password */
  constructor(settings: BlueskySettings, key: OriginKey, tools: BlueskyTools) {
    this.#settings = settings;
    this.#tools = tools;
    this.#session = new BlueskySession(settings, key, tools.requests);
  }

  async publish(post: NetworkPost, attempt: Attempt): Promise<PublishResult> {
    try {
      const texts: PostText[] = [];
      for (const each of publishedTexts(post)) texts.push(await withFitting(each, NEWEST));
      const account = limitsOfAccount(this.#settings);
      refuseUnfit(texts, { ...LIMITS, ...account.limits }, account);
      const answered = await this.#referred(post.replyTo);
      const quoted = await this.#referred(post.quote);
      const records: StoredRecord[] = [];
      const notes: string[] = [];
      for (const [part, text] of texts.entries()) {
        const shown = this.#shown(text);
        const parent = records.at(-1) ?? answered;
        const root = answered?.value?.reply?.root ?? answered ?? records[0];
        const mentioned = await this.#mentionedIn(shown, post);
        notes.push(...mentioned.notes);
        // One after the other, because each answers the one before it.
        const record = {
          $type: COLLECTION,
          text: shown.text,
          createdAt: createdAt(post, part),
          facets: facetsOf(shown, mentioned.accounts),
          ...optionFields(post),
          ...(root === undefined || parent === undefined
            ? {}
            : { reply: { root: reference(root), parent: reference(parent) } }),
        };
        const create = (embed: object): Promise<StoredRecord> =>
          this.#create(post, {
            part,
            record: { ...record, ...(part === 0 ? withQuote(embed, quoted) : embed) },
            notAfter: attempt.notAfter,
          });
        const card = part === 0 && text.media.length === 0 ? await this.#cardOf(shown) : {};
        const created =
          text.media.length === 0
            ? await create(card)
            : await this.#withMedia(publishedTexts(post)[part] ?? text, text, create);
        if (part === 0) notes.push(...(await this.#limitReplies(post, created, attempt)));
        await recordPart(post, part, created, attempt);
        records.push(created);
      }
      const note = notes.length === 0 ? {} : { note: notes.join(", and ") };
      return { state: "published", url: this.#addressOf(post), ...note };
    } catch (error) {
      return failedResult(error);
    }
  }

  async settle(post: NetworkPost, attempt: Attempt): Promise<SettleResult> {
    try {
      for (const [part, text] of publishedTexts(post).entries()) {
        const record = await this.#read(post, part);
        if (record === undefined) return { state: "absent" };
        requireSameText(record, this.#shown(text).text);
        if (part === 0 && !(await this.#hasReplyRules(post))) return { state: "absent" };
        await recordPart(post, part, record, attempt);
      }
      return { state: "published", url: this.#addressOf(post) };
    } catch (error) {
      return notSettled(error);
    }
  }

  async check(): Promise<AccountCheck> {
    try {
      const { handle } = await this.#session.identity();
      return { state: "ready", name: `@${handle}`, url: `https://bsky.app/profile/${handle}` };
    } catch (error) {
      return { ...notDone(error), state: "failed" };
    }
  }

  async close(): Promise<void> {
    const { requests, video, cards } = this.#tools;
    await Promise.all([requests, video, cards].map((each) => each.close()));
  }

  #shown({ text }: PostText): RichText {
    return richText(text, this.#settings.links);
  }

  #addressOf(post: NetworkPost): string {
    return `https://bsky.app/profile/${this.#settings.handle}/post/${recordKey(post, 0)}`;
  }

  /**
   * Creates a record with media. A server that refuses a picture for its size gets a smaller one, once.
   * @param given the text with its files as they are  @param text the text with files that fit the newest servers
   */
  async #withMedia(
    given: PostText,
    text: PostText,
    create: (embed: object) => Promise<StoredRecord>,
  ): Promise<StoredRecord> {
    try {
      return await create(await this.#embedOf(text.media));
    } catch (error) {
      const maySend = text.media.some(({ mime, bytes }) => mime.startsWith("image/") && bytes > OLDER.bytes);
      if (!maySend || !mayBeTooLarge(error)) throw error;
      return create(await this.#embedOf((await withFitting(given, OLDER)).media));
    }
  }

  /** Creates a record, or finds the same one from an earlier attempt. */
  async #create(post: NetworkPost, { part, record, notAfter }: NewRecord): Promise<StoredRecord> {
    const { did: repo } = await this.#session.identity();
    const rkey = recordKey(post, part);
    const json = { repo, collection: COLLECTION, rkey, record, swapRecord: null };
    try {
      const { body } = await this.#session.call({
        path: "/xrpc/com.atproto.repo.putRecord",
        group: "write",
        effect: "repeat",
        notAfter,
        json,
      });
      return parsed(storedRecord, body, "unknown");
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "InvalidSwap") throw error;
      const existing = await this.#read(post, part);
      if (existing === undefined) throw error;
      requireSameText(existing, record.text);
      return existing;
    }
  }

  /** Sets who may reply. Returns a note if the server refuses that. A record with the same key replaces the one of an earlier attempt. */
  async #limitReplies(
    post: NetworkPost,
    { uri }: StoredRecord,
    { notAfter }: Attempt,
  ): Promise<readonly string[]> {
    const record = replyRules(post, uri);
    if (record === undefined) return [];
    const { did: repo } = await this.#session.identity();
    const json = { repo, collection: REPLY_RULES, rkey: recordKey(post, 0), record };
    const path = "/xrpc/com.atproto.repo.putRecord";
    try {
      await this.#session.call({ path, group: "write", effect: "repeat", notAfter, json });
      return [];
    } catch (error) {
      const result = failedResult(error);
      if (result.state !== "failed" || result.retry || result.isLate === true) throw error;
      return [`everybody may reply, because the server refused the rule: ${result.reason}`];
    }
  }

  async #hasReplyRules(post: NetworkPost): Promise<boolean> {
    const rkey = recordKey(post, 0);
    const { did: repo } = await this.#session.identity();
    if (replyRules(post, "") === undefined) return true;
    const query = new URLSearchParams({ repo, collection: REPLY_RULES, rkey });
    return (await this.#get(`/xrpc/com.atproto.repo.getRecord?${query.toString()}`)) !== undefined;
  }

  /** The post that an address names. Throws NotPublished if it does not exist. */
  async #referred(address: string | undefined): Promise<StoredRecord | undefined> {
    if (address === undefined) return undefined;
    const { author = "", key = "" } = BLUESKY_POST.exec(address)?.groups ?? {};
    const repo = author.startsWith("did:") ? author : await this.#resolve(author.toLowerCase());
    const found = repo === undefined ? undefined : await this.#readIn(repo, key);
    if (found === undefined) throw refused(`the post ${address} does not exist, or not any more`);
    return found;
  }

  /** Undefined if there is none. */
  async #read(post: NetworkPost, part: number): Promise<StoredRecord | undefined> {
    return this.#readIn((await this.#session.identity()).did, recordKey(post, part));
  }

  async #readIn(repo: string, rkey: string): Promise<StoredRecord | undefined> {
    const query = new URLSearchParams({ repo, collection: COLLECTION, rkey });
    const answer = await this.#get(`/xrpc/com.atproto.repo.getRecord?${query.toString()}`);
    return answer === undefined ? undefined : parsed(storedRecord, answer.body);
  }

  /** Undefined if the server says that it does not exist. */
  async #get(path: string): Promise<Answered | undefined> {
    try {
      return await this.#session.call({ path, group: "read", method: "GET", effect: "harmless" });
    } catch (error) {
      if (error instanceof Refusal && NOT_FOUND.test(error.code ?? "")) return undefined;
      throw error;
    }
  }

  /** The card of the first link of a text. */
  async #cardOf(text: RichText): Promise<object> {
    const link = firstLink(text);
    const card = link === undefined ? undefined : await this.#tools.cards.of(link);
    if (card === undefined) return {};
    const { url: uri, title, description, picture } = card;
    const thumb = picture && (await this.#thumbOf(picture));
    const external = { uri, title, description, ...(thumb === undefined ? {} : { thumb }) };
    return { embed: { $type: "app.bsky.embed.external", external } };
  }

  async #embedOf(media: readonly NetworkMedia[]): Promise<object> {
    const [first] = media;
    if (first === undefined) return {};
    if (media.some((file) => !file.mime.startsWith("image/") || isGif(file))) {
      if (media.length > 1)
        throw refused(
          "Bluesky accepts one video or GIF, or several pictures, but the post has a video or GIF and other files",
        );
      return { embed: await this.#videoOf(first) };
    }
    const isGallery = media.length > MAX_IMAGES;
    const images: object[] = [];
    for (const [index, file] of media.entries()) {
      if (isGallery && file.facts.width === undefined)
        throw refused(`picture ${index + 1} shows no width and height, which a gallery needs`);
      const image = await this.#uploadFile(file);
      images.push({
        ...(isGallery ? { $type: "app.bsky.embed.gallery#image" } : {}),
        ...shownAs(file),
        image,
      });
    }
    return isGallery
      ? { embed: { $type: "app.bsky.embed.gallery", media: images } }
      : { embed: { $type: "app.bsky.embed.images", images } };
  }

  /** The picture of a link's card. The post does not depend on it: undefined if Bluesky cannot have it. */
  async #thumbOf(picture: NetworkMedia): Promise<unknown> {
    try {
      return await this.#uploadFile(await fittingPicture(picture, 0, OLDER));
    } catch (error) {
      const result = failedResult(error);
      if (result.state === "failed" && !result.retry) return undefined;
      throw error;
    }
  }

  /** The server gets the video as it is. Bluesky prepares it for players after the post is published. */
  async #videoOf(file: NetworkMedia): Promise<object> {
    const embed = { $type: "app.bsky.embed.video", ...shownAs(file) };
    const { video, clock } = this.#tools;
    if (isGif(file))
      return { ...embed, presentation: "gif", video: await videoOfGif(file, this.#session, video, clock) };
    return { ...embed, video: await this.#uploadFile(file) };
  }

  async #uploadFile({ open, mime }: NetworkMedia): Promise<unknown> {
    return this.#upload({ data: await open(), type: mime });
  }

  /** @returns what a record contains to refer to the file */
  async #upload(bytes: NonNullable<NetworkCall["bytes"]>): Promise<unknown> {
    const { body } = await this.#session.call({
      path: "/xrpc/com.atproto.repo.uploadBlob",
      group: "upload",
      effect: "harmless",
      bytes,
    });
    return parsed(uploadAnswer, body).blob;
  }

  /** Whom the text mentions. Handles without a usable account stay text. */
  async #mentionedIn(text: RichText, { scheduledAt }: NetworkPost): Promise<Mentioned> {
    const accounts = new Map<string, string>();
    const notes: string[] = [];
    for (const handle of mentionedHandles(text)) {
      try {
        const did = await this.#resolve(handle);
        if (did === undefined) notes.push(`nobody on Bluesky has the handle @${handle}, so it is only text`);
        else accounts.set(handle, did);
      } catch (error) {
        const isOverdue = this.#tools.clock.now() >= utcMs(scheduledAt) + MENTION_PATIENCE_MS;
        if (!isOverdue || !(error instanceof NotPublished)) throw error;
        notes.push(`the server did not say who has the handle @${handle}, so it is only text`);
      }
    }
    return { accounts, notes };
  }

  /** The account with a handle; undefined if there is none. */
  async #resolve(handle: string): Promise<string | undefined> {
    const answer = await this.#get(handleLookup(handle));
    return resolvedHandle.safeParse(answer?.body).data?.did;
  }
}

interface Mentioned {
  /** By handle. */
  readonly accounts: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
}

/** An incomplete thread must not count as a post that is not there. A post of one text is there, or it is not. */
async function recordPart(
  post: NetworkPost,
  part: number,
  { uri }: StoredRecord,
  { parts, onPart }: Attempt,
): Promise<void> {
  if (publishedTexts(post).length > 1 && part >= parts.length) await onPart({ id: uri });
}

interface NewRecord {
  readonly part: number;
  readonly record: { readonly text: string };
  readonly notAfter: number;
}

const resolvedHandle = z.object({ did });

const uploadAnswer = z.object({ blob: storedBlob });

const pointer = z.object({ uri: z.string().regex(/^at:\/\/[\w./:%~-]{1,3000}$/), cid });

const storedRecord = pointer.extend({
  value: z
    .object({ text: z.string(), reply: z.object({ root: pointer }).optional().catch(undefined) })
    .optional(),
});

type StoredRecord = z.infer<typeof storedRecord>;

function reference({ uri, cid }: z.infer<typeof pointer>): object {
  return { uri, cid };
}

/** A quoted post beside the media or the card of a post. */
function withQuote({ embed: media }: { readonly embed?: object }, quoted: StoredRecord | undefined): object {
  if (quoted === undefined) return media === undefined ? {} : { embed: media };
  const record = { $type: "app.bsky.embed.record", record: reference(quoted) };
  return {
    embed: media === undefined ? record : { $type: "app.bsky.embed.recordWithMedia", record, media },
  };
}

/** The record's key comes from the post's key. So if its text differs, somebody changed it. */
function requireSameText({ value }: StoredRecord, text: string): void {
  if (value !== undefined && value.text !== text) throw refused("another text is at the post's place");
}

/** A GIF that moves. As a picture, Bluesky would show only its first frame. */
function isGif({ mime, facts }: NetworkMedia): boolean {
  return mime === "image/gif" && facts.lengthMs !== undefined;
}

/** A text with pictures that fit. A GIF that moves becomes a video. */
async function withFitting({ text, media }: PostText, limits: PictureLimits): Promise<PostText> {
  const isFilm = media.length === 1 && media.every(isGif);
  return { text, media: isFilm ? media : await fittingMedia(media, limits) };
}

function shownAs({ alt = "", facts: { width, height } }: NetworkMedia): object {
  return { alt, ...(width === undefined || height === undefined ? {} : { aspectRatio: { width, height } }) };
}

/**
 * Whether a refusal may be about the size of a picture: servers have different codes and words for that. Nothing is
 * published by a request that was refused.
 */
function mayBeTooLarge(error: unknown): boolean {
  return error instanceof Refusal && (error.status === 400 || error.status === 413);
}
