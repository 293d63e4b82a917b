/** What processes on any machine share if they use one key of one service: the rate limit, and the run lock. */

import { createHash } from "node:crypto";
import { hostname } from "node:os";
import Bottleneck from "bottleneck";
import { z } from "zod";
import { newId } from "../../disk/machine.ts";
import { CONNECT_TIMEOUT_MS } from "../../media/connections.ts";
import type { Clock } from "../../model/clock.ts";
import { HEAD_MARGIN_MS } from "../http/request.ts";
import type { RateGate } from "../rate/limiter.ts";
import type { RateLimits } from "../rate/rate-limits.ts";
import { type SharedCount, type SharedPhase, SharedGate } from "../rate/shared-gate.ts";
import { BottleneckRedis, RedisLink, parseRedisAddress } from "./redis-link.ts";
import { MAX_POLICY_MS } from "../rate/window-ends.ts";
import { RunLease, SEND_WITHIN_MS } from "./run-lease.ts";

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
  readonly window: RateLimits;
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
  const count = await RedisCount.open(link, limiterName(origin, key));
  const gate = new SharedGate({
    count,
    window,
    clock,
    confirm: () => lease.confirm(),
    onLost: (error) => link.lose(error),
  });
  return {
    gate,
    lease,
    lost: link.lost,
    close: async () => {
      await lease.release();
      if (!link.lost.aborted) await gate.reported();
      await count.close();
      link.close();
    },
  };
}

function runLease(link: RedisLink, { origin, project, timeoutMs, clock }: ShareOptions): RunLease {
  return new RunLease({
    link,
    name: runLockName(origin, project),
    owner: {
      token: newId(),
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

/** Bottleneck's data of an unused key is deleted after this, in ms: the count must last as long as any window. */
const KEPT_MS = MAX_POLICY_MS + 3_600_000;

/** Returns the phase and its remaining ms. If there is none, ARGV[1] becomes the probe. Safe to send twice. */
const READ_OR_PROBE = `
local phase, ms = redis.call('get', KEYS[1]), redis.call('pttl', KEYS[1])
if phase and ms > 0 and phase ~= ARGV[1] then return { phase, ms } end
redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])
return { ARGV[1], 0 }`;

/** Ends the probe ARGV[1], unless another phase has begun. */
const END_PROBE = `
if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('set', KEYS[1], ARGV[2], 'PX', ARGV[3])`;

/** Closes for ARGV[2] ms, unless it is already closed for longer. */
const CLOSE = `
local phase = redis.call('get', KEYS[1])
if phase and string.find(phase, '^closed') and redis.call('pttl', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
return redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])`;

const phaseReply = z.tuple([z.string(), z.number()]);

/**
 * A shared count in Redis. Bottleneck's reservoir holds the number of requests left in the current window, and each request
 * of any process takes one. A second key, the phase, says what the reservoir means. It expires in Redis when the phase ends.
 */
class RedisCount implements SharedCount {
  readonly #link: RedisLink;
  readonly #phaseKey: string;
  readonly #connection: Bottleneck.IORedisConnection;
  readonly #cluster: Bottleneck;

  private constructor(link: RedisLink, name: string) {
    this.#link = link;
    this.#phaseKey = `plancast:window:${name}`;
    // With the class given, Bottleneck does not load the Redis module, which the built program does not have.
    this.#connection = new Bottleneck.IORedisConnection({ client: link.client, Redis: BottleneckRedis });
    this.#cluster = new Bottleneck({
      id: name,
      connection: this.#connection,
      reservoir: 0,
      timeout: KEPT_MS,
    });
    this.#cluster.on("error", (error) => link.lose(error));
  }

  /**
   * Throws a Failure if Redis does not answer, or refuses.
   * @param name of the limit in Redis
   */
  static async open(link: RedisLink, name: string): Promise<RedisCount> {
    const count = new RedisCount(link, name);
    try {
      await link.answered(count.#cluster.ready());
      await link.answered(link.client.get(count.#phaseKey));
      return count;
    } catch (error) {
      await count.close();
      throw error;
    }
  }

  async take(probe: string, probeMs: number): Promise<SharedPhase | undefined> {
    const link = this.#link;
    if (link.lost.aborted) return undefined;
    const reply = phaseReply.safeParse(await link.run(READ_OR_PROBE, [this.#phaseKey], [probe, probeMs]));
    if (!reply.success) throw link.refused("plancast cannot read its answer");
    const [phase, leftMs] = reply.data;
    // A negative count does no harm: the next window sets it.
    const isTaken = phase === "open" && (await link.answered(this.#cluster.incrementReservoir(-1))) >= 0;
    return { phase, leftMs, isTaken };
  }

  async open(probe: string, left: number, ms: number): Promise<void> {
    await this.#setReservoir(left);
    await this.#link.run(END_PROBE, [this.#phaseKey], [probe, "open", ms]);
  }

  async endProbe(probe: string): Promise<void> {
    await this.#link.run(END_PROBE, [this.#phaseKey], [probe, "none", 1]);
  }

  async shut(phase: string, ms: number): Promise<void> {
    await this.#link.run(CLOSE, [this.#phaseKey], [phase, ms]);
  }

  async lower(from: number, to: number): Promise<void> {
    const reservoir = await this.#link.answered(this.#cluster.currentReservoir());
    if (reservoir !== null && reservoir > from) await this.#setReservoir(to);
  }

  /** Closes Bottleneck's own connection for messages. */
  async close(): Promise<void> {
    await this.#connection.disconnect(false);
  }

  async #setReservoir(reservoir: number): Promise<void> {
    // A promise, despite its types.
    await this.#link.answered(Promise.resolve(this.#cluster.updateSettings({ reservoir })));
  }
}
