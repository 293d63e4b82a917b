import { type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import type { LookupFunction } from "node:net";

/** Longest wait for a connection, ms. */
export const CONNECT_TIMEOUT_MS = 10_000;

interface ConnectionOptions {
  /** To one host at once. */
  readonly connections: number;
  readonly lookup?: LookupFunction;
}

/** Connections for requests. Follows HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
export function proxiedConnections({ connections, ...how }: ConnectionOptions): Dispatcher {
  const connect = { timeout: CONNECT_TIMEOUT_MS, ...how };
  return new EnvHttpProxyAgent({ connections, pipelining: 1, connect, clientFactory: proxyConnections });
}

/**
 * Connections to a proxy. Where it closes one instead of opening a tunnel, undici would try again at once and without
 * end: only an error of another code ends the request.
 */
function proxyConnections(origin: URL, options: object): Dispatcher {
  const pool = new Pool(origin, options);
  const open = pool.connect.bind(pool);
  const connect = (to: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> =>
    new Promise((resolve, reject) => {
      open(to, (error, opened) => (error === null ? resolve(opened) : reject(new TunnelError(error))));
    });
  return Object.assign(pool, { connect });
}

class TunnelError extends Error {
  readonly code = "PROXY_TUNNEL";

  constructor(cause: unknown) {
    super("the proxy opens no tunnel", { cause });
  }
}
