/** Opens Zernio: its connections, its rate limit and its requests. */

import type { Account } from "../account-names.ts";
import { type Connection, type ConnectionOptions, openTransport } from "../http/connection.ts";
import { type NetworkSettings, PostSettings } from "../post-settings.ts";
import { ZernioRequests } from "./requests.ts";
import { Storage } from "./upload.ts";
import { zernioService } from "./zernio-service.ts";

/** By network. Others need no settings. Source: rules/platforms.md in zernio-dev/zernio-api. */
const NETWORKS: ReadonlyMap<string, NetworkSettings> = new Map([
  ["tiktok", { names: ["allowComment", "contentPreviewConfirmed", "expressConsentGiven"] }],
  ["youtube", { maxTitle: 100 }],
  ["pinterest", { maxTitle: 100 }],
]);

export function openZernio(options: ConnectionOptions): Connection {
  const { transport, ...connection } = openTransport(options);
  const storage = new Storage(options);
  const settings = new PostSettings<Account>(options.settings.post_settings, ({ network }) =>
    NETWORKS.get(network),
  );
  const requests = new ZernioRequests(transport, settings);
  return {
    ...connection,
    service: zernioService({ origin: options.origin, requests, storage, settings }),
    destroy: async () => void (await Promise.all([connection.destroy(), storage.close()])),
    close: async () => void (await Promise.all([connection.close(), storage.close()])),
  };
}
