/** A service that can be asked: connections, the limiter and the endpoints, put together. */
import type { Clock } from "../calendar/clock.ts";
import type { Config } from "../calendar/config.ts";
import { durationMs } from "../calendar/duration.ts";
import type { Pace } from "../calendar/pace.ts";
import type { Wait } from "../calendar/wait.ts";
import type { Address } from "./address.ts";
import { httpService } from "./http-service.ts";
import { openConnections } from "./http.ts";
import { Limiter, PLAN_LIMITS, type LimiterOptions } from "./limiter.ts";
import type { RateWindowOptions } from "./rate-window.ts";
import type { Exchange } from "./heard.ts";
import type { RequestLog } from "./request-log.ts";
import { reserveOf } from "./reserve.ts";
import type { Service } from "./service.ts";
import { Transport } from "./transport.ts";

export interface ConnectionOptions {
  /** Name of the service in the lockfile. */
  readonly origin: string;
  readonly address: Address;
  readonly key: string;
  readonly settings: Config["service"];
  readonly rules: RateWindowOptions;
  readonly shared?: LimiterOptions["shared"];
  readonly clock: Clock;
  readonly random: () => number;
  readonly userAgent: string;
  /** Aborted when no request may start any more. */
  readonly stop: AbortSignal;
  readonly onRequest: (log: RequestLog) => void;
  readonly onExchange?: ((heard: Exchange) => void) | undefined;
  readonly onWait: (wait: Wait) => void;
}

export interface Connection {
  readonly service: Service;
  /** Requests sent so far. */
  readonly requests: () => number;
  /** Ms spent waiting for the rate limit so far. */
  readonly waitedMs: () => number;
  /** How fast requests may go from now on, by the newest answer. */
  readonly pace: () => Pace;
  /** Ends all connections, also those with an answer outstanding. */
  readonly destroy: () => Promise<void>;
  /** Ends them when what is on its way is over. */
  readonly close: () => Promise<void>;
}

/** What a rate window goes by where the service does not tell. */
export function windowRules({ plan, reserve }: Config["service"], random: () => number): RateWindowOptions {
  return { fallbackLimit: PLAN_LIMITS[plan], reserve: (limit) => reserveOf(reserve, limit), random };
}

export function openConnection(options: ConnectionOptions): Connection {
  const { origin, address, key, settings, rules, shared, clock, random, userAgent, stop } = options;
  const { onRequest, onExchange: onHeard, onWait } = options;
  const dispatcher = openConnections();
  const limiter = new Limiter({ ...rules, clock, stop, onWait, shared });
  const transport = new Transport({
    address,
    key,
    dispatcher,
    limiter,
    clock,
    random,
    timeoutMs: durationMs(settings.timeout),
    userAgent,
    stop,
    onRequest,
    onExchange: onHeard,
    onWait,
  });
  const { upload_field: uploadField, list_limit: listLimit, shape } = settings;
  return {
    service: httpService({ origin, transport, uploadField, listLimit, shape }),
    requests: () => transport.requests,
    waitedMs: () => limiter.waitedMs,
    pace: () => limiter.pace(),
    destroy: () => dispatcher.destroy(),
    close: () => dispatcher.close(),
  };
}
