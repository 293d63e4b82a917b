/** The service over HTTP: connections, the rate limiter and the endpoints together. */

import { type ExtraPart, NO_EXTRAS } from "../../model/extras.ts";
import {
  aiAndAutomationsEndpoints,
  mediaEndpoints,
  platformsEndpoints,
} from "../endpoints/other-endpoints.ts";
import { type EndpointCallsOptions, endpointCalls } from "../endpoints/endpoint-calls.ts";
import { postsEndpoints } from "../endpoints/posts.ts";
import { type Connection, type ConnectionOptions, openTransport } from "../http/connection.ts";
import type { FullService } from "../service.ts";

export function openConnection(options: ConnectionOptions): Connection {
  const { origin, settings, supports } = options;
  const { upload_field: uploadField, list_limit: listLimit, shape } = settings;
  const { transport, ...connection } = openTransport(options);
  return {
    ...connection,
    service: httpService({ origin, transport, uploadField, listLimit, shape, supports }),
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
