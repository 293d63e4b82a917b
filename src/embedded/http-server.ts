/**
 * The HTTP side of the embedded service. The rate limit comes first, so that its headers are on every answer, and a
 * request beyond it is refused before any work.
 */

import {
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
  createServer,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { RequestError, getRequestListener } from "@hono/node-server";
import { type RatePlan, RATE_PLANS } from "../model/service-interface.ts";
import type { ServiceApp } from "./app.ts";
import { isOutsideApi } from "./publishing/paths.ts";
import type { Scope } from "./routes/api-keys.ts";
import { EndpointError, toServiceError } from "./routes/endpoint.ts";

/** Requests without a known key share one window. */
const ANONYMOUS = "anonymous";

/** How long open requests may take after the service starts to close, in ms. */
const SHUTDOWN_GRACE_MS = 2_000;

/** A client that sends invalid HTTP has this long to read the answer, in ms. */
const ERROR_LINGER_MS = 1_000;

export interface HttpServerOptions {
  readonly app: ServiceApp;
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly rateLimit: RateLimit;
  readonly scopeOf: (incoming: IncomingMessage) => Scope | undefined;
}

export interface HttpServer {
  /** Address on this machine without a path, such as `http://127.0.0.1:4010`. */
  readonly origin: string;
  /** Resolves when no request or connection is open. */
  close(): Promise<void>;
}

/** Resolves when the server listens; rejects with the error of the operating system if it cannot. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const underWay = new Set<Promise<void>>();
  const handle = requestHandler(options);
  // Hono needs a host for every request. If a request has no host, Node would answer it automatically, and without a
  // body.
  const server = createServer({ requireHostHeader: false }, (incoming, outgoing) => {
    // A request on an open connection would otherwise get no answer.
    if (!server.listening) {
      incoming.socket.destroy();
      return;
    }
    const work = handle(incoming, outgoing).finally(() => underWay.delete(work));
    underWay.add(work);
  });
  answerInvalidRequests(server, options.rateLimit);
  const sockets = trackSockets(server);
  await listen(server, options);
  return {
    origin: originOf(server.address()),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await Promise.race([Promise.allSettled(underWay), sleep(SHUTDOWN_GRACE_MS, undefined, { ref: false })]);
      for (const socket of sockets) socket.destroy();
      await closed;
      await Promise.allSettled(underWay);
    },
  };
}

function requestHandler({ app, host, rateLimit, scopeOf }: HttpServerOptions) {
  const listener = getRequestListener(app.fetch, {
    hostname: host,
    // The program's own Request and Response stay as they are.
    overrideGlobalObjects: false,
    errorHandler(error) {
      const refusal = error instanceof RequestError ? malformed() : toServiceError(error);
      return Response.json(refusal.body(), { status: refusal.status });
    },
  });
  return async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const caller = scopeOf(incoming) ?? ANONYMOUS;
    try {
      const status = isOutsideApi(incoming.url ?? "") ? rateLimit.peek(caller) : await rateLimit.take(caller);
      for (const [name, value] of Object.entries(status.headers)) outgoing.setHeader(name, value);
      if (status.exceeded) refuse(outgoing, status);
      else await listener(incoming, outgoing);
    } catch (error) {
      sendError(outgoing, toServiceError(error));
    }
  };
}

function refuse(outgoing: ServerResponse, { retryAfter }: RateLimitStatus): void {
  const message = `Too many requests for the rate plan. Try again in ${retryAfter} s.`;
  outgoing.setHeader("Retry-After", retryAfter);
  sendError(outgoing, new EndpointError("rate_limit_exceeded", message, { retryAfter }));
}

function sendError(outgoing: ServerResponse, error: EndpointError): void {
  outgoing.writeHead(error.status, { "Content-Type": "application/json" });
  outgoing.end(JSON.stringify(error.body()));
}

function malformed(status: 400 | 431 = 400): EndpointError {
  return new EndpointError("validation_error", "request: is not a valid HTTP request.", {
    status,
  });
}

/** Requests that never reach the handler get an answer of the same form. */
function answerInvalidRequests(server: Server, rateLimit: RateLimit): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    answerRaw(socket, malformed(error.code === "HPE_HEADER_OVERFLOW" ? 431 : 400), rateLimit);
  });
  server.on("connect", (_incoming, socket) => {
    const message = "method: CONNECT is not allowed.";
    answerRaw(socket, new EndpointError("validation_error", message, { status: 405 }), rateLimit);
  });
  server.on("checkExpectation", (incoming, outgoing) => server.emit("request", incoming, outgoing));
}

function answerRaw(socket: Duplex, error: EndpointError, rateLimit: RateLimit): void {
  socket.on("error", () => socket.destroy());
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(error.body());
  const headers = {
    Connection: "close",
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    ...rateLimit.peek(ANONYMOUS).headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const status = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ""}`;
  socket.end([status, ...lines, "", body].join("\r\n"));
  // Closing while bytes still arrive would also discard the answer.
  socket.resume();
  setTimeout(() => socket.destroy(), ERROR_LINGER_MS).unref();
}

function trackSockets(server: Server): ReadonlySet<Duplex> {
  const sockets = new Set<Duplex>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return sockets;
}

function listen(server: Server, { host, port }: HttpServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function originOf(address: string | AddressInfo | null): string {
  // A server on a host and port has an address object.
  const port = typeof address === "object" && address !== null ? address.port : 0;
  // Every host that the service may listen on includes this one.
  return `http://127.0.0.1:${port}`;
}

/** The unit of X-RateLimit-Reset, which the interface does not define: seconds left, or Unix time in seconds or ms. */
export type ResetUnit = "seconds" | "epoch" | "epoch-ms";

const RESET_VALUES = {
  seconds: (_resetAt, secondsLeft) => secondsLeft,
  epoch: (resetAt) => Math.ceil(resetAt / 1000),
  "epoch-ms": (resetAt) => Math.ceil(resetAt),
} as const satisfies Record<ResetUnit, (resetAt: number, secondsLeft: number) => number>;

interface RateLimitOptions {
  /** Undefined: without a limit, and without the headers. */
  readonly plan: RatePlan | undefined;
  /** Length of a window, in ms. */
  readonly windowMs: number;
  readonly resetUnit: ResetUnit;
  /** Unix time, in ms. */
  readonly now: () => number;
  /** Where other machines count, too. Default: nowhere. */
  readonly shared?: SharedWindows | undefined;
}

/** Windows that several machines share. */
export interface SharedWindows {
  /**
   * Takes one of `limit` requests in the window of that name, which begins with its first request. Rejects if the count
   * cannot be reached.
   */
  takeInWindow(
    name: string,
    limit: number,
    windowMs: number,
  ): Promise<{ readonly isTaken: boolean; readonly free: number; readonly leftMs: number }>;
}

interface RateLimitStatus {
  readonly exceeded: boolean;
  /** Whole seconds until the window ends, at least 1. */
  readonly retryAfter: number;
  /** The X-RateLimit headers. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Window {
  readonly start: number;
  used: number;
}

/** Counts requests in fixed windows, one for each client. Source: the interface, section 8. */
export class RateLimit {
  readonly #options: RateLimitOptions;
  /** Requests per window. */
  readonly #limit: number;
  readonly #windows = new Map<string, Window>();

  constructor(options: RateLimitOptions) {
    this.#options = options;
    this.#limit = options.plan === undefined ? Infinity : RATE_PLANS[options.plan];
  }

  /** Counts one request of the client. A request beyond the limit is not counted. */
  async take(caller: string): Promise<RateLimitStatus> {
    const { windowMs, now, shared } = this.#options;
    const limit = this.#limit;
    if (shared !== undefined && limit < Infinity) {
      const { isTaken, free, leftMs } = await shared.takeInWindow(`key ${caller}`, limit, windowMs);
      const current = { start: now() + leftMs - windowMs, used: limit - free };
      this.#windows.set(caller, current);
      return this.#status(current, !isTaken);
    }
    const window = this.#windowOf(caller);
    const exceeded = window.used >= limit;
    if (!exceeded) window.used += 1;
    return this.#status(window, exceeded);
  }

  /** The client's current numbers, without counting a request. */
  peek(caller: string): RateLimitStatus {
    return this.#status(this.#windowOf(caller), false);
  }

  #windowOf(caller: string): Window {
    const { now, windowMs } = this.#options;
    const at = now();
    const current = this.#windows.get(caller);
    // If the clock was set back, a client must not be locked out until it catches up.
    if (current !== undefined && at >= current.start && at < current.start + windowMs) return current;
    const next = { start: at, used: 0 };
    this.#windows.set(caller, next);
    return next;
  }

  #status(window: Window, exceeded: boolean): RateLimitStatus {
    const limit = this.#limit;
    const resetAt = window.start + this.#options.windowMs;
    const secondsLeft = Math.max(1, Math.ceil((resetAt - this.#options.now()) / 1000));
    return {
      exceeded,
      retryAfter: secondsLeft,
      headers:
        limit === Infinity
          ? {}
          : {
              "X-RateLimit-Limit": String(limit),
              "X-RateLimit-Remaining": String(limit - window.used),
              "X-RateLimit-Reset": String(RESET_VALUES[this.#options.resetUnit](resetAt, secondsLeft)),
            },
    };
  }
}
