/** The embedded service: a real HTTP server on loopback that speaks the interface, on a store in a local folder. */

import type { IncomingMessage } from "node:http";
import type { Place } from "../disk/place.ts";
import { Failure, reasonOf } from "../model/failure.ts";
import type { RatePlan } from "../settings/rate-plans.ts";
import { createApp } from "./app.ts";
import type { Access } from "./store/store.ts";
import {
  type HttpServer,
  type HttpServerOptions,
  type ResetUnit,
  RateLimit,
  startHttpServer,
} from "./http-server.ts";
import { manualClock, noTimeline, openTimeline, runningClock } from "./publishing/timeline.ts";
import { openDeliveries } from "./publishing/webhook-deliveries.ts";
import { type ApiKeys, makeApiKeys, scopeOfBrowser, scopeOfKey } from "./routes/api-keys.ts";
import type { Backend } from "./routes/endpoint.ts";
import type { Random } from "./store/records.ts";
import { type OpenedStore, openStore } from "./store/store.ts";

export interface EmbeddedOptions {
  /** Where the store is; made when it is written to. Undefined: in memory, and nothing is on the disk at any time. */
  readonly folder: Place | undefined;
  /** With `read-only`, nothing is written to the disk, and every write is refused. */
  readonly access: Access;
  readonly host?: "127.0.0.1";
  /** 0, the default, for any that is free. */
  readonly port?: number;
  /** How many requests a minute; free unless said. */
  readonly plan?: RatePlan;
  /** Made by `random` unless given. */
  readonly keys?: ApiKeys;
  readonly random: Random;
  /** Unix time of the machine, ms. The rate limit goes by it in any case. */
  readonly now: () => number;
  /** Unix time, ms, at which the service's clock stands still until it is moved; else it goes as `now` does. */
  readonly clockAt?: number | undefined;
  /** What is made to fail, such as `platform=instagram`; nothing unless said. */
  readonly failures?: Iterable<string>;
  /** Length of the rate limit's window, ms; a minute unless said. */
  readonly rateWindowMs?: number;
  /** Unix time in seconds unless said. */
  readonly resetUnit?: ResetUnit;
  /** How long a webhook has to answer, ms. */
  readonly deliveryTimeoutMs?: number;
}

export interface RunningService {
  /** Address, with /v1. */
  readonly url: string;
  readonly keys: ApiKeys;
  /** Ends open connections, and gives the store free. May be called again. */
  close(): Promise<void>;
}

const HOST = "127.0.0.1";
const MINUTE_MS = 60_000;
/** How late a post may be published. */
const TICK_MS = 250;
/** How long a webhook has to answer, ms. */
const DELIVERY_TIMEOUT_MS = 5_000;

/**
 * Starts the service. Throws a Failure when the store is another process's or cannot be understood (`embedded/…`,
 * `journal/invalid`), when it cannot be written (`disk/not-writable`), or when the port cannot be had.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<RunningService> {
  const keys = options.keys ?? makeApiKeys(options.random);
  const opened = await openStore(options.folder, options.access);
  let server: HttpServer;
  try {
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
    close() {
      closing ??= server.close().then(() => opened.close());
      return closing;
    },
  };
}

async function startServer(
  options: EmbeddedOptions,
  opened: OpenedStore,
  keys: ApiKeys,
): Promise<HttpServer> {
  const { access } = options;
  const scopeOf = (incoming: IncomingMessage) => scopeOfKey(incoming.headers.authorization, keys);
  const visitor = (incoming: IncomingMessage) => scopeOfBrowser(incoming.headers.authorization, keys);
  const rateLimit = new RateLimit({
    plan: options.plan ?? "free",
    windowMs: options.rateWindowMs ?? MINUTE_MS,
    resetUnit: options.resetUnit ?? "epoch",
    now: options.now,
  });
  let origin = "";
  const backend = createBackend(options, opened, () => origin);
  const app = createApp({ backend, access, scopeOf, scopeOfBrowser: visitor });
  const { host = HOST, port = 0 } = options;
  const server = await listenOrFail({ app, host, port, rateLimit, scopeOf });
  origin = server.origin;
  const stopTicking = startTicking(backend);
  return {
    origin: server.origin,
    close: async () => {
      stopTicking();
      await server.close();
      await backend.timeline.close();
    },
  };
}

function createBackend(
  options: EmbeddedOptions,
  { store, outbox }: OpenedStore,
  origin: () => string,
): Backend {
  const { clockAt, access, random, deliveryTimeoutMs: timeoutMs = DELIVERY_TIMEOUT_MS } = options;
  const clock = clockAt === undefined ? runningClock(options.now) : manualClock(clockAt);
  const now = (): number => clock.now();
  const backend = { store, failures: new Set(options.failures), random, now, runs: clock.runs, origin };
  if (access === "read-only") return { ...backend, timeline: noTimeline };
  const deliveries = openDeliveries({ store, now, timeoutMs });
  return { ...backend, timeline: openTimeline({ backend, clock, outbox, deliveries }) };
}

/** Lets what comes due happen without anybody asking for it. */
function startTicking({ timeline }: Backend): () => void {
  const timer = setInterval(() => {
    // The next request reports a disk that fails.
    timeline.catchUp().catch(() => undefined);
  }, TICK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

async function listenOrFail(options: HttpServerOptions): Promise<HttpServer> {
  try {
    return await startHttpServer(options);
  } catch (error) {
    throw new Failure(
      "embedded/address",
      `The embedded service cannot listen at ${options.host}:${options.port}: ${reasonOf(error)}`,
      "Choose another port with --port, or leave it out to use any free port.",
      { cause: error },
    );
  }
}
