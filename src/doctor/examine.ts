/** Gathers the facts. Everything is looked at although something else does not work, and nothing is written. */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { checkCalendars } from "../calendars/check.ts";
import { readProjectText } from "../calendars/project.ts";
import { SELECT_ALL, selectCalendars } from "../calendars/select.ts";
import type { Clock } from "../model/clock.ts";
import { Failure, ProjectProblems } from "../model/failure.ts";
import { durationMs } from "../model/units.ts";
import {
  type OpenOptions,
  configuredAddress,
  configuredRedis,
  openService,
} from "../service/connect/open-service.ts";
import { parseAddress } from "../service/http/address.ts";
import type { Exchange } from "../service/http/transport.ts";
import type { ReadServiceClient } from "../service/service-client.ts";
import { parseRedisAddress } from "../service/share/redis-address.ts";
import { type Project, EMBEDDED } from "../settings/config.ts";
import { configSchema } from "../calendars/config-schema.ts";
import type { ResponseMapping } from "../settings/response-mapping.ts";
import { countRememberedOf, hashCacheOf } from "../sync/state/media-caches.ts";
import { LockHeld } from "../sync/state/process-lock.ts";
import { readState } from "../sync/state/project-state.ts";
import { readRunLock } from "../sync/state/run-lock.ts";
import { decodedPage } from "./answers.ts";
import { type Facts, type ServiceFacts, type StateFacts, worked } from "./facts.ts";
import { suggestedFor } from "./suggest-mapping.ts";

interface Examination extends Pick<
  OpenOptions,
  | "env"
  | "apiKeyFile"
  | "openEmbedded"
  | "random"
  | "randomBytes"
  | "userAgent"
  | "stop"
  | "onRequest"
  | "onWait"
> {
  /** Throws a Failure or ProjectProblems where there is no project that can be used. */
  readonly readProject: () => Promise<Project>;
  readonly clock: Clock;
  /** Absolute path of the folder that the command runs in. */
  readonly cwd: string;
  readonly node: Facts["node"];
}

export async function examine(options: Examination): Promise<Facts> {
  const { clock, env, cwd } = options;
  const project = await projectOrFault(options);
  const isRead = !(project instanceof Error);
  const asked = isRead ? project : projectOf(env, cwd);
  return {
    now: clock.now(),
    node: options.node,
    project,
    projectText: isRead ? await textOf(project) : undefined,
    calendars: isRead ? await resultOrFailure(() => calendarsOf(project, clock)) : undefined,
    service: asked && (await examineService(asked, options)),
    state: isRead
      ? await examineState(project, await resultOrFailure(() => originOf(project, env)))
      : undefined,
    remembered: isRead ? ((await countRememberedOf(project)) ?? "unusable") : undefined,
  };
}

async function projectOrFault({ readProject }: Examination): Promise<Facts["project"]> {
  try {
    return await resultOrFailure(readProject);
  } catch (error) {
    if (error instanceof ProjectProblems) return error;
    throw error;
  }
}

/** It has just been read; whatever is in the way now, it is only a place to point at. */
async function textOf({ root, file }: Project): Promise<Facts["projectText"]> {
  const decoded = await readProjectText(join(root, file));
  return "problem" in decoded ? undefined : { file, text: decoded.text };
}

/** What is known of the service without a project file: where it is, if the environment says so. */
function projectOf(env: Examination["env"], cwd: string): Project | undefined {
  const url = env["PLANCAST_BASE_URL"];
  if (url === undefined || url === "" || url === EMBEDDED) return undefined;
  return { root: cwd, file: "plancast.yaml", config: configSchema.parse({}) };
}

/** As `validate` does, but nothing that it learns of media files is kept. */
async function calendarsOf(project: Project, clock: Clock) {
  const selection = await selectCalendars(project, SELECT_ALL, project.root);
  return checkCalendars(project, selection, clock, { hashes: hashCacheOf(project, clock) });
}

/** Asks the service a few questions, through the same limiter, retries and decoding as every command. */

/** After so many pages it is clear how a list is paged. */
const MAX_PAGES = 10;

/** Name of the service in the lockfile. Throws a Failure where none is configured, or its address cannot be used. */
function originOf(project: Project, env: OpenOptions["env"]): string {
  const address = configuredAddress(project, env);
  return address === EMBEDDED ? EMBEDDED : parseAddress(address).origin;
}

async function examineService(project: Project, options: Examination): Promise<ServiceFacts> {
  const { env } = options;
  const address = await resultOrFailure(() => {
    const text = configuredAddress(project, env);
    return text === EMBEDDED ? EMBEDDED : parseAddress(text).base;
  });
  const known = {
    address,
    source: env["PLANCAST_BASE_URL"] ? "PLANCAST_BASE_URL" : "service.url",
    proxy: typeof address === "string" ? proxyFor(address, env) : undefined,
    redis: await shownRedis(project, env),
    settings: project.config.service,
  };
  const none = {
    accounts: undefined,
    posts: undefined,
    single: undefined,
    isCutShort: false,
    heard: [],
    further: [],
  };
  if (address instanceof Failure) return { ...known, ...none, closed: undefined };
  return { ...known, ...none, ...(await probeService(project, options)) };
}

/** An address that cannot be used is told when the service is opened. */
async function shownRedis(project: Project, env: OpenOptions["env"]): Promise<string | undefined> {
  const url = configuredRedis(project, env);
  const parsed = url === undefined ? undefined : await resultOrFailure(() => parseRedisAddress(url));
  return parsed instanceof Failure ? "Redis" : parsed?.shown;
}

type ServiceAnswers = Pick<ServiceFacts, "closed" | "heard" | "further" | "isCutShort"> &
  Partial<Pick<ServiceFacts, "accounts" | "posts" | "single">>;

async function probeService(project: Project, options: Examination): Promise<ServiceAnswers> {
  const heard: Exchange[] = [];
  const enough = new AbortController();
  const pages = (): number => heard.filter(({ path }) => path.includes("/v1/posts")).length;
  const opened = await resultOrFailure(() =>
    openService({
      ...options,
      project: withTimeoutCap(project),
      access: "read-only",
      stop: AbortSignal.any([options.stop, enough.signal]),
      onWait: (wait) => {
        if (!enough.signal.aborted) options.onWait(wait);
      },
      onExchange: (each) => {
        heard.push(each);
        // Tried again, it would take long; and what was wrong the first time is what is to be told.
        if (each.result.kind === "fault" || pages() >= MAX_PAGES) enough.abort();
      },
    }),
  );
  if (opened instanceof Failure) return { closed: opened, heard, further: [], isCutShort: false };
  try {
    const { service: settings } = project.config;
    const suggested = () => suggestedFor({ heard, further: [], settings }, options.clock.now());
    const guessId = (): string | undefined => suggested()?.posts[0]?.id;
    const asked = await probe(opened.service, guessId);
    const isCutShort = pages() >= MAX_PAGES;
    const posts = isCutShort ? postsOnFirst(heard, settings.shape) : asked.posts;
    const isUsual = settings.shape === undefined && suggested() === undefined;
    const further = isUsual || options.stop.aborted ? [] : await probeOtherLists(project, options);
    return { closed: undefined, heard, further, isCutShort, ...asked, posts };
  } finally {
    await opened.close();
  }
}

/** Of a list that is left after some pages. */
function postsOnFirst(heard: readonly Exchange[], shape: ResponseMapping | undefined): ServiceFacts["posts"] {
  const first = heard.find(({ path }) => path.includes("/v1/posts"))?.result;
  return first?.kind === "answer" ? { items: decodedPage(first, shape).posts, wholeness: "end" } : undefined;
}

/** After these there is nothing to be learned from more requests. */
const FATAL_CODES = [
  "service/unauthorized",
  "service/unreachable",
  "service/redirect",
  "service/rate-limited",
];

/** @param guessId an id of a post, where the list could not be read */
async function probe(
  service: ReadServiceClient,
  guessId: () => string | undefined,
): Promise<Partial<Pick<ServiceFacts, "accounts" | "posts" | "single">>> {
  const accounts = await resultOrFailure(() => service.listAccounts());
  if (accounts instanceof Failure && FATAL_CODES.includes(accounts.code)) return { accounts };
  const posts = await resultOrFailure(() => service.listPosts("scheduled"));
  if (posts instanceof Failure && FATAL_CODES.includes(posts.code)) return { accounts, posts };
  const id = worked(posts) ? posts.items[0]?.id : guessId();
  if (id === undefined) return { accounts, posts };
  return {
    accounts,
    posts,
    single: await resultOrFailure(async () => (await service.readPost(id)) ?? "missing"),
  };
}

/** The first pages of what only some commands read. */

/** Each over a connection of its own, which is left after the first answer. */
async function probeOtherLists(project: Project, options: Examination): Promise<readonly Exchange[]> {
  const heard: Exchange[] = [];
  const lists: readonly ((service: ReadServiceClient) => Promise<unknown>)[] = [
    (service) => service.listMedia(),
    (service) => service.listAutomations(),
  ];
  for (const list of lists) {
    const enough = new AbortController();
    const stop = AbortSignal.any([options.stop, enough.signal]);
    const onExchange = (each: Exchange): void => {
      heard.push(each);
      enough.abort();
    };
    const opened = await resultOrFailure(() =>
      openService({
        ...options,
        project: withTimeoutCap(project),
        access: "read-only",
        stop,
        onWait: () => {},
        onExchange,
      }),
    );
    if (opened instanceof Failure) return heard;
    await resultOrFailure(() => list(opened.service));
    await opened.close();
  }
  return heard;
}

/** Looks at what runs have left in the project: locks, lockfile and journal. Touches nothing. */

/** @param origin of the service; a Failure where it is not known */
async function examineState(project: Project, origin: string | Failure): Promise<StateFacts> {
  const { root, config } = project;
  const found = await stat(join(root, config.lockfile)).catch(() => undefined);
  return {
    lock: await lockOf(root),
    lockfile: { name: config.lockfile, exists: found !== undefined },
    read: origin instanceof Failure ? undefined : await resultOrFailure(() => readState(project, origin)),
  };
}

async function lockOf(root: string): Promise<StateFacts["lock"]> {
  try {
    return (await readRunLock(root)) ?? "free";
  } catch (error) {
    // Whatever is in the way (a folder of that name, permissions), a run would not get past it either.
    if (error instanceof LockHeld || (error instanceof Error && "code" in error)) return "unreadable";
    throw error;
  }
}

/** An answer that takes longer than this is told as none, ms: nobody waits for a doctor as for an apply. */
const MAX_TIMEOUT_MS = 10_000;

/** The project, with no more patience than a doctor has. */
function withTimeoutCap(project: Project): Project {
  const { service } = project.config;
  if (durationMs(service.timeout) <= MAX_TIMEOUT_MS) return project;
  return {
    ...project,
    config: { ...project.config, service: { ...service, timeout: `${MAX_TIMEOUT_MS}ms` } },
  };
}

/** Which proxy a request goes through, as HTTPS_PROXY, HTTP_PROXY and NO_PROXY say. */

type Env = Readonly<Record<string, string | undefined>>;

/** Host and port of the proxy, without any password; undefined for a direct way. */
function proxyFor(address: string, env: Env): string | undefined {
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

/** What a piece of work gives, or the failure that it throws. Faults of plancast itself are thrown on. */
async function resultOrFailure<T>(work: () => T | Promise<T>): Promise<T | Failure> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}
