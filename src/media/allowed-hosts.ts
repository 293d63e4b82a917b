/** Which addresses plancast may download from. */

import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";
import { hasCredentials, isHttpUrl, parseUrl } from "../model/address.ts";

/** Whether the project allows the host of a URL to be private. */
export type AllowsHost = (url: URL) => boolean;

/** @param hosts `media.allow_hosts`: hosts, each perhaps with a port */
export function allowedHosts(hosts: readonly string[]): AllowsHost {
  const allowed = new Set(hosts.flatMap(hostIn));
  return (url) => allowed.has(url.hostname) || allowed.has(`${url.hostname}:${portOf(url)}`);
}

/** The hosts that another list does not allow, either with this port or with all ports. */
export function hostsNotIn(hosts: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others.flatMap(hostIn));
  const isKnown = (host: string): boolean =>
    hostIn(host).some((each) => known.has(each) || known.has(each.replace(/:\d+$/, "")));
  return hosts.filter((host) => !isKnown(host));
}

/** Normalised as in the URL Standard, so that `EXAMPLE.com` and `127.1` match as in an address. */
function hostIn(text: string): string[] {
  const port = /:(\d+)$/.exec(text)?.[1];
  const host = port === undefined ? text : text.slice(0, -port.length - 1);
  const hostname = parseUrl(`http://${host}`)?.hostname;
  if (hostname === undefined) return [];
  return [port === undefined ? hostname : `${hostname}:${Number(port)}`];
}

function portOf({ port, protocol }: URL): string {
  return port || (protocol === "https:" ? "443" : "80");
}

/** Why plancast refuses an address, judged only by its text. What a name resolves to is checked at the lookup. */
export function whyNotAllowed(url: URL, allows: AllowsHost): "not-web" | "user" | "private" | undefined {
  if (!isHttpUrl(url)) return "not-web";
  if (hasCredentials(url)) return "user";
  return !allows(url) && isPrivateHost(url.hostname) ? "private" : undefined;
}

function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  if (isIP(host) !== 0) return !isPublicAddress(host);
  // A proxy would resolve it to its own machine.
  return host === "localhost" || host.endsWith(".localhost");
}

/**
 * IPv4 that is not public: this network, private, shared (carrier-grade NAT), loopback, link-local (also where clouds
 * keep their metadata), protocol assignments, documentation, 6to4 relays, benchmarks, multicast, reserved, broadcast.
 * Source: IANA IPv4 Special-Purpose Address Registry.
 */
const NOT_PUBLIC_4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const;

/**
 * Ranges of global unicast IPv6 that are not public: protocol assignments (such as Teredo), documentation, and 6to4,
 * which holds IPv4 addresses. Source: IANA IPv6 Special-Purpose Address Registry.
 */
const NOT_PUBLIC_6 = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const;

const notPublic = new BlockList();
for (const [net, prefix] of NOT_PUBLIC_4) notPublic.addSubnet(net, prefix, "ipv4");
for (const [net, prefix] of NOT_PUBLIC_6) notPublic.addSubnet(net, prefix, "ipv6");

/** All public addresses are in this range (RFC 4291, section 2.4). */
const globalUnicast = new BlockList();
globalUnicast.addSubnet("2000::", 3, "ipv6");

/** How networks without IPv4 reach IPv4 hosts: the last 32 bits are the IPv4 address (RFC 6052). */
const translated = new BlockList();
translated.addSubnet("64:ff9b::", 96, "ipv6");

/** Whether an IP address may belong to a public host. False for text that is not an IP address. */
export function isPublicAddress(ip: string): boolean {
  if (isIPv4(ip)) return !notPublic.check(ip, "ipv4");
  // A zone (`fe80::1%eth0`) is for addresses of the local network.
  if (!isIPv6(ip) || ip.includes("%")) return false;
  if (translated.check(ip, "ipv6")) return isPublicAddress(lastIPv4(ip));
  return globalUnicast.check(ip, "ipv6") && !notPublic.check(ip, "ipv6");
}

function lastIPv4(ip: string): string {
  // The URL parser writes the last 32 bits as two groups of hex.
  const groups = new URL(`http://[${ip}]/`).hostname.slice(1, -1).split("::");
  const tail = (groups.at(-1) ?? "").split(":").slice(-2);
  const [high = 0, low = 0] = [...Array<string>(2 - tail.length).fill("0"), ...tail].map((group) =>
    Number.parseInt(group || "0", 16),
  );
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}
