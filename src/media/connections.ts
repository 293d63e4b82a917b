/** Connections for HTTP requests of every client in plancast. */

import type { LookupFunction } from "node:net";
import { Agent, Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import { mustStayLocal } from "../model/address.ts";

/** Longest wait for a connection, and for a proxy's tunnel, in ms. */
export const CONNECT_TIMEOUT_MS = 10_000;

interface ConnectionOptions {
  /** Connections to one host at the same time. */
  readonly connections: number;
  readonly lookup?: LookupFunction;
  /** Instead of the usual one. */
  readonly timeout?: number;
}

/**
 * Follows HTTPS_PROXY, HTTP_PROXY and NO_PROXY. Requests to this machine never use a proxy, whatever these say: the
 * proxy would read the key, and reach a service on its own machine.
 */
export class Connections extends Dispatcher {
  readonly #proxied: EnvHttpProxyAgent;
  readonly #local: Agent;

  constructor({ connections, timeout = CONNECT_TIMEOUT_MS, ...how }: ConnectionOptions) {
    super();
    const options = { connections, pipelining: 1, connect: { timeout, ...how } };
    const clientFactory = (origin: URL, proxied: object): Dispatcher =>
      proxyConnections(new Pool(origin, proxied), timeout);
    this.#proxied = new EnvHttpProxyAgent({ ...options, clientFactory });
    this.#local = new Agent(options);
  }

  override dispatch(options: Agent.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const isLocal = options.origin !== undefined && mustStayLocal(new URL(options.origin));
    return (isLocal ? this.#local : this.#proxied).dispatch(options, unpaused(handler));
  }

  override close(): Promise<void>;
  override close(after: () => void): void;
  override close(after?: () => void): Promise<void> | void {
    const closed = Promise.all([this.#proxied.close(), this.#local.close()]).then(() => undefined);
    return after === undefined ? closed : void closed.then(after);
  }

  override destroy(error?: Error | null): Promise<void>;
  override destroy(done: () => void): void;
  override destroy(error: Error | null, done: () => void): void;
  override destroy(given: Error | null | (() => void) = null, done?: () => void): Promise<void> | void {
    const [error, after] = typeof given === "function" ? [null, given] : [given, done];
    const destroyed = Promise.all([this.#proxied.destroy(error), this.#local.destroy(error)]);
    return after === undefined ? destroyed.then(() => undefined) : void destroyed.then(after);
  }
}

/** For clients that do not use `Connections`. */
export const withoutPauses: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch(options, unpaused(handler));

/**
 * Takes the body of an answer as fast as it arrives. undici 7.30 otherwise pauses it while nobody reads. If the server
 * closes the connection in a pause, an assertion of undici ends the process. What nobody has read yet waits in memory:
 * every reader here has a limit, and disks are faster than networks.
 */
function unpaused(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  const onData = handler.onData?.bind(handler);
  if (onData !== undefined)
    handler.onData = (part) => {
      onData(part);
      return true;
    };
  return handler;
}

/**
 * Connections to a proxy. If the proxy closes one instead of opening a tunnel, undici would retry forever. Only an
 * error with another code ends the request. If the proxy never answers, or sends its answer letter by letter, undici
 * would wait as long.
 */
function proxyConnections(pool: Pool, timeoutMs: number): Dispatcher {
  const open = pool.connect.bind(pool);
  const connect = (to: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> =>
    new Promise((resolve, reject) => {
      open({ ...to, signal: AbortSignal.timeout(timeoutMs) }, (error, opened) =>
        error === null ? resolve(opened) : reject(new TunnelError(error)),
      );
    });
  return Object.assign(pool, { connect });
}

class TunnelError extends Error {
  readonly code = "PROXY_TUNNEL";

  constructor(cause: unknown) {
    super("the proxy did not open a tunnel", { cause });
  }
}
