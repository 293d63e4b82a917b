/** Opens a Postiz: its connections, its rate limit for creates, and its requests. */

import { type Connection, type ConnectionOptions, openTransport } from "../http/connection.ts";
import { postizService } from "./postiz-service.ts";
import { PostizRequests } from "./requests.ts";
import { postizSettings } from "./settings.ts";

/** Requests besides creates have no limit, so this number only keeps the pace of a fast client, per minute. */
const OTHER_REQUESTS = 600;

export function openPostiz(options: ConnectionOptions): Connection {
  const { origin, clock, random } = options;
  const settings = postizSettings(options.settings.post_settings);
  // Postiz takes the key as it is.
  const common = { ...options, key: options.key.withoutScheme() };
  const creates = openTransport(common);
  const noLimit = { fallbackLimit: OTHER_REQUESTS, reserve: () => 0, random };
  const others = openTransport({ ...common, rules: noLimit, shared: undefined });
  const requests = new PostizRequests({ creates: creates.transport, others: others.transport, settings });
  return {
    service: postizService({
      origin,
      requests,
      clock,
      settings,
    }),
    requests: () => creates.requests() + others.requests(),
    waitedMs: () => creates.waitedMs() + others.waitedMs(),
    pace: creates.pace,
    clockAheadMs: () => others.clockAheadMs() ?? creates.clockAheadMs(),
    destroy: async () => void (await Promise.all([creates.destroy(), others.destroy()])),
    close: async () => void (await Promise.all([creates.close(), others.close()])),
  };
}
