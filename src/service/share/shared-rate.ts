/**
 * The rate window that all processes with one key share.
 *
 * Each process replays the same list of events on a rate window of its own, with the times that Redis gave them; so all
 * know the least that any answer left, every pause and every request in flight, whoever sent it. A request may start
 * when its event could be written, and that succeeds only if nothing was written that this process has not replayed.
 * So each start was decided with all earlier starts known, as if one process had sent them all; and after a reset
 * exactly one request of one process goes ahead as the probe, since its event makes that of any other fail.
 *
 * A process that dies in flight is no longer among those that live, after a while. Its requests are then over
 * without an answer, for every process that looks.
 */

import Bottleneck from "bottleneck";
import { z } from "zod";
import type { Clock, Pace } from "../../model/clock.ts";
import type { GateState, RateGate, RequestQueue, Slot } from "../rate/limiter.ts";
import type { RateObservation } from "../rate/rate-headers.ts";
import type { RateWindow } from "../rate/rate-window.ts";
import { type RedisLink, BottleneckRedis } from "./redis-link.ts";

/** How often a process says that it lives, and looks what others did, ms. */
const BEAT_MS = 1_000;
/** A clock that differs by more than this from what it was was set, ms; less is an answer that was read late. */
const SET_MS = 5_000;
/** Clocks drift apart by less than this from one answer to the next, ms. */
const DRIFT_MS = 1;

interface SharedGateOptions {
  readonly link: RedisLink;
  /** Name of the limit in Redis. */
  readonly name: string;
  readonly window: RateWindow;
  /** Name of this process among those that share. */
  readonly process: string;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Asked last before each request; false when it must not be sent. */
  readonly confirm: () => Promise<boolean>;
  /** Told when other processes should look. */
  readonly announce: () => void;
}

interface InFlight {
  readonly by: string;
  readonly startedAt: number;
}

export class SharedGate implements RateGate {
  readonly #options: SharedGateOptions;
  readonly #log: RateLog;
  readonly #inFlight = new Map<string, InFlight>();
  readonly #ending = new Set<Promise<void>>();
  readonly #closed = new AbortController();
  /** How far Redis' clock is ahead of the local one, ms; rather too little, so that nothing opens too early. */
  #ahead = 0;
  /** Redis' clock when it was heard of last, ms. */
  #latest = 0;
  /** One start at a time: two that are tried together would only fail each other. */
  #turn: Promise<unknown> = Promise.resolve();
  #changed = (): void => {};

  constructor(options: SharedGateOptions) {
    this.#options = options;
    const { link, name, process } = options;
    this.#log = new RateLog(link, name, process, (exchange) => this.#replay(exchange));
  }

  /** Learns what happened so far. Throws a Failure when Redis does not answer. */
  async open(): Promise<void> {
    await this.#log.exchange("read");
    void this.#beat();
  }

  onChange(listener: () => void): void {
    this.#changed = listener;
  }

  state(): GateState {
    const { window } = this.#options;
    const now = this.#now();
    const opening = window.opening(now);
    return {
      allowance: window.allowance(now),
      opening: opening === undefined ? undefined : { ...opening, at: opening.at - this.#ahead },
    };
  }

  pace(): Pace {
    return this.#options.window.pace(this.#now());
  }

  async start(): Promise<Slot | undefined> {
    const turn = this.#turn.then(() => this.#take());
    this.#turn = turn;
    const id = await turn;
    if (id === undefined) return undefined;
    if (await this.#options.confirm()) return { end: (news) => this.#end(id, news) };
    this.#end(id, undefined);
    return undefined;
  }

  /** Looks what others did. What goes wrong loses the run. */
  async refresh(): Promise<void> {
    try {
      await this.#log.exchange("read");
    } catch (error) {
      this.#options.link.lose(error);
    }
  }

  /** Resolves when the last answers are told to the others. */
  async close(): Promise<void> {
    this.#closed.abort();
    if (!this.#options.link.lost.aborted) await Promise.all(this.#ending);
  }

  /** Gives the id of a request that may be sent. */
  async #take(): Promise<string | undefined> {
    const { link, process: by, newId, window } = this.#options;
    const id = newId();
    try {
      while (!link.lost.aborted && window.allowance(this.#now()) > 0) {
        await this.#log.exchange("if-nothing-new", { event: "started", id, by });
        if (this.#inFlight.has(id)) return id;
      }
    } catch (error) {
      link.lose(error);
    }
    return undefined;
  }

  #end(id: string, news: RateObservation | undefined): void {
    const { link, announce } = this.#options;
    const ending = this.#log
      .exchange("always", { event: "ended", id, news })
      .then(announce)
      .catch((error: unknown) => link.lose(error))
      .finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  async #beat(): Promise<void> {
    const { clock, link } = this.#options;
    const over = AbortSignal.any([this.#closed.signal, link.lost]);
    while (!over.aborted) {
      await clock.sleep(BEAT_MS, over);
      if (!over.aborted) await this.refresh();
    }
  }

  #replay({ now, events, alive }: LogExchange): void {
    const ahead = now - this.#options.clock.now();
    const isSet = Math.abs(ahead - this.#ahead) > SET_MS;
    this.#ahead = isSet ? ahead : Math.max(ahead, this.#ahead - DRIFT_MS);
    if (isSet) this.#latest = now;
    for (const event of events) this.#apply(event);
    for (const [id, { by }] of this.#inFlight) if (!alive.has(by)) this.#over(id, now, undefined);
    this.#changed();
  }

  #apply({ at, event }: TimedEvent): void {
    this.#latest = Math.max(this.#latest, at);
    if (event.event === "ended") this.#over(event.id, at, event.news);
    else if (!this.#inFlight.has(event.id)) {
      this.#inFlight.set(event.id, { by: event.by, startedAt: at });
      this.#options.window.started(at);
    }
  }

  /** What is not known to be in flight is told twice, or was over long ago. */
  #over(id: string, at: number, news: RateObservation | undefined): void {
    const known = this.#inFlight.get(id);
    if (known === undefined) return;
    this.#inFlight.delete(id);
    this.#options.window.ended(known.startedAt, at, news);
  }

  /** Redis' clock, ms. */
  #now(): number {
    return Math.max(this.#latest, this.#options.clock.now() + this.#ahead);
  }
}

/**
 * What happens at the limit, as one list of events that all processes with one key write and read, in Redis: a
 * request was started, or it is over and this is what its answer said. Redis puts the events into one order and
 * times them by its own clock, so no two machines' clocks are compared.
 */

/** So many events are kept: more than three minutes of the largest plan. */
const KEPT_EVENTS = 4_096;
/** The list of a key that nobody uses any more goes after this, ms. */
const LOG_KEPT_MS = 3_600_000;
/** A process that has not been heard of for so long is taken for dead, ms. */
const DEAD_AFTER_MS = 10_000;

/** Before the first event. */
const NONE = "0-0";

/** KEYS: events, processes. ARGV: process, dead after, from, mode, event, kept events, kept ms. */
const EXCHANGE = `
local clock = redis.call('time')
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)
redis.call('zadd', KEYS[2], now, ARGV[1])
redis.call('zremrangebyscore', KEYS[2], '-inf', now - tonumber(ARGV[2]))
local tail = redis.call('xrevrange', KEYS[1], '+', '-', 'COUNT', 1)
local last = tail[1] and tail[1][1] or '0-0'
if ARGV[4] == 'always' or (ARGV[4] == 'if-nothing-new' and last == ARGV[3]) then
  last = redis.call('xadd', KEYS[1], 'MAXLEN', '~', ARGV[6], '*', 'event', ARGV[5])
end
redis.call('pexpire', KEYS[1], ARGV[7])
redis.call('pexpire', KEYS[2], ARGV[7])
local found = redis.call('xread', 'STREAMS', KEYS[1], ARGV[3])
return { now, last, found and found[1][2] or {}, redis.call('zrange', KEYS[2], 0, -1) }`;

/** Undefined does not survive JSON. */
const optionalNumber = z
  .number()
  .nullish()
  .transform((value) => value ?? undefined);

const newsSchema = z.object({
  reading: z.object({
    limit: optionalNumber,
    remaining: optionalNumber,
    reset: z
      .object({ unit: z.enum(["seconds", "epoch", "epoch-ms"]), ms: z.number(), isCoarse: z.boolean() })
      .nullish()
      .transform((reset) => reset ?? undefined),
    date: optionalNumber,
  }),
  refused: z.boolean(),
  retryAfterMs: optionalNumber,
}) satisfies z.ZodType<RateObservation>;

const eventSchema = z.discriminatedUnion("event", [
  z.object({ event: z.literal("started"), id: z.string(), by: z.string() }),
  z.object({
    event: z.literal("ended"),
    id: z.string(),
    /** Nothing where there was no answer. */
    news: newsSchema.nullish().transform((news) => news ?? undefined),
  }),
]);

type RateEvent = z.infer<typeof eventSchema>;

/** An event with its time, ms by Redis' clock. */
interface TimedEvent {
  readonly at: number;
  readonly event: RateEvent;
}

interface LogExchange {
  /** Redis' clock, ms. */
  readonly now: number;
  /** What was written since the last exchange, in order, this process's own included. */
  readonly events: readonly TimedEvent[];
  /** The processes that live. */
  readonly alive: ReadonlySet<string>;
}

const replySchema = z.tuple([
  z.number(),
  z.string(),
  z.array(z.tuple([z.string(), z.array(z.string())])),
  z.array(z.string()),
]);

class RateLog {
  readonly #link: RedisLink;
  readonly #keys: readonly [string, string];
  readonly #process: string;
  readonly #replay: (exchange: LogExchange) => void;
  /** Redis' name of the last event that is known here. */
  #last = NONE;

  /**
   * @param process names this process among those that share
   * @param replay takes each event once, in order. It is called before anything else can happen: whoever asks then for
   *   `if-nothing-new` has replayed all that is known here
   */
  constructor(link: RedisLink, name: string, process: string, replay: (exchange: LogExchange) => void) {
    this.#link = link;
    this.#keys = [`plancast:events:${name}`, `plancast:processes:${name}`];
    this.#process = process;
    this.#replay = replay;
  }

  /**
   * Reads what is new, and says that this process lives. An event is written before that: `always`, or only
   * `if-nothing-new` has been written that is not known here. A connection that breaks may write it twice.
   * Throws a Failure when Redis does not answer.
   */
  async exchange(mode: "read"): Promise<void>;
  async exchange(mode: "always" | "if-nothing-new", event: RateEvent): Promise<void>;
  async exchange(mode: string, event?: RateEvent): Promise<void> {
    const from = this.#last;
    const args = [this.#process, DEAD_AFTER_MS, from, mode, JSON.stringify(event ?? null)];
    const reply = await this.#link.run(EXCHANGE, this.#keys, [...args, KEPT_EVENTS, LOG_KEPT_MS]);
    const read = replySchema.safeParse(reply);
    if (!read.success) throw this.#link.refused("its answer cannot be understood");
    const [now, last, entries, alive] = read.data;
    // Answers to two questions that were asked together overlap.
    const isNew = entries.filter(([name]) => isLater(name, this.#last));
    // A Redis that has lost its memory begins again, perhaps with earlier names: then all that it has is new.
    this.#last = isLater(from, last) ? NONE : isLater(last, this.#last) ? last : this.#last;
    this.#replay({ now, events: isNew.flatMap(timedEvent), alive: new Set(alive) });
  }
}

/** Redis names events by its clock's ms and a number within that ms. */
function timeIn(name: string): readonly [ms: number, number: number] {
  const [ms, number] = name.split("-");
  return [Number(ms), Number(number)];
}

function isLater(name: string, other: string): boolean {
  const [[ms, number], [otherMs, otherNumber]] = [timeIn(name), timeIn(other)];
  return ms > otherMs || (ms === otherMs && number > otherNumber);
}

/** None where something else than plancast has written to the list. */
function timedEvent([name, [, text]]: readonly [string, readonly string[]]): readonly TimedEvent[] {
  try {
    const read = eventSchema.safeParse(JSON.parse(text ?? ""));
    return read.success ? [{ at: timeIn(name)[0], event: read.data }] : [];
  } catch {
    return [];
  }
}

/**
 * Requests of all processes that share a key, in Bottleneck's clustering: its reservoir in Redis lets them through, and
 * a change of it wakes the queues of all. It only hints, as it does in one process: it is taken when a request is let
 * through, and set by whoever learned something last. The gate has the last word.
 *
 * How many a process has in flight is counted in that process: a count in Redis would keep the places of a process that
 * died. And how a request ended never waits for Redis: Bottleneck would not tell before its place is given back.
 */

/** What Bottleneck keeps of a key that nobody uses any more goes after this, ms. */
const QUEUE_KEPT_MS = 3_600_000;

export class ClusterQueue implements RequestQueue {
  readonly #link: RedisLink;
  readonly #connection: Bottleneck.IORedisConnection;
  readonly #cluster: Bottleneck;
  readonly #local: Bottleneck;
  /** Of each request that waits: gives it up. */
  readonly #waiting = new Set<() => void>();
  #isStopped = false;

  private constructor(link: RedisLink, name: string, concurrency: number) {
    this.#link = link;
    // With the class at hand it looks for no module of that name, which is not there in what is built.
    this.#connection = new Bottleneck.IORedisConnection({ client: link.client, Redis: BottleneckRedis });
    this.#cluster = new Bottleneck({
      id: name,
      connection: this.#connection,
      reservoir: 1,
      timeout: QUEUE_KEPT_MS,
    });
    this.#cluster.on("error", (error) => this.#fail(error));
    this.#local = new Bottleneck({ maxConcurrent: concurrency }).chain(this.#cluster);
  }

  /** Throws a Failure when Redis does not answer, or refuses. */
  static async open(link: RedisLink, name: string, concurrency: number): Promise<ClusterQueue> {
    const queue = new ClusterQueue(link, name, concurrency);
    await link.answered(queue.#cluster.ready());
    return queue;
  }

  get waiting(): number {
    const [local, cluster] = [this.#local.counts(), this.#cluster.counts()];
    return local.RECEIVED + local.QUEUED + cluster.RECEIVED + cluster.QUEUED;
  }

  schedule<T>(priority: number, run: () => Promise<T>): Promise<T | "stopped"> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => resolve("stopped");
      if (this.#isStopped) giveUp();
      else this.#waiting.add(giveUp);
      const job = async (): Promise<void> => {
        // What was given up does not run, even if Redis lets it through at last.
        if (this.#waiting.delete(giveUp)) await run().then(resolve, reject);
      };
      this.#local.schedule({ priority }, job).catch((error: unknown) => this.#fail(error));
    });
  }

  admit(requests: number): void {
    // A promise, whatever its types say.
    Promise.resolve(this.#cluster.updateSettings({ reservoir: requests })).catch((error: unknown) =>
      this.#fail(error),
    );
  }

  stop(): void {
    this.#isStopped = true;
    for (const giveUp of this.#waiting) giveUp();
    this.#waiting.clear();
  }

  /** Tells all processes that something is new. */
  announce(): void {
    this.#cluster.publish("news").catch((error: unknown) => this.#fail(error));
  }

  onNews(listener: () => void): void {
    this.#cluster.on("message", listener);
  }

  /** Ends the connections, also Bottleneck's own one for messages. */
  async close(): Promise<void> {
    this.stop();
    await this.#connection.disconnect(false);
  }

  /** Without its queue nothing may be sent. */
  #fail(error: unknown): void {
    if (!this.#isStopped) this.#link.lose(error);
  }
}
