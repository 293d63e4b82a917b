/** Requests per fixed window, counted over all keys. */

export interface LimitOptions {
  readonly perWindow: number;
  readonly windowMs: number;
  /** The content of X-RateLimit-Reset: remaining seconds, a time in seconds or in ms, or nothing. */
  readonly resetUnit: "seconds" | "epoch" | "epoch-ms" | "none";
  /** How a reset is rounded to a whole number. Default `up`: at the reported time, the window is over. */
  readonly rounding?: "up" | "nearest" | "down";
}

export class RateLimit {
  readonly #options: LimitOptions;
  readonly #now: () => number;
  #used = 0;
  #resetAt = -Infinity;

  /** @param now the service's clock, in ms */
  constructor(options: LimitOptions, now: () => number) {
    this.#options = options;
    this.#now = now;
  }

  /** Counts a request. A window begins with the first request after the last one's end. @returns false to refuse */
  take(): boolean {
    if (!this.#isOpen()) this.#startWindow();
    if (this.#used >= this.#options.perWindow) return false;
    this.#used += 1;
    return true;
  }

  /** Uses up the rest of the window, or this much of it. */
  spend(requests: number): void {
    if (!this.#isOpen()) this.#startWindow();
    this.#used = Math.min(this.#options.perWindow, this.#used + requests);
  }

  /** The three headers, exactly as sent. */
  headers(): Record<string, string> {
    const { perWindow } = this.#options;
    const remaining = this.#isOpen() ? Math.max(0, perWindow - this.#used) : perWindow;
    return rateHeaders(this.#options, remaining, this.#end(), this.#now());
  }

  /** The headers of a refusal with a wait of this many seconds. */
  headersRefusing(retryAfter: number): Record<string, string> {
    return rateHeaders(this.#options, 0, this.#now() + retryAfter * 1_000, this.#now());
  }

  /** Whole seconds until the window's end. */
  retryAfter(): number {
    return Math.max(1, Math.ceil((this.#end() - this.#now()) / 1_000));
  }

  #startWindow(): void {
    this.#used = 0;
    this.#resetAt = this.#now() + this.#options.windowMs;
  }

  #isOpen(): boolean {
    return this.#now() < this.#resetAt;
  }

  #end(): number {
    return this.#isOpen() ? this.#resetAt : this.#now() + this.#options.windowMs;
  }
}

function rateHeaders(
  { perWindow, resetUnit, rounding = "up" }: LimitOptions,
  remaining: number,
  resetAt: number,
  now: number,
): Record<string, string> {
  const reset = resetValue(resetUnit, resetAt, now);
  const round = { up: Math.ceil, nearest: Math.round, down: Math.floor }[rounding];
  return {
    "x-ratelimit-limit": String(perWindow),
    "x-ratelimit-remaining": String(remaining),
    ...(reset !== undefined && { "x-ratelimit-reset": String(round(reset)) }),
  };
}

function resetValue(unit: LimitOptions["resetUnit"], resetAt: number, now: number): number | undefined {
  switch (unit) {
    case "seconds":
      return (resetAt - now) / 1_000;
    case "epoch":
      return resetAt / 1_000;
    case "epoch-ms":
      return resetAt;
    case "none":
      return undefined;
  }
}
