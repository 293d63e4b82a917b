/** An open service: connections, the rate limiter and the endpoints together. */

import { type Pace, durationMs } from "../../model/clock.ts";
import type { Config } from "../../settings/config.ts";
import { type ExtraPart, NO_EXTRAS } from "../../model/extras.ts";
import { RATE_PLANS } from "../../model/service-interface.ts";
import {
  aiAndAutomationsEndpoints,
  mediaEndpoints,
  platformsEndpoints,
} from "../endpoints/other-endpoints.ts";
import { type EndpointCallsOptions, endpointCalls } from "../endpoints/endpoint-calls.ts";
import { postsEndpoints } from "../endpoints/posts.ts";
import { openConnections } from "../http/request.ts";
import { type TransportOptions, Transport } from "../http/transport.ts";
import { type LimiterOptions, Limiter } from "../rate/limiter.ts";
import type { RateWindowOptions } from "../rate/rate-window.ts";
import type { FullService } from "../service.ts";

interface ConnectionOptions extends Omit<TransportOptions, "dispatcher" | "limiter" | "timeoutMs"> {
  /** Name of the service in the lockfile. */
  readonly origin: string;
  readonly settings: Config["service"];
  readonly rules: RateWindowOptions;
  readonly shared?: LimiterOptions["shared"];
  /** The extra parts of posts that the service stores and shows. Default: none, as documented. */
  readonly supports?: ReadonlySet<ExtraPart>;
}

export interface Connection {
  readonly service: FullService;
  /** Requests sent so far. */
  readonly requests: () => number;
  /** Ms spent waiting for the rate limit so far. */
  readonly waitedMs: () => number;
  /** How fast requests may go now, by the newest answer. */
  readonly pace: () => Pace;
  /** How far the service's clock is ahead of this machine's: see the transport. */
  readonly clockAheadMs: () => number | undefined;
  /** Closes all connections, including those that wait for an answer. */
  readonly destroy: () => Promise<void>;
  /** Closes them when all open requests are finished. */
  readonly close: () => Promise<void>;
}

/** The default for a rate window, if the service reports none. */
export function windowRules({ plan, reserve }: Config["service"], random: () => number): RateWindowOptions {
  return { fallbackLimit: RATE_PLANS[plan], reserve: (limit) => reserveOf(reserve, limit), random };
}

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

/**
 * How many of `limit` requests each window leaves to other users of the key (`service.reserve`).
 * @param reserve a count, or a share such as `20%`, as in plancast.yaml
 */
export function reserveOf(reserve: number | string, limit: number): number {
  return typeof reserve === "number" ? reserve : Math.ceil((limit * Number.parseInt(reserve, 10)) / 100);
}
