/** One request as it went. */
export interface RequestLog {
  readonly method: string;
  /** With its query, without the service's origin. */
  readonly path: string;
  /** Undefined when there was no answer; then `fault` says why. */
  readonly status: number | undefined;
  readonly fault: string | undefined;
  readonly ms: number;
  /** Requests left in the window, as the answer says. */
  readonly remaining: number | undefined;
}
