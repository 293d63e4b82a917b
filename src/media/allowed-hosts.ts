/** Which addresses may be asked for a file. */
import { isIP } from "node:net";
import { hasCredentials, isHttpUrl } from "../calendar/media-address.ts";
import { isPublicAddress } from "./public-address.ts";

/** Tells of a URL whether the project allows its host to be private. */
export type AllowsHost = (url: URL) => boolean;

/** @param hosts `media.allow_hosts`: hosts, each perhaps with a port */
export function allowedHosts(hosts: readonly string[]): AllowsHost {
  const allowed = new Set(hosts.flatMap(hostIn));
  return (url) => allowed.has(url.hostname) || allowed.has(`${url.hostname}:${portOf(url)}`);
}

/** In the URL Standard's writing, so that `EXAMPLE.com` and `127.1` are what they are in an address. */
function hostIn(text: string): string[] {
  const port = /:(\d+)$/.exec(text)?.[1];
  const host = port === undefined ? text : text.slice(0, -port.length - 1);
  if (!URL.canParse(`http://${host}`)) return [];
  const { hostname } = new URL(`http://${host}`);
  return [port === undefined ? hostname : `${hostname}:${Number(port)}`];
}

function portOf({ port, protocol }: URL): string {
  return port || (protocol === "https:" ? "443" : "80");
}

/** Why an address is not asked, by what is written in it; what a name leads to is seen when it is looked up. */
export function whyNotAllowed(url: URL, allows: AllowsHost): "not-web" | "user" | "private" | undefined {
  if (!isHttpUrl(url)) return "not-web";
  if (hasCredentials(url)) return "user";
  return !allows(url) && isPrivateHost(url.hostname) ? "private" : undefined;
}

function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  if (isIP(host) !== 0) return !isPublicAddress(host);
  // A proxy would look it up as its own machine.
  return host === "localhost" || host.endsWith(".localhost");
}
