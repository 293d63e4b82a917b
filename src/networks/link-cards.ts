/** Cards of links: what a page says about itself, read when a post is published. */

import type { Dispatcher } from "undici";
import type { AllowsHost } from "../media/allowed-hosts.ts";

/** A post must not wait long for somebody else's server. */
const TIMEOUT = "10s";

interface LinkCard {
  readonly url: string;
  readonly title: string;
  readonly description: string;
}

export interface PageOptions {
  readonly userAgent: string;
  /** Aborted when the run is interrupted. */
  readonly stop: AbortSignal;
  /** Private hosts whose pages may be read. Default: none. */
  readonly allowsPages?: AllowsHost | undefined;
}

export class LinkCards {
  readonly #options: PageOptions;
  #connections: Dispatcher | undefined;

  constructor(options: PageOptions) {
    this.#options = options;
  }

  /** The card of a link; undefined if its page cannot be read. */
  async of(url: string): Promise<LinkCard | undefined> {
    const { allowsPages, stop, userAgent } = this.#options;
    const [{ readPage }, { anyConnections, publicConnections }] = await Promise.all([
      import("../media/web-page.ts"),
      import("../media/checked-request.ts"),
    ]);
    const connections = (this.#connections ??=
      allowsPages === undefined ? publicConnections() : anyConnections());
    const rules = {
      allows: allowsPages ?? (() => false),
      dispatcherFor: () => connections,
      timeout: TIMEOUT,
      userAgent,
      stop,
    };
    const page = await readPage(url, rules);
    return page && { url, ...page };
  }

  close(): Promise<void> {
    return this.#connections?.destroy() ?? Promise.resolve();
  }
}
