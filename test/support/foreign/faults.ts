/**
 * What can go wrong with a request, and when it does. "Before" means that the request had no effect. "After" means that
 * it had its effect, whatever the client sees.
 */
import type { ErrorCode } from "./shape.ts";

/** Faults without options. */
export const PLAIN_FAULTS = [
  /** The connection is destroyed as soon as the head of the request is there. */
  "drop-before",
  /** Handled; the connection is destroyed instead of an answer. */
  "drop-after",
  /** Handled; half the answer, then the connection is destroyed. */
  "cut-answer",
  /** Never answered; the connection stays until the client or `close` ends it. */
  "hang-before",
  "hang-after",
  /** An error object, with a code that the interface does not have. */
  "status-500-before",
  "status-500-after",
  /** A gateway's page. */
  "html-502-before",
  "html-502-after",
  /** Handled; the answer is complete, but its JSON is cut in half. */
  "truncated-json",
  /** Handled; a complete answer with status 200 that is not JSON. */
  "not-json",
  /** Handled; status 200 and nothing else. */
  "empty-body",
  /** Refused with a bare 429: no error object, no header. */
  "rate-limited-bare",
  /** A 413 as soon as the head of the request is there, then the connection is destroyed with the body unread. */
  "early-413",
  /** The key is revoked: this request and all later ones are refused. */
  "unauthorized-from-now-on",
] as const;

export type Fault =
  | (typeof PLAIN_FAULTS)[number]
  /** Refused with `rate_limit_exceeded`; `retryAfter` in seconds. */
  | { readonly kind: "rate-limited"; readonly retryAfter: number }
  /** Refused with this error object. Without `status`, the shape decides it. */
  | { readonly kind: "refused"; readonly code: ErrorCode; readonly status?: number }
  /** The list before this many writes. Other requests are not affected. */
  | { readonly kind: "stale-list"; readonly writesAgo: number }
  /**
   * The list's first items and no next page; a total, if the shape has one, stays true. Other requests are not
   * affected.
   */
  | { readonly kind: "short-list"; readonly items: number }
  /** Delays the handling. It also happens if the client is gone by then. */
  | { readonly kind: "slow-before"; readonly ms: number }
  | { readonly kind: "slow-after"; readonly ms: number }
  /** Not handled; sent to the same path of another origin. */
  | { readonly kind: "redirect"; readonly to: string; readonly status?: 301 | 302 | 303 | 307 | 308 }
  /** No answer. Destroys all connections, and refuses new ones for this time. */
  | { readonly kind: "down-before"; readonly forMs: number }
  | { readonly kind: "down-after"; readonly forMs: number }
  /** Any answer instead of the service's own. */
  | { readonly kind: "answer-before"; readonly answer: FaultAnswer }
  | { readonly kind: "answer-after"; readonly answer: FaultAnswer }
  /** Runs a function at that moment, for example to kill the client. Then handling continues as usual. */
  | { readonly kind: "run-before"; readonly run: () => void | Promise<void> }
  | { readonly kind: "run-after"; readonly run: () => void | Promise<void> };

export interface FaultAnswer {
  readonly status: number;
  readonly body: string;
  /** `application/json` unless given. */
  readonly type?: string;
}

/** A request as it is when its head has arrived. */
export interface RequestInfo {
  /** Counts all requests of the service, from 1. */
  readonly n: number;
  readonly method: string;
  /** Begins with `/v1`; without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

export interface Matcher {
  readonly method?: string;
  /** The whole path, or a pattern that matches a part of it. */
  readonly path?: string | RegExp;
}

export class Faults {
  #waiting: { left: number; readonly fault: Fault; readonly matcher: Matcher }[] = [];
  #plan: (request: RequestInfo) => Fault | undefined = () => undefined;

  /** Happens at the n-th matching request from now (the next is 1). */
  at(n: number, fault: Fault, matcher: Matcher = {}): void {
    if (!Number.isSafeInteger(n) || n < 1) throw new Error(`There is no request number ${n} from now.`);
    this.#waiting.push({ left: n, fault, matcher });
  }

  /** Decides for all further requests. A fault of `at` has priority. Replaces an earlier plan. */
  plan(decide: (request: RequestInfo) => Fault | undefined): void {
    this.#plan = decide;
  }

  /** Removes all faults that have not happened yet. */
  clear(): void {
    this.#waiting = [];
    this.#plan = () => undefined;
  }

  /** How many faults of `at` have not happened yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** For the service: called once for each request. */
  next(request: RequestInfo): Fault | undefined {
    const counted = this.#waiting.filter((each) => matches(request, each.matcher));
    for (const each of counted) each.left -= 1;
    const due = counted.find((each) => each.left <= 0);
    this.#waiting = this.#waiting.filter((each) => each !== due);
    // The plan sees every request, so that it can count them.
    const planned = this.#plan(request);
    return due?.fault ?? planned;
  }
}

function matches(request: RequestInfo, { method, path }: Matcher): boolean {
  if (method !== undefined && method !== request.method) return false;
  return typeof path === "object"
    ? request.path.search(path) >= 0
    : path === undefined || path === request.path;
}
