/** Which proxy a request goes through, as HTTPS_PROXY, HTTP_PROXY and NO_PROXY say. */

type Env = Readonly<Record<string, string | undefined>>;

/** Host and port of the proxy, without any password; undefined for a direct way. */
export function proxyFor(address: string, env: Env): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || isExempt(url, env["no_proxy"] ?? env["NO_PROXY"] ?? "")) return undefined;
  const http = env["http_proxy"] || env["HTTP_PROXY"];
  const proxy = url.protocol === "https:" ? env["https_proxy"] || env["HTTPS_PROXY"] || http : http;
  return proxy !== undefined && URL.canParse(proxy) ? new URL(proxy).host : proxy && "(not an address)";
}

function isExempt({ hostname, port, protocol }: URL, list: string): boolean {
  const usual = port || (protocol === "https:" ? "443" : "80");
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => {
      const [, host = "", only] = /^(.+?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
      if (host === "*") return true;
      if (only !== undefined && only !== usual) return false;
      const name = host.replace(/^\*?\./, "");
      return hostname === name || (hostname.endsWith(`.${name}`) && host !== "");
    });
}
