/** Cards of links: what a page says about itself, read when a post is published. */

import type { Dispatcher } from "undici";
import type { AllowsHost } from "../media/allowed-hosts.ts";
import type { GetRules } from "../media/checked-request.ts";
import { factsOf } from "../media/read-media.ts";
import type { NetworkMedia } from "./network.ts";

/** For the page, and again for its picture: a post must not wait long for somebody else's server. */
const TIMEOUT = "10s";

interface LinkCard {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly picture?: NetworkMedia;
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

  /** The card of a link; undefined if its page cannot be read. A picture that cannot be read is left out. */
  async of(url: string): Promise<LinkCard | undefined> {
    const { readPage, readPicture } = await import("../media/web-page.ts");
    const rules = await this.#rules();
    const page = await readPage(url, rules);
    if (page === undefined) return undefined;
    const { picture: address, ...facts } = page;
    const picture = address === undefined ? undefined : await readPicture(address, rules);
    return { url, ...facts, ...(picture === undefined ? {} : { picture: await mediaOf(picture) }) };
  }

  async #rules(): Promise<GetRules> {
    const { allowsPages, stop, userAgent } = this.#options;
    const { anyConnections, publicConnections } = await import("../media/checked-request.ts");
    const connections = (this.#connections ??=
      allowsPages === undefined ? publicConnections() : anyConnections());
    return {
      allows: allowsPages ?? (() => false),
      dispatcherFor: () => connections,
      timeout: TIMEOUT,
      userAgent,
      stop,
    };
  }

  close(): Promise<void> {
    return this.#connections?.destroy() ?? Promise.resolve();
  }
}

async function mediaOf(blob: Blob): Promise<NetworkMedia> {
  const open = (): Promise<Blob> => Promise.resolve(blob);
  return { mime: blob.type, bytes: blob.size, facts: await factsOf(blob), open };
}
