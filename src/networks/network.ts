/**
 * What a social network must offer, so that plancast can publish there itself. One file for each network implements it.
 * Also the requests to a network: through plancast's transport, with a rate limit for each group of endpoints.
 */

import type { Dispatcher } from "undici";
import type { z } from "zod";
import type { AllowsHost } from "../media/allowed-hosts.ts";
import type { AnyFile } from "../media/media-file.ts";
import type { Clock } from "../model/clock.ts";
import { Failure, reasonOf } from "../model/failure.ts";
import type { MediaFacts, PostBody } from "../model/post.ts";
import type { RequestKey } from "../service/http/key.ts";
import { bodyOf } from "../service/http/refusal.ts";
import { openConnections } from "../service/http/request.ts";
import { type Call, type CallResult, Transport } from "../service/http/transport.ts";
import { Limiter, PRIORITY } from "../service/rate/limiter.ts";
import type { RequestLog } from "../service/records.ts";
import type { Limits } from "../settings/limits.ts";

/** A post for one account. */
export interface NetworkPost extends Pick<PostBody, "content" | "scheduledAt"> {
  /** The same value for each attempt at this post on this account, and a different value for all others. */
  readonly key: string;
  readonly media: readonly NetworkMedia[];
  /** Texts that follow as replies, in order. */
  readonly thread?: readonly string[];
  /** A comment on the post. Networks without comments get it as the last reply. */
  readonly comment?: string;
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
  readonly isTaken: (id: string) => boolean;
}

interface Published {
  readonly state: "published";
  /** Address of the post for people; absent if the network shows none. */
  readonly url?: string | undefined;
}

interface NotDone {
  /** The server does not accept the account's secret, so every post would end like this one. */
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

export type ServerLimits = Pick<Limits, "text" | "media">;

/** The account as the network shows it. */
export type AccountCheck =
  | {
      readonly state: "ready";
      readonly name: string;
      readonly url?: string | undefined;
      /** What this server allows, as far as it says so. Servers of one network differ. */
      readonly limits?: ServerLimits | undefined;
    }
  | { readonly state: "failed"; readonly reason: string };

/** An account on a network, ready for use. No method throws because of the network's answers. */
export interface Network {
  /** Publishes a post that is not there yet, or the rest of its thread. */
  publish(post: NetworkPost, attempt: Attempt): Promise<PublishResult>;
  /** Finds out what happened to a post with an unknown result. Sends nothing that others can see. */
  settle(post: NetworkPost, attempt: Attempt): Promise<SettleResult>;
  /** Whether `settle` can find out what happened to a post. */
  readonly canSettle: boolean;
  /** Whether an attempt after `absent` cannot publish twice, even if an earlier request is still under way. */
  readonly isRepeatable: boolean;
  /** Signs in, and publishes nothing. */
  check(): Promise<AccountCheck>;
  close(): Promise<void>;
}

/** The texts that a network without comments publishes, each as a reply to the one before it. */
export function textsOf({ content, thread = [], comment }: NetworkPost): readonly string[] {
  return [content, ...thread, ...(comment === undefined ? [] : [comment])];
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
  return failed(reason, false);
}

function failed(reason: string, retry: boolean): NotPublished {
  return new NotPublished({ state: "failed", reason, retry });
}

function unknown(reason: string): NotPublished {
  return new NotPublished({ state: "unknown", reason });
}

/** The result of work that ended early. Throws anything else, except a file that cannot be read. */
export function resultOf(error: unknown): Failed | Unknown {
  if (error instanceof NotPublished) return error.result;
  if (error instanceof Error && "code" in error)
    return { state: "failed", reason: `a file cannot be read: ${reasonOf(error)}`, retry: true };
  throw error;
}

/**
 * What an answer must contain. Throws NotPublished for a different server than expected.
 * @param otherwise `unknown` if the request may have published something
 */
export function parsed<T>(schema: z.ZodType<T>, body: unknown, otherwise?: "unknown"): T {
  const { data, success } = schema.safeParse(body);
  if (success) return data;
  const reason = "the server's answer cannot be read";
  throw otherwise === undefined ? failed(reason, true) : unknown(reason);
}

export interface RequestOptions {
  readonly userAgent: string;
  /** Aborted when the run is interrupted. */
  readonly stop: AbortSignal;
  /** Private hosts whose pages may be read for the card of a link. Default: none. */
  readonly allowsPages?: AllowsHost | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  /** Longest wait for an answer, in ms. */
  readonly timeoutMs: number;
  /** Called after each request. */
  readonly onRequest: (log: RequestLog) => void;
}

/** A request to a network. */
export interface NetworkCall extends Omit<Call, "priority" | "repeat" | "method" | "isUrgent"> {
  /** `harmless`: others cannot see it. `repeat`: repeating it has no further effect. `once`: never sent again if it may have arrived. */
  readonly effect: "harmless" | "repeat" | "once";
  readonly method?: Call["method"];
  /** Endpoints with a rate limit of their own. */
  readonly group: string;
  readonly key: RequestKey;
}

export interface Answered {
  /** Parsed JSON; undefined if it is none. */
  readonly body: unknown;
  readonly status: number;
}

/** The network's own refusal. */
export class Refusal extends NotPublished {
  /** The network's code for it, if it has one. */
  readonly code: string | undefined;
  readonly status: number;

  constructor(result: Failed, status: number, code: string | undefined) {
    super(result);
    this.status = status;
    this.code = code;
  }
}

/** Requests of a group in flight at the same time. */
export const NETWORK_REQUESTS_AT_ONCE = 16;

export class NetworkRequests {
  readonly #origin: string;
  readonly #options: RequestOptions;
  readonly #fallbackLimit: number;
  readonly #dispatcher: Dispatcher = openConnections(NETWORK_REQUESTS_AT_ONCE);
  readonly #limiters = new Map<string, Limiter>();

  /** @param fallbackLimit requests per minute, if the network does not show its limit */
  constructor(origin: string, fallbackLimit: number, options: RequestOptions) {
    this.#origin = origin;
    this.#fallbackLimit = fallbackLimit;
    this.#options = options;
  }

  /** The answer to an accepted request. Throws a Refusal, or NotPublished if there is no readable answer. */
  async send({ effect, group, key, method = "POST", ...call }: NetworkCall): Promise<Answered> {
    const limiter = this.#limiterOf(group);
    const transport = new Transport({
      ...this.#options,
      address: { origin: this.#origin, base: this.#origin },
      key,
      limiter,
      dispatcher: this.#dispatcher,
      onWait: () => undefined,
    });
    const repeat = effect === "once" ? "once" : "repeatable";
    const result = await transport
      .call({ ...call, method, repeat, priority: PRIORITY.write })
      .catch((error: unknown) => {
        throw error instanceof Failure ? failed(error.message, false) : error;
      });
    if (result.kind === "answer") return { body: bodyOf(result.answer), status: result.answer.status };
    throw notAnswered(result, effect);
  }

  #limiterOf(group: string): Limiter {
    const known = this.#limiters.get(group);
    if (known !== undefined) return known;
    const { clock, random, stop } = this.#options;
    const made = new Limiter({
      fallbackLimit: this.#fallbackLimit,
      concurrency: NETWORK_REQUESTS_AT_ONCE,
      reserve: () => 0,
      random,
      clock,
      stop,
      onWait: () => undefined,
    });
    this.#limiters.set(group, made);
    return made;
  }

  /** Closes all connections, including those that wait for an answer. */
  close(): Promise<void> {
    return this.#dispatcher.destroy();
  }
}

/** Temporary refusals: a key that somebody renews, a limit, a busy server. */
const MAY_END: ReadonlySet<string> = new Set(["unauthorized", "rate_limit_exceeded"]);

function notAnswered(
  result: Exclude<CallResult, { kind: "answer" }>,
  effect: NetworkCall["effect"],
): NotPublished {
  switch (result.kind) {
    case "refused": {
      const { code, status, message } = result.error;
      const said: Failed = {
        state: "failed",
        reason: message,
        retry: MAY_END.has(code) || status >= 500,
      };
      return new Refusal(said, status, ownCode(result.answer === undefined ? {} : bodyOf(result.answer)));
    }
    case "unsent":
      return failed(result.why, true);
    case "late":
      return new NotPublished({ state: "failed", reason: "its time has passed", retry: false, isLate: true });
    case "unknown":
      return effect === "harmless" ? failed(result.why, true) : unknown(result.why);
  }
}

/** The code in `{ "error": "RecordNotFound" }`. */
function ownCode(body: unknown): string | undefined {
  const code: unknown = typeof body === "object" && body !== null ? Reflect.get(body, "error") : undefined;
  return typeof code === "string" ? code : undefined;
}
