/** Decides what to do after one attempt at a request. Pure: a table of decisions; nothing is sent or awaited here. */

import { MAX_WAIT_MS, backoffMs, plausibleMs } from "../rate/rate-window.ts";
import type { ServiceError } from "./refusal.ts";
import type { HttpAnswer, HttpFault } from "./request.ts";

/** How a request may be repeated: `once` must never be sent again after it may have arrived; `repeatable` may. */
export type Repeat = "once" | "repeatable";

export type Decision =
  /** The service accepted the request; the answer's body has the details. */
  | { readonly next: "accept" }
  /** The service refused: nothing was done. */
  | { readonly next: "refused"; readonly error: ServiceError }
  /** Send it again after this time, in ms. */
  | { readonly next: "again"; readonly inMs: number; readonly why: string }
  /** Refused by the rate limit before it was handled: send it again when the limiter allows it. */
  | { readonly next: "queue" }
  /** Certainly not done, and a retry is useless. */
  | { readonly next: "unreachable"; readonly why: string }
  /** It may or may not have been done. */
  | { readonly next: "unknown"; readonly why: string };

/** Codes that mean that nothing was done, whatever the status: their statuses are not documented. */
const REFUSALS: ReadonlySet<string> = new Set(["unauthorized", "forbidden", "not_found", "validation_error"]);
/** Attempts at one request while the service or the network fails. */
const MAX_ATTEMPTS = 4;
/** A sender of this status gave up waiting, and may not know what the service did with the request. */
const REQUEST_TIMEOUT = 408;

export interface EarlierAttempts {
  /** Earlier attempts that failed. */
  readonly trouble: number;
  /** Ms since the rate limit first refused it. Other clients of the key may use up the limit. */
  readonly refusedForMs: number;
}

export interface AttemptResult {
  readonly result: HttpAnswer | HttpFault;
  /** The refusal in the answer's body; undefined if there is none. */
  readonly error: ServiceError | undefined;
}

/** @param random from 0 to 1, so that clients that failed together do not retry together */
export function decideRetry(
  repeat: Repeat,
  tried: AttemptResult,
  before: EarlierAttempts,
  random: number,
): Decision {
  const { result, error } = tried;
  if (result.kind === "fault") {
    if (result.sent && repeat === "once") return { next: "unknown", why: result.reason };
    return retryLater(before, random, result.reason, result.sent ? "unknown" : "unreachable");
  }
  if (error === undefined) return { next: "accept" };
  if (error.code === "rate_limit_exceeded") return afterRateLimit(error, before);
  // A redirect that cannot be followed does not show whether a create was done (303 even suggests it).
  const isRefusal =
    REFUSALS.has(error.code) ||
    error.status < 300 ||
    (error.status >= 400 && error.status < 500 && error.status !== REQUEST_TIMEOUT);
  if (isRefusal || (error.status < 400 && repeat === "repeatable")) return { next: "refused", error };
  // A gateway's 5xx does not show what the service did.
  if (repeat === "once") return { next: "unknown", why: error.message };
  return retryLater(before, random, error.message, "unknown");
}

function retryLater(
  { trouble }: EarlierAttempts,
  random: number,
  why: string,
  otherwise: "unknown" | "unreachable",
): Decision {
  if (trouble + 1 >= MAX_ATTEMPTS) return { next: otherwise, why };
  return { next: "again", inMs: backoffMs(trouble, random), why };
}

function afterRateLimit(error: ServiceError, { refusedForMs }: EarlierAttempts): Decision {
  const waitMs = plausibleMs(error.retryAfterMs) ?? 0;
  if (waitMs > MAX_WAIT_MS) {
    const message = `${error.message} It asks plancast to wait ${Math.ceil(waitMs / 60_000)} minutes.`;
    return { next: "refused", error: { ...error, message } };
  }
  return refusedForMs > MAX_WAIT_MS ? { next: "refused", error } : { next: "queue" };
}
