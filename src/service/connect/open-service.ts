/**
 * Opens the service that plancast.yaml and the environment name: the embedded one, the schedule in the repository, or one
 * over HTTP.
 */

import { createHash, createHmac } from "node:crypto";
import { readCountedLockfile } from "../../calendars/project.ts";
import { PublicFiles } from "../../media/public-files.ts";
import { type Clock, type Pace, durationMs } from "../../model/clock.ts";
import { ALL_EXTRAS, NO_EXTRAS } from "../../model/extras.ts";
import { Failure } from "../../model/failure.ts";
import { type ServiceType, serviceTypeFacts } from "../../model/service-interface.ts";
import { type Project, EMBEDDED, REPOSITORY } from "../../settings/config.ts";
import { isCi } from "../../settings/environment.ts";
import { maximaOf } from "../../settings/maxima.ts";
import type { Connection, ConnectionOptions, TransportOptions } from "../http/transport.ts";
import { type Address, type KeyOptions, OriginKey, obtainKey, parseAddress } from "../http/key.ts";
import { openBuffer } from "../buffer/buffer-service.ts";
import { openPostiz } from "../postiz/postiz-service.ts";
import { keepLimits, limitsName, readKeptLimits } from "../rate/kept-limits.ts";
import { UNLIMITED, windowRules } from "../rate/limiter.ts";
import { type RateRules, type ToldLimits, RateLimits } from "../rate/rate-limits.ts";
import type { FullService } from "../service.ts";
import type { Share } from "../share/open-share.ts";
import { openZernio } from "../zernio/zernio-service.ts";
import { openConnection } from "../endpoints/http-service.ts";
import { configuredAddress, configuredRedis } from "./configured-address.ts";
import type { SharedLists } from "./reused-answers.ts";

/** What the command will do with the service. `admin`: also change its accounts. */
export type ServiceAccess = "read-only" | "read-write" | "admin";

export interface OpenOptions
  extends KeyOptions, Omit<TransportOptions, "address" | "key" | "dispatcher" | "limiter" | "timeoutMs"> {
  /** With `read-only`, as for a plan, nothing is written anywhere, not even by the embedded service. */
  readonly access: ServiceAccess;
  readonly randomBytes: (bytes: number) => Uint8Array;
  readonly connections?: ConnectionOptions["connections"];
  /** Lists of other projects with the same service and key, for a run that only reads. */
  readonly lists?: SharedLists | undefined;
  /** Opens the embedded service. A parameter, because that code is built on this module. */
  readonly openEmbedded: (
    project: Project,
    access: ServiceAccess,
    now: () => number,
    randomBytes: OpenOptions["randomBytes"],
  ) => Promise<EmbeddedService>;
  /** Opens the schedule in the repository. A parameter for the same reason. */
  readonly openRepository: (
    project: Project,
    clock: Clock,
    randomBytes: OpenOptions["randomBytes"],
  ) => Promise<FullService>;
}

/** The embedded service, opened. */
export interface EmbeddedService {
  /** Ends with /v1. The port differs from run to run. */
  readonly url: string;
  /** With the smallest scope that the access needs. */
  readonly key: string;
  /** How far its clock is ahead of this machine's, in ms. */
  readonly aheadMs: number;
  readonly close: () => Promise<void>;
}

/** Access to files of the service itself. */
export interface ServiceFiles {
  /** Host and port. */
  readonly host: string;
  /** The header for an address below the service's own; undefined for any other. */
  readonly authorization: (url: URL) => string | undefined;
}

export interface OpenedService extends Pick<
  Connection,
  "service" | "requests" | "waitedMs" | "pace" | "clockAheadMs"
> {
  /** The clock that decides what is past: this machine's, or the embedded service's own, which people can change. */
  readonly clock: Clock;
  /** Where it may store pictures that it made, even at a private address, and the credentials for them. */
  readonly files: ServiceFiles;
  /**
   * A code of a text that only those who have the key can make. The embedded service and a schedule in the repository have
   * no key of a person, so everybody can make theirs.
   */
  readonly proofOf: (text: string) => string;
  /** Whether this is a CI job. */
  readonly isCi: boolean;
  /** State shared with other processes; undefined if there is none. */
  readonly share: Pick<Share, "lease" | "lost"> | undefined;
  /** Closes all connections, including those that wait for an answer. */
  readonly close: () => Promise<void>;
}

export async function openService(options: OpenOptions): Promise<OpenedService> {
  return configuredAddress(options.project, options.env) === REPOSITORY
    ? openRepository(options)
    : openHttpService(options);
}

function withoutKey(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Nothing is sent, so nothing waits. */
const NO_LIMIT: Pace = [];

async function openRepository({ project, env, clock, ...options }: OpenOptions): Promise<OpenedService> {
  return {
    service: withExpectedAccounts(await options.openRepository(project, clock, options.randomBytes), env),
    requests: () => 0,
    waitedMs: () => 0,
    pace: () => NO_LIMIT,
    clockAheadMs: () => undefined,
    clock,
    files: { host: "", authorization: () => undefined },
    proofOf: withoutKey,
    isCi: isCi(env),
    share: undefined,
    close: () => Promise.resolve(),
  };
}

async function openHttpService(options: OpenOptions): Promise<OpenedService> {
  const { service: settings } = options.project.config;
  const target = await openTarget(options);
  const { type } = target;
  const isUnlimited = target.origin === EMBEDDED && settings.plan === undefined;
  const published = isUnlimited ? UNLIMITED : serviceTypeFacts(type)?.limit;
  const rules = windowRules(settings, options.random, published);
  const share = await shareOf(target, options, rules);
  const stop = share === undefined ? options.stop : AbortSignal.any([options.stop, share.lost]);
  // Only the embedded service is known to have more fields than the documented ones.
  const supports = target.origin === EMBEDDED ? ALL_EXTRAS : NO_EXTRAS;
  const open = type === undefined ? openConnection : OPENERS[type];
  const kept = keptLimits(target, options);
  const publicFiles = new PublicFiles(options.project, options);
  const connection = open({
    ...options,
    ...target,
    maxAnswerMs: durationMs(maximaOf(options.env).requestTime),
    settings,
    rules,
    shared: share,
    told: await kept.read(),
    stop,
    publicFiles,
    knownAccounts: async () => (await readCountedLockfile(options.project))?.accounts ?? [],
    supports,
  });
  const { lists } = options;
  const service =
    lists?.share(connection.service, target.address.base, target.key.text) ?? connection.service;
  return {
    ...connection,
    service: target.origin === EMBEDDED ? service : withExpectedAccounts(service, options.env),
    clock: clockAhead(options.clock, target.aheadMs),
    // The embedded service reports its clock; the `Date` of its answers is this machine's time.
    clockAheadMs: () => (target.origin === EMBEDDED ? undefined : connection.clockAheadMs()),
    files: serviceFiles(target),
    proofOf:
      target.origin === EMBEDDED
        ? withoutKey
        : (text) => createHmac("sha256", target.key.text).update(text).digest("hex"),
    isCi: isCi(options.env),
    share,
    close: async () => {
      await kept.keep(connection.told());
      await connection.destroy();
      await publicFiles.close();
      await share?.close();
      await target.close();
    },
  };
}

/** What the service reported about its limits: as an earlier run kept it, and for the next run. */
function keptLimits({ origin, key }: Target, { project, access, clock }: OpenOptions) {
  const file = project.state.in("limits.json");
  const name = limitsName(origin, key.text);
  const isOurs = origin === EMBEDDED;
  return {
    read: async () => (isOurs ? undefined : readKeptLimits(file, name, clock.now())),
    keep: async (told: ToldLimits) => {
      if (!isOurs && access !== "read-only") await keepLimits(file, name, told, clock.now());
    },
  };
}

function clockAhead(clock: Clock, aheadMs: number): Clock {
  return aheadMs === 0
    ? clock
    : { now: () => clock.now() + aheadMs, sleep: (ms, signal) => clock.sleep(ms, signal) };
}

function serviceFiles({ address: { base }, key }: Target): ServiceFiles {
  const { hostname, port, protocol } = new URL(base);
  return {
    host: `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`,
    authorization: (url) => (url.href.startsWith(`${base}/`) ? key.authorization(url) : undefined),
  };
}

/** What all users of the key share, if a Redis is configured. The embedded service belongs to this machine. */
async function shareOf(
  { origin, key }: Target,
  { project, env, clock }: OpenOptions,
  rules: RateRules,
): Promise<Share | undefined> {
  const { config } = project;
  const url = configuredRedis(project, env);
  if (url === undefined || origin === EMBEDDED) return undefined;
  if (isCi(env) && !env["PLANCAST_REDIS_URL"]) throw await shareNotConfirmed(url, project.file);
  const { openShare } = await import("../share/open-share.ts");
  return openShare({
    url,
    origin,
    key: key.text,
    project: config.project ?? config.lockfile,
    timeoutMs: durationMs(config.service.timeout),
    window: new RateLimits(rules),
    clock,
  });
}

/** Without its Redis, a run would have no lock, so it stops. */
async function shareNotConfirmed(url: string, file: string): Promise<Failure> {
  const { parseRedisAddress } = await import("../share/redis-link.ts");
  return new Failure(
    "share/not-confirmed",
    `In CI, plancast does not connect to ${parseRedisAddress(url).shown}, because only service.share in ${file} names it. Nothing was sent to the service.`,
    "If this is your Redis, set PLANCAST_REDIS_URL to its address in the settings of your CI (the Action's input redis-url). plancast does not run without it, because it contains the run lock.",
  );
}

interface Target {
  /** Of its interface; undefined for plancast's own. */
  readonly type: ServiceType | undefined;
  /** Name of the service in the lockfile. */
  readonly origin: string;
  readonly address: Address;
  readonly key: OriginKey;
  /** How far its clock is known to be ahead of this machine's, in ms. */
  readonly aheadMs: number;
  readonly close: () => Promise<void>;
}

/**
 * PLANCAST_ACCOUNTS: ids of accounts, separated by commas or spaces. If it holds only separators, no account is right.
 */
function expectedAccountsIn(env: OpenOptions["env"]): readonly string[] | undefined {
  const text = env["PLANCAST_ACCOUNTS"] ?? "";
  return text === "" ? undefined : text.split(/[\s,]+/).filter((id) => id !== "");
}

function withExpectedAccounts(service: FullService, env: OpenOptions["env"]): FullService {
  const expectedAccounts = expectedAccountsIn(env);
  return expectedAccounts === undefined ? service : { ...service, expectedAccounts };
}

async function openTarget(options: OpenOptions): Promise<Target> {
  const { project, env, access, clock, randomBytes } = options;
  const url = configuredAddress(project, env);
  if (url === EMBEDDED) {
    const embedded = await options.openEmbedded(project, access, () => clock.now(), randomBytes);
    const { aheadMs } = embedded;
    const address = parseAddress(embedded.url);
    const key = OriginKey.confirmed(address.origin, embedded.key, "embedded");
    // The port changes from run to run, but the store stays the same.
    return { type: undefined, origin: EMBEDDED, address, key, aheadMs, close: () => embedded.close() };
  }
  const { type } = project.config.service;
  const address = parseAddress(url, type);
  const key = await obtainKey(address, env["PLANCAST_BASE_URL"] ? "environment" : "checkout", options);
  return { type, origin: address.origin, address, key, aheadMs: 0, close: async () => {} };
}

/** By `service.type`. A new one needs a line here and in src/model/service-interface.ts. */
const OPENERS: Readonly<Record<ServiceType, (options: ConnectionOptions) => Connection>> = {
  postiz: openPostiz,
  zernio: openZernio,
  buffer: openBuffer,
};
