/** An open service, and what it needs to be opened. */

import { type Pace, durationMs } from "../../model/clock.ts";
import type { ExtraPart } from "../../model/extras.ts";
import { type ServiceType, RATE_PLANS, serviceTypeFacts } from "../../model/service-interface.ts";
import type { Config } from "../../settings/config.ts";
import { Limiter, type LimiterOptions } from "../rate/limiter.ts";
import type { RateWindowOptions } from "../rate/rate-window.ts";
import type { FullService } from "../service.ts";
import type { OriginKey, RequestKey } from "./key.ts";
import { openConnections } from "./request.ts";
import { Transport, type TransportOptions } from "./transport.ts";

export interface ConnectionOptions extends Omit<
  TransportOptions,
  "key" | "dispatcher" | "limiter" | "timeoutMs"
> {
  readonly key: OriginKey;
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

interface OpenTransport extends Omit<Connection, "service"> {
  readonly transport: Transport;
}

/** Connections to the service, with a rate limit of their own. */
export function openTransport(
  options: Omit<ConnectionOptions, "key" | "origin"> & { readonly key: RequestKey },
): OpenTransport {
  const { rules, shared, settings, clock, stop, onWait } = options;
  const dispatcher = openConnections();
  const limiter = new Limiter({ ...rules, clock, stop, onWait, shared });
  const transport = new Transport({
    ...options,
    dispatcher,
    limiter,
    timeoutMs: durationMs(settings.timeout),
  });
  return {
    transport,
    requests: () => transport.requests,
    waitedMs: () => limiter.waitedMs,
    pace: () => limiter.pace(),
    clockAheadMs: () => transport.clockAheadMs,
    destroy: () => dispatcher.destroy(),
    close: () => dispatcher.close(),
  };
}

/** The default for a rate window, if the service reports none. @param type of the service's interface */
export function windowRules(
  { plan, reserve }: Config["service"],
  random: () => number,
  type?: ServiceType,
): RateWindowOptions {
  const { limit } = serviceTypeFacts(type) ?? {};
  const rules = limit === undefined ? { fallbackLimit: RATE_PLANS[plan] } : limit;
  return { ...rules, reserve: (most) => reserveOf(reserve, most), random };
}

/**
 * How many of `limit` requests each window leaves to other users of the key (`service.reserve`).
 * @param reserve a count, or a share such as `20%`, as in plancast.yaml
 */
export function reserveOf(reserve: number | string, limit: number): number {
  return typeof reserve === "number" ? reserve : Math.ceil((limit * Number.parseInt(reserve, 10)) / 100);
}
