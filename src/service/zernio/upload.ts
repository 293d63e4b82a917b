/** Sends files to the storage that Zernio names. It gets no key, because the address contains the permission. */

import { DiskFile } from "../../media/disk-file.ts";
import type { Dispatcher } from "undici";
import { whyNotAllowed } from "../../media/allowed-hosts.ts";
import { anyConnections, publicConnections } from "../../media/checked-request.ts";
import { durationMs } from "../../model/clock.ts";
import { isLoopback } from "../../model/url.ts";
import type { ConnectionOptions } from "../http/connection.ts";
import type { RequestKey } from "../http/key.ts";
import { type CallResult, Transport } from "../http/transport.ts";
import { Limiter, PRIORITY } from "../rate/limiter.ts";
import type { UploadFile } from "../service.ts";

/** Files per minute. The storage has its own limit, and does not state it. */
const FILES_PER_MINUTE = 600;

/** A secret in a query has at least this many characters. */
const MIN_SECRET = 6;

/** The storage gets no key. Its answers may repeat the permission, which is in the query of the address. */
function keyFor({ search, searchParams }: URL): RequestKey {
  const parts = [...searchParams.values()].filter((value) => value.length >= MIN_SECRET);
  return { authorization: () => undefined, text: search.slice(1), parts };
}

export class Storage {
  readonly #options: ConnectionOptions;
  readonly #limiter: Limiter;
  readonly #dispatcher: Dispatcher;
  readonly #isLocal: boolean;

  constructor(options: ConnectionOptions) {
    const { clock, stop, onWait, random, address } = options;
    const rules = { fallbackLimit: FILES_PER_MINUTE, reserve: () => 0, random };
    this.#options = options;
    this.#limiter = new Limiter({ ...rules, clock, stop, onWait });
    this.#isLocal = isLoopback(new URL(address.base));
    this.#dispatcher = this.#isLocal ? anyConnections() : publicConnections();
  }

  /** Why the file must not be sent to an address, as the end of a sentence; undefined if it may. */
  whyNot(url: URL): string | undefined {
    if (whyNotAllowed(url, () => this.#isLocal) !== undefined) return "is not on the public web";
    return url.protocol === "https:" || this.#isLocal ? undefined : "is plain http";
  }

  /** Sends the file as it is, and repeats that if it fails. Throws a Failure if the storage redirects elsewhere. */
  async put(url: URL, { absolutePath, mime }: UploadFile): Promise<CallResult> {
    const { onRequest } = this.#options;
    const transport = new Transport({
      ...this.#options,
      address: { origin: url.origin, base: url.origin },
      key: keyFor(url),
      limiter: this.#limiter,
      dispatcher: this.#dispatcher,
      timeoutMs: durationMs(this.#options.settings.timeout),
      onExchange: undefined,
      // The query contains the permission to write.
      onRequest: (log) => onRequest({ ...log, path: log.path.replace(/\?.*$/s, "?…") }),
    });
    const data = await DiskFile.open(absolutePath, mime);
    return transport.call({
      method: "PUT",
      path: url.href,
      repeat: "repeatable",
      bytes: { data, type: mime },
      priority: PRIORITY.write,
    });
  }

  close(): Promise<void> {
    return this.#dispatcher.destroy();
  }
}
