/** What a social network must offer, so that plancast can publish there itself. One file for each network implements it. */

import { z } from "zod";
import type { AnyFile } from "../media/media-file.ts";
import { parseUrl } from "../model/address.ts";
import { mediaByText } from "../model/extras.ts";
import type { MediaFacts, PostBody } from "../model/post.ts";
import type { Limits } from "../settings/limits.ts";

/** A post for one account. */
export interface NetworkPost extends Pick<PostBody, "content" | "scheduledAt"> {
  /** The same value for each attempt at this post on this account, and a different value for all others. */
  readonly key: string;
  readonly media: readonly NetworkMedia[];
  /** Texts that follow as replies, in order. */
  readonly thread?: readonly string[];
  /** How many of the last media belong to each of these texts. */
  readonly threadMedia?: readonly number[];
  /** Address of the post that this one answers. */
  readonly replyTo?: string;
  /** Address of the post that this one quotes. */
  readonly quote?: string;
  readonly poll?: NetworkPoll;
  /** What the network needs besides, by its own names (options/carried.ts). */
  readonly options?: Readonly<Record<string, unknown>>;
  /** A comment on the post. Networks without comments get it as the last reply. */
  readonly comment?: string;
}

/** What readers can choose from, with the post's own text as the question. */
export interface NetworkPoll {
  readonly choices: readonly string[];
  readonly lengthMs: number;
  /** Whether a person may choose several. */
  readonly isMultiple: boolean;
}

export interface NetworkMedia {
  /** Media type, such as `image/png`. */
  readonly mime: string;
  readonly bytes: number;
  readonly alt?: string;
  readonly facts: MediaFacts;
  /** The file. A large file is read while it is sent. Rejects with the disk's error. */
  readonly open: () => Promise<AnyFile>;
}

/** One text of a post that is certainly published: the post itself, or a part of its thread. */
export interface PublishedPart {
  /** The network's id. */
  readonly id: string;
  /** Its address for people. */
  readonly url?: string | undefined;
}

/** The known facts about earlier attempts, and the place to record progress. */
export interface Attempt {
  /** Parts that are published, in order. */
  readonly parts: readonly PublishedPart[];
  /** Records the next part. The next part is sent only after this promise resolves. */
  readonly onPart: (part: PublishedPart) => Promise<void>;
  /** From this time on, the post is not sent any more, in ms. */
  readonly notAfter: number;
  /** Whether the network's id belongs to another post of this project. */
  readonly isTaken: (id: string) => Promise<boolean>;
}

interface Published {
  readonly state: "published";
  /** Address of the post for people; absent if the network shows none. */
  readonly url?: string | undefined;
  /** What readers see differently than the row says it, as the end of a sentence. */
  readonly note?: string | undefined;
}

interface NotDone {
  /**
   * The server does not accept the account's secret, so every post would end like this one, and many attempts can lock the
   * account.
   */
  readonly isSignInRefused?: true;
}

/** Certainly not published, or not completely. */
export interface Failed extends NotDone {
  readonly state: "failed";
  readonly reason: string;
  /** Whether another attempt may succeed. */
  readonly retry: boolean;
  /** Nothing was sent, because the last moment for the post had passed. */
  readonly isLate?: true;
}

/** It may have been published. */
export interface Unknown extends NotDone {
  readonly state: "unknown";
  readonly reason: string;
}

export type PublishResult = Published | Failed | Unknown;

/** `absent`: it is not there, or not completely, so another attempt is safe. */
export type SettleResult = Published | Unknown | { readonly state: "absent" };

/** The limits that servers of one network set for themselves. */
export const SERVER_LIMITS = [
  "text",
  "media",
  "alt",
  "image_types",
  "video_types",
  "poll_choices",
  "poll_choice",
  "image_size",
  "video_size",
  "image_area",
  "video_area",
] as const;

export type ServerLimits = Pick<Limits, (typeof SERVER_LIMITS)[number]>;

/** The account as the network shows it. */
export type AccountCheck =
  | {
      readonly state: "ready";
      readonly name: string;
      readonly url?: string | undefined;
      /** What this server allows, as far as it says so. Servers of one network differ. */
      readonly limits?: ServerLimits | undefined;
    }
  | ({ readonly state: "failed"; readonly reason: string } & NotDone);

/** An account on a network, ready for use. No method throws because of the network's answers. */
export interface Network {
  /** Publishes a post that is not there yet, or the rest of its thread. */
  publish(post: NetworkPost, attempt: Attempt): Promise<PublishResult>;
  /** Finds out what happened to a post with an unknown result. Sends nothing that others can see. */
  settle(post: NetworkPost, attempt: Attempt): Promise<SettleResult>;
  /** Posts that may be sent at the same time. */
  readonly atOnce: number;
  /** Whether `settle` can find out what happened to a post. */
  readonly canSettle: boolean;
  /** Whether an attempt after `absent` cannot publish twice, even if an earlier request is still under way. */
  readonly isRepeatable: boolean;
  /** Signs in, and publishes nothing. An account without a sign-in is as ready as its last attempt. */
  check(): Promise<AccountCheck>;
  close(): Promise<void>;
}

/** One text that is published, with its media. */
export interface PostText {
  readonly text: string;
  readonly media: readonly NetworkMedia[];
}

/** The texts that a network without comments publishes, each as a reply to the one before it. */
export function publishedTexts(post: NetworkPost): readonly PostText[] {
  const { content, thread = [], threadMedia: thread_media, comment } = post;
  const media = mediaByText(post.media, { thread_media });
  const texts = [content, ...thread, ...(comment === undefined ? [] : [comment])];
  return texts.map((text, index) => ({ text, media: media[index] ?? [] }));
}

/** Extensions that differ from the last part of the media type. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  "image/jpeg": "jpg",
  "image/apng": "png",
  "video/quicktime": "mov",
  "video/x-m4v": "m4v",
  "video/x-matroska": "mkv",
};

/** The extension for the name of a file: some servers decide by it what the file is. */
export function extensionFor({ mime }: Pick<NetworkMedia, "mime">): string {
  return EXTENSIONS[mime] ?? mime.split(/\W/, 2)[1] ?? "bin";
}

/** Ends the work on a post with its result, from any function. */
export class NotPublished extends Error {
  readonly result: Failed | Unknown;

  constructor(result: Failed | Unknown) {
    super(result.reason);
    this.result = result;
  }
}

/** The network would refuse it again. */
export function refused(reason: string): NotPublished {
  return new NotPublished({ state: "failed", reason, retry: false });
}

/** An address in an answer that people may open. A server could send any other text, which counts as none. */
export const webAddress = z
  .string()
  .regex(/^https?:\/\/\S{1,2000}$/i)
  .transform((text) => parseUrl(text)?.href)
  .optional()
  .catch(undefined);

/**
 * What an answer must contain. Throws NotPublished for a different server than expected.
 * @param otherwise `unknown` if the request may have published something
 */
export function parsed<T>(schema: z.ZodType<T>, body: unknown, otherwise?: "unknown"): T {
  const { data, success } = schema.safeParse(body);
  if (success) return data;
  const reason = "the server's answer cannot be read";
  throw new NotPublished(
    otherwise === undefined ? { state: "failed", reason, retry: true } : { state: otherwise, reason },
  );
}
