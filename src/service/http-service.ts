/** The service over HTTP: the interface's endpoints, as `Service` has them. */
import { aiEndpoints } from "./ai-endpoints.ts";
import { automationsEndpoints } from "./automations-endpoints.ts";
import { callerOf, type CallerOptions } from "./caller.ts";
import { mediaEndpoints } from "./media-endpoints.ts";
import { platformsEndpoints } from "./platforms-endpoints.ts";
import { postsEndpoints } from "./posts-endpoints.ts";
import type { Service } from "./service.ts";
import { webhooksEndpoints } from "./webhooks-endpoints.ts";

export interface HttpServiceOptions extends CallerOptions {
  /** Name of the service in the lockfile. */
  readonly origin: string;
  /** Name of the file field of an upload, which the interface does not show. */
  readonly uploadField: string;
}

export function httpService({ origin, uploadField, ...options }: HttpServiceOptions): Service {
  const caller = callerOf(options);
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
