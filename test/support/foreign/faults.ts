/**
 * What can go wrong with a request, and when it does. "Before" means that nothing was done; "after" that the request
 * was handled and what it did stays, whatever the client gets to see.
 */
import type { ErrorCode } from "./shape.ts";

/** Faults that need nothing said but their name. */
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
  /** Handled; a whole answer of status 200 that is no JSON. */
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
  /** Refused with this error object; `status` as the shape has it unless given. */
  | { readonly kind: "refused"; readonly code: ErrorCode; readonly status?: number }
  /** The list before this many writes. Other requests are not affected. */
  | { readonly kind: "stale-list"; readonly writesAgo: number }
  /**
   * The list's first items and no next page; a total, if the shape has one, stays true. Other requests are not
   * affected.
   */
  | { readonly kind: "short-list"; readonly items: number }
  /** Waits with handling, which takes place even when the client is gone by then. */
  | { readonly kind: "slow-before"; readonly ms: number }
  | { readonly kind: "slow-after"; readonly ms: number }
  /** Not handled; sent to the same path of another origin. */
  | { readonly kind: "redirect"; readonly to: string; readonly status?: 301 | 302 | 303 | 307 | 308 }
  /** No answer; all connections are destroyed, and new ones refused for so long. */
  | { readonly kind: "down-before"; readonly forMs: number }
  | { readonly kind: "down-after"; readonly forMs: number }
  /** Any answer instead of the service's own. */
  | { readonly kind: "answer-before"; readonly answer: FaultAnswer }
  | { readonly kind: "answer-after"; readonly answer: FaultAnswer }
  /** Runs something at that moment, to kill the client for example, then goes on as if nothing was. */
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
  /** The whole path, or a pattern that it holds. */
  readonly path?: string | RegExp;
}

export class Faults {
  #waiting: { left: number; readonly fault: Fault; readonly matcher: Matcher }[] = [];
  #plan: (request: RequestInfo) => Fault | undefined = () => undefined;

  /** Strikes the n-th request from now (the next is 1) among those that match. */
  at(n: number, fault: Fault, matcher: Matcher = {}): void {
    if (!Number.isSafeInteger(n) || n < 1) throw new Error(`There is no request number ${n} from now.`);
    this.#waiting.push({ left: n, fault, matcher });
  }

  /** Decides for every request to come; what `at` has for a request goes before. Replaces the plan there was. */
  plan(decide: (request: RequestInfo) => Fault | undefined): void {
    this.#plan = decide;
  }

  /** Forgets everything that has not struck yet. */
  clear(): void {
    this.#waiting = [];
    this.#plan = () => undefined;
  }

  /** How many faults of `at` have not struck yet. */
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
