/** Web addresses: reads them as the WHATWG URL Standard does, and says which are on this machine. */

/**
 * Reads an address; undefined for an invalid one. It does not use `URL.canParse`: after some thousand calls, that
 * function of Node 20 refuses hosts with letters such as ü.
 * @param base for a relative address
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Whether an address is on this machine, so that plain http shows nothing to anybody. */
export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.test(hostname);
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Whether an address can only be on the user's own network: a private IP address, a name without dots, or a name that
 * public DNS never has.
 */
export function isOnLocalNetwork({ hostname }: URL): boolean {
  return PRIVATE_ADDRESS.test(hostname) || LOCAL_NETWORK_NAME.test(hostname);
}

/** Sources: RFC 1918 for IPv4, RFC 4193 for IPv6. */
const PRIVATE_ADDRESS =
  /^(?:(?:10|127)(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}|\[f[cd][0-9a-f]{2}:[0-9a-f:]*\])$/;
/** Sources: RFC 6762 (.local), RFC 8375 (.home.arpa), ICANN 2024 (.internal). */
const LOCAL_NETWORK_NAME = /^(?:[0-9_-]*[a-z][a-z0-9_-]*|.+\.(?:local|home\.arpa|internal))$/;

/**
 * Whether requests to an address must bypass a proxy: for the proxy, these names mean the proxy's own machine. This
 * includes more addresses than `isLoopback`, because it only keeps requests on this machine.
 */
export function mustStayLocal(url: URL): boolean {
  return isLoopback(url) || LOCAL_NAME.test(url.hostname) || LOCAL_ADDRESS.test(url.hostname);
}

const LOCAL_NAME = /(^|\.)localhost\.?$/;
/** The unspecified addresses, which lead to this machine, and IPv4's loopback written as IPv6. */
const LOCAL_ADDRESS = /^(0\.0\.0\.0|\[::\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/;
