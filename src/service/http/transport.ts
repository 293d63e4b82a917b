/**
 * Sends requests through the rate limiter, with redirects and the retries that `refusal.ts` decides. Opens the connections to a
 * service, with a rate limit of their own.
 */

import { setMaxListeners } from "node:events";
import type { Dispatcher } from "undici";
import type { AnyFile } from "../../media/media-file.ts";
import type { PublicFiles } from "../../media/public-files.ts";
import { parseUrl } from "../../model/address.ts";
import { type Clock, type Pace, type Wait, durationMs } from "../../model/clock.ts";
import type { ExtraPart } from "../../model/extras.ts";
import { Failure } from "../../model/failure.ts";
import type { Config } from "../../settings/config.ts";
import { type LimiterOptions, Limiter, PRIORITY } from "../rate/limiter.ts";
import { type RateObservation, rateObservation, tightestWindow } from "../rate/rate-headers.ts";
import { MAX_WAIT_MS } from "../rate/backoff.ts";
import type { RateRules, ToldLimits } from "../rate/rate-limits.ts";
import type { RequestLog } from "../records.ts";
import type { FullService } from "../service.ts";
import type { Address, OriginKey, RequestKey } from "./key.ts";
import { hiderOf, redactKey } from "./redact-key.ts";
import { type AttemptResult, type Repeat, type ServiceError, decideRetry, refusalOf } from "./refusal.ts";
import {
  type FormPart,
  type HttpAnswer,
  type HttpFault,
  type RequestBody,
  bytesBody,
  formBody,
  jsonBody,
  openConnections,
  sendOnce,
} from "./request.ts";

export interface TransportOptions {
  readonly address: Address;
  readonly key: RequestKey;
  readonly dispatcher: Dispatcher;
  readonly limiter: Limiter;
  readonly clock: Clock;
  readonly random: () => number;
  readonly timeoutMs: number;
  /** Longest time for the answer to one request, in ms, however fast it arrives. Default: none. */
  readonly maxAnswerMs?: number | undefined;
  /** How long the rate limit may refuse a request, in ms. */
  readonly maxRefusedMs?: number | undefined;
  readonly userAgent: string;
  /** How far the service's clock is known to be ahead of `clock`, in ms. Default: not at all. */
  readonly aheadMs?: number | undefined;
  /** Aborted when no new request may start. */
  readonly stop: AbortSignal;
  /** Called after each request. */
  readonly onRequest: (log: RequestLog) => void;
  /** Called with each exchange, for code that examines the service itself. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  /** Called when a request waits before a retry. */
  readonly onWait: (wait: Wait) => void;
}

export interface Call {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "DELETE";
  /** Path below the base with its query, such as `/posts?limit=10`, or a full address on the service's origin. */
  readonly path: string;
  readonly repeat: Repeat;
  /** Whether it changes nothing, although it is a POST, as with GraphQL. Default: only a GET does. */
  readonly isRead?: true;
  readonly priority: number;
  /** Whether it is sent even if the run is stopped, as long as that is possible immediately. */
  readonly isUrgent?: boolean;
  readonly json?: unknown;
  /** A body that is neither JSON nor a form, with its media type. */
  readonly bytes?: { readonly data: Uint8Array | AnyFile; readonly type: string };
  /** Additional headers of this request, in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Awaited just before the request is sent. If it throws, nothing is sent. */
  readonly beforeSend?: (() => Promise<void>) | undefined;
  /** From this time of the service's clock on (ms), the request is useless and is not sent. */
  readonly notAfter?: number;
  /** Created for each attempt, because a stream can be read only once. */
  readonly form?: () => Promise<readonly FormPart[]>;
  /** Largest answer. Default: that of a long list. */
  readonly maxAnswerBytes?: number;
}

const MAX_REDIRECTS = 3;

/** Waits for the same reason are reported once if they end this close together, in ms. */
const SAME_WAIT_MS = 1_000;

interface Sent extends AttemptResult {
  /** With the key, if it is in it: the address of a webhook is its key, and a redirect may contain it. */
  readonly whole: HttpAnswer | HttpFault;
  readonly observation: RateObservation | undefined;
}

/** Why a request was not sent when its turn came. */
type Unsent = "late" | "barred" | "closed";

export class Transport {
  readonly #options: TransportOptions;
  #requests = 0;
  #clockAheadMs: number | undefined;
  /** Set if the limit stays closed for longer than the run may wait. */
  #barred: CallResult | undefined;

  /** The wait for a retry that was reported last. */
  #reported = { reason: "", until: 0 };

  constructor(options: TransportOptions) {
    this.#options = options;
    // Each waiting request adds a listener. Without this, Node warns about more than ten.
    setMaxListeners(0, options.stop);
  }

  /** Requests sent so far, including retries. */
  get requests(): number {
    return this.#requests;
  }

  /**
   * By how much the service's clock is at least ahead of this machine's, in ms, by the newest `Date`. Negative:
   * behind; 0 if both may be right. Undefined if no answer had a `Date`.
   */
  get clockAheadMs(): number | undefined {
    return this.#clockAheadMs;
  }

  async call(call: Call): Promise<CallResult> {
    let trouble = 0;
    let refusedAt: number | undefined;
    // Why it is unknown whether an earlier attempt was handled.
    let doubt: string | undefined;
    let { priority } = call;
    for (;;) {
      const sent = this.#unsent(call) ?? (await this.#follow(call, priority));
      if (sent === "stopped") return unlessInDoubt(call, doubt, stoppedCall(this.#options.stop));
      if (sent === "late") return unlessInDoubt(call, doubt, { kind: "late" });
      if (sent === "closed" && this.#barred === undefined) return unlessInDoubt(call, doubt, this.#closed());
      if (sent === "barred" || sent === "closed") return unlessInDoubt(call, doubt, this.#notSent(call));
      const { result, error } = sent;
      const refusedForMs = refusedAt === undefined ? 0 : this.#options.clock.now() - refusedAt;
      const decision = decideRetry(
        call.repeat,
        { result, error },
        {
          trouble,
          refusedForMs,
          maxRefusedMs: this.#options.maxRefusedMs ?? MAX_WAIT_MS,
          now: this.#options.clock.now(),
        },
        this.#options.random(),
      );
      switch (decision.next) {
        case "accept":
          if (result.kind === "answer") return { kind: "answer", answer: result };
          return { kind: "unknown", why: result.reason };
        case "refused":
          return {
            ...this.#refused(decision.error, result),
            ...(doubt === undefined ? {} : { inDoubt: true }),
          };
        case "unreachable":
          return unlessInDoubt(call, doubt, { kind: "unsent", why: decision.why, stopped: false });
        case "unknown":
          return { kind: "unknown", why: decision.why };
        case "queue":
          refusedAt ??= this.#options.clock.now();
          priority = call.priority + PRIORITY.again;
          break;
        case "again":
          trouble += 1;
          if (result.kind === "answer" || result.sent) doubt = decision.why;
          await this.#pause(decision.inMs, decision.why);
      }
    }
  }

  /** For a list, the reason must be known; a change that was not sent is only "not started". */
  #notSent(call: Call): CallResult {
    const stopped = stoppedCall(this.#options.stop);
    return isRead(call) ? (this.#barred ?? stopped) : stopped;
  }

  /** The limit opens too late for this run. */
  #closed(): CallResult {
    const { limiter, clock } = this.#options;
    const ms = (limiter.closedForLong()?.at ?? clock.now()) - clock.now();
    const until = new Date(clock.now() + ms).toISOString().slice(0, 16);
    const message = `The rate limit is used up. It opens again at ${until}Z: run again then.`;
    this.#barred = {
      kind: "refused",
      error: { code: "rate_limit_exceeded", status: 429, message, retryAfterMs: ms },
    };
    return this.#barred;
  }

  /** A limit that stays closed for too long ends the run, and waiting requests are not sent. */
  #refused(error: ServiceError, answered: HttpAnswer | HttpFault): Extract<CallResult, { kind: "refused" }> {
    const body = answered.kind === "answer" ? { answer: answered } : {};
    const result = { kind: "refused", error, ...body } as const;
    if (error.code === "rate_limit_exceeded") this.#barred = result;
    return result;
  }

  async #pause(ms: number, reason: string): Promise<void> {
    const { clock, stop, onWait } = this.#options;
    const until = clock.now() + ms;
    // Many requests fail together when the service stops: one line says it for all.
    if (reason !== this.#reported.reason || until >= this.#reported.until + SAME_WAIT_MS) {
      this.#reported = { reason, until };
      onWait({ requests: 1, until, ms, why: "trouble", reason });
    }
    await clock.sleep(ms, stop);
  }

  /** One attempt. Follows a redirect within the origin; one that leaves it never gets the key. */
  async #follow(call: Call, priority: number): Promise<Sent | "stopped" | Unsent> {
    const { address } = this.#options;
    let url = new URL(call.path.startsWith("/") ? address.base + call.path : call.path);
    for (let hops = 0; ; hops += 1) {
      if (url.origin !== address.origin) throw leavesOrigin(url);
      const sent = await this.#limited(call, priority, url);
      const target = typeof sent === "string" ? undefined : redirectTarget(call.method, url, sent.whole);
      if (target === undefined) return sent;
      if (hops === MAX_REDIRECTS) {
        // A whole address, such as that of a webhook, may be secret.
        const what = call.path.startsWith("/") ? url.pathname : url.origin;
        throw new Failure("service/redirect", `The service redirects ${call.method} ${what} in a circle.`);
      }
      url = target;
    }
  }

  #limited(call: Call, priority: number, url: URL): Promise<Sent | "stopped" | Unsent> {
    return this.#options.limiter.schedule<Sent | Unsent>({
      priority,
      isUrgent: call.isUrgent === true,
      // Checked again when its turn comes, because the wait may have been long.
      instead: () => this.#unsent(call),
      send: () => this.#send(call, url),
      observationOf: (sent) => (typeof sent === "string" ? undefined : sent.observation),
    });
  }

  #unsent({ notAfter }: Call): Unsent | undefined {
    if (this.#barred !== undefined) return "barred";
    const { clock, aheadMs = 0 } = this.#options;
    return notAfter !== undefined && clock.now() + aheadMs >= notAfter ? "late" : undefined;
  }

  async #send(call: Call, url: URL): Promise<Sent> {
    const { clock, dispatcher, key, timeoutMs, userAgent, onRequest, onExchange, random } = this.#options;
    const sent = await bodyOfCall(call, random);
    const headers: Record<string, string> = { accept: "application/json", "user-agent": userAgent };
    const authorization = key.authorization(url);
    if (authorization !== undefined) headers["authorization"] = authorization;
    if (sent !== undefined) headers["content-type"] = sent.type;
    if (sent?.length !== undefined) headers["content-length"] = String(sent.length);
    Object.assign(headers, call.headers);
    const abortable = isRead(call) ? { signal: this.#options.stop } : {};
    const request = {
      method: call.method,
      url: url.href,
      headers,
      timeoutMs,
      maxMs: this.#options.maxAnswerMs,
      bodyLength: sent?.length,
      maxAnswerBytes: call.maxAnswerBytes,
      ...abortable,
    };
    await call.beforeSend?.();
    const sentAt = clock.now();
    this.#requests += 1;
    const answer = await sendOnce({ ...request, body: sent?.body }, dispatcher);
    const keys = [key.text, ...(key.parts ?? [])];
    const result = redactKey(answer, keys);
    // The address of a webhook is its key.
    const path = hiderOf(keys)(url.pathname + url.search);
    const receivedAt = clock.now();
    const error = result.kind === "answer" ? refusalOf(result, receivedAt) : undefined;
    const observation = result.kind === "answer" ? rateObservation(result.headers, error) : undefined;
    // A cache repeats the Date at which it received the answer.
    if (result.kind === "answer" && result.headers["age"] === undefined)
      this.#clockAheadMs = aheadOf(observation?.reading.date, sentAt, receivedAt) ?? this.#clockAheadMs;
    onExchange?.({ path, result, sentAt, receivedAt });
    onRequest({
      method: call.method,
      path,
      status: result.kind === "answer" ? result.status : undefined,
      fault: result.kind === "answer" ? undefined : result.reason,
      ms: receivedAt - sentAt,
      remaining: observation && tightestWindow(observation.reading)?.remaining,
    });
    return { result, whole: answer, error, observation };
  }
}

function isRead({ method, isRead: says }: Call): boolean {
  return method === "GET" || says === true;
}

/** Difference between a `Date`, which has whole seconds, and the time of the answer, in ms; negative: it is earlier. */
function aheadOf(date: number | undefined, sentAt: number, receivedAt: number): number | undefined {
  if (date === undefined) return undefined;
  return Math.max(0, date - receivedAt) + Math.min(0, date + 1_000 - sentAt);
}

async function bodyOfCall(
  { form, bytes, json }: Call,
  random: () => number,
): Promise<RequestBody | undefined> {
  if (form !== undefined) return formBody(await form(), random);
  if (bytes !== undefined) return bytesBody(bytes.data, bytes.type);
  return json === undefined ? undefined : jsonBody(json);
}

/**
 * How a call ended. `unsent`: it never arrived; with `stopped`, because the run is ending. `late`: its time had passed.
 */
export type CallResult =
  | { readonly kind: "answer"; readonly answer: HttpAnswer }
  | { readonly kind: "late" }
  | {
      readonly kind: "refused";
      readonly error: ServiceError;
      /** The refusal as it came, without the key. */
      readonly answer?: HttpAnswer;
      /** Whether an earlier attempt may have been handled. */
      readonly inDoubt?: true;
    }
  | {
      readonly kind: "unsent";
      readonly why: string;
      readonly stopped: boolean;
      /** Why the run was stopped, unless the user did it. */
      readonly failure?: Failure;
    }
  | { readonly kind: "unknown"; readonly why: string };

/**
 * The result of a call whose last attempt was not sent, unless an earlier attempt may have changed something. Only
 * requests that publish have a latest time. Reading twice and an unused upload do no harm.
 */
function unlessInDoubt(
  { method, notAfter }: Call,
  doubt: string | undefined,
  result: CallResult,
): CallResult {
  const hasEffect = method === "DELETE" || method === "PUT" || notAfter !== undefined;
  return hasEffect && doubt !== undefined ? { kind: "unknown", why: doubt } : result;
}

/** The result of a call that was not sent because the run is ending. */
function stoppedCall(stop: AbortSignal): CallResult {
  const reason: unknown = stop.reason;
  const stopped = { kind: "unsent", why: "the run was stopped", stopped: true } as const;
  return reason instanceof Failure ? { ...stopped, failure: reason } : stopped;
}

/** The exchange of one request, complete, but without the key. Times are local ms. */
export interface Exchange {
  /** Path and query of the address. */
  readonly path: string;
  readonly result: HttpAnswer | HttpFault;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/**
 * Target of a redirect; undefined if the answer is final. Throws a Failure for a target outside the service's origin,
 * which must not get the key.
 */
export function redirectTarget(method: string, from: URL, result: HttpAnswer | HttpFault): URL | undefined {
  if (result.kind !== "answer" || ![301, 302, 303, 307, 308].includes(result.status)) return undefined;
  const location = result.headers["location"];
  const target = typeof location === "string" ? parseUrl(location, from.href) : undefined;
  if (target === undefined) return undefined;
  if (target.origin !== from.origin) throw leavesOrigin(target);
  // Only these two guarantee that the request was not handled, and keep its method (RFC 9110, section 15.4).
  return method === "GET" || result.status === 307 || result.status === 308 ? target : undefined;
}

function leavesOrigin(url: URL): Failure {
  return new Failure(
    "service/redirect",
    `The service redirects to another address (${url.origin}), and plancast does not send the key there.`,
    "If the service has moved, set service.url in plancast.yaml to its new address.",
  );
}

export interface ConnectionOptions extends Omit<
  TransportOptions,
  "key" | "dispatcher" | "limiter" | "timeoutMs"
> {
  readonly key: OriginKey;
  /** Name of the service in the lockfile. */
  readonly origin: string;
  readonly settings: Config["service"];
  readonly rules: RateRules;
  readonly shared?: LimiterOptions["shared"];
  /** What the service reported about its limits in an earlier run. */
  readonly told?: ToldLimits | undefined;
  /** Default: new ones. */
  readonly connections?: Dispatcher | undefined;
  /** The addresses of the project's files, for services that take only those. Undefined without a project. */
  readonly publicFiles?: PublicFiles | undefined;
  /** The ids of accounts in the lockfile, which may be wrong. */
  readonly knownAccounts?: (() => Promise<readonly string[]>) | undefined;
  /** The extra parts of posts that the service stores and shows. Default: none, as documented. */
  readonly supports?: ReadonlySet<ExtraPart>;
}

export interface Connection {
  readonly service: FullService;
  /** Requests sent so far. */
  readonly requests: () => number;
  /** Ms spent waiting for the rate limit so far. */
  readonly waitedMs: () => number;
  /** How fast requests may go now, by the newest answer. */
  readonly pace: () => Pace;
  /** What the service reported about its limits, for the next run. */
  readonly told: () => ToldLimits;
  /** How far the service's clock is ahead of this machine's: see the transport. */
  readonly clockAheadMs: () => number | undefined;
  /** Closes all connections, including those that wait for an answer. */
  readonly destroy: () => Promise<void>;
  /** Closes them when all open requests are finished. */
  readonly close: () => Promise<void>;
}

interface OpenTransport extends Omit<Connection, "service"> {
  readonly transport: Transport;
}

/** Connections to the service, with a rate limit of their own. */
export function openTransport(
  options: Omit<ConnectionOptions, "key" | "origin"> & { readonly key: RequestKey },
): OpenTransport {
  const { rules, shared, told, settings, clock, stop, onWait } = options;
  const dispatcher = options.connections ?? openConnections();
  const limiter = new Limiter({ ...rules, clock, stop, onWait, shared, told });
  const transport = new Transport({
    ...options,
    dispatcher,
    limiter,
    timeoutMs: durationMs(settings.timeout),
  });
  return {
    transport,
    requests: () => transport.requests,
    waitedMs: () => limiter.waitedMs,
    pace: () => limiter.pace(),
    told: () => limiter.told(),
    clockAheadMs: () => transport.clockAheadMs,
    destroy: () => dispatcher.destroy(),
    close: () => dispatcher.close(),
  };
}
