/**
 * Services with their own interface: `service: { type: postiz }` in plancast.yaml. A new one needs an entry here, and its
 * folder in src/service/connect/open-service.ts.
 */

/** Requests in a window of some ms. */
export interface PublishedLimit {
  readonly fallbackLimit: number;
  readonly fallbackWindowMs: number;
}

interface ServiceTypeFacts {
  readonly title: string;
  /** Where its interface is below the address in plancast.yaml, which may contain it. */
  readonly base: string;
  /** People run it themselves, so it may be on a local network without TLS. */
  readonly isSelfHosted: boolean;
  /** A post of the service is for one account: a row for two accounts becomes two posts. */
  readonly hasOneAccountPerPost: boolean;
  /** What it allows, if its answers do not say so. */
  readonly limit: PublishedLimit;
}

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
} as const satisfies Readonly<Record<string, ServiceTypeFacts>>;

export type ServiceType = keyof typeof SERVICE_TYPES;

// TypeScript returns the keys of a literal as strings.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const SERVICE_TYPE_NAMES = Object.keys(SERVICE_TYPES) as readonly ServiceType[];

/** Facts about the interface that `service.type` names; undefined for plancast's own. */
export function serviceTypeFacts(type: ServiceType | undefined): ServiceTypeFacts | undefined {
  return type === undefined ? undefined : SERVICE_TYPES[type];
}
