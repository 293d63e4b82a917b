/** Rate limits of many services, as pure models: the answer to a request at a time of the service's clock. */

import type { RateObservation, ResetHeader } from "../../../src/service/rate/rate-headers.ts";

export interface ModelOptions {
  /**
   * `first`: a window begins with the first request after the last one's end. `clock`: windows follow each other
   * without a gap, `phaseMs` after multiples of their length. `sliding`: this many in any window. `bucket`: refilled
   * evenly.
   */
  readonly kind: "first" | "clock" | "sliding" | "bucket";
  readonly limit: number;
  readonly windowMs: number;
  readonly phaseMs?: number;
  readonly unit: ResetHeader["unit"];
  /** Of a reset in whole seconds. */
  readonly rounding: "up" | "nearest" | "down";
  readonly hasDate: boolean;
  /** The content of a refusal, besides the headers. */
  readonly retryAfter: boolean;
}

interface Standing {
  readonly accepted: boolean;
  readonly remaining: number;
  /** By the service's clock, in ms. */
  readonly resetAt: number;
}

export class RateModel {
  readonly #options: ModelOptions;
  readonly #take: (now: number) => Standing;
  /** When requests were let in. */
  readonly accepted: number[] = [];
  refused = 0;

  constructor(options: ModelOptions) {
    this.#options = options;
    this.#take = KINDS[options.kind](options);
  }

  /** @param now the service's clock, in ms */
  request(now: number): RateObservation {
    const { limit, hasDate, retryAfter } = this.#options;
    const { accepted, remaining, resetAt } = this.#take(now);
    if (accepted) this.accepted.push(now);
    else this.refused += 1;
    return {
      reading: {
        windows: [{ name: "", limit, remaining, reset: told(this.#options, resetAt, now) }],
        date: hasDate ? Math.floor(now / 1_000) * 1_000 : undefined,
      },
      refused: !accepted,
      retryAfterMs: accepted || !retryAfter ? undefined : Math.ceil((resetAt - now) / 1_000) * 1_000,
    };
  }
}

const ROUND = { up: Math.ceil, nearest: Math.round, down: Math.floor };

function told({ unit, rounding }: ModelOptions, resetAt: number, now: number): ResetHeader {
  if (unit === "epoch-ms") return { unit, ms: ROUND[rounding](resetAt), isCoarse: false };
  const ms = ROUND[rounding]((unit === "seconds" ? resetAt - now : resetAt) / 1_000) * 1_000;
  return { unit, ms, isCoarse: true };
}

const KINDS = { first: fixed, clock: fixed, sliding, bucket };

function fixed({ kind, limit, windowMs, phaseMs = 0 }: ModelOptions): (now: number) => Standing {
  let resetAt = -Infinity;
  let used = 0;
  return (now) => {
    if (now >= resetAt) {
      const began = kind === "first" ? now : Math.floor((now - phaseMs) / windowMs) * windowMs + phaseMs;
      resetAt = began + windowMs;
      used = 0;
    }
    const accepted = used < limit;
    if (accepted) used += 1;
    return { accepted, remaining: limit - used, resetAt };
  };
}

/** Reports when the oldest request leaves the window. */
function sliding({ limit, windowMs }: ModelOptions): (now: number) => Standing {
  const log: number[] = [];
  return (now) => {
    while ((log[0] ?? Infinity) <= now - windowMs) log.shift();
    const accepted = log.length < limit;
    if (accepted) log.push(now);
    return { accepted, remaining: limit - log.length, resetAt: (log[0] ?? now) + windowMs };
  };
}

/** Reports when the bucket is full again. */
function bucket({ limit, windowMs }: ModelOptions): (now: number) => Standing {
  const perMs = limit / windowMs;
  let tokens = limit;
  let at = 0;
  return (now) => {
    tokens = Math.min(limit, tokens + (now - at) * perMs);
    at = now;
    const accepted = tokens >= 1;
    if (accepted) tokens -= 1;
    return { accepted, remaining: Math.floor(tokens), resetAt: now + (limit - tokens) / perMs };
  };
}
