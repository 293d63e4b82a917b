/** Time comes in as a parameter, so that tests can own it. */
export interface Clock {
  /** Ms since the epoch. */
  now(): number;
  /** Resolves after so many ms, or at once when the signal aborts. Keeps the process alive meanwhile. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
