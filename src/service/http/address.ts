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
  const fault = addressFault(text);
  if (fault !== undefined) throw refused(fault.what, fault.hint);
  const url = new URL(text);
  const path = url.pathname.replace(/(?<!\/)\/+$/, "");
  return { origin: url.origin, base: `${url.origin}${path.endsWith("/v1") ? path : `${path}/v1`}` };
}

/** The fault of an address, as the end of a sentence, and the next step. Undefined if it can be used. */
export function addressFault(text: string): { readonly what: string; readonly hint: string } | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return {
      what: "is not an https address",
      hint: "Write it like https://api.example.com/v1, or `embedded`.",
    };
  if (url.username !== "" || url.password !== "")
    return {
      what: "contains a user name or password",
      hint: "Remove them; the key belongs in PLANCAST_API_KEY.",
    };
  if (url.search !== "" || url.hash !== "" || /[?#]$/.test(text))
    return { what: "contains a query or a fragment", hint: "Remove everything from `?` or `#` on." };
  if (url.protocol === "http:" && !isLoopback(url))
    return { what: "is plain http, so others in the network could read the key", hint: "Use https." };
  return undefined;
}

/** The address is not repeated, because it may hold a secret. */
function refused(what: string, hint: string): Failure {
  return new Failure(
    "service/address",
    `The service's address (service.url or PLANCAST_BASE_URL) ${what}.`,
    hint,
  );
}
