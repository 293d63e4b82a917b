/**
 * The run lock of a project, held in Redis for all machines.
 *
 * The lock is a key with the holder's token, which expires in Redis after `ttlMs`. The holder renews it, even while it
 * waits, and asks before every request. `confirm` returns true only if Redis reported at most `SEND_WITHIN_MS` ago that
 * the token is still there, and restarted its time to live. So two runs never act at the same time:
 *
 * - A request is sent within SEND_WITHIN_MS of a confirmation. It is finished or aborted within the time limits of a
 *   connection and an answer. `ttlMs` is at least the sum. So when the key expires, no request of its holder is under
 *   way, however slow or suspended the holder is.
 * - A key that is gone is never taken again by the same run. Whatever the reason (time, a Redis that lost its memory, a
 *   person), another run may have had the lock since, and this run's plan is old.
 * - Redis measures the time to live by its own clock, and the holder measures only how long ago it asked. No two clocks
 *   are compared.
 *
 * It cannot protect against a Redis that forgets the key while a request is under way (see docs/change/internals.md).
 */

import { z } from "zod";
import type { Clock } from "../../model/clock.ts";
import { Failure } from "../../model/failure.ts";
import type { RedisLink } from "./redis-link.ts";

/** An older confirmation must be renewed before a request, in ms. */
export const SEND_WITHIN_MS = 10_000;
/** How often the lock is renewed while nothing is sent, in ms. */
const RENEW_EVERY_MS = 2_000;
/** Longest wait at the end of a run for releasing the lock, in ms. It also expires without that. */
const RELEASE_WITHIN_MS = 1_000;

const ownerSchema = z.object({
  token: z.string(),
  host: z.string().max(300),
  pid: z.int(),
  since: z.string().max(100),
});

type LeaseOwner = z.infer<typeof ownerSchema>;

/** The holder of the lock. `owner` is undefined if another program has written the key. */
export interface LeaseHolder {
  readonly owner: LeaseOwner | undefined;
  /** When the lock expires if its holder is dead, in ms from now; negative: never. */
  readonly expiresInMs: number;
}

export interface RunLeaseOptions {
  readonly link: RedisLink;
  /** Name of the key. */
  readonly name: string;
  readonly owner: LeaseOwner;
  readonly ttlMs: number;
  readonly clock: Clock;
}

/** Sent twice if a connection breaks, so a lock that is already ours counts as taken. */
const TAKE = `
local found = redis.call('get', KEYS[1])
if found and found ~= ARGV[1] then return { found, redis.call('pttl', KEYS[1]) } end
redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 'taken'`;

/** What TAKE returns for a lock of another run. */
const heldReply = z.tuple([z.string(), z.number()]);

const RENEW = `
local found = redis.call('get', KEYS[1])
if found == ARGV[1] then redis.call('pexpire', KEYS[1], ARGV[2]) return 'ours' end
return found or 'gone'`;

const RELEASE = `
if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end
return 'released'`;

export class RunLease {
  readonly #options: RunLeaseOptions;
  readonly #value: string;
  readonly #released = new AbortController();
  #isTaken = false;

  constructor(options: RunLeaseOptions) {
    this.#options = options;
    this.#value = JSON.stringify(options.owner);
  }

  /** Name of the key, for a person who has to remove it. */
  get name(): string {
    return this.#options.name;
  }

  /** Takes the lock if it is free, otherwise returns its holder. Throws a Failure if Redis does not answer. */
  async take(): Promise<"taken" | LeaseHolder> {
    const { link, name, ttlMs } = this.#options;
    const reply = await link.run(TAKE, [name], [this.#value, ttlMs]);
    if (reply === "taken") {
      this.#isTaken = true;
      void this.#renew();
      return "taken";
    }
    const held = heldReply.safeParse(reply);
    if (!held.success) throw link.refused("plancast cannot read its answer");
    const [value, expiresInMs] = held.data;
    return { owner: ownerIn(value), expiresInMs };
  }

  /** Whether the lock permits a request now: it is not taken, or still ours. */
  async confirm(): Promise<boolean> {
    const { link, clock } = this.#options;
    while (this.#isTaken && !link.lost.aborted) {
      const asked = clock.now();
      if (!(await this.#ask())) return false;
      const ago = clock.now() - asked;
      // Negative: the clock was set back, so the duration is unknown.
      if (ago >= 0 && ago < SEND_WITHIN_MS) break;
    }
    return !link.lost.aborted;
  }

  async release(): Promise<void> {
    this.#released.abort();
    const { link, name } = this.#options;
    if (!this.#isTaken || link.lost.aborted) return;
    // If Redis does not answer any more, the lock expires.
    await link.run(RELEASE, [name], [this.#value], RELEASE_WITHIN_MS).catch(() => {});
  }

  async #renew(): Promise<void> {
    const { clock, link } = this.#options;
    const over = AbortSignal.any([this.#released.signal, link.lost]);
    while (!over.aborted) {
      await clock.sleep(RENEW_EVERY_MS, over);
      if (!over.aborted) await this.#ask();
    }
  }

  /** True if the lock is ours for `ttlMs` from now on. If not, the run ends. */
  async #ask(): Promise<boolean> {
    const { link, name, ttlMs } = this.#options;
    try {
      const reply = await link.run(RENEW, [name], [this.#value, ttlMs]);
      if (reply === "ours") return true;
      if (!this.#released.signal.aborted) link.lose(lockLost(ownerIn(reply)));
    } catch (error) {
      link.lose(error);
    }
    return false;
  }
}

function ownerIn(value: unknown): LeaseOwner | undefined {
  try {
    return ownerSchema.parse(JSON.parse(String(value)));
  } catch {
    return undefined;
  }
}

function lockLost(owner: LeaseOwner | undefined): Failure {
  const who =
    owner === undefined
      ? "Redis no longer has it"
      : `process ${owner.pid} on ${owner.host} has held it since ${owner.since}`;
  return new Failure(
    "share/lock-lost",
    `This run lost its lock in Redis: ${who}. plancast sent no more requests.`,
    "Perhaps Redis restarted without its data, this run was paused for too long, or somebody removed the key. Run again: plancast does only what is left.",
  );
}
