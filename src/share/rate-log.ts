/**
 * What happens at the limit, as one list of events that all processes with one key write and read, in Redis: a
 * request was started, or it is over and this is what its answer said. Redis puts the events into one order and
 * times them by its own clock, so no two machines' clocks are compared.
 */
import { z } from "zod";
import type { RateObservation } from "../service/rate-headers.ts";
import type { RedisLink } from "./redis-link.ts";

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

export type RateEvent = z.infer<typeof eventSchema>;

/** An event with its time, ms by Redis' clock. */
export interface TimedEvent {
  readonly at: number;
  readonly event: RateEvent;
}

export interface LogExchange {
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

export class RateLog {
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
