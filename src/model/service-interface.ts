/**
 * Facts of the publishing service's interface: error codes, events, the envelope of a webhook, rate plans. And of services
 * with an interface of their own.
 */

import { z } from "zod";
import { isoInstant } from "./canonical.ts";

/** The codes with which the service refuses a request. Source: the interface, section 7. */
export const ERROR_CODES = [
  "unauthorized",
  "forbidden",
  "not_found",
  "validation_error",
  "rate_limit_exceeded",
  "platform_error",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** The events that the publishing service sends to webhooks. Source: the interface, section 6. */
export const EVENT_KINDS = ["post.published", "post.failed", "automation.completed"] as const;

/** The envelope of an event. Its data differs for each event. */
export const eventEnvelope = z.object({
  event: z.enum(EVENT_KINDS),
  timestamp: z.iso.datetime().describe("UTC."),
  data: z.record(z.string(), z.unknown()),
});

export type EventEnvelope = z.infer<typeof eventEnvelope>;

/** Deeper than any real event, and shallow enough to walk through without running out of stack. */
const MAX_DEPTH = 32;

function isWithin(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((each) => isWithin(each, depth - 1));
}

const EVENT_ID = z.union([z.string().min(1).max(200), z.int()]);

/**
 * The envelope as received. plancast ignores kinds that are not documented; the sender may use them. Ids are
 * not documented either, but if they exist, they show repeats.
 */
export const receivedEnvelope = eventEnvelope.extend({
  event: z.string().regex(/^[\w.:-]{1,100}$/, "must name a kind of event"),
  timestamp: z
    .string()
    .refine((text) => isoInstant(text, "Z") !== undefined, "must be a time in an ISO 8601 form"),
  data: eventEnvelope.shape.data.refine((data) => isWithin(data, MAX_DEPTH), "is nested too deep"),
  id: EVENT_ID.optional(),
  event_id: EVENT_ID.optional(),
});

export type ReceivedEvent = z.infer<typeof receivedEnvelope>;

/** The rate plans of the service, with their requests per minute. Source: the interface, section 8. */
export const RATE_PLANS = { free: 30, pro: 120, business: 600 } as const;

export type RatePlan = keyof typeof RATE_PLANS;

/** The smallest: plancast assumes it if neither the service nor the project says more. */
export const DEFAULT_RATE_PLAN: RatePlan = "free";

export const RATE_PLAN_NAMES = ["free", "pro", "business"] as const satisfies readonly RatePlan[];

/** For texts: `30, 120, 600`. */
export const RATE_PLAN_LIMITS = Object.values(RATE_PLANS).join(", ");

/** Requests in a window of some ms. */
export interface PublishedLimit {
  readonly fallbackLimit: number;
  readonly fallbackWindowMs: number;
}

interface ServiceTypeFacts {
  readonly title: string;
  /** Its address, if it has only one. */
  readonly url?: string;
  /** Where its interface is below the address in plancast.yaml, which may contain it. */
  readonly base: string;
  /** People run it themselves, so it may be on a local network without TLS. */
  readonly isSelfHosted: boolean;
  /** A post of the service is for one account: a row for two accounts becomes two posts. */
  readonly hasOneAccountPerPost: boolean;
  /** What it allows, if its answers do not say so. */
  readonly limit: PublishedLimit;
}

/**
 * `service: { type: postiz }` in plancast.yaml. A new one needs an entry here, and a line for its folder in
 * src/service/connect/open-service.ts.
 */
const SERVICE_TYPES = {
  postiz: {
    title: "Postiz",
    base: "/public/v1",
    isSelfHosted: true,
    hasOneAccountPerPost: true,
    // Only creates count. Source: API_LIMIT in gitroomhq/postiz-app.
    limit: { fallbackLimit: 90, fallbackWindowMs: 3_600_000 },
  },
  zernio: {
    title: "Zernio",
    base: "/v1",
    isSelfHosted: false,
    hasOneAccountPerPost: false,
    // The limit of the free plan. Source: rules/errors.md in zernio-dev/zernio-api.
    limit: { fallbackLimit: 60, fallbackWindowMs: 60_000 },
  },
  buffer: {
    title: "Buffer",
    url: "https://api.buffer.com",
    base: "",
    isSelfHosted: false,
    hasOneAccountPerPost: true,
    // The shortest of its three windows. Source: developers.buffer.com/guides/api-limits.
    limit: { fallbackLimit: 100, fallbackWindowMs: 900_000 },
  },
} as const satisfies Readonly<Record<string, ServiceTypeFacts>>;

export type ServiceType = keyof typeof SERVICE_TYPES;

// TypeScript returns the keys of a literal as strings.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const SERVICE_TYPE_NAMES = Object.keys(SERVICE_TYPES) as readonly ServiceType[];

/** Facts about the interface that `service.type` names; undefined for plancast's own. */
export function serviceTypeFacts(type: ServiceType | undefined): ServiceTypeFacts | undefined {
  return type === undefined ? undefined : SERVICE_TYPES[type];
}
