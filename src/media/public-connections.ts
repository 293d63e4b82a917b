/**
 * Connections to public hosts alone. A name is looked up once, for the connection itself: between the check and the
 * connection nobody can make it mean another machine.
 */
import { lookup, type LookupAddress, type LookupOptions } from "node:dns";
import type { LookupFunction } from "node:net";
import { EnvHttpProxyAgent, type Dispatcher } from "undici";
import { isPublicAddress } from "./public-address.ts";

/** Longest wait for a connection, ms. */
const CONNECT_TIMEOUT_MS = 10_000;
/** To one host at once. */
const CONNECTIONS = 4;

/** A name leads to no public address. */
export class PrivateHostError extends Error {
  readonly address: string;

  constructor(address: string) {
    super("not a public address");
    this.name = "PrivateHost";
    this.address = address;
  }
}

/** Requests fail with PrivateHost where a name leads to private addresses alone. */
export function publicConnections(): Dispatcher {
  return createAgent(publicLookup);
}

/** Where the project allows the host. */
export function anyConnections(): Dispatcher {
  return createAgent(lookup);
}

/** Follows HTTPS_PROXY, HTTP_PROXY and NO_PROXY. A proxy looks names up itself. */
function createAgent(by: LookupFunction): Dispatcher {
  const connect = { timeout: CONNECT_TIMEOUT_MS, lookup: by };
  return new EnvHttpProxyAgent({ connections: CONNECTIONS, pipelining: 1, connect });
}

function publicLookup(
  hostname: string,
  options: LookupOptions,
  done: (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
): void {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error !== null) return done(error, []);
    const open = found.filter(({ address }) => isPublicAddress(address));
    const [first] = open;
    if (first === undefined) return done(new PrivateHostError(found[0]?.address ?? "nothing"), []);
    return options.all === true ? done(null, open) : done(null, first.address, first.family);
  });
}
