/** Parts of undici by themselves have no types of their own; they are what undici exports. */
declare module "undici/lib/dispatcher/env-http-proxy-agent.js" {
  import { EnvHttpProxyAgent } from "undici";
  // oxlint-disable-next-line import/no-default-export
  export default EnvHttpProxyAgent;
}

declare module "undici/lib/api/api-request.js" {
  import type { Dispatcher } from "undici";
  // oxlint-disable-next-line import/no-default-export
  export default function request(
    this: Dispatcher,
    options: Dispatcher.RequestOptions,
  ): Promise<Dispatcher.ResponseData>;
}
