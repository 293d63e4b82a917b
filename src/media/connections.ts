/** Connections for HTTP requests, as every client of plancast opens them. */

import { type Dispatcher, Agent, EnvHttpProxyAgent } from "undici";
import { mustStayLocal } from "../model/loopback.ts";

/**
 * Follows HTTPS_PROXY, HTTP_PROXY and NO_PROXY; requests to this machine never go through a proxy, whatever these say:
 * the proxy would read the key, and reach a service on its own machine.
 */
export class Connections extends EnvHttpProxyAgent {
  readonly #local: Agent;

  constructor(options: EnvHttpProxyAgent.Options = {}) {
    super(options);
    this.#local = new Agent(options);
  }

  override dispatch(options: Agent.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const isLocal = options.origin !== undefined && mustStayLocal(new URL(options.origin));
    return isLocal ? this.#local.dispatch(options, handler) : super.dispatch(options, handler);
  }

  override close(): Promise<void>;
  override close(done: () => void): void;
  override close(done?: () => void): Promise<void> | void {
    const own = new Promise<void>((resolve) => super.close(resolve));
    const closed = Promise.all([own, this.#local.close()]).then(() => undefined);
    return done === undefined ? closed : void closed.then(done);
  }

  override destroy(error?: Error | null): Promise<void>;
  override destroy(done: () => void): void;
  override destroy(error: Error | null, done: () => void): void;
  override destroy(given: Error | null | (() => void) = null, done?: () => void): Promise<void> | void {
    const [error, after] = typeof given === "function" ? [null, given] : [given, done];
    // Without a callback, undici's method calls this one again, without end.
    const own = new Promise<void>((resolve) => super.destroy(error, resolve));
    const destroyed = Promise.all([own, this.#local.destroy(error)]).then(() => undefined);
    return after === undefined ? destroyed : void destroyed.then(after);
  }
}
