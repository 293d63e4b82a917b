import type { Headers } from "../rate/rate-headers.ts";

/** The address of the next page in a `Link` header (RFC 8288), as it is written there. */
export function nextLink(header: Headers[string]): string | undefined {
  const links = [header ?? ""].flat().join(", ");
  for (const [, target, parameters = ""] of links.matchAll(/<([^<>]*)>([^,]*)/g))
    if (/^\s*;/.test(parameters) && /\brel="?next"?/i.test(parameters)) return target;
  return undefined;
}
