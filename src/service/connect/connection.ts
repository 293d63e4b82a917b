/** The service over HTTP: connections, the rate limiter and the endpoints together. */

import { durationMs } from "../../model/clock.ts";
import { type ExtraPart, NO_EXTRAS } from "../../model/extras.ts";
import {
  aiAndAutomationsEndpoints,
  mediaEndpoints,
  platformsEndpoints,
} from "../endpoints/other-endpoints.ts";
import { type EndpointCallsOptions, endpointCalls } from "../endpoints/endpoint-calls.ts";
import { postsEndpoints } from "../endpoints/posts.ts";
import type { Connection, ConnectionOptions } from "../http/connection.ts";
import { openConnections } from "../http/request.ts";
import { Transport } from "../http/transport.ts";
import { Limiter } from "../rate/limiter.ts";
import type { FullService } from "../service.ts";

export function openConnection(options: ConnectionOptions): Connection {
  const { origin, settings, rules, shared, clock, stop, onWait, supports } = options;
  const dispatcher = openConnections();
  const limiter = new Limiter({ ...rules, clock, stop, onWait, shared });
  const timeoutMs = durationMs(settings.timeout);
  const transport = new Transport({ ...options, dispatcher, limiter, timeoutMs });
  const { upload_field: uploadField, list_limit: listLimit, shape } = settings;
  return {
    service: httpService({ origin, transport, uploadField, listLimit, shape, supports }),
    requests: () => transport.requests,
    waitedMs: () => limiter.waitedMs,
    pace: () => limiter.pace(),
    clockAheadMs: () => transport.clockAheadMs,
    destroy: () => dispatcher.destroy(),
    close: () => dispatcher.close(),
  };
}

interface HttpServiceOptions extends EndpointCallsOptions {
  /** Name of the service in the lockfile. */
  readonly origin: string;
  /** Name of the file field in an upload, which the interface does not document. */
  readonly uploadField: string;
  readonly supports?: ReadonlySet<ExtraPart> | undefined;
}

/** The service over HTTP. */
export function httpService({
  origin,
  uploadField,
  supports = NO_EXTRAS,
  ...options
}: HttpServiceOptions): FullService {
  const calls = endpointCalls(options);
  return {
    origin,
    supports,
    ...postsEndpoints(calls, supports),
    ...mediaEndpoints(calls, uploadField),
    ...platformsEndpoints(calls),
    ...aiAndAutomationsEndpoints(calls),
  };
}
