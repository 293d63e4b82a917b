/** Connections for HTTP requests, as every client of plancast opens them. */

import { Agent, Dispatcher, EnvHttpProxyAgent } from "undici";
import { mustStayLocal } from "../model/loopback.ts";

/**
 * Follows HTTPS_PROXY, HTTP_PROXY and NO_PROXY; requests to this machine never go through a proxy, whatever these say:
 * the proxy would read the key, and reach a service on its own machine.
 */
export class Connections extends Dispatcher {
  readonly #proxied: EnvHttpProxyAgent;
  readonly #local: Agent;

  constructor(options: EnvHttpProxyAgent.Options = {}) {
    super();
    this.#proxied = new EnvHttpProxyAgent(options);
    this.#local = new Agent(options);
  }

  override dispatch(options: Agent.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const isLocal = options.origin !== undefined && mustStayLocal(new URL(options.origin));
    return (isLocal ? this.#local : this.#proxied).dispatch(options, handler);
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
