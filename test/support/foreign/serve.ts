/** One request from its head to its answer, with its fault. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { deliveryOf } from "./delivery.ts";
import { handle } from "./endpoints.ts";
import type { Fault, Faults, RequestInfo } from "./faults.ts";
import type { ListView } from "./lists.ts";
import { readBody, type Body } from "./read-upload.ts";
import { errorReply, type Reply } from "./reply.ts";
import type { RateLimit } from "./rate-limit.ts";
import { strikeOf, type Victim } from "./strike.ts";
import type { Scope, World } from "./world.ts";

/** A request, and what has happened to it so far. */
export interface RequestRecord extends RequestInfo {
  /** Without `authorization`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The scope of the key; undefined without a key, or for an unknown or revoked one. */
  readonly scope: Scope | undefined;
  /** When it came, ms by the service's clock. */
  readonly at: number;
  readonly fault: Fault | undefined;
  /** Whether it reached its endpoint: the key and the rate limit allowed it, and no fault stopped it. */
  handled: boolean;
  /** The status of the answer, if a complete one was sent. */
  status: number | undefined;
}

/** The running service, as one request sees it. */
export interface Core {
  readonly world: World;
  readonly limit: RateLimit;
  readonly faults: Faults;
  readonly requests: RequestRecord[];
  goDown(forMs: number): void;
  /** Never resolves if the service closes in the meantime. */
  sleep(ms: number): Promise<void>;
}

export async function serve(request: IncomingMessage, response: ServerResponse, core: Core): Promise<void> {
  const url = new URL(request.url ?? "/", core.world.origin);
  const key = bearerKey(request);
  const record = enter(request, url, key, core);
  const victim = victimOf(request, response, { key, record, core });
  // The client may be gone before the answer. The service does not care.
  response.on("error", () => undefined);
  const strike = strikeOf(record.fault, victim);
  if (strike.atHead !== undefined) return strike.atHead();
  const body = await readBody(request);
  // The client disconnected in the middle, so the request does not count.
  if (body === undefined) return;
  await strike.before?.();
  const view = { writesAgo: 0, items: undefined, ...strike.view };
  const own = strike.instead?.() ?? victim.signed(answer(request, url, body, { key, record, core }, view));
  await strike.after?.();
  const reply = strike.rewrite?.(own) ?? own;
  if (strike.deliver === undefined) victim.send(reply);
  else strike.deliver(reply);
}

interface Context {
  readonly key: string | undefined;
  readonly record: RequestRecord;
  readonly core: Core;
}

function bearerKey(request: IncomingMessage): string | undefined {
  return /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1];
}

/** Records and counts the request, and finds its fault. */
function enter(request: IncomingMessage, url: URL, key: string | undefined, core: Core): RequestRecord {
  core.world.counters.requests += 1;
  const { authorization: _key, ...headers } = request.headers;
  const info: RequestInfo = {
    n: core.world.counters.requests,
    method: request.method ?? "",
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
  };
  const record: RequestRecord = {
    ...info,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    scope: key === undefined ? undefined : core.world.keys.get(key),
    at: core.world.now(),
    fault: core.faults.next(info),
    handled: false,
    status: undefined,
  };
  core.requests.push(record);
  return record;
}

/** Key, then rate, then scope, then the endpoint. */
function answer(
  request: IncomingMessage,
  url: URL,
  body: Body,
  { key, record, core: { world, limit } }: Context,
  view: ListView,
): Reply {
  // Checked again, because the key may have been revoked since the request arrived.
  const scope = key === undefined ? undefined : world.keys.get(key);
  if (scope === undefined) return errorReply("unauthorized", "The API key is missing or wrong.", world.shape);
  if (!limit.take()) {
    world.counters.rateLimited += 1;
    const retryAfter = limit.retryAfter();
    return errorReply("rate_limit_exceeded", "Too many requests.", world.shape, { retryAfter });
  }
  if (record.method !== "GET" && scope === "read") {
    return errorReply("forbidden", "This key may only read.", world.shape);
  }
  if (record.method === "POST" && record.path === "/v1/webhooks" && scope !== "admin") {
    return errorReply("forbidden", "This key may not administer.", world.shape);
  }
  record.handled = true;
  const { method, path } = record;
  const contentType = request.headers["content-type"] ?? "";
  return handle({ method, path, query: url.searchParams, contentType, body }, world, view);
}

function victimOf(
  request: IncomingMessage,
  response: ServerResponse,
  { key, record, core }: Context,
): Victim {
  const { world, limit } = core;
  return {
    shape: world.shape,
    target: request.url ?? "/",
    signed: (reply) => ({ ...reply, headers: { ...limit.headers(), ...reply.headers } }),
    refusing: (retryAfter) => limit.headersRefusing(retryAfter),
    ...deliveryOf(request, response, record, () => world.now()),
    goDown: (forMs) => core.goDown(forMs),
    revokeKey: () => key !== undefined && world.keys.delete(key),
    sleep: (ms) => core.sleep(ms),
  };
}
