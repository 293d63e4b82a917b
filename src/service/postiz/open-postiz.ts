/** Opens a Postiz: its connections, its rate limit for creates, and its requests. */

import { durationMs } from "../../model/clock.ts";
import type { Connection, ConnectionOptions } from "../http/connection.ts";
import { openConnections } from "../http/request.ts";
import { Transport } from "../http/transport.ts";
import { Limiter } from "../rate/limiter.ts";
import { postizService } from "./postiz-service.ts";
import { PostizRequests } from "./requests.ts";

/** Requests besides creates have no limit, so this number only keeps the pace of a fast client, per minute. */
const OTHER_REQUESTS = 600;

export function openPostiz(options: ConnectionOptions): Connection {
  const { origin, rules, shared, settings, clock, stop, onWait, random } = options;
  const dispatcher = openConnections();
  const limiter = new Limiter({ ...rules, clock, stop, onWait, shared });
  const noLimit = { fallbackLimit: OTHER_REQUESTS, reserve: () => 0, random };
  const otherLimiter = new Limiter({ ...noLimit, clock, stop, onWait });
  const timeoutMs = durationMs(settings.timeout);
  // Postiz takes the key as it is.
  const common = { ...options, key: options.key.withoutScheme(), dispatcher, timeoutMs };
  const creates = new Transport({ ...common, limiter });
  const others = new Transport({ ...common, limiter: otherLimiter });
  const requests = new PostizRequests({ creates, others });
  return {
    service: postizService({ origin, requests, clock }),
    requests: () => creates.requests + others.requests,
    waitedMs: () => limiter.waitedMs + otherLimiter.waitedMs,
    pace: () => limiter.pace(),
    clockAheadMs: () => others.clockAheadMs ?? creates.clockAheadMs,
    destroy: () => dispatcher.destroy(),
    close: () => dispatcher.close(),
  };
}
