/** What processes on any machine share if they use one key of one service: the rate limit, and the run lock. */

import { createHash, randomUUID } from "node:crypto";
import { hostname } from "node:os";
import Bottleneck from "bottleneck";
import { z } from "zod";
import { CONNECT_TIMEOUT_MS } from "../../media/connections.ts";
import type { Clock, Pace } from "../../model/clock.ts";
import { HEAD_MARGIN_MS } from "../http/request.ts";
import { type RateGate, type Slot, CONCURRENCY } from "../rate/limiter.ts";
import type { RateObservation } from "../rate/rate-headers.ts";
import type { GateState, Opening, RateLimits, ToldLimits } from "../rate/rate-limits.ts";
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

/** A probe without an answer counts as failed after this, in ms: its process may be dead. */
const PROBE_MS = 10_000;
/** How often processes that wait for a probe check for its end, in ms. */
const LOOK_MS = 500;
/** Two processes notice the end of one window at most this far apart, in ms. */
const SAME_END_MS = 2_000;
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

interface SharedGateOptions {
  readonly link: RedisLink;
  /** Name of the limit in Redis. */
  readonly name: string;
  readonly window: RateLimits;
  readonly clock: Clock;
  /** Called last before each request; false if it must not be sent. */
  readonly confirm: () => Promise<boolean>;
}

/**
 * The rate limit that several machines with one key share, in Redis.
 *
 * Bottleneck's reservoir holds the number of requests left in the current window, and each request of any process takes
 * one. A second key, the phase, says what the reservoir means. It expires in Redis when the phase ends, by Redis's own
 * clock, so the clocks of two machines are never compared.
 *
 * | phase    | meaning                                                            | who may start               |
 * | -------- | ------------------------------------------------------------------ | --------------------------- |
 * | none     | the last window is over, and the next one is unknown               | the first one, as the probe |
 * | `probe`  | the probe is under way                                             | nobody                      |
 * | `open`   | the probe's answer said how many are left, and until when          | who takes from the reservoir |
 * | `closed` | the service refused a request, or asked all clients to wait        | nobody                      |
 *
 * Each process reads the answers to its own requests with a rate window of its own. In an open window, the count only
 * goes down: if an answer reports less than the reservoir holds, there is a client that does not share it.
 */
class SharedGate implements RateGate {
  readonly #options: SharedGateOptions;
  readonly #phaseKey: string;
  readonly #connection: Bottleneck.IORedisConnection;
  readonly #cluster: Bottleneck;
  /** Answers that the other processes do not know yet. */
  readonly #reporting = new Set<Promise<void>>();
  /** Why no request may start, if this process knows that, and since when it knows. */
  #shut: (Opening & { readonly since: number }) | undefined;
  /** Requests of this process. */
  #inFlight = 0;

  private constructor(options: SharedGateOptions) {
    this.#options = options;
    const { link, name } = options;
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

  /** Throws a Failure if Redis does not answer, or refuses. */
  static async open(options: SharedGateOptions): Promise<SharedGate> {
    const { link } = options;
    const gate = new SharedGate(options);
    try {
      await link.answered(gate.#cluster.ready());
      await link.answered(link.client.get(gate.#phaseKey));
      return gate;
    } catch (error) {
      await gate.#connection.disconnect(false);
      throw error;
    }
  }

  state(): GateState {
    const now = this.#options.clock.now();
    // After the clock was set back, the time of opening is unknown.
    const isShut = this.#shut !== undefined && now >= this.#shut.since && now < this.#shut.at;
    return isShut ? { allowance: 0, opening: this.#shut } : { allowance: CONCURRENCY, opening: undefined };
  }

  /** Redis keeps it. */
  told(): ToldLimits {
    return { windows: [] };
  }

  pace(): Pace {
    return this.#options.window.pace(this.#options.clock.now());
  }

  async start(): Promise<Slot | undefined> {
    const { link, clock, confirm } = this.#options;
    const probe = `probe ${randomUUID()}`;
    try {
      if (link.lost.aborted) return undefined;
      const reply = phaseReply.safeParse(await link.run(READ_OR_PROBE, [this.#phaseKey], [probe, PROBE_MS]));
      if (!reply.success) throw link.refused("plancast cannot read its answer");
      const [phase, leftMs] = reply.data;
      const isFree = phase === probe || (phase === "open" && (await this.#take()));
      if (!isFree) this.#waitFor(phase, leftMs);
      else if (await confirm()) return this.#slot(phase === probe ? probe : undefined, clock.now() + leftMs);
    } catch (error) {
      link.lose(error);
    }
    return undefined;
  }

  /** Resolves when the other processes know the last answers, and closes Bottleneck's own connection for messages. */
  async close(): Promise<void> {
    if (!this.#options.link.lost.aborted) await Promise.all(this.#reporting);
    await this.#connection.disconnect(false);
  }

  /** Takes one of the remaining requests. A negative count does no harm: the next window sets it. */
  async #take(): Promise<boolean> {
    return (await this.#options.link.answered(this.#cluster.incrementReservoir(-1))) >= 0;
  }

  #waitFor(phase: string, leftMs: number): void {
    const since = this.#options.clock.now();
    const why = phase === "closed told" ? "told" : phase === "closed refused" ? "refused" : "limit";
    this.#shut = { since, at: since + (phase.startsWith("probe") ? Math.min(LOOK_MS, leftMs) : leftMs), why };
  }

  #slot(probe: string | undefined, windowEnd: number): Slot {
    const { window, clock, link } = this.#options;
    const sentAt = clock.now();
    this.#shut = undefined;
    window.started(sentAt);
    this.#inFlight += 1;
    return {
      end: (observation) => {
        this.#inFlight -= 1;
        window.ended(sentAt, clock.now(), observation);
        const reporting = this.#report(observation, probe, windowEnd)
          .catch((error: unknown) => link.lose(error))
          .finally(() => this.#reporting.delete(reporting));
        this.#reporting.add(reporting);
      },
    };
  }

  /** Publishes what an answer says to all processes. */
  async #report(
    observation: RateObservation | undefined,
    probe: string | undefined,
    windowEnd: number,
  ): Promise<void> {
    const { window, clock, link } = this.#options;
    const now = clock.now();
    const state = observation === undefined ? undefined : window.state(now);
    const { at = now, why } = state?.opening ?? {};
    if (state?.phase === "closed" && (probe !== undefined || why !== "limit")) {
      await link.run(CLOSE, [this.#phaseKey], [`closed ${why}`, Math.ceil(at - now)]);
    } else if (probe === undefined) {
      const isSameWindow = now < windowEnd && state !== undefined && state.phase !== "unknown";
      if (isSameWindow && at < windowEnd + SAME_END_MS) await this.#lower(state.left);
      return;
    } else if (state?.phase === "open") {
      await this.#setReservoir(state.left);
      await link.run(END_PROBE, [this.#phaseKey], [probe, "open", Math.ceil(at - now)]);
    } else await link.run(END_PROBE, [this.#phaseKey], [probe, "none", 1]);
  }

  /** Requests in flight are already subtracted from the reservoir, but perhaps not from the service's count. */
  async #lower(left: number): Promise<void> {
    const reservoir = await this.#options.link.answered(this.#cluster.currentReservoir());
    if (reservoir !== null && reservoir > left) await this.#setReservoir(left - this.#inFlight);
  }

  async #setReservoir(reservoir: number): Promise<void> {
    // A promise, despite its types.
    await this.#options.link.answered(Promise.resolve(this.#cluster.updateSettings({ reservoir })));
  }
}
