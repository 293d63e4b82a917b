/** Redirects: followed within the service's origin, never out of it. */
import { Failure } from "../calendar/failure.ts";
import type { HttpAnswer, HttpFault } from "./http.ts";

/** Where to go on; undefined when the answer is to be taken as it is. */
export function redirectTarget(method: string, from: URL, result: HttpAnswer | HttpFault): URL | undefined {
  if (result.kind !== "answer" || ![301, 302, 303, 307, 308].includes(result.status)) return undefined;
  const location = result.headers["location"];
  if (typeof location !== "string" || !URL.canParse(location, from.href)) return undefined;
  const target = new URL(location, from.href);
  if (target.origin !== from.origin) throw leavesOrigin(target);
  // Only these two promise that the request was not handled and keep its method (RFC 9110, section 15.4).
  return method === "GET" || result.status === 307 || result.status === 308 ? target : undefined;
}

export function leavesOrigin(url: URL): Failure {
  return new Failure(
    "service/redirect",
    `The service redirects to another address (${url.origin}), which must not get the key.`,
    "If the service has moved, set service.url in the project file to its new address.",
  );
}
