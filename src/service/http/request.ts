/** One HTTP request, and whether it was certainly not sent: the fact on which "never twice" rests. */

import { AsyncLocalStorage } from "node:async_hooks";
import diagnostics from "node:diagnostics_channel";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { type Dispatcher, type FormData, request } from "undici";
import { Connections } from "../../media/connections.ts";
import { networkCode, networkReason } from "../../model/failure.ts";
import { reportInput } from "../../model/input-size.ts";
import type { Headers } from "../rate/rate-headers.ts";
import type { Json } from "../records.ts";

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
  /**
   * Longest wait for the answer's head, and between two parts of its body, ms. The body may take as long again, and then
   * must come at `SLOWEST_BYTES_PER_S`.
   */
  readonly timeoutMs: number;
  /** Gives the request up; only for requests that change nothing. */
  readonly signal?: AbortSignal;
}

export interface HttpAnswer {
  readonly kind: "answer";
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** What `service.shape` finds in it. */
  readonly mapped?: MappedAnswer;
}

/** No answer, or not a whole one. */
export interface HttpFault {
  readonly kind: "fault";
  /** False only when it is certain that no byte of the request left. */
  readonly sent: boolean;
  readonly reason: string;
  /** Of Node or undici. */
  readonly code: string;
}

interface Attempt {
  sent: boolean;
  /** Called when the request's head leaves. */
  readonly onSent: () => void;
}

const attempts = new AsyncLocalStorage<Attempt>();
const attemptOf = new WeakMap<object, Attempt>();

/** undici makes the request object synchronously in the call, so the call's own context tells whose it is. */
diagnostics.subscribe("undici:request:create", (message) => {
  const attempt = attempts.getStore();
  // What opens a tunnel through a proxy is not yet the request.
  const isTunnel = hasRequest(message) && Reflect.get(message.request, "method") === "CONNECT";
  if (attempt !== undefined && hasRequest(message) && !isTunnel) attemptOf.set(message.request, attempt);
});

diagnostics.subscribe("undici:client:sendHeaders", (message) => {
  const attempt = hasRequest(message) ? attemptOf.get(message.request) : undefined;
  if (attempt === undefined) return;
  attempt.sent = true;
  attempt.onSent();
});

function hasRequest(message: unknown): message is { request: object } {
  return (
    typeof message === "object" &&
    message !== null &&
    "request" in message &&
    typeof message.request === "object"
  );
}

/** Connections for one run. */
export function openConnections(): Dispatcher {
  return new Connections({ connections: 8 });
}

/** Sends one request. Never throws for what the network or the service does. */
export async function sendOnce(given: HttpRequest, dispatcher: Dispatcher): Promise<HttpAnswer | HttpFault> {
  const { method, url, headers: sent, timeoutMs, body: sentBody } = given;
  const deadline = new HeadDeadline(given);
  const attempt: Attempt = { sent: false, onSent: () => deadline.start() };
  try {
    const { statusCode, headers, body } = await attempts.run(attempt, () =>
      request(url, {
        method,
        headers: sent,
        body: sentBody ?? null,
        signal: deadline.signal,
        dispatcher,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      }),
    );
    deadline.end();
    const text = await readBody(body, headers["content-encoding"], timeoutMs);
    return { kind: "answer", status: statusCode, headers, text };
  } catch (error) {
    return { kind: "fault", sent: attempt.sent, reason: networkReason(error), code: networkCode(error) };
  } finally {
    deadline.close();
  }
}

/** Time that the answer's head may take beyond `timeoutMs`, in which undici itself notices most that is late, ms. */
export const HEAD_MARGIN_MS = 1_000;

/** Gives a request up when the head of its answer is not whole in time, be it that a byte of it comes now and then. */
class HeadDeadline {
  readonly #request: HttpRequest;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(request: HttpRequest) {
    this.#request = request;
    if (request.signal?.aborted === true) this.#stop();
    else request.signal?.addEventListener("abort", this.#stop, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The request's head has left. A file may take long to follow, and undici notices when it does not move. */
  start(): void {
    const { timeoutMs, body } = this.#request;
    if (this.#timer !== undefined || (body !== undefined && typeof body !== "string")) return;
    const giveUp = (): void => this.#controller.abort(new AnswerError("HEAD_TOO_SLOW"));
    this.#timer = setTimeout(giveUp, timeoutMs + HEAD_MARGIN_MS);
  }

  /** The answer's head is there. */
  end(): void {
    clearTimeout(this.#timer);
  }

  close(): void {
    this.end();
    this.#request.signal?.removeEventListener("abort", this.#stop);
  }

  readonly #stop = (): void => this.#controller.abort(this.#request.signal?.reason);
}

/** What is wrong with an answer that comes; see the reasons in failure.ts. */
class AnswerError extends Error {
  readonly code: string;

  constructor(code: "HEAD_TOO_SLOW" | "BODY_TOO_SLOW" | "BODY_TOO_LARGE") {
    super(code);
    this.code = code;
  }
}

/** What `service.shape` finds in an answer. What is absent is found as without a shape. */
export interface MappedAnswer {
  readonly items?: readonly unknown[];
  readonly record?: Json;
  /** What stands where the next page is told, what stands beside it, and the query parameter that a cursor is sent back as. */
  readonly next?: { readonly value: unknown; readonly beside: unknown; readonly as: string | undefined };
  readonly total?: unknown;
  /** What the shape names and the answer does not have. */
  readonly missing?: string;
}

/** A list of 100,000 posts is some 50 MB; more than this is no answer to anything that plancast asks. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/** A list of 100,000 posts takes half an hour at this rate. */
const SLOWEST_BYTES_PER_S = 32_768;

/** More codings on top of each other are no answer to anything. */
const MAX_CODINGS = 3;

/** Unpacked bytes for each packed one. Lists of different posts need fewer. */
const MAX_RATIO = 100;
/** Any answer may unpack to this: 1,000 equal posts of 10 KB take 10 MB, and pack to a thousandth of it. */
const ALWAYS_ALLOWED_BYTES = 32 * 1024 * 1024;

function limitFor(packed: Buffer): { readonly maxOutputLength: number } {
  return {
    maxOutputLength: Math.min(MAX_ANSWER_BYTES, ALWAYS_ALLOWED_BYTES + packed.byteLength * MAX_RATIO),
  };
}

const [ungzip, inflated, unbrotli] = [promisify(gunzip), promisify(inflate), promisify(brotliDecompress)];

/** Nobody is asked to pack, but some that stand between do. Source: RFC 9110, section 8.4.1. */
const UNPACK: ReadonlyMap<string, (packed: Buffer) => Promise<Buffer>> = new Map([
  ["gzip", (packed: Buffer) => ungzip(packed, limitFor(packed))],
  ["x-gzip", (packed: Buffer) => ungzip(packed, limitFor(packed))],
  ["deflate", (packed: Buffer) => inflated(packed, limitFor(packed))],
  ["br", (packed: Buffer) => unbrotli(packed, limitFor(packed))],
]);

/**
 * The bytes as they came, where they cannot be unpacked: some name a coding that is none, or one that something between
 * has undone already. Throws where the body breaks off or is too large.
 * @param encoding as the answer's header names it
 */
async function readBody(
  body: AsyncIterable<unknown>,
  encoding: string | string[] | undefined,
  timeoutMs: number,
): Promise<string> {
  let bytes = await readBounded(body, timeoutMs, MAX_ANSWER_BYTES);
  const names = [encoding ?? ""].flat().join(",").toLowerCase().split(",", MAX_CODINGS);
  for (const name of names.map((each) => each.trim()).reverse()) {
    if (name === "" || name === "identity" || bytes.byteLength === 0) continue;
    const unpacked = await UNPACK.get(name)?.(bytes).catch(() => undefined);
    if (unpacked === undefined) break;
    bytes = unpacked;
  }
  reportInput(bytes.byteLength);
  return bytes.toString("utf8");
}

/** Reads a body whole. Throws where it is larger than it may be, or comes too slowly. */
export async function readBounded(
  body: AsyncIterable<unknown>,
  timeoutMs: number,
  maxBytes: number,
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const start = performance.now();
  for await (const part of body) {
    if (!(part instanceof Uint8Array)) continue;
    bytes += part.byteLength;
    if (bytes > maxBytes) throw new AnswerError("BODY_TOO_LARGE");
    const allowedMs = timeoutMs + (bytes / SLOWEST_BYTES_PER_S) * 1_000;
    if (performance.now() - start > allowedMs) throw new AnswerError("BODY_TOO_SLOW");
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** The address of the next page in a `Link` header (RFC 8288), as it is written there. */
export function nextLink(header: Headers[string]): string | undefined {
  const links = [header ?? ""].flat().join(", ");
  for (const [, target, parameters = ""] of links.matchAll(/<([^<>]*)>([^,]*)/g))
    if (/^\s*;/.test(parameters) && /\brel="?next"?/i.test(parameters)) return target;
  return undefined;
}
