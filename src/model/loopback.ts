/** Whether an address is on this machine, where plain http shows nothing to anybody. */
export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.test(hostname);
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Whether requests to an address must never be given to a proxy: for the proxy, all these names are the proxy's own
 * machine. More than `isLoopback`, since it only keeps requests from leaving.
 */
export function mustStayLocal(url: URL): boolean {
  return isLoopback(url) || LOCAL_NAME.test(url.hostname) || LOCAL_ADDRESS.test(url.hostname);
}

const LOCAL_NAME = /(^|\.)localhost\.?$/;
/** The unspecified addresses, which lead to this machine, and IPv4's loopback written as IPv6. */
const LOCAL_ADDRESS = /^(0\.0\.0\.0|\[::\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/;
