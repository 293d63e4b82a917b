/** The rate plans of the service: how many requests a minute each allows. Source: the interface, section 8. */
export const RATE_PLANS = { free: 30, pro: 120, business: 600 } as const;

export type RatePlan = keyof typeof RATE_PLANS;

export const RATE_PLAN_NAMES = ["free", "pro", "business"] as const satisfies readonly RatePlan[];

/** For texts: `30, 120, 600`. */
export const RATE_PLAN_LIMITS = Object.values(RATE_PLANS).join(", ");
