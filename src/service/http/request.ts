/** One HTTP request, and whether it was certainly not sent: the fact on which "never twice" rests. */

import { AsyncLocalStorage } from "node:async_hooks";
import diagnostics from "node:diagnostics_channel";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { type Dispatcher, type FormData, EnvHttpProxyAgent, request } from "undici";
import { networkCode, networkReason } from "../../model/failure.ts";
import { reportInput } from "../../model/input-size.ts";
import type { Headers } from "../rate/rate-headers.ts";
import type { Json } from "../records.ts";

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
  /** Longest wait for the answer's head, and between two parts of its body, ms. */
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
}

const attempts = new AsyncLocalStorage<Attempt>();
const attemptOf = new WeakMap<object, Attempt>();

/** undici makes the request object synchronously in the call, so the call's own context tells whose it is. */
diagnostics.subscribe("undici:request:create", (message) => {
  const attempt = attempts.getStore();
  if (attempt !== undefined && hasRequest(message)) attemptOf.set(message.request, attempt);
});

diagnostics.subscribe("undici:client:sendHeaders", (message) => {
  const attempt = hasRequest(message) ? attemptOf.get(message.request) : undefined;
  if (attempt !== undefined) attempt.sent = true;
});

function hasRequest(message: unknown): message is { request: object } {
  return (
    typeof message === "object" &&
    message !== null &&
    "request" in message &&
    typeof message.request === "object"
  );
}

/** Longest wait for a connection, ms. */
export const CONNECT_TIMEOUT_MS = 10_000;

/** Connections for one run. Follows HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
export function openConnections(): Dispatcher {
  return new EnvHttpProxyAgent({ connections: 8, pipelining: 1, connect: { timeout: CONNECT_TIMEOUT_MS } });
}

/** Sends one request. Never throws for what the network or the service does. */
export async function sendOnce(given: HttpRequest, dispatcher: Dispatcher): Promise<HttpAnswer | HttpFault> {
  const attempt: Attempt = { sent: false };
  try {
    const { statusCode, headers, body } = await attempts.run(attempt, () =>
      request(given.url, {
        method: given.method,
        headers: given.headers,
        body: given.body ?? null,
        signal: given.signal ?? null,
        dispatcher,
        headersTimeout: given.timeoutMs,
        bodyTimeout: given.timeoutMs,
      }),
    );
    const text = await readBody(body, headers["content-encoding"]);
    return { kind: "answer", status: statusCode, headers, text };
  } catch (error) {
    return { kind: "fault", sent: attempt.sent, reason: networkReason(error), code: networkCode(error) };
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

const LIMITED = { maxOutputLength: MAX_ANSWER_BYTES };
const [ungzip, inflated, unbrotli] = [promisify(gunzip), promisify(inflate), promisify(brotliDecompress)];

/** Nobody is asked to pack, but some that stand between do. Source: RFC 9110, section 8.4.1. */
const UNPACK: ReadonlyMap<string, (packed: Buffer) => Promise<Buffer>> = new Map([
  ["gzip", (packed: Buffer) => ungzip(packed, LIMITED)],
  ["x-gzip", (packed: Buffer) => ungzip(packed, LIMITED)],
  ["deflate", (packed: Buffer) => inflated(packed, LIMITED)],
  ["br", (packed: Buffer) => unbrotli(packed, LIMITED)],
]);

/**
 * The bytes as they came, where they cannot be unpacked: some name a coding that is none, or one that something between
 * has undone already. Throws where the body breaks off or is too large.
 * @param encoding as the answer's header names it
 */
async function readBody(
  body: AsyncIterable<unknown>,
  encoding: string | string[] | undefined,
): Promise<string> {
  let bytes = await readBounded(body);
  const names = [encoding ?? ""].flat().join(",").toLowerCase().split(",");
  for (const name of names.map((each) => each.trim()).reverse()) {
    if (name === "" || name === "identity" || bytes.byteLength === 0) continue;
    const unpacked = await UNPACK.get(name)?.(bytes).catch(() => undefined);
    if (unpacked === undefined) break;
    bytes = unpacked;
  }
  reportInput(bytes.byteLength);
  return bytes.toString("utf8");
}

async function readBounded(body: AsyncIterable<unknown>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body) {
    if (!(part instanceof Uint8Array)) continue;
    bytes += part.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new Error("the answer is far too large");
    parts.push(part);
  }
  return Buffer.concat(parts);
}
