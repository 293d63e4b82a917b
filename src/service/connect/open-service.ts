/** From the project file and the environment to a service that can be asked, embedded or remote. */

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

/** What is to be done with the service. `admin`: also to its accounts. */
export type ServiceAccess = "read-only" | "read-write" | "admin";

export interface OpenOptions
  extends KeyOptions, Omit<TransportOptions, "address" | "key" | "dispatcher" | "limiter" | "timeoutMs"> {
  /** A plan asks for `read-only`: then nothing is written anywhere, by the embedded service neither. */
  readonly access: ServiceAccess;
  readonly randomBytes: (bytes: number) => Uint8Array;
  /** Opens the embedded service. A parameter because it is built on this module. */
  readonly openEmbedded: (
    state: Project["state"],
    access: ServiceAccess,
    now: () => number,
    randomBytes: OpenOptions["randomBytes"],
  ) => Promise<EmbeddedService>;
}

/** The embedded service, opened. */
export interface EmbeddedService {
  /** With /v1. The port differs from run to run. */
  readonly url: string;
  /** Of the least scope that the access needs. */
  readonly key: string;
  /** How far its clock is ahead of this machine's, ms. */
  readonly aheadMs: number;
  readonly close: () => Promise<void>;
}

/** Files of the service itself. */
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
  /** Says what is past: this machine's clock, or the embedded service's own, which people move. */
  readonly clock: Clock;
  /** Where pictures may lie that it made, be that a private place, and what shows there who asks. */
  readonly files: ServiceFiles;
  /** What is shared with other processes; undefined where nothing is. */
  readonly share: Pick<Share, "lease" | "lost"> | undefined;
  /** Ends all connections, also those with an answer outstanding. */
  readonly close: () => Promise<void>;
}

export async function openService(options: OpenOptions): Promise<OpenedService> {
  const { service: settings } = options.project.config;
  const target = await openTarget(options);
  const rules = windowRules(settings, options.random);
  const share = await shareOf(target, options, rules);
  const stop = share === undefined ? options.stop : AbortSignal.any([options.stop, share.lost]);
  const connection = openConnection({ ...options, ...target, settings, rules, shared: share, stop });
  return {
    ...connection,
    clock: clockAhead(options.clock, target.aheadMs),
    // The embedded service's clock is asked for; the `Date` of its answers is this machine's time.
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

/** What all users of the key share, where a Redis is named. The embedded service is this machine's own. */
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

/** Without its Redis a run would have no lock, so it does not go on without it either. */
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

/** The service's address as it is configured: a URL, or the word for the embedded service. Throws a Failure for none. */
export function configuredAddress({ config, file }: Project, env: OpenOptions["env"]): string {
  const url = env["PLANCAST_BASE_URL"] || config.service.url;
  if (url !== undefined) return url;
  throw notConfigured(file);
}

/** The address of the Redis through which machines share; undefined where there is none. */
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
    // The port changes from run to run; the store is what stays.
    return { origin: EMBEDDED, address, key, aheadMs, close: () => embedded.close() };
  }
  const address = parseAddress(url);
  const key = await obtainKey(address.origin, env["PLANCAST_BASE_URL"] ? "environment" : "checkout", options);
  return { origin: address.origin, address, key, aheadMs: 0, close: async () => {} };
}

/** Nothing falls back to the embedded service: a CI job with a forgotten address must not look green. */
function notConfigured(file: string): Failure {
  return new Failure(
    "service/not-configured",
    "No publishing service is configured.",
    `Set \`service: { url: https://… }\` in ${file}, or PLANCAST_BASE_URL, to the service's address. To try plancast on this machine only, set \`service: { url: embedded }\`.`,
  );
}
