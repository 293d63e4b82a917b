import { Failure } from "../../model/failure.ts";
import { isLoopback } from "../../model/loopback.ts";

/** The address of the service: its origin, and the base for endpoints, which ends in `/v1`. */
export interface Address {
  readonly origin: string;
  readonly base: string;
}

/**
 * Parses `service.url`, with or without `/v1`, with or without a path before it. Refuses what could leak the key or
 * have another meaning: plain http to another machine, credentials, a query, a fragment.
 */
export function parseAddress(text: string): Address {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw refused("is not an https address", "Write it like https://api.example.com/v1, or `embedded`.");
  }
  if (url.username !== "" || url.password !== "") {
    throw refused("contains a user name or password", "Remove them; the key belongs in PLANCAST_API_KEY.");
  }
  if (url.search !== "" || url.hash !== "" || /[?#]$/.test(text)) {
    throw refused("contains a query or a fragment", "Remove everything from `?` or `#` on.");
  }
  if (url.protocol === "http:" && !isLoopback(url)) {
    throw refused("is plain http, so others in the network could read the key", "Use https.");
  }
  const path = url.pathname.replace(/(?<!\/)\/+$/, "");
  return { origin: url.origin, base: `${url.origin}${path.endsWith("/v1") ? path : `${path}/v1`}` };
}

/** The address is not repeated, because it may hold a secret. */
function refused(what: string, hint: string): Failure {
  return new Failure(
    "service/address",
    `The service's address (service.url or PLANCAST_BASE_URL) ${what}.`,
    hint,
  );
}
