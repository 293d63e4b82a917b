/** Asks the service a few questions, through the same limiter, retries and decoding as every command. */
import { EMBEDDED, type Project } from "../calendar/config.ts";
import { Failure } from "../calendar/failure.ts";
import type { ResponseMapping } from "../calendar/service-shape.ts";
import { configuredAddress, openService, configuredRedis, type OpenOptions } from "../open-service.ts";
import { parseAddress } from "../service/address.ts";
import type { Exchange } from "../service/heard.ts";
import type { ReadService } from "../service/service.ts";
import { parseRedisAddress } from "../share/redis-address.ts";
import { resultOrFailure } from "./attempt.ts";
import { decodedPage } from "./decoded-page.ts";
import type { Examination } from "./examine.ts";
import { probeOtherLists } from "./examine-further.ts";
import { withTimeoutCap } from "./impatient.ts";
import { worked, type ServiceFacts } from "./facts.ts";
import { proxyFor } from "./proxy.ts";
import { suggestedFor } from "./suggested.ts";

/** After so many pages it is clear how a list is paged. */
const MAX_PAGES = 10;

/** Name of the service in the lockfile. Throws a Failure where none is configured, or its address cannot be used. */
export function originOf(project: Project, env: OpenOptions["env"]): string {
  const address = configuredAddress(project, env);
  return address === EMBEDDED ? EMBEDDED : parseAddress(address).origin;
}

export async function examineService(project: Project, options: Examination): Promise<ServiceFacts> {
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
  service: ReadService,
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
