/** Requests to one network: through plancast's transport, with a rate limit for each group of endpoints. */

import type { Dispatcher } from "undici";
import type { Clock, Wait } from "../model/clock.ts";
import { Failure, reasonOf } from "../model/failure.ts";
import type { RequestKey } from "../service/http/key.ts";
import { bodyOf } from "../service/http/refusal.ts";
import { openConnections } from "../service/http/request.ts";
import { type Call, type CallResult, Transport } from "../service/http/transport.ts";
import { Limiter, PRIORITY, UNLIMITED } from "../service/rate/limiter.ts";
import { MAX_POLICY_MS } from "../service/rate/window-ends.ts";
import { RateLimits } from "../service/rate/rate-limits.ts";
import { type SharedCount, SharedGate } from "../service/rate/shared-gate.ts";
import type { RequestLog } from "../service/records.ts";
import type { PageOptions } from "./link-cards.ts";
import { type Failed, type Unknown, NotPublished } from "./network.ts";

export interface RequestOptions extends PageOptions {
  readonly clock: Clock;
  readonly random: () => number;
  /** Longest wait for an answer, in ms. */
  readonly timeoutMs: number;
  /** Called after each request. */
  readonly onRequest: (log: RequestLog) => void;
  /** Called when requests wait for the limit. */
  readonly onWait?: ((wait: Wait, origin: string) => void) | undefined;
  /** Longest wait for the limit, in ms. Beyond it, the request is not sent. Default: an hour. */
  readonly patienceMs?: number | undefined;
  /** The count of requests that several machines share, by a name of the limit. Undefined: only this process counts. */
  readonly sharedCount?: ((name: string) => SharedCount) | undefined;
}

/** A request to a network. */
export interface NetworkCall extends Omit<Call, "priority" | "repeat" | "method" | "isUrgent"> {
  /** `harmless`: others cannot see it. `repeat`: repeating it has no further effect. `once`: never sent again if it may have arrived. */
  readonly effect: "harmless" | "repeat" | "once";
  readonly method?: Call["method"];
  /** Endpoints with a rate limit of their own. */
  readonly group: string;
  readonly key: RequestKey;
}

export interface Answered {
  /** Parsed JSON; undefined if it is none. */
  readonly body: unknown;
  readonly status: number;
}

/** The network's own refusal. */
export class Refusal extends NotPublished {
  declare readonly result: Failed;
  /** The network's code for it, if it has one. */
  readonly code: string | undefined;
  readonly status: number;
  /** The answer as it came, without the secret; empty without one. */
  readonly text: string;

  constructor(result: Failed, status: number, { code, text = "" }: Partial<Pick<Refusal, "code" | "text">>) {
    super(result);
    this.status = status;
    this.code = code;
    this.text = text;
  }
}

/** How often others look whether the first request of a window has its answer, in ms. */
const LOOK_MS = 100;
/**
 * Requests of a group in flight at the same time. 100 posts that are due at once then take two seconds if the network
 * answers in 150 ms.
 */
export const NETWORK_REQUESTS_AT_ONCE = 16;
/** Like that, for receivers without a limit: 1,000 posts then take less than five seconds if they answer in 100 ms. */
export const UNLIMITED_AT_ONCE = 32;

export class NetworkRequests {
  readonly origin: string;
  readonly #options: RequestOptions;
  readonly #limit: number | undefined;
  readonly #atOnce: number;
  readonly #dispatcher: Dispatcher;
  readonly #limiters = new Map<string, Limiter>();

  /** @param limit requests per minute, if the network does not show its limit; undefined if it has none */
  constructor(origin: string, limit: number | undefined, options: RequestOptions) {
    this.origin = origin;
    this.#limit = limit;
    this.#options = options;
    this.#atOnce = limit === undefined ? UNLIMITED_AT_ONCE : NETWORK_REQUESTS_AT_ONCE;
    this.#dispatcher = openConnections(this.#atOnce);
  }

  /** The answer to an accepted request. Throws a Refusal, or NotPublished if there is no readable answer. */
  async send({ effect, group, key, method = "POST", ...call }: NetworkCall): Promise<Answered> {
    const limiter = this.#limiterOf(group);
    const transport = new Transport({
      ...this.#options,
      address: { origin: this.origin, base: this.origin },
      key,
      limiter,
      dispatcher: this.#dispatcher,
      maxRefusedMs: this.#options.patienceMs,
      onWait: () => undefined,
    });
    const repeat = effect === "once" ? "once" : "repeatable";
    const result = await transport
      .call({ ...call, method, repeat, priority: PRIORITY.write })
      .catch((error: unknown) => {
        throw error instanceof Failure ? failed(error.message, false) : error;
      });
    if (result.kind === "answer") return { body: bodyOf(result.answer), status: result.answer.status };
    throw notAnswered(result, effect);
  }

  #limiterOf(group: string): Limiter {
    const known = this.#limiters.get(group);
    if (known !== undefined) return known;
    const { clock, random, stop, onWait, patienceMs } = this.#options;
    // Machines need not share what has no limit.
    const sharedCount = this.#limit === undefined ? undefined : this.#options.sharedCount;
    // Networks also limit the requests of a day.
    const longestWindowMs = MAX_POLICY_MS;
    const fallbackLimit = this.#limit ?? UNLIMITED.fallbackLimit;
    const rules = { fallbackLimit, longestWindowMs, reserve: () => 0, random };
    const gate = sharedCount && {
      gate: new SharedGate({
        count: sharedCount(group),
        window: new RateLimits(rules),
        clock,
        confirm: () => Promise.resolve(true),
        // The publisher says that the store cannot be reached.
        onLost: () => undefined,
        lookMs: LOOK_MS,
      }),
    };
    const made = new Limiter({
      ...rules,
      concurrency: this.#atOnce,
      clock,
      stop,
      onWait: (wait) => onWait?.(wait, this.origin),
      maxClosedMs: patienceMs,
      shared: gate,
    });
    this.#limiters.set(group, made);
    return made;
  }

  /** Closes all connections, including those that wait for an answer. */
  close(): Promise<void> {
    return this.#dispatcher.destroy();
  }
}

/** Temporary refusals: a key that somebody renews, a limit, a busy server. */
const MAY_END: ReadonlySet<string> = new Set(["unauthorized", "rate_limit_exceeded"]);

function notAnswered(
  result: Exclude<CallResult, { kind: "answer" }>,
  effect: NetworkCall["effect"],
): NotPublished {
  switch (result.kind) {
    case "refused": {
      const { code, status, message } = result.error;
      const said: Failed = {
        state: "failed",
        reason: message,
        retry: MAY_END.has(code) || status >= 500,
        ...(code === "unauthorized" ? { isSignInRefused: true as const } : {}),
      };
      if (result.answer === undefined) return new Refusal(said, status, {});
      const own = ownCode(bodyOf(result.answer));
      return new Refusal(said, status, { code: own, text: result.answer.text });
    }
    case "unsent":
      return failed(result.why, true);
    case "late":
      return new NotPublished({ state: "failed", reason: "its time has passed", retry: false, isLate: true });
    case "unknown":
      return effect === "harmless" ? failed(result.why, true) : unknown(result.why);
  }
}

/** The code in `{ "error": "RecordNotFound" }`. */
export function ownCode(body: unknown): string | undefined {
  const code: unknown = typeof body === "object" && body !== null ? Reflect.get(body, "error") : undefined;
  return typeof code === "string" ? code : undefined;
}

function failed(reason: string, retry: boolean): NotPublished {
  return new NotPublished({ state: "failed", reason, retry });
}

function unknown(reason: string): NotPublished {
  return new NotPublished({ state: "unknown", reason });
}

/** Why the server could not be asked, without more of an attempt's result. */
export function notDone(error: unknown): Pick<Failed, "reason" | "isSignInRefused"> {
  const { reason, isSignInRefused } = failedResult(error);
  return { reason, ...(isSignInRefused && { isSignInRefused }) };
}

/** What a question about an earlier attempt ends with, if the server cannot be asked. */
export function notSettled(error: unknown): Unknown {
  return { ...notDone(error), state: "unknown" };
}

/** The result of work that ended early. Throws anything else, except a file that cannot be read. */
export function failedResult(error: unknown): Failed | Unknown {
  if (error instanceof NotPublished) return error.result;
  if (error instanceof Error && "code" in error)
    return { state: "failed", reason: `a file cannot be read: ${reasonOf(error)}`, retry: true };
  throw error;
}
