/**
 * Collects the facts for the checks: project, calendars, service, and what runs have left. A part that fails does not
 * stop the others. Writes nothing, here or on the service.
 */

import { join } from "node:path";
import { checkCalendars } from "../calendars/check.ts";
import { SELECT_ALL, selectCalendars } from "../calendars/select.ts";
import { roomIn } from "../disk/files.ts";
import { stat } from "../disk/machine.ts";
import { type StateFolder, openStateFolder } from "../disk/state-folder.ts";
import { type Clock, durationMs } from "../model/clock.ts";
import { Failure, ProjectProblems } from "../model/failure.ts";
import { mustStayLocal, parseUrl } from "../model/address.ts";
import { configuredAddress, configuredRedis } from "../service/connect/configured-address.ts";
import type { OpenOptions, OpenedService } from "../service/connect/open-service.ts";
import { parseAddress, parseTrustedOrigins } from "../service/http/key.ts";
import type { Exchange } from "../service/http/transport.ts";
import type { ReadFullService } from "../service/service.ts";
import { type Project, EMBEDDED, REPOSITORY } from "../settings/config.ts";
import type { Env } from "../settings/environment.ts";
import { configSchema } from "../calendars/check-project.ts";
import type { ResponseMapping } from "../settings/response-mapping.ts";
import { hashCacheOf } from "../sync/state/media-caches.ts";
import { LockHeld } from "../disk/process-lock.ts";
import { isLockfileLost, readState } from "../sync/state/project-state.ts";
import { readRunLock } from "../sync/state/run-lock.ts";
import { type Facts, type ServiceFacts, type StateFacts, checkedPage, postsOn, worked } from "./check.ts";

type AskOptions = Pick<OpenOptions, "project" | "stop" | "onWait" | "onExchange">;

interface Examination extends Pick<OpenOptions, "env" | "stop" | "onWait"> {
  /** Opens the service for reading, with the rate limiter and retries of every command. Throws a Failure. */
  readonly open: (options: AskOptions) => Promise<OpenedService>;
  /** Throws a Failure or ProjectProblems if there is no usable project. */
  readonly readProject: () => Promise<Project>;
  readonly clock: Clock;
  /** Absolute path of the working folder. */
  readonly cwd: string;
  readonly node: Facts["node"];
}

export async function examine(options: Examination): Promise<Facts> {
  const { clock, env, cwd } = options;
  const project = await projectOrFault(options);
  const isRead = !(project instanceof Error);
  const asked = isRead ? project : await projectOf(env, cwd);
  return {
    now: clock.now(),
    node: options.node,
    project,
    calendars: isRead ? await resultOrFailure(() => calendarsOf(project, clock)) : undefined,
    service: asked && (await examineService(asked, options)),
    state: isRead
      ? await examineState(project, await resultOrFailure(() => originOf(project, env)))
      : undefined,
    disk: isRead ? await diskOf(project) : undefined,
  };
}

/** The first folder in which plancast cannot write, or else the project's own. */
async function diskOf({ root, state }: Project): Promise<Facts["disk"]> {
  const found = await Promise.all([root, state.path].map(roomIn));
  const refused = found.find((each) => each.refused !== undefined);
  return refused ?? found[0];
}

async function projectOrFault({ readProject }: Examination): Promise<Facts["project"]> {
  try {
    return await resultOrFailure(readProject);
  } catch (error) {
    if (error instanceof ProjectProblems) return error;
    throw error;
  }
}

/** Facts about the service without plancast.yaml: its address, if the environment sets it. */
async function projectOf(env: Examination["env"], cwd: string): Promise<Project | undefined> {
  const url = env["PLANCAST_BASE_URL"];
  if (url === undefined || url === "" || isWithoutAddress(url)) return undefined;
  const state = await resultOrFailure(() => openStateFolder(cwd));
  return state instanceof Failure
    ? undefined
    : { root: cwd, file: "plancast.yaml", config: configSchema.parse({}), state };
}

/** Like `validate`, but nothing learned about media files is saved. */
async function calendarsOf(project: Project, clock: Clock) {
  const selection = await selectCalendars(project, SELECT_ALL, project.root);
  return checkCalendars(project, selection, clock, { hashes: hashCacheOf(project, clock) });
}

/** Name of the service in the lockfile. Throws a Failure if none is configured, or its address cannot be used. */
function originOf(project: Project, env: OpenOptions["env"]): string {
  const address = configuredAddress(project, env);
  return isWithoutAddress(address) ? address : parseAddress(address, project.config.service.type).origin;
}

/** Whether it is one of the two words for services inside plancast. */
function isWithoutAddress(address: string): boolean {
  return address === EMBEDDED || address === REPOSITORY;
}

/** An entry that cannot be read is reported with the key. */
async function unscopedOrigins(env: Env): Promise<readonly string[]> {
  const entries = await resultOrFailure(() => parseTrustedOrigins(env["PLANCAST_TRUSTED_ORIGINS"]));
  if (entries instanceof Failure) return [];
  return entries.flatMap(({ origin, path }) => (path === "" ? origin : []));
}

async function examineService(project: Project, options: Examination): Promise<ServiceFacts> {
  const { env } = options;
  const address = await resultOrFailure(() => {
    const text = configuredAddress(project, env);
    return isWithoutAddress(text) ? text : parseAddress(text, project.config.service.type).base;
  });
  const known = {
    address,
    source: env["PLANCAST_BASE_URL"] ? "PLANCAST_BASE_URL" : "service.url",
    unscoped: await unscopedOrigins(env),
    proxy: typeof address === "string" ? proxyFor(address, env) : undefined,
    redis: await shownRedis(project, env),
    now: options.clock.now(),
    settings: project.config.service,
  };
  const none = {
    closed: undefined,
    accounts: undefined,
    expectedAccounts: undefined,
    posts: undefined,
    single: undefined,
    isCutShort: false,
    exchanges: [],
  };
  if (address instanceof Failure) return { ...known, ...none };
  return { ...known, ...none, ...(await askService(project, options)) };
}

/** Redis, in a form that is safe to show. Faults of its address appear when the service is opened. */
async function shownRedis(project: Project, env: OpenOptions["env"]): Promise<string | undefined> {
  const url = configuredRedis(project, env);
  if (url === undefined) return undefined;
  const { parseRedisAddress } = await import("../service/share/redis-link.ts");
  const parsed = await resultOrFailure(() => parseRedisAddress(url));
  return parsed instanceof Failure ? "Redis" : parsed.shown;
}

type Answers = Partial<Pick<ServiceFacts, "accounts" | "posts" | "single">>;

/** After this many pages, it is clear how a list is paged. */
const MAX_PAGES = 10;

/** Sends a few requests, and stops early if more answers would show nothing new. */
async function askService(project: Project, options: Examination): Promise<Partial<ServiceFacts>> {
  const exchanges: Exchange[] = [];
  const enough = new AbortController();
  const pages = (): number => exchanges.filter(({ path }) => path.includes("/v1/posts")).length;
  const opened = await resultOrFailure(() =>
    options.open({
      project: withTimeoutCap(project),
      stop: AbortSignal.any([options.stop, enough.signal]),
      onWait: (wait) => {
        if (!enough.signal.aborted) options.onWait(wait);
      },
      onExchange: (exchange) => {
        exchanges.push(exchange);
        // A retry would take long, and doctor reports the first failure.
        if (exchange.result.kind === "fault" || pages() >= MAX_PAGES) enough.abort();
      },
    }),
  );
  if (opened instanceof Failure) return { closed: opened, exchanges };
  try {
    const { shape } = project.config.service;
    const answers = await askForPosts(opened.service);
    const isCutShort = pages() >= MAX_PAGES;
    const posts = isCutShort ? postsOnFirstPage(exchanges, shape) : answers.posts;
    const { expectedAccounts } = opened.service;
    return {
      now: opened.clock.now(),
      exchanges,
      isCutShort,
      expectedAccounts,
      ...answers,
      posts,
    };
  } finally {
    await opened.close();
  }
}

/** The posts of a list that was read only in part. */
function postsOnFirstPage(
  exchanges: readonly Exchange[],
  shape: ResponseMapping | undefined,
): ServiceFacts["posts"] {
  const first = exchanges.find(({ path }) => path.includes("/v1/posts"))?.result;
  if (first?.kind !== "answer") return undefined;
  return { items: postsOn(checkedPage(first, shape, "/posts")), wholeness: "end" };
}

/** After these failures, more requests would show nothing new. */
const FATAL_CODES = [
  "service/unauthorized",
  "service/unreachable",
  "service/redirect",
  "service/rate-limited",
];

/** The requests of every plan: accounts, scheduled posts, and the first of these posts by its id. */
async function askForPosts(service: ReadFullService): Promise<Answers> {
  const accounts = await resultOrFailure(() => service.listAccounts());
  if (accounts instanceof Failure && FATAL_CODES.includes(accounts.code)) return { accounts };
  const posts = await resultOrFailure(() => service.listPosts("scheduled"));
  const id = worked(posts) ? posts.items[0]?.id : undefined;
  if (id === undefined) return { accounts, posts };
  const single = await resultOrFailure(async () => (await service.readPost(id)) ?? "missing");
  return { accounts, posts, single };
}

/**
 * The saved state of earlier runs: locks, lockfile and journal.
 * @param origin of the service; a Failure if it is unknown
 */
async function examineState(project: Project, origin: string | Failure): Promise<StateFacts> {
  const { root, config, state } = project;
  const found = await stat(join(root, config.lockfile)).catch(() => undefined);
  return {
    lock: await lockOf(state),
    lockfile: {
      name: config.lockfile,
      exists: found !== undefined,
      wasThere: await isLockfileLost(project),
    },
    read: origin instanceof Failure ? undefined : await resultOrFailure(() => readState(project, origin)),
  };
}

async function lockOf(state: StateFolder): Promise<StateFacts["lock"]> {
  try {
    return (await readRunLock(state)) ?? "free";
  } catch (error) {
    // If something prevents this, such as a folder with that name or missing permissions, it would also stop a run.
    if (error instanceof LockHeld || (error instanceof Error && "code" in error)) return "unreadable";
    throw error;
  }
}

/** A slower answer counts as none, in ms: nobody waits as long for doctor as for an apply. */
const MAX_TIMEOUT_MS = 10_000;

/** The project with shorter timeouts. */
function withTimeoutCap(project: Project): Project {
  const { service } = project.config;
  if (durationMs(service.timeout) <= MAX_TIMEOUT_MS) return project;
  return {
    ...project,
    config: { ...project.config, service: { ...service, timeout: `${MAX_TIMEOUT_MS}ms` } },
  };
}

/**
 * Host and port of the proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY choose for an address, without any password;
 * undefined for a direct connection.
 */
function proxyFor(address: string, env: OpenOptions["env"]): string | undefined {
  const url = parseUrl(address);
  if (url === undefined || mustStayLocal(url) || isExempt(url, env["no_proxy"] ?? env["NO_PROXY"] ?? ""))
    return undefined;
  const http = env["http_proxy"] || env["HTTP_PROXY"];
  const proxy = url.protocol === "https:" ? env["https_proxy"] || env["HTTPS_PROXY"] || http : http;
  return proxy && (parseUrl(proxy)?.host ?? "(not an address)");
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

/** The result of the work, or the failure that it throws. Rethrows faults of plancast itself. */
async function resultOrFailure<T>(work: () => T | Promise<T>): Promise<T | Failure> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}
