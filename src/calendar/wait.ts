/**
 * What holds requests back. `limit`: the service's rate limit is used up; `others`: what is left of it may just be
 * spent by others who use the same key; `told`: the service said when to come again;
 * `refused`: it refused a request for its rate limit and did not say for how long; `trouble`: one request failed, for
 * the reason given, and is to be sent again.
 */
export type Wait = {
  /** How many wait. */
  readonly requests: number;
  /** When they may go on, ms since the epoch. */
  readonly until: number;
  /** How long that is, ms. */
  readonly ms: number;
} & (
  | { readonly why: "limit" | "others" | "told" | "refused" }
  | { readonly why: "trouble"; readonly reason: string }
);
