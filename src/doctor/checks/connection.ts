import { Failure } from "../../model/failure.ts";
import { isJsonOrEmpty } from "../../service/answers/results.ts";
import type { HttpAnswer, HttpFault } from "../../service/http/request.ts";
import { EMBEDDED } from "../../settings/config.ts";
import { ownAnswersIn } from "../answers.ts";
import { type Check, NEEDS_ADDRESS, failing, ok, skipped } from "../check.ts";
import type { ServiceFacts } from "../facts.ts";

export const addressCheck: Check = ({ service }) => {
  if (service === undefined)
    return skipped(
      "service",
      "needs a project file that can be read; PLANCAST_BASE_URL names a service as well.",
    );
  const { address: found, source, closed } = service;
  if (typeof found !== "string") return failing("service", found.message, found.hint);
  // A key and a Redis that are in the way are told by themselves.
  const isOther = closed !== undefined && !/^(service\/(no-)?key|share\/.*)$/.test(closed.code);
  if (isOther) return failing("service", closed.message, closed.hint);
  if (found === EMBEDDED) return ok("service", "The embedded one: nothing leaves this machine.");
  return ok("service", `${found} (${source}).`);
};

/** The key, and what it may do as far as that can be known without writing anything. */

export const keyCheck: Check = ({ service }) => {
  if (service === undefined || typeof service.address !== "string") return skipped("key", NEEDS_ADDRESS);
  if (service.address === EMBEDDED) return ok("key", "The embedded service needs none.");
  const { closed } = service;
  if (closed !== undefined && ["service/no-key", "service/key"].includes(closed.code))
    return failing("key", closed.message, closed.hint);
  const refused = [service.posts, service.accounts].find(
    (each) => each instanceof Failure && ["service/unauthorized", "service/forbidden"].includes(each.code),
  );
  if (refused instanceof Failure) return failing("key", refused.message, refused.hint);
  if (!ownAnswersIn(service).some(({ result }) => result.status < 300))
    return skipped("key", "there is one; what it may do needs an answer of the service.");
  return ok("key", `The service accepts it for reading. ${scopeOf(service)}`);
};

/** The interface shows no way to ask for a key's scope; a header may tell it. */
function scopeOf({ heard }: ServiceFacts): string {
  for (const { result } of heard) {
    if (result.kind !== "answer") continue;
    const [, told] = Object.entries(result.headers).find(([name]) => /scope/.test(name)) ?? [];
    if (typeof told === "string" && told !== "") return `Its scope, as the service tells it: ${told}.`;
  }
  return "Whether it may write shows only in an apply: the service does not tell a key's scope.";
}

export const redisCheck: Check = ({ service }) => {
  if (service?.redis === undefined) return undefined;
  const { closed, redis: shown, heard } = service;
  if (closed?.code.startsWith("share/") === true) return failing("redis", closed.message, closed.hint);
  if (closed !== undefined || heard.length === 0)
    return skipped("redis", "needs the address of a service, and its key.");
  return ok("redis", `${shown} answers: the limit and the run lock are shared there.`);
};

/** Whether the service can be reached, and what stands in the way: each is mended in another place. */

export const reachCheck: Check = ({ service }) => {
  if (service === undefined || typeof service.address !== "string") return skipped("reach", NEEDS_ADDRESS);
  const last = service.heard.at(-1);
  if (last === undefined) return skipped("reach", whyNotAsked(service));
  if (last.result.kind === "fault") return unreachable(last.result, service);
  const moved = [service.posts, service.accounts].find(isRedirect);
  if (moved !== undefined) return failing("reach", moved.message, moved.hint);
  return answered(last.result, Math.max(0, last.receivedAt - last.sentAt), service);
};

function whyNotAsked({ closed }: ServiceFacts): string {
  if (closed === undefined) return "the service was not asked.";
  return closed.code.startsWith("share/")
    ? "nothing is asked without Redis."
    : "nothing is asked without a key.";
}

function isRedirect(fact: unknown): fact is Failure {
  return fact instanceof Failure && fact.code === "service/redirect";
}

function answered(result: HttpAnswer, ms: number, { proxy }: ServiceFacts) {
  const { status, text } = result;
  const way = proxy === undefined ? "" : ` through the proxy ${proxy}`;
  if (status >= 500)
    return failing(
      "reach",
      `What answers${way} says HTTP ${status}: the service, or what stands before it, is in trouble.`,
      "Run again later.",
    );
  if (!isJsonOrEmpty(result)) {
    const what = /^\s*</.test(text) ? "a web page" : "something else";
    return failing(
      "reach",
      `What answers${way} sends ${what} (HTTP ${status}) where the service would send JSON.`,
      "See that service.url is the address of the interface, not of a website; and that no sign-in page or proxy of this network stands before it.",
    );
  }
  return ok("reach", `Answers${way} in ${ms} ms.`);
}

interface Kind {
  readonly codes: RegExp;
  readonly what: string;
  readonly advice: string;
}

/** Codes of Node, OpenSSL and undici. */
const KINDS: readonly Kind[] = [
  {
    codes: /^(ENOTFOUND|EAI_\w+|ENODATA)$/,
    what: "Its name cannot be looked up (DNS)",
    advice: "Check the host in service.url for a slip, and that this machine can look up names.",
  },
  {
    codes: /CERT|^ERR_TLS|^ERR_SSL|^UNABLE_TO|^EPROTO$|SIGNED|^HOSTNAME_MISMATCH$/,
    what: "There is no safe connection (TLS)",
    advice:
      "If the service's certificate comes from an authority of your own, name that one's in NODE_EXTRA_CA_CERTS. Otherwise somebody stands between, or the certificate is not in order: ask those who run the service.",
  },
  {
    codes: /TIMEOUT|^ETIMEDOUT$/,
    what: "There is no answer in time",
    advice: "Check the network, firewalls and proxies between here and there; or the service hangs.",
  },
  {
    codes: /^ECONNREFUSED$/,
    what: "Nothing listens there",
    advice: "Check host and port in service.url, and that the service is up.",
  },
  {
    codes: /^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/,
    what: "There is no way there from this network",
    advice: "Check that this machine is connected, and its routes, VPN and firewall.",
  },
  {
    codes: /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/,
    what: "The connection is closed without an answer",
    advice:
      "Run again; if it stays so, a firewall or proxy may cut it, or the service is in trouble. Where it speaks plain HTTP on that port, TLS cannot work.",
  },
];

function unreachable({ code, reason }: HttpFault, { proxy }: ServiceFacts) {
  if (proxy !== undefined && (/proxy/i.test(reason) || /^(ECONN|ENOTFOUND|EAI|UND_ERR)/.test(code)))
    return failing(
      "reach",
      `The proxy ${proxy} does not let the request through: ${reason}.`,
      "It is named in HTTPS_PROXY or HTTP_PROXY. Check it, or name the service's host in NO_PROXY.",
    );
  const kind = KINDS.find(({ codes }) => codes.test(code));
  if (kind === undefined)
    return failing("reach", `It cannot be reached: ${reason}.`, "Check service.url and the network.");
  // Of a certificate it matters what is wrong; the others are said in their own words.
  const why = kind.what.includes("TLS") ? `: ${reason}` : ` (${code})`;
  return failing("reach", `${kind.what}${why}.`, kind.advice);
}
