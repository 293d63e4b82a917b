/** Requests through the limiter, with redirects and the retries that `retry.ts` decides. */
import type { Dispatcher, FormData } from "undici";
import type { Clock } from "../calendar/clock.ts";
import { Failure } from "../calendar/failure.ts";
import type { Address } from "./address.ts";
import { refusalOf, type ServiceError } from "./decode-error.ts";
import { sendOnce, type HttpAnswer, type HttpFault } from "./http.ts";
import type { Limiter } from "./limiter.ts";
import { narrowSkew, readRateHeaders, UNKNOWN_SKEW, type RateReading } from "./rate-headers.ts";
import { decide, type Repeat } from "./retry.ts";

/** One request as it went, for `--verbose`. */
export interface RequestLog {
  readonly method: string;
  readonly path: string;
  /** Undefined when there was no answer; then `fault` says why. */
  readonly status: number | undefined;
  readonly fault: string | undefined;
  readonly ms: number;
  readonly remaining: number | undefined;
}

export interface TransportOptions {
  readonly address: Address;
  readonly key: string;
  readonly dispatcher: Dispatcher;
  readonly limiter: Limiter;
  readonly clock: Clock;
  readonly random: () => number;
  readonly timeoutMs: number;
  readonly userAgent: string;
  /** Aborted when no request may start any more. */
  readonly stop: AbortSignal;
  readonly onRequest: (log: RequestLog) => void;
}

export interface Call {
  readonly method: "GET" | "POST" | "DELETE";
  /** Path below the base with its query, such as `/posts?limit=10`; or a whole address on the service's origin. */
  readonly path: string;
  readonly repeat: Repeat;
  readonly priority: number;
  readonly json?: unknown;
  /** Local ms from which on the request is of no use any more; then it is not sent. */
  readonly notAfter?: number;
  /** Made anew for each attempt: a stream is read once. */
  readonly form?: () => Promise<FormData>;
}

/** How a call ended. `unsent`: it never arrived; with `stopped` because the run is ending. `late`: its time had passed. */
export type CallResult =
  | { readonly kind: "answer"; readonly answer: HttpAnswer }
  | { readonly kind: "late" }
  | { readonly kind: "refused"; readonly error: ServiceError }
  | { readonly kind: "unsent"; readonly why: string; readonly stopped: boolean }
  | { readonly kind: "unknown"; readonly why: string };

const MAX_REDIRECTS = 3;
const STOPPED: CallResult = { kind: "unsent", why: "the run was stopped", stopped: true };

interface Sent {
  readonly result: HttpAnswer | HttpFault;
  readonly reading: RateReading | undefined;
}

export class Transport {
  readonly #options: TransportOptions;
  #skew = UNKNOWN_SKEW;
  #requests = 0;
  #lastReading: RateReading | undefined;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /** Requests sent so far, repeats included. */
  get requests(): number {
    return this.#requests;
  }

  /** What the newest answer says of the rate limit. */
  get lastReading(): RateReading | undefined {
    return this.#lastReading;
  }

  async call(call: Call): Promise<CallResult> {
    const { clock, random, stop, limiter } = this.#options;
    let trouble = 0;
    let refusals = 0;
    for (;;) {
      if (stop.aborted) return STOPPED;
      // oxlint-disable-next-line no-await-in-loop
      const sent = isLate(call, clock) ? "late" : await this.#follow(call);
      if (sent === "stopped") return STOPPED;
      if (sent === "late") return { kind: "late" };
      const { result, reading } = sent;
      const now = clock.now();
      const error = result.kind === "answer" ? refusalOf(result, now) : undefined;
      const resetInMs = reading?.resetAt === undefined ? undefined : Math.max(0, reading.resetAt - now);
      const decision = decide(call.repeat, { result, error, resetInMs }, { trouble, refusals }, random());
      switch (decision.next) {
        case "accept":
          if (result.kind === "answer") return { kind: "answer", answer: result };
          return { kind: "unknown", why: result.reason };
        case "refused":
          return { kind: "refused", error: decision.error };
        case "unreachable":
          return { kind: "unsent", why: decision.why, stopped: false };
        case "unknown":
          return { kind: "unknown", why: decision.why };
        case "again":
          if (decision.everyone) refusals += 1;
          else trouble += 1;
          if (decision.everyone) limiter.pause(now + decision.inMs);
          // oxlint-disable-next-line no-await-in-loop
          else await clock.sleep(decision.inMs, stop);
      }
    }
  }

  /** One attempt; a redirect within the origin is followed, one that leaves it never gets the key. */
  async #follow(call: Call): Promise<Sent | "stopped" | "late"> {
    const { address } = this.#options;
    let url = new URL(call.path.startsWith("/") ? address.base + call.path : call.path);
    for (let hops = 0; ; hops += 1) {
      if (url.origin !== address.origin) throw leavesOrigin(url);
      // oxlint-disable-next-line no-await-in-loop
      const sent = await this.#limited(call, url);
      const target = typeof sent === "string" ? undefined : redirectTarget(call, url, sent.result);
      if (target === undefined) return sent;
      if (hops === MAX_REDIRECTS) {
        throw new Failure(
          "service/redirect",
          `The service redirects ${call.method} ${url.pathname} in circles.`,
        );
      }
      url = target;
    }
  }

  #limited(call: Call, url: URL): Promise<Sent | "stopped" | "late"> {
    const { limiter, clock } = this.#options;
    // Looked at once more when its turn has come: the wait may have been long.
    const send = async (): Promise<Sent | "late"> => (isLate(call, clock) ? "late" : this.#send(call, url));
    return limiter.schedule(call.priority, send, (sent) => (sent === "late" ? undefined : sent.reading));
  }

  async #send(call: Call, url: URL): Promise<Sent> {
    const { clock, dispatcher, key, timeoutMs, userAgent, onRequest } = this.#options;
    const body = call.form === undefined ? jsonBody(call.json) : await call.form();
    const headers: Record<string, string> = {
      authorization: `Bearer ${key}`,
      accept: "application/json",
      "user-agent": userAgent,
    };
    if (typeof body === "string") headers["content-type"] = "application/json";
    const abortable = call.method === "GET" ? { signal: this.#options.stop } : {};
    const request = { method: call.method, url: url.href, headers, timeoutMs, ...abortable };
    const sentAt = clock.now();
    this.#requests += 1;
    const answer = await sendOnce(body === undefined ? request : { ...request, body }, dispatcher);
    const result = withoutKey(answer, key);
    const receivedAt = clock.now();
    const reading = result.kind === "answer" ? this.#read(result, sentAt, receivedAt) : undefined;
    onRequest({
      method: call.method,
      path: url.pathname + url.search,
      status: result.kind === "answer" ? result.status : undefined,
      fault: result.kind === "answer" ? undefined : result.reason,
      ms: receivedAt - sentAt,
      remaining: reading?.remaining,
    });
    return { result, reading };
  }

  #read({ headers }: HttpAnswer, sentAt: number, receivedAt: number): RateReading {
    this.#skew = narrowSkew(this.#skew, headers, sentAt, receivedAt);
    this.#lastReading = readRateHeaders(headers, receivedAt, this.#skew);
    return this.#lastReading;
  }
}

function isLate({ notAfter }: Call, clock: Clock): boolean {
  return notAfter !== undefined && clock.now() >= notAfter;
}

/** Services like to echo a bad key; nothing that is printed or kept may hold it. */
function withoutKey(result: HttpAnswer | HttpFault, key: string): HttpAnswer | HttpFault {
  return result.kind === "answer" ? { ...result, text: result.text.replaceAll(key, "(the key)") } : result;
}

function jsonBody(json: unknown): string | undefined {
  return json === undefined ? undefined : JSON.stringify(json);
}

/** Where to go on; undefined when the answer is to be taken as it is. */
function redirectTarget(call: Call, from: URL, result: HttpAnswer | HttpFault): URL | undefined {
  if (result.kind !== "answer" || ![301, 302, 303, 307, 308].includes(result.status)) return undefined;
  const location = result.headers["location"];
  if (typeof location !== "string" || !URL.canParse(location, from.href)) return undefined;
  const target = new URL(location, from.href);
  if (target.origin !== from.origin) throw leavesOrigin(target);
  // Only these two promise that the request was not handled and keep its method (RFC 9110, section 15.4).
  return call.method === "GET" || result.status === 307 || result.status === 308 ? target : undefined;
}

function leavesOrigin(url: URL): Failure {
  return new Failure(
    "service/redirect",
    `The service redirects to another address (${url.origin}), which must not get the key.`,
    "If the service has moved, set service.url in the project file to its new address.",
  );
}
