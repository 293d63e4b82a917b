/** The service over HTTP: the interface's endpoints, as `Service` has them. */
import { aiEndpoints } from "./ai-endpoints.ts";
import { automationsEndpoints } from "./automations-endpoints.ts";
import { callerOf } from "./caller.ts";
import { mediaEndpoints } from "./media-endpoints.ts";
import { platformsEndpoints } from "./platforms-endpoints.ts";
import { postsEndpoints } from "./posts-endpoints.ts";
import type { Service } from "./service.ts";
import type { Transport } from "./transport.ts";
import { webhooksEndpoints } from "./webhooks-endpoints.ts";

export interface HttpServiceOptions {
  /** Name of the service in the lockfile. */
  readonly origin: string;
  readonly transport: Transport;
  /** Name of the file field of an upload, which the interface does not show. */
  readonly uploadField: string;
  readonly listLimit: number | undefined;
}

export function httpService({ origin, transport, uploadField, listLimit }: HttpServiceOptions): Service {
  const caller = callerOf(transport, listLimit);
  return {
    origin,
    ...postsEndpoints(caller),
    ...mediaEndpoints(caller, uploadField),
    ...platformsEndpoints(caller),
    ...aiEndpoints(caller),
    ...automationsEndpoints(caller),
    ...webhooksEndpoints(caller),
  };
}
