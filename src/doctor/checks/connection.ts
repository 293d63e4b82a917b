/**
 * Checks of the connection to the service: its address, the key, Redis, whether it can be reached and answers as
 * published, and its rate limit.
 */

import { Failure } from "../../model/failure.ts";
import {
  type PublishedLimit,
  DEFAULT_RATE_PLAN,
  RATE_PLANS,
  serviceTypeFacts,
} from "../../model/service-interface.ts";
import { type AccountName, accountNames } from "../../networks/open-accounts.ts";
import { listSome } from "../../problems/plan-texts.ts";
import { plural } from "../../report/text/numbers.ts";
import { statusMeaning } from "../../service/answers/post.ts";
import { isJsonOrEmpty } from "../../service/answers/results.ts";
import type { HttpAnswer, HttpFault } from "../../service/http/request.ts";
import { type WindowReading, readRateHeaders, tightestWindow } from "../../service/rate/rate-headers.ts";
import type { PlatformRecord, PostRecord } from "../../service/records.ts";
import type { AccountSettings } from "../../settings/accounts.ts";
import { EMBEDDED, REPOSITORY } from "../../settings/config.ts";
import {
  type Check,
  type ServiceFacts,
  NEEDS_ADDRESS,
  NEEDS_ANSWER,
  failing,
  isUnreadable,
  ok,
  ownAnswersIn,
  publishedType,
  skipped,
  warning,
} from "../check.ts";

const SCHEDULED_HERE =
  "No service: apply writes plancast.schedule.json, and `plancast publish` publishes it. `plancast accounts check` signs in to the accounts.";

export const serviceCheck: Check = {
  name: "service",
  looksAt: "The address of the service, and where it is set.",
  run: ({ service, project }) => {
    if (service === undefined)
      return skipped("needs a readable plancast.yaml, or the address in PLANCAST_BASE_URL.");
    const { address, source, closed } = service;
    if (typeof address !== "string") return failing(address.message, address.hint);
    // Problems with a key, Redis or the lockfile have their own checks.
    const isOther = closed !== undefined && !/^(service\/(no-)?key|(share|lockfile)\/.*)$/.test(closed.code);
    if (isOther) return failing(closed.message, closed.hint);
    const accounts = "config" in project ? accountNames(project.config.accounts) : [];
    if (address === EMBEDDED) return ok(embeddedText(accounts));
    if (address === REPOSITORY) return ok(SCHEDULED_HERE);
    const [unscoped] = service.unscoped;
    if (unscoped === undefined) return ok(`${address} (${source}).`);
    return warning(
      `${address} (${source}). PLANCAST_TRUSTED_ORIGINS names ${unscoped} without a path.`,
      `If others have addresses on the same host, a pull request could send your key there. Add the path of your service, such as ${unscoped}/v1.`,
    );
  },
};

/** @param accounts on which `plancast serve` publishes for real */
function embeddedText(accounts: readonly AccountName[]): string {
  if (accounts.length === 0) return "The embedded service: nothing leaves this machine.";
  const names = accounts.map(
    ({ name, platform, settings }) => `${name} (${platform}, ${serverOf(settings)})`,
  );
  return `The embedded service. \`plancast serve\` publishes on ${names.join(", ")}. \`plancast accounts check\` signs in.`;
}

/** The address of a webhook is secret. */
function serverOf(settings: AccountSettings): string {
  return settings.network === "webhook"
    ? `the address in ${settings.url_env}`
    : new URL(settings.server).host;
}

export const keyCheck: Check = {
  name: "key",
  looksAt:
    "Whether the service accepts the key for reading. plancast cannot check write permission without a change.",
  run: ({ service }) => {
    if (service === undefined || typeof service.address !== "string") return skipped(NEEDS_ADDRESS);
    if (service.address === EMBEDDED) return ok("The embedded service needs none.");
    if (service.address === REPOSITORY) return ok("The schedule in the repository needs none.");
    const { closed } = service;
    if (closed?.code === "service/no-key") return failing(closed.message, closed.hint);
    if (closed?.code.startsWith("lockfile/") === true)
      return skipped("not checked, because the lockfile belongs to another service. See lockfile.");
    const refused = [service.posts, service.accounts].find(
      (each) => each instanceof Failure && ["service/unauthorized", "service/forbidden"].includes(each.code),
    );
    if (refused instanceof Failure) return failing(refused.message, refused.hint);
    if (!ownAnswersIn(service).some(({ result }) => result.status < 300))
      return skipped(
        "there is a key, but plancast cannot check its scope without an answer from the service.",
      );
    return ok(`The service accepts it for reading. ${scopeOf(service)}`);
  },
};

/** The interface has no request for a key's scope, but a header may show it. */
function scopeOf({ exchanges }: ServiceFacts): string {
  for (const { result } of exchanges) {
    if (result.kind !== "answer") continue;
    const [, scope] = Object.entries(result.headers).find(([name]) => /scope/.test(name)) ?? [];
    if (typeof scope === "string" && scope !== "") return `The service says that its scope is ${scope}.`;
  }
  return "The service does not show a key's scope, so only an apply shows whether it may write.";
}

export const redisCheck: Check = {
  name: "redis",
  looksAt: "If `service.share` or `PLANCAST_REDIS_URL` names a Redis: whether it answers.",
  run: ({ service }) => {
    if (service?.redis === undefined) return undefined;
    const { closed, redis, exchanges } = service;
    if (closed?.code.startsWith("share/") === true) return failing(closed.message, closed.hint);
    if (closed !== undefined || exchanges.length === 0)
      return skipped("needs the address of a service, and its key.");
    return ok(`${redis} answers. It shares the rate limit and the run lock.`);
  },
};

export const reachCheck: Check = {
  name: "reach",
  looksAt: "Name lookup, TLS, proxy, time limit, redirects, and pages from other servers.",
  run: ({ service }) => {
    if (service === undefined || typeof service.address !== "string") return skipped(NEEDS_ADDRESS);
    if (service.address === REPOSITORY) return ok(SCHEDULED_HERE);
    const last = service.exchanges.at(-1);
    if (last === undefined) return skipped(whyNotAsked(service));
    if (last.result.kind === "fault") return unreachable(last.result, service);
    const moved = [service.posts, service.accounts].find(isRedirect);
    if (moved !== undefined) return failing(moved.message, moved.hint);
    return answered(last.result, Math.max(0, last.receivedAt - last.sentAt), service);
  },
};

function whyNotAsked({ closed }: ServiceFacts): string {
  if (closed === undefined) return "plancast did not ask the service.";
  if (closed.code.startsWith("share/")) return "plancast sends no requests without Redis.";
  if (closed.code.startsWith("lockfile/")) return "the lockfile belongs to another service. See lockfile.";
  return closed.code === "service/url-not-confirmed"
    ? "plancast sends no requests until you confirm the address. See service."
    : "plancast sends no requests without a key.";
}

function isRedirect(fact: unknown): fact is Failure {
  return fact instanceof Failure && fact.code === "service/redirect";
}

function answered(result: HttpAnswer, ms: number, { proxy }: ServiceFacts) {
  const { status, text } = result;
  const way = proxy === undefined ? "" : ` through the proxy ${proxy}`;
  if (status >= 500)
    return failing(
      `The answer${way} is HTTP ${status}: the service, or a server in front of it, has a fault.`,
      "Run again later.",
    );
  if (!isJsonOrEmpty(result)) {
    const what = /^\s*</.test(text) ? "a web page" : "something else";
    return failing(
      `The answer${way} is ${what} (HTTP ${status}), but a publishing service answers with JSON.`,
      "Check that service.url is the address of the interface, not of a website. Also check for a sign-in page or proxy in this network.",
    );
  }
  return ok(`Answers${way} in ${ms} ms.`);
}

interface Kind {
  readonly codes: RegExp;
  readonly what: string;
  readonly advice: string;
  /** Says what is wrong, for example with a certificate, instead of the code. */
  readonly showsReason?: true;
}

/** Codes of Node, OpenSSL and undici. */
const KINDS: readonly Kind[] = [
  {
    codes: /^(ENOTFOUND|EAI_\w+|ENODATA)$/,
    what: "The name lookup (DNS) failed",
    advice: "Check the spelling of the host in service.url, and that this machine can look up names.",
  },
  {
    codes: /CERT|^ERR_TLS|^ERR_SSL|^UNABLE_TO|^EPROTO$|SIGNED|^HOSTNAME_MISMATCH$/,
    what: "There is no safe connection (TLS)",
    showsReason: true,
    advice:
      "If your own authority signed the service's certificate, name the authority's certificate in NODE_EXTRA_CA_CERTS. Otherwise the certificate is invalid or somebody intercepts the connection: ask the people who run the service.",
  },
  {
    codes: /TIMEOUT|^ETIMEDOUT$/,
    what: "The service does not answer in time",
    advice:
      "Check the network, firewalls and proxies on the way to the service. If they work, the service itself does not respond.",
  },
  {
    codes: /^ECONNREFUSED$/,
    what: "No program listens there",
    advice: "Check the host and port in service.url, and that the service is up.",
  },
  {
    codes: /^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/,
    what: "This network has no route to the service",
    advice: "Check that this machine is online, and check its routes, VPN and firewall.",
  },
  {
    codes: /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/,
    what: "The connection closed without an answer",
    advice:
      "Run again. If it still fails, check for a firewall or proxy that cuts connections, and check that the service uses TLS on that port.",
  },
];

/** Codes for a failed proxy: it is unreachable, refuses, or closes the connection. */
const PROXY_CODES = /^(ECONN|ENOTFOUND|EAI|UND_ERR)/;

function unreachable({ code, reason }: HttpFault, { proxy }: ServiceFacts) {
  if (proxy !== undefined && PROXY_CODES.test(code))
    return failing(
      `The proxy ${proxy} blocks the request: ${reason}.`,
      "Check HTTPS_PROXY and HTTP_PROXY, or name the service's host in NO_PROXY.",
    );
  const kind = KINDS.find(({ codes }) => codes.test(code));
  if (kind === undefined)
    return failing(`plancast cannot reach the service: ${reason}.`, "Check service.url and the network.");
  const why = kind.showsReason === true ? `: ${reason}` : ` (${code})`;
  return failing(`${kind.what}${why}.`, kind.advice);
}

export const interfaceCheck: Check = {
  name: "interface",
  looksAt: "Only with `service.type`: whether the service answers as its published interface says.",
  run: ({ service }) => {
    const { title } = (service && serviceTypeFacts(publishedType(service))) ?? {};
    if (service === undefined || title === undefined) return undefined;
    const { accounts, posts, single } = service;
    const other = [accounts, posts, single].filter(isUnreadable);
    if (other.length > 0)
      return failing(
        `${title} does not answer as its published interface says: ${other.map(({ message }) => message).join(" ")}`,
        `Check that service.url is the address of ${title}'s API. If it is, please report this output: plancast was not yet tested with a live account.`,
      );
    if (accounts === undefined || posts === undefined) return skipped(NEEDS_ANSWER);
    if (accounts instanceof Failure || posts instanceof Failure) return skipped(NEEDS_ANSWER);
    const saw = `${title}: ${describeAccounts(accounts.items)}; ${plural(posts.items.length, "scheduled post")}.`;
    const differences = [...unknownStatuses(posts.items), ...(single === "missing" ? [NOT_FOUND] : [])];
    if (differences.length === 0) return ok(`${saw} The answers are as published.`);
    return warning(
      `${saw} These differ from its published interface: ${differences.join("; ")}.`,
      "Please report this output. plancast does not change these posts.",
    );
  },
};

const NOT_FOUND = "a listed post that cannot be read by its id";

/** As many names as fit into a line or two. */
const NAMED = 12;

function describeAccounts(accounts: readonly PlatformRecord[]): string {
  const names = accounts.map(
    ({ platform, name }) => `${platform ?? ""}${name === undefined ? "" : ` (${name})`}`,
  );
  return `${plural(accounts.length, "account")}: ${listSome(names, NAMED)}`;
}

function unknownStatuses(posts: readonly PostRecord[]): readonly string[] {
  const unknown = posts.flatMap(({ status = "" }) => (statusMeaning(status) === undefined ? [status] : []));
  return [...new Set(unknown)].map((status) => `the status ${JSON.stringify(status.slice(0, 60))}`);
}

/** After this many answers with the same remainder, it clearly does not count down. */
const STUCK = 3;

const NO_WINDOW: WindowReading = { name: "", limit: undefined, remaining: undefined, reset: undefined };

const UNITS = {
  seconds: "seconds from now",
  ms: "milliseconds from now",
  epoch: "seconds since 1970",
  "epoch-ms": "milliseconds since 1970",
};

export const limitCheck: Check = {
  name: "limit",
  looksAt: "The rate limit headers, the rate plan that fits them, and the unit of the reset time.",
  run: ({ service }) => {
    const readings = ownAnswersIn(service).map(
      ({ result }) => tightestWindow(readRateHeaders(result.headers)) ?? NO_WINDOW,
    );
    const last = readings.at(-1);
    if (service === undefined || last === undefined) return skipped(NEEDS_ANSWER);
    const shut = [service.accounts, service.posts].find(isRateLimited);
    if (shut !== undefined) return failing(shut.message, shut.hint);
    const { limit: published } = serviceTypeFacts(publishedType(service)) ?? {};
    if (published !== undefined && last.limit === undefined) return ok(publishedLimit(published));
    if (service.address === EMBEDDED && last.limit === undefined)
      return ok(
        "The embedded service has no limit: neither service.plan nor `plancast serve --plan` sets one.",
      );
    const { plan = DEFAULT_RATE_PLAN } = service.settings;
    const counted = `plancast uses service.plan, which is ${plan} (${RATE_PLANS[plan]} requests a minute)`;
    if (last.limit === undefined || last.remaining === undefined)
      return warning(
        `The answers have no limit in X-RateLimit-Limit and X-RateLimit-Remaining, so ${counted}.`,
        "If you have another rate plan, set service: { plan: pro }, or business.",
      );
    if (isStuck(readings))
      return warning(
        `X-RateLimit-Remaining is always ${last.remaining}, so it does not count requests. If it never changes, ${counted}.`,
        "If you have another rate plan, set service: { plan: pro }, or business.",
      );
    return ok(describeLimit(last, published === undefined));
  },
};

function publishedLimit({ fallbackLimit, fallbackWindowMs }: PublishedLimit): string {
  const minutes = plural(fallbackWindowMs / 60_000, "minute");
  return `These answers show no limit, so plancast uses the published one: ${fallbackLimit} requests in ${minutes}.`;
}

function isRateLimited(fact: unknown): fact is Failure {
  return fact instanceof Failure && fact.code === "service/rate-limited";
}

function isStuck(readings: readonly WindowReading[]): boolean {
  const last = readings.slice(-STUCK).map(({ remaining }) => remaining);
  return last.length === STUCK && new Set(last).size === 1;
}

/** @param hasPlans whether the service has the rate plans that plancast documents */
function describeLimit({ limit, remaining, reset }: WindowReading, hasPlans: boolean): string {
  const plan = Object.entries(RATE_PLANS).find(([, requests]) => requests === limit)?.[0];
  const named = plan === undefined ? "of an unknown rate plan" : `the rate plan ${plan}`;
  const what = hasPlans ? ` (${named})` : "";
  const end =
    reset === undefined
      ? "The answer has no reset time"
      : `The unit of the reset time is ${UNITS[reset.unit]}`;
  return `${plural(limit ?? 0, "request")} a window${what}, ${remaining} left. ${end}.`;
}
