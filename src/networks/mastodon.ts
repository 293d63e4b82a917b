/**
 * The API of Mastodon, which Pixelfed, GoToSocial, Pleroma and snac also have. A server keeps an `Idempotency-Key` for an
 * hour, or ignores it, so after a lost answer the account's own posts decide. Source: docs.joinmastodon.org.
 */

import { createHash } from "node:crypto";
import { z } from "zod";
import { limitsOfAccount } from "../checks/networks/account-limits.ts";
import { networkNamed } from "../checks/networks/network-names.ts";
import type { Clock } from "../model/clock.ts";
import { utcMs } from "../model/canonical.ts";
import { withoutUndefined } from "../model/data.ts";
import type { OriginKey } from "../service/http/key.ts";
import type { FormPart } from "../service/http/request.ts";
import type { MastodonSettings } from "../settings/accounts.ts";
import { sizeBytes } from "../settings/limits.ts";
import {
  type AccountCheck,
  type Attempt,
  type Network,
  type NetworkMedia,
  type NetworkPoll,
  type NetworkPost,
  type PublishResult,
  type PublishedPart,
  type ServerLimits,
  type SettleResult,
  NotPublished,
  extensionFor,
  parsed,
  refused,
  publishedTexts,
  webAddress,
} from "./network.ts";
import { fittingMedia } from "./fitting-picture.ts";
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
import { refuseUnfit, refuseUnfitPoll } from "./unfit.ts";

/** Requests per minute: 300 in five minutes. Servers that show no limit are small, and most have none. */
export const MASTODON_LIMIT = 300;

/** How long to wait before each question whether a file is processed, in ms, and how often to ask. */
const PROCESSING_POLL_MS = 1_000;
const MAX_POLLS = 300;
/** A status may seem this much older than its due time, in ms, because clocks differ. */
const CLOCK_DIFFERENCE_MS = 120_000;
/** Pages of the account's own statuses that are read, with `STATUSES_PER_PAGE` each. */
const MAX_PAGES = 25;
const STATUSES_PER_PAGE = 40;

/** For servers that do not name their own limits. */
const LIMITS = networkNamed("mastodon")?.limits ?? {};

/** Widths or heights to try for a picture that is too large. Servers make it smaller again. Source: Mastodon's `MediaAttachment`. */
const LONGEST_SIDES = [3_840, 2_560, 1_920] as const;

export class Mastodon implements Network {
  readonly atOnce = NETWORK_REQUESTS_AT_ONCE;
  readonly canSettle = true;
  readonly isRepeatable = false;
  readonly #settings: MastodonSettings;
  readonly #key: OriginKey;
  readonly #requests: NetworkRequests;
  readonly #clock: Clock;
  #limits: Promise<InstanceLimits> | undefined;
  #accountId: Promise<string> | undefined;

  /** @param key the access token */
  constructor(settings: MastodonSettings, key: OriginKey, requests: NetworkRequests, clock: Clock) {
    this.#settings = settings;
    this.#key = key;
    this.#requests = requests;
    this.#clock = clock;
  }

  async publish(given: NetworkPost, attempt: Attempt): Promise<PublishResult> {
    try {
      const { limits, perLink, hasPolls } = await this.#instanceLimits();
      const { image_area, gif_area, image_size = "16MiB" } = { ...LIMITS, ...limits };
      const pictures = {
        bytes: sizeBytes(image_size),
        longestSides: LONGEST_SIDES,
        types: limits.image_types,
        image_area,
        gif_area,
      };
      const post = { ...given, media: await fittingMedia(given.media, pictures) };
      const texts = publishedTexts(post);
      // Some servers count links as they are.
      const count = perLink === undefined ? "graphemes" : "mastodon";
      const warning = given.options?.["spoiler_text"];
      refuseUnfit(texts, { ...limits, count, perLink }, limitsOfAccount(this.#settings), warning);
      // Some servers ignore a poll and publish the text without it.
      if (post.poll !== undefined && !hasPolls) throw refused("the server does not say that it has polls");
      refuseUnfitPoll(post.poll, limits);
      let note = {};
      const parts = [...attempt.parts];
      for (const [index, { text, media }] of texts.entries()) {
        if (index < parts.length) continue;
        const ids = await this.#uploadAll(post, media);
        const status = await this.#create(post, {
          index,
          text,
          ids,
          after: parts.at(-1) ?? (await this.#statusAt(post.replyTo)),
          notAfter: attempt.notAfter,
        });
        const part = partOf(status);
        await attempt.onPart(part);
        parts.push(part);
        if (index === 0 && post.poll !== undefined && !status.poll) note = { note: NO_POLL };
      }
      return { state: "published", url: parts[0]?.url, ...note };
    } catch (error) {
      return failedResult(error);
    }
  }

  async settle(post: NetworkPost, attempt: Attempt): Promise<SettleResult> {
    try {
      const parts = [...attempt.parts];
      const own = await this.#ownStatuses(utcMs(post.scheduledAt) - CLOCK_DIFFERENCE_MS);
      for (const [index, { text, media }] of publishedTexts(post).entries()) {
        if (index < parts.length) continue;
        const same = own.filter(
          ({ id, content, media_attachments: attached }) =>
            attached.length === media.length &&
            isSameText(text, content) &&
            parts.every((part) => part.id !== id),
        );
        const found = await firstFree(same, attempt);
        if (found === undefined) return { state: "absent" };
        const part = partOf(found);
        await attempt.onPart(part);
        parts.push(part);
      }
      return { state: "published", url: parts[0]?.url };
    } catch (error) {
      return notSettled(error);
    }
  }

  async check(): Promise<AccountCheck> {
    try {
      const { acct, url } = await this.#verify();
      const { limits } = await this.#instanceLimits();
      return { state: "ready", name: `@${acct}`, ...(url === undefined ? {} : { url }), limits };
    } catch (error) {
      return { ...notDone(error), state: "failed" };
    }
  }

  close(): Promise<void> {
    return this.#requests.close();
  }

  #send(call: Omit<NetworkCall, "key">): Promise<Answered> {
    return this.#requests.send({ ...call, key: this.#key });
  }

  #get(path: string): Promise<Answered> {
    return this.#send({ method: "GET", path, group: "read", effect: "harmless" });
  }

  async #create(post: NetworkPost, { index, text, ids, after, notAfter }: NewStatus): Promise<Status> {
    const { body } = await this.#send({
      path: "/api/v1/statuses",
      group: "statuses",
      // Not every server knows the key below.
      effect: "once",
      notAfter,
      headers: { "idempotency-key": idempotencyKey(post, index) },
      json: {
        ...post.options,
        status: text,
        media_ids: ids,
        ...(index === 0 && post.poll !== undefined ? { poll: pollJson(post.poll) } : {}),
        ...(after === undefined ? {} : { in_reply_to_id: after.id }),
      },
    });
    return parsed(statusAnswer, body, "unknown");
  }

  /** The status at an address, which may be on another server. Throws NotPublished if there is none. */
  async #statusAt(address: string | undefined): Promise<PublishedPart | undefined> {
    if (address === undefined) return undefined;
    const query = new URLSearchParams({ q: address, resolve: "true", type: "statuses", limit: "1" });
    const [found] = parsed(
      searchAnswer,
      (await this.#get(`/api/v2/search?${query.toString()}`)).body,
    ).statuses;
    if (found === undefined) throw refused(`the server does not find the post ${address}`);
    return found;
  }

  /** @param media those of one text of the post */
  async #uploadAll(post: NetworkPost, media: readonly NetworkMedia[]): Promise<string[]> {
    const ids: string[] = [];
    for (const file of media)
      ids.push(await this.#upload(file, fileName(post.key, post.media.indexOf(file), file)));
    return ids;
  }

  async #upload(file: NetworkMedia, name: string): Promise<string> {
    const { alt = "" } = file;
    const form = async (): Promise<FormPart[]> => [
      { name: "file", value: await file.open(), fileName: name },
      ...(alt === "" ? [] : [{ name: "description", value: alt }]),
    ];
    const call = { group: "media", effect: "harmless", form } as const;
    const answer = await withOlder((version) => this.#send({ ...call, path: `/api/${version}/media` }));
    const { id } = parsed(mediaAnswer, answer.body);
    if (answer.status === 202) await this.#untilProcessed(id);
    return id;
  }

  async #untilProcessed(id: string): Promise<void> {
    for (let poll = 0; poll < MAX_POLLS; poll += 1) {
      await this.#clock.sleep(PROCESSING_POLL_MS);
      const { status } = await this.#get(`/api/v1/media/${encodeURIComponent(id)}`);
      if (status === 200) return;
    }
    throw new NotPublished({
      state: "failed",
      reason: "the server did not finish processing a file",
      retry: true,
    });
  }

  /** The account's statuses since that time (ms), oldest first. Throws NotPublished if there are too many to read. */
  async #ownStatuses(since: number): Promise<Status[]> {
    this.#accountId ??= this.#verify().then(({ id }) => id);
    const account = await this.#accountId.catch((error: unknown) => {
      this.#accountId = undefined;
      throw error;
    });
    const found: Status[] = [];
    let before: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const query = new URLSearchParams({ limit: String(STATUSES_PER_PAGE), exclude_reblogs: "true" });
      if (before !== undefined) query.set("max_id", before);
      const { body } = await this.#get(
        `/api/v1/accounts/${encodeURIComponent(account)}/statuses?${query.toString()}`,
      );
      const statuses = parsed(z.array(statusAnswer), body);
      const known = new Set(found.map(({ id }) => id));
      const recent = statuses.filter(({ id, created_at: at }) => !known.has(id) && Date.parse(at) >= since);
      found.push(...recent);
      // Pinned statuses may be old, so one old status does not end the list.
      if (statuses.length === 0 || recent.length === 0) return found.reverse();
      before = statuses.at(-1)?.id;
    }
    throw new NotPublished({ state: "unknown", reason: "the account has too many posts since then" });
  }

  async #verify(): Promise<z.infer<typeof accountAnswer>> {
    return parsed(accountAnswer, (await this.#get("/api/v1/accounts/verify_credentials")).body);
  }

  /** A failure is not cached. */
  #instanceLimits(): Promise<InstanceLimits> {
    this.#limits ??= withOlder((version) => this.#get(`/api/${version}/instance`)).then(
      ({ body }) => limitsIn(body),
      (error: unknown) => {
        this.#limits = undefined;
        // A server without this page names its limits when it refuses a post.
        if (error instanceof Refusal && error.status === 404) return { limits: {}, hasPolls: false };
        throw error;
      },
    );
    return this.#limits;
  }
}

const NO_POLL = "the server ignored the poll and published only the text";

function pollJson({ choices, lengthMs, isMultiple }: NetworkPoll): object {
  return { options: choices, expires_in: Math.round(lengthMs / 1000), multiple: isMultiple };
}

interface NewStatus {
  readonly index: number;
  readonly text: string;
  readonly ids: readonly string[];
  readonly after: PublishedPart | undefined;
  readonly notAfter: number;
}

/** Ids are numbers on some servers, and names of files on snac. Addresses lose `.` and `..`. */
const id = z.union([z.string().regex(/^(?!\.+$)[\w.-]{1,200}$/), z.number().transform(String)]);

const statusAnswer = z.object({
  id,
  url: webAddress,
  content: z.string().default(""),
  created_at: z.string().default(""),
  media_attachments: z.array(z.unknown()).default([]),
  /** Null for a status without a poll. */
  poll: z.unknown().optional(),
});

type Status = z.infer<typeof statusAnswer>;

const mediaAnswer = z.object({ id });

const searchAnswer = z.object({ statuses: z.array(z.object({ id })) });

const accountAnswer = z.object({ id, acct: z.string().regex(/^[\w.@:-]{1,300}$/), url: webAddress });

/** What a server allows. Absent: not known. */
interface InstanceLimits {
  readonly limits: ServerLimits;
  /** How many characters each link counts as; undefined for its own length. */
  readonly perLink?: number | undefined;
  readonly hasPolls: boolean;
}

const mediaType = z.string().regex(/^[a-z]+\/[a-z0-9.+-]{1,100}$/);

const count = z.int().positive().optional().catch(undefined);

const instanceAnswer = z.object({
  /** Pleroma, and older servers. */
  max_toot_chars: count,
  poll_limits: z.object({}).optional().catch(undefined),
  configuration: z
    .object({
      statuses: z
        .object({
          max_characters: count,
          characters_reserved_per_url: count,
          max_media_attachments: count,
        })
        .optional()
        .catch(undefined),
      polls: z.object({ max_options: count, max_characters_per_option: count }).optional().catch(undefined),
      media_attachments: z
        .object({
          description_limit: count,
          image_size_limit: count,
          image_matrix_limit: count,
          video_size_limit: count,
          video_matrix_limit: count,
          supported_mime_types: z.array(mediaType).min(1).max(100).optional().catch(undefined),
        })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
});

function limitsIn(body: unknown): InstanceLimits {
  const { data } = instanceAnswer.safeParse(body);
  const { statuses, polls, media_attachments: media } = data?.configuration ?? {};
  const types = media?.supported_mime_types;
  const kinds = (kind: "image" | "video"): string[] | undefined =>
    types?.filter((type) => type.startsWith(`${kind}/`));
  return {
    limits: withoutUndefined({
      text: statuses?.max_characters ?? data?.max_toot_chars,
      media: statuses?.max_media_attachments,
      alt: media?.description_limit,
      poll_choices: polls?.max_options,
      poll_choice: polls?.max_characters_per_option,
      image_size: sizeText(media?.image_size_limit),
      image_area: media?.image_matrix_limit,
      video_size: sizeText(media?.video_size_limit),
      video_area: media?.video_matrix_limit,
      image_types: kinds("image"),
      video_types: kinds("video"),
    }),
    perLink: statuses?.characters_reserved_per_url,
    hasPolls: polls !== undefined || data?.poll_limits !== undefined,
  };
}

/** Bytes as a project writes them, with at most nine digits. */
function sizeText(bytes: number | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  const mebibytes = bytes / 1024 ** 2;
  return Number.isInteger(mebibytes) || bytes >= 1e9 ? `${Math.floor(mebibytes)}MiB` : `${bytes}B`;
}

/** The answer of the second version of an endpoint, or of the first one if the server has no second. */
async function withOlder(send: (version: "v1" | "v2") => Promise<Answered>): Promise<Answered> {
  try {
    return await send("v2");
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return send("v1");
    throw error;
  }
}

/** The first status that does not belong to another post. */
async function firstFree(statuses: readonly Status[], { isTaken }: Attempt): Promise<Status | undefined> {
  for (const status of statuses) if (!(await isTaken(status.id))) return status;
  return undefined;
}

function partOf({ id: own, url }: Status): PublishedPart {
  return { id: own, ...(url === undefined ? {} : { url }) };
}

function idempotencyKey({ key }: NetworkPost, part: number): string {
  return createHash("sha256")
    .update(JSON.stringify([key, part]))
    .digest("hex");
}

/** Some servers decide by the extension, and treat two files with the same name as one. */
function fileName(key: string, index: number, file: NetworkMedia): string {
  const name = createHash("sha256")
    .update(JSON.stringify([key, index]))
    .digest("hex");
  return `${name.slice(0, 16)}.${extensionFor(file)}`;
}

/**
 * Whether a status shows the text. Servers write HTML: they add links, drop the server of a mention that they know, and
 * some apply Markdown. Therefore only letters, digits and emoji count, and no servers of mentions.
 */
export function isSameText(sent: string, html: string): boolean {
  const shown = skeleton(textIn(html));
  // Some servers treat tags in a text as their own.
  return skeleton(sent) === shown || skeleton(textIn(sent)) === shown;
}

function skeleton(text: string): string {
  return text
    .replaceAll(/(@[\w.-]+)@[\w.-]+\w/g, "$1")
    .normalize("NFKC")
    .replaceAll(/[^\p{L}\p{N}\p{M}\p{Extended_Pictographic}]/gu, "");
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

/** The text of simple HTML, as servers write statuses. */
function textIn(html: string): string {
  const text = html.replaceAll(/<[^<>]*>/g, "");
  return text.replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,6}));/gi, (whole, hex, decimal, name) => {
    if (typeof name === "string") return ENTITIES[name.toLowerCase()] ?? whole;
    const code = typeof hex === "string" ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
  });
}
