import { Failure } from "../calendar/failure.ts";
import { isLoopback } from "../service/address.ts";
import type { Headers } from "../service/http.ts";

/** The API's address without a slash at its end. Throws a Failure for one to which no token may go. */
export function apiBase(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url));
  if (url !== undefined && isSafe && url.username === "" && url.search === "" && url.hash === "")
    return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
  throw new Failure("ci/job", "GITHUB_API_URL is no https address.", "A runner sets it; leave it as it is.");
}

/** The next page's address, from a `Link` header; undefined at the end, and where it leads to another host. */
export function nextPage(link: Headers[string], base: string): string | undefined {
  const header = Array.isArray(link) ? link.join(",") : (link ?? "");
  const [, target] = /<([^<>]*)>\s*;[^,]*\brel="?next"?/.exec(header) ?? [];
  if (target === undefined || !URL.canParse(target, base)) return undefined;
  const url = new URL(target, base);
  return url.origin === new URL(base).origin ? url.href : undefined;
}
