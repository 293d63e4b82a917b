/** What processes on any machine share if they use one key of one service: the rate limit, and the run lock. */

import { createHash, randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { CONNECT_TIMEOUT_MS } from "../../media/connections.ts";
import type { Clock } from "../../model/clock.ts";
import { HEAD_MARGIN_MS } from "../http/request.ts";
import type { RateGate } from "../rate/limiter.ts";
import type { RateWindow } from "../rate/rate-window.ts";
import { parseRedisAddress } from "./redis-address.ts";
import { RedisLink } from "./redis-link.ts";
import { RunLease, SEND_WITHIN_MS } from "./run-lease.ts";
import { SharedGate } from "./shared-rate.ts";

export interface ShareOptions {
  /** Address of Redis. */
  readonly url: string;
  /** The origin of the service. */
  readonly origin: string;
  /** The key of the service. Redis only gets a hash that includes it. */
  readonly key: string;
  /** Identifies this project, the same in each checkout. */
  readonly project: string;
  /** Longest wait for an answer of the service, in ms. */
  readonly timeoutMs: number;
  /** Reads the answers to this process's requests. */
  readonly window: RateWindow;
  readonly clock: Clock;
}

export interface Share {
  readonly gate: RateGate;
  /** The project's run lock; not taken yet. */
  readonly lease: RunLease;
  /** Aborted, with a Failure as its reason, when no new request may start. */
  readonly lost: AbortSignal;
  readonly close: () => Promise<void>;
}

/** Throws a Failure if Redis cannot be used. No request to the service was sent then. */
export async function openShare(options: ShareOptions): Promise<Share> {
  const link = await RedisLink.open(parseRedisAddress(options.url), options.clock);
  try {
    return await shareOn(link, options);
  } catch (error) {
    link.close();
    throw error;
  }
}

async function shareOn(link: RedisLink, options: ShareOptions): Promise<Share> {
  const { clock, window, origin, key } = options;
  const lease = runLease(link, options);
  const confirm = (): Promise<boolean> => lease.confirm();
  const gate = await SharedGate.open({ link, name: limiterName(origin, key), window, clock, confirm });
  return {
    gate,
    lease,
    lost: link.lost,
    close: async () => {
      await lease.release();
      await gate.close();
      link.close();
    },
  };
}

function runLease(link: RedisLink, { origin, project, timeoutMs, clock }: ShareOptions): RunLease {
  return new RunLease({
    link,
    name: runLockName(origin, project),
    owner: {
      token: randomUUID(),
      host: hostname(),
      pid: process.pid,
      since: new Date(clock.now()).toISOString(),
    },
    ttlMs: timeoutMs + HEAD_MARGIN_MS + CONNECT_TIMEOUT_MS + SEND_WITHIN_MS,
    clock,
  });
}

/**
 * Name in Redis of the limit that all users of this key share. Names in Redis are hashes, so nobody can read a key or
 * an address there.
 */
function limiterName(origin: string, key: string): string {
  return `plancast-${hashOf("rate", origin, key)}`;
}

/**
 * The run lock of a project, the same for every checkout. It does not depend on the service's key, because two runners
 * may have two keys for one account.
 * @param project identifies the project among others of the same service
 */
export function runLockName(origin: string, project: string): string {
  return `plancast:run:${hashOf("run", origin, project)}`;
}

function hashOf(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}
