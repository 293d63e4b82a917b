/** One HTTP request, and whether it was certainly not sent: the fact on which "never twice" rests. */
import { AsyncLocalStorage } from "node:async_hooks";
import diagnostics from "node:diagnostics_channel";
import { networkCode, networkReason } from "../calendar/network-reason.ts";
import { readBody } from "./read-body.ts";
import type { MappedAnswer } from "./shaped.ts";
import { EnvHttpProxyAgent, request, type Dispatcher, type FormData } from "undici";

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

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

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
