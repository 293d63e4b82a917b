/** The embedded service: a real HTTP server with the interface, on a store in a local folder or a database. */

import type { IncomingMessage } from "node:http";
import type { Random } from "../model/random.ts";
import type { Drafter } from "../service/ai/language-model.ts";
import type { Place } from "../disk/place.ts";
import { Failure, reasonOf } from "../model/failure.ts";
import type { RatePlan } from "../model/service-interface.ts";
import { createApp } from "./app.ts";
import { type Access, type OpenedStore, openFileStore, takenOver } from "./store/file-store.ts";
import { type Database, openDatabase } from "./store/database.ts";
import { MemoryStore } from "./store/memory-store.ts";
import { refuseMoved } from "./store/moved.ts";
import {
  type HttpServer,
  type HttpServerOptions,
  type ResetUnit,
  type SharedWindows,
  RateLimit,
  startHttpServer,
} from "./http-server.ts";
import {
  type Timeline,
  manualClock,
  noTimeline,
  openTimeline,
  publisherTimeline,
  runningClock,
} from "./publishing/timeline.ts";
import { type Accounts, SIMULATED_ACCOUNTS } from "./publishing/accounts.ts";
import { Health } from "./publishing/health.ts";
import { createOutboxFolder, noOutbox } from "./publishing/post-state.ts";
import { type PublisherOptions, openPublisher } from "./publishing/publisher.ts";
import { openDeliveries } from "./publishing/webhook-deliveries.ts";
import { type ApiKeys, makeApiKeys, scopeOfBrowser, scopeOfKey, sharedKeys } from "./routes/api-keys.ts";
import type { Backend } from "./routes/endpoint.ts";

const COPIES_NAME = "media-copies";

export interface EmbeddedOptions {
  /** Folder of the store; created for the first write. Undefined: in memory, and nothing is ever on the disk. */
  readonly folder: Place | undefined;
  /** A database that several processes share. Posts are there; only media files are in `folder`. */
  readonly database?: Database | undefined;
  /** With `read-only`, nothing is written to the disk, and every write is refused. */
  readonly access: Access;
  /** Default: the first. */
  readonly host?: (typeof HOSTS)[number];
  /** 0, the default, for any free port. */
  readonly port?: number;
  /** Requests per minute. Default: no limit. */
  readonly plan?: RatePlan | undefined;
  /** Counts requests together with other machines. Default: it counts only its own. */
  readonly limits?: SharedWindows | undefined;
  /** Default: created with `random`. */
  readonly keys?: ApiKeys;
  readonly random: Random;
  /** Unix time of the machine, in ms. The rate limit always uses it. */
  readonly now: () => number;
  /** Unix time, in ms, at which the service's clock stays until it is moved. Default: it runs like `now`. */
  readonly clockAt?: number | undefined;
  /** Where posts are published. Default: simulated accounts. */
  readonly accounts?: Accounts;
  /** Publishes on `accounts`, which are real. Without it, due posts wait for a service that has it. */
  readonly publishing?: PublisherOptions | undefined;
  /** Writes texts and makes pictures for the AI endpoints. Default: texts and pictures from fixed parts. */
  readonly drafter?: Drafter | undefined;
  /** What should fail, such as `platform=instagram`. Default: nothing. */
  readonly failures?: Iterable<string>;
  /** Name of the project, for the page. Default: plancast. */
  readonly title?: string | undefined;
  /** IANA zone of the times on the page. Default: UTC. */
  readonly timezone?: string | undefined;
  /** Length of the rate limit's window, in ms. Default: a minute. */
  readonly rateWindowMs?: number;
  /** Default: Unix time in seconds. */
  readonly resetUnit?: ResetUnit;
  /** How long a webhook may take to answer, in ms. */
  readonly deliveryTimeoutMs?: number;
}

export interface RunningService {
  /** Address, with /v1. */
  readonly url: string;
  readonly keys: ApiKeys;
  /** Resolves if another process takes over the store. From then on, this service publishes nothing. */
  readonly lost: Promise<Failure>;
  /** Closes open connections, and releases the store. May be called again. */
  close(): Promise<void>;
}

/** Where the service may listen: for this machine, or for every machine that can reach this one. */
export const HOSTS = ["127.0.0.1", "0.0.0.0", "::"] as const;
const MINUTE_MS = 60_000;
/** How late a post may be published, in ms. */
const TICK_MS = 250;
/** How long a webhook may take to answer, in ms. */
const DELIVERY_TIMEOUT_MS = 5_000;

/**
 * Starts the service. Throws a Failure if another process uses the store, or plancast cannot read it (`embedded/…`,
 * `journal/invalid`). Also throws if the store cannot be written (`disk/not-writable`), or the port is taken.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<RunningService> {
  const opened = await openStore(options);
  let server: TickingServer;
  let keys: ApiKeys;
  try {
    keys = await keysOf(options, opened);
    server = await startServer(options, opened, keys);
    await opened.lock?.update({ url: `${server.origin}/v1` });
  } catch (error) {
    await opened.close();
    throw error;
  }
  let closing: Promise<void> | undefined;
  return {
    url: `${server.origin}/v1`,
    keys,
    lost: server.lost,
    close() {
      closing ??= server.close().then(() => opened.close());
      return closing;
    },
  };
}

async function keysOf({ keys, random }: EmbeddedOptions, opened: OpenedStore): Promise<ApiKeys> {
  if (opened.keys !== undefined) return sharedKeys(opened.keys, random);
  return keys ?? makeApiKeys(random);
}

type TickingServer = HttpServer & Pick<RunningService, "lost">;

async function startServer(
  options: EmbeddedOptions,
  opened: OpenedStore,
  keys: ApiKeys,
): Promise<TickingServer> {
  const { access } = options;
  const scopeOf = (incoming: IncomingMessage) => scopeOfKey(incoming.headers.authorization, keys);
  const visitor = (incoming: IncomingMessage) => scopeOfBrowser(incoming.headers.authorization, keys);
  const rateLimit = new RateLimit({
    plan: options.plan,
    windowMs: options.rateWindowMs ?? MINUTE_MS,
    resetUnit: options.resetUnit ?? "epoch",
    now: options.now,
    shared: options.limits,
  });
  let origin = "";
  const { backend, health } = createBackend(options, opened, () => origin);
  const { title = "plancast", timezone = "UTC" } = options;
  const app = createApp({ backend, health, access, scopeOf, scopeOfBrowser: visitor, title, timezone });
  const { host = HOSTS[0], port = 0 } = options;
  const server = await listenOrFail({ app, host, port, rateLimit, scopeOf });
  origin = server.origin;
  const isOurs = async (): Promise<boolean> => (await opened.lock?.isHeld()) !== false;
  const ticking = startTicking(backend, isOurs);
  return {
    origin: server.origin,
    lost: ticking.lost.then(() => takenOver(options.folder)),
    close: async () => {
      ticking.stop();
      // Another machine goes on with real posts immediately. A simulation ends after the requests that move its clock.
      const published = options.publishing && backend.timeline.close();
      await server.close();
      await (published ?? backend.timeline.close());
    },
  };
}

function createBackend(
  options: EmbeddedOptions,
  { store, now: machine = options.now }: OpenedStore,
  origin: () => string,
): { readonly backend: Backend; readonly health: Health } {
  const { clockAt, access, random, deliveryTimeoutMs: timeoutMs = DELIVERY_TIMEOUT_MS } = options;
  const clock = clockAt === undefined ? runningClock(machine) : manualClock(clockAt);
  const now = (): number => clock.now();
  const { accounts = SIMULATED_ACCOUNTS, publishing } = options;
  const state = {
    store,
    accounts,
    drafter: options.drafter,
    failures: new Set(options.failures),
    random,
    now,
    runs: clock.runs,
    origin,
  };
  const health = new Health(state);
  const timeline = (): Timeline => {
    if (access === "read-only") return noTimeline;
    const deliveries = openDeliveries({ store, now, timeoutMs });
    if (publishing !== undefined) {
      const requestsAheadMs = (): number => options.now() - now();
      const publisher = openPublisher(state, { ...watched(publishing, health), requestsAheadMs });
      return publisherTimeline(publisher, deliveries, now);
    }
    if (accounts.areReal) return noTimeline;
    const { folder } = options;
    const outbox = folder === undefined ? noOutbox : createOutboxFolder(folder.in("outbox"), store.files);
    return openTimeline({ backend: state, clock, outbox, deliveries });
  };
  return { backend: { ...state, timeline: timeline() }, health };
}

/** A publisher whose work is counted. */
function watched(publishing: PublisherOptions, health: Health): PublisherOptions {
  return {
    ...publishing,
    onNews: (news) => {
      health.count(news);
      publishing.onNews(news);
    },
    onStoreTrouble: (reason) => {
      health.trouble();
      publishing.onStoreTrouble(reason);
    },
  };
}

/** Does all due work, when the store says that there is some, and from time to time. Ends as soon as the store is not ours any more. */
function startTicking(
  { timeline, store }: Backend,
  isOurs: () => Promise<boolean>,
): { readonly stop: () => void; readonly lost: Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const lost = new Promise<void>((resolve) => {
    const tick = async (): Promise<void> => {
      if (await isOurs()) return timeline.catchUp();
      clearInterval(timer);
      resolve();
    };
    const look = (): void => {
      // The next request reports a disk error.
      if (!isStopped) tick().catch(() => undefined);
    };
    timer = setInterval(look, TICK_MS);
    timer.unref();
    store.listen?.(look);
  });
  const stop = (): void => {
    isStopped = true;
    clearInterval(timer);
  };
  return { stop, lost };
}

async function openStore({ folder, access, now, database }: EmbeddedOptions): Promise<OpenedStore> {
  if (folder === undefined) {
    const store = new MemoryStore();
    return { store, close: () => store.close() };
  }
  const opened =
    database === undefined
      ? await openFileStore(folder, access, now)
      : await openDatabase(database, folder.in(COPIES_NAME), folder);
  try {
    await refuseMoved(opened.store);
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function listenOrFail(options: HttpServerOptions): Promise<HttpServer> {
  try {
    return await startHttpServer(options);
  } catch (error) {
    throw new Failure(
      "run/port",
      `The embedded service cannot listen at ${options.host}:${options.port}: ${reasonOf(error)}`,
      "Choose another port with --port, or leave it out to use any free port.",
      { cause: error },
    );
  }
}
