/** Opens Zernio: its connections, its rate limit and its requests. */

import { durationMs } from "../../model/clock.ts";
import type { Connection, ConnectionOptions } from "../http/connection.ts";
import { openConnections } from "../http/request.ts";
import { Transport } from "../http/transport.ts";
import { Limiter } from "../rate/limiter.ts";
import { ZernioRequests } from "./requests.ts";
import { Storage } from "./upload.ts";
import { zernioService } from "./zernio-service.ts";

export function openZernio(options: ConnectionOptions): Connection {
  const { origin, rules, shared, settings, clock, stop, onWait } = options;
  const dispatcher = openConnections();
  const limiter = new Limiter({ ...rules, clock, stop, onWait, shared });
  const timeoutMs = durationMs(settings.timeout);
  const transport = new Transport({ ...options, dispatcher, limiter, timeoutMs });
  const storage = new Storage(options);
  return {
    service: zernioService({ origin, requests: new ZernioRequests(transport), storage }),
    requests: () => transport.requests,
    waitedMs: () => limiter.waitedMs,
    pace: () => limiter.pace(),
    clockAheadMs: () => transport.clockAheadMs,
    destroy: async () => void (await Promise.all([dispatcher.destroy(), storage.close()])),
    close: async () => void (await Promise.all([dispatcher.close(), storage.close()])),
  };
}
