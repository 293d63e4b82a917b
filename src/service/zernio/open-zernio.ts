/** Opens Zernio: its connections, its rate limit and its requests. */

import { type Connection, type ConnectionOptions, openTransport } from "../http/connection.ts";
import { PostSettings } from "../post-settings.ts";
import { ZernioRequests } from "./requests.ts";
import { Storage } from "./upload.ts";
import { zernioService } from "./zernio-service.ts";

export function openZernio(options: ConnectionOptions): Connection {
  const { transport, ...connection } = openTransport(options);
  const storage = new Storage(options);
  return {
    ...connection,
    service: zernioService({
      origin: options.origin,
      requests: new ZernioRequests(transport),
      storage,
      settings: new PostSettings(options.settings.post_settings),
    }),
    destroy: async () => void (await Promise.all([connection.destroy(), storage.close()])),
    close: async () => void (await Promise.all([connection.close(), storage.close()])),
  };
}
