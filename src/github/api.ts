/** The parts of GitHub's REST API that the action needs. Its answers are checked like those of any other service. */

import type { Dispatcher } from "undici";
import type { Clock } from "../model/clock.ts";
import { Failure } from "../model/failure.ts";
import { isLoopback, parseUrl } from "../model/address.ts";
import {
  type HttpAnswer,
  type HttpRequest,
  nextLink,
  openConnections,
  sendOnce,
} from "../service/http/request.ts";
import type { Headers } from "../service/rate/rate-headers.ts";
import { USER_AGENT } from "../model/version.ts";

/** Longest wait for an answer, in ms. */
const TIMEOUT_MS = 10_000;

/** Tries per request. */
const ATTEMPTS = 3;

/** Longest wait that GitHub may ask for, in ms: a job that waits costs money. */
const MAX_WAIT_MS = 60_000;

/** Wait before a retry after a fault, in ms. */
const FAULT_WAIT_MS = 1000;

/** Success without a body. */
const NO_CONTENT = 204;

/** Maximum number of pages of a list that are read. With 100 entries per page, this is more than GitHub allows comments. */
const MAX_PAGES = 50;

interface ApiCall {
  readonly method: "GET" | "POST" | "PATCH" | "PUT";
  /** Path below the API's address, with `/`. */
  readonly path: string;
  readonly body?: object;
  /** Permissions that it needs in the workflow, for example `pull-requests: write`. */
  readonly permission: string;
  /** Longest wait for the answer to a large request, in ms. */
  readonly timeoutMs?: number;
}

interface ApiOptions {
  readonly url: string;
  readonly token: string;
  readonly userAgent: string;
  readonly clock: Clock;
  readonly stop: AbortSignal;
  readonly dispatcher: Dispatcher;
}

export class GitHubApi {
  readonly #options: ApiOptions;
  readonly #base: string;

  /** Throws a Failure for an address that must not get a token. */
  constructor(options: ApiOptions) {
    this.#options = options;
    this.#base = apiBase(options.url);
  }

  /** Sends a request; returns the answer's JSON. Throws a Failure for anything but success. */
  async call(call: ApiCall): Promise<unknown> {
    return jsonOf(await this.#answer(this.#base + call.path, call), call);
  }

  /** The entries of a list, page after page, until the caller has enough. `key`: their property in a page. */
  async *entries(call: Omit<ApiCall, "method" | "body">, key?: string): AsyncGenerator {
    let url: string | undefined = this.#base + call.path;
    for (let page = 0; url !== undefined && page < MAX_PAGES; page += 1) {
      const answer: HttpAnswer = await this.#answer(url, { ...call, method: "GET" });
      const body = jsonOf(answer, call);
      const list = key === undefined ? body : field(body, key);
      if (!Array.isArray(list)) throw apiFailure(call, "did not answer with a list");
      yield* list;
      url = nextPage(answer.headers["link"], this.#base);
    }
  }

  /** The address of a download, on a host that must not get the token. */
  async location(call: Omit<ApiCall, "method" | "body">): Promise<string> {
    const answer = await this.#answer(this.#base + call.path, { ...call, method: "GET" });
    const { location } = answer.headers;
    const target = typeof location === "string" ? parseUrl(location, this.#base) : undefined;
    if (target !== undefined) return target.href;
    throw apiFailure(call, "did not say where the file is");
  }

  async #answer(url: string, call: Omit<ApiCall, "path">): Promise<HttpAnswer> {
    const { clock, stop } = this.#options;
    const where = { ...call, path: new URL(url).pathname };
    for (let attempt = 1; ; attempt += 1) {
      stop.throwIfAborted();
      const answer = await sendOnce(this.#request(url, call), this.#options.dispatcher);
      if (answer.kind === "answer" && answer.status < 400) return answer;
      const wait = waitMs(answer, call.method, clock.now());
      if (wait === undefined || wait > MAX_WAIT_MS || attempt === ATTEMPTS)
        throw answer.kind === "fault"
          ? apiFailure(where, answer.reason)
          : responseFailure(where, answer, wait);
      await clock.sleep(wait, stop);
    }
  }

  #request(url: string, { method, body, timeoutMs = TIMEOUT_MS }: Omit<ApiCall, "path">): HttpRequest {
    const { token, userAgent, stop } = this.#options;
    return {
      method,
      url,
      timeoutMs,
      headers: {
        accept: "application/vnd.github+json",
        "x-github-api-version": "2022-11-28",
        "user-agent": userAgent,
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(method === "GET" ? { signal: stop } : {}),
    };
  }
}

/** @returns also `close`, which ends the connections */
export function openGitHub(options: Omit<ApiOptions, "dispatcher" | "userAgent">): {
  readonly api: GitHubApi;
  readonly close: () => Promise<void>;
} {
  const dispatcher = openConnections();
  return {
    api: new GitHubApi({ ...options, userAgent: USER_AGENT, dispatcher }),
    close: () => dispatcher.destroy(),
  };
}

function jsonOf(answer: HttpAnswer, call: Pick<ApiCall, "path">): unknown {
  // The token goes to no other address.
  if (answer.status >= 300) throw responseFailure(call, answer, undefined);
  if (answer.status === NO_CONTENT) return undefined;
  try {
    return JSON.parse(answer.text);
  } catch {
    throw apiFailure(call, "did not answer with JSON");
  }
}

function field(body: unknown, key: string): unknown {
  return typeof body === "object" && body !== null ? Reflect.get(body, key) : undefined;
}

/** How long to wait before a retry, in ms; undefined if a retry is useless, or might do something twice. */
function waitMs(
  answer: Awaited<ReturnType<typeof sendOnce>>,
  method: ApiCall["method"],
  now: number,
): number | undefined {
  if (answer.kind === "fault") return answer.sent && method === "POST" ? undefined : FAULT_WAIT_MS;
  if (answer.status === 429 || answer.status === 403) return rateLimitWait(answer.headers, now);
  return answer.status >= 500 && method !== "POST" ? FAULT_WAIT_MS : undefined;
}

/** The wait for a rate limit. Source: docs.github.com, "Rate limits for the REST API". */
function rateLimitWait(headers: Headers, now: number): number | undefined {
  const after = Number(headers["retry-after"] ?? Number.NaN);
  if (after >= 0) return after * 1000;
  if (headers["x-ratelimit-remaining"] !== "0") return undefined;
  const reset = Number(headers["x-ratelimit-reset"] ?? Number.NaN);
  return Number.isNaN(reset) ? undefined : Math.max(0, reset * 1000 - now);
}

/** Whether an error comes from an answer of GitHub's. */
export function isApiFailure(error: unknown): error is Failure {
  return error instanceof Failure && error.code === "ci/github";
}

type FailedCall = Partial<Pick<ApiCall, "method" | "permission">> & Pick<ApiCall, "path">;

/** What GitHub did instead. Its own message is left out, because it does not help here and is untrusted. */
function apiFailure({ method = "GET", path }: FailedCall, what: string, hint?: string): Failure {
  return new Failure("ci/github", `GitHub's API: ${method} ${path}: ${what}.`, hint);
}

/** GitHub redirects from a repository's old name. A new run has the new name. */
const MOVED = "If somebody has just renamed the repository, run the workflow again.";

/** @param wait for a rate limit, in ms; undefined if there is none */
function responseFailure(where: FailedCall, { status }: HttpAnswer, wait: number | undefined): Failure {
  if (wait !== undefined && status < 500) {
    return apiFailure(
      where,
      `its rate limit is used up for ${Math.ceil(wait / 1000)} s`,
      "Run the job again later.",
    );
  }
  const what = `it answered with ${status}`;
  if (status < 400) return apiFailure(where, `${what}, a redirect to another address`, MOVED);
  switch (status) {
    case 401:
      return apiFailure(where, what, "The input github-token is not a valid token.");
    case 403:
    case 404:
      return apiFailure(where, what, permissionHint(where.permission));
    case 429:
      return apiFailure(where, what, "Run the job again later.");
    default:
      return apiFailure(where, what, "Run the job again. If it still fails, see githubstatus.com.");
  }
}

function permissionHint(permission: string | undefined): string | undefined {
  if (permission === undefined) return undefined;
  return `Give the job the permission in the workflow: \`permissions:\` with \`${permission}\`.`;
}

/** The API's address without a slash at its end. Throws a Failure for an address that must not get a token. */
function apiBase(text: string): string {
  const url = parseUrl(text);
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url));
  if (url !== undefined && isSafe && url.username === "" && url.search === "" && url.hash === "")
    return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, "")}`;
  throw new Failure(
    "ci/job",
    "GITHUB_API_URL is not an https address.",
    "The runner sets it. Do not change it.",
  );
}

/** The next page's address, from a `Link` header; undefined at the end, or if it leads to another host. */
function nextPage(link: Headers[string], base: string): string | undefined {
  const target = nextLink(link);
  const url = target === undefined ? undefined : parseUrl(target, base);
  return url?.origin === new URL(base).origin ? url.href : undefined;
}
