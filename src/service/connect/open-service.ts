/** Opens the embedded or remote service that plancast.yaml and the environment name. */

import type { Clock } from "../../model/clock.ts";
import { Failure } from "../../model/failure.ts";
import { durationMs } from "../../model/units.ts";
import { type Project, EMBEDDED } from "../../settings/config.ts";
import { isCi } from "../../settings/environment.ts";
import { type Address, parseAddress } from "../http/address.ts";
import { OriginKey } from "../http/key.ts";
import type { TransportOptions } from "../http/transport.ts";
import { type RateWindowOptions, RateWindow } from "../rate/rate-window.ts";
import type { Share } from "../share/open-share.ts";
import { parseRedisAddress } from "../share/redis-address.ts";
import { type Connection, openConnection, windowRules } from "./connection.ts";
import { type KeyOptions, obtainKey } from "./obtain-key.ts";

/** What the command will do with the service. `admin`: also change its accounts. */
export type ServiceAccess = "read-only" | "read-write" | "admin";

export interface OpenOptions
  extends KeyOptions, Omit<TransportOptions, "address" | "key" | "dispatcher" | "limiter" | "timeoutMs"> {
  /** With `read-only`, as for a plan, nothing is written anywhere, not even by the embedded service. */
  readonly access: ServiceAccess;
  readonly randomBytes: (bytes: number) => Uint8Array;
  /** Opens the embedded service. A parameter, because that code is built on this module. */
  readonly openEmbedded: (
    state: Project["state"],
    access: ServiceAccess,
    now: () => number,
    randomBytes: OpenOptions["randomBytes"],
  ) => Promise<EmbeddedService>;
}

/** The embedded service, opened. */
export interface EmbeddedService {
  /** Ends with /v1. The port differs from run to run. */
  readonly url: string;
  /** With the smallest scope that the access needs. */
  readonly key: string;
  /** How far its clock is ahead of this machine's, ms. */
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
  /** State shared with other processes; undefined if there is none. */
  readonly share: Pick<Share, "lease" | "lost"> | undefined;
  /** Closes all connections, including those that wait for an answer. */
  readonly close: () => Promise<void>;
}

export async function openService(options: OpenOptions): Promise<OpenedService> {
  const { service: settings } = options.project.config;
  const target = await openTarget(options);
  const rules = windowRules(settings, options.random);
  const share = await shareOf(target, options, rules);
  const stop = share === undefined ? options.stop : AbortSignal.any([options.stop, share.lost]);
  const connection = openConnection({ ...options, ...target, settings, rules, shared: share, stop });
  const expectedAccounts = target.origin === EMBEDDED ? undefined : expectedAccountsIn(options.env);
  return {
    ...connection,
    service: { ...connection.service, ...(expectedAccounts === undefined ? {} : { expectedAccounts }) },
    clock: clockAhead(options.clock, target.aheadMs),
    // The embedded service reports its clock; the `Date` of its answers is this machine's time.
    clockAheadMs: () => (target.origin === EMBEDDED ? undefined : connection.clockAheadMs()),
    files: serviceFiles(target),
    share,
    close: async () => {
      await connection.destroy();
      await share?.close();
      await target.close();
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
  rules: RateWindowOptions,
): Promise<Share | undefined> {
  const { config } = project;
  const url = configuredRedis(project, env);
  if (url === undefined || origin === EMBEDDED) return undefined;
  if (isCi(env) && !env["PLANCAST_REDIS_URL"]) throw shareNotConfirmed(url, project.file);
  const { openShare } = await import("../share/open-share.ts");
  return openShare({
    url,
    origin,
    key: key.text,
    project: config.project ?? config.lockfile,
    timeoutMs: durationMs(config.service.timeout),
    window: new RateWindow(rules),
    clock,
  });
}

/** Without its Redis, a run would have no lock, so it stops. */
function shareNotConfirmed(url: string, file: string): Failure {
  return new Failure(
    "share/not-confirmed",
    `In CI, plancast does not connect to ${parseRedisAddress(url).shown}, because only service.share in ${file} names it. Nothing was sent to the service.`,
    "If this is your Redis, set PLANCAST_REDIS_URL to its address in the settings of your CI (the Action's input redis-url). plancast does not run without it, because it contains the run lock.",
  );
}

interface Target {
  /** Name of the service in the lockfile. */
  readonly origin: string;
  readonly address: Address;
  readonly key: OriginKey;
  /** How far its clock is known to be ahead of this machine's, ms. */
  readonly aheadMs: number;
  readonly close: () => Promise<void>;
}

/** The service's address as configured: a URL, or `embedded`. Throws a Failure if there is none. */
export function configuredAddress({ config, file }: Project, env: OpenOptions["env"]): string {
  const url = env["PLANCAST_BASE_URL"] || config.service.url;
  if (url !== undefined) return url;
  throw notConfigured(file);
}

/** PLANCAST_ACCOUNTS: ids of accounts, separated by commas or blanks. If it holds only separators, no account is right. */
function expectedAccountsIn(env: OpenOptions["env"]): readonly string[] | undefined {
  const text = env["PLANCAST_ACCOUNTS"] ?? "";
  return text === "" ? undefined : text.split(/[\s,]+/).filter((id) => id !== "");
}

/** The address of the Redis through which machines share; undefined if there is none. */
export function configuredRedis({ config }: Project, env: OpenOptions["env"]): string | undefined {
  return env["PLANCAST_REDIS_URL"] || config.service.share;
}

async function openTarget(options: OpenOptions): Promise<Target> {
  const { project, env, access, clock, randomBytes } = options;
  const url = configuredAddress(project, env);
  if (url === EMBEDDED) {
    const embedded = await options.openEmbedded(project.state, access, () => clock.now(), randomBytes);
    const { aheadMs } = embedded;
    const address = parseAddress(embedded.url);
    const key = OriginKey.confirmed(address.origin, embedded.key, "embedded");
    // The port changes from run to run, but the store stays the same.
    return { origin: EMBEDDED, address, key, aheadMs, close: () => embedded.close() };
  }
  const address = parseAddress(url);
  const key = await obtainKey(address.origin, env["PLANCAST_BASE_URL"] ? "environment" : "checkout", options);
  return { origin: address.origin, address, key, aheadMs: 0, close: async () => {} };
}

/** The embedded service is never a fallback: a CI job without an address must not look successful. */
function notConfigured(file: string): Failure {
  return new Failure(
    "service/not-configured",
    "No publishing service is configured.",
    `Set \`service: { url: https://… }\` in ${file}, or PLANCAST_BASE_URL, to the service's address. To try plancast on this machine only, set \`service: { url: embedded }\`.`,
  );
}
