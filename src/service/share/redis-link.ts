/**
 * The connection to Redis, and its address. Survives short interruptions. A longer interruption ends the run cleanly. Also
 * adapts the scripts that Bottleneck runs in Redis.
 */

import { Redis } from "ioredis";
import { parseUrl } from "../../model/address.ts";
import type { Clock } from "../../model/clock.ts";
import { Failure, reasonOf } from "../../model/failure.ts";

/** Longest wait for the connection at the start, and for any answer later, in ms. */
const TIMEOUT_MS = 5_000;
/** Waits are split into steps of at most this, in ms. */
const STEP_MS = 1_000;

export class RedisLink {
  /** For Bottleneck, which needs the connection itself. */
  readonly client: BottleneckRedis;
  readonly #address: RedisAddress;
  readonly #clock: Clock;
  readonly #lost = new AbortController();
  #trouble: unknown;

  private constructor(client: BottleneckRedis, address: RedisAddress, clock: Clock) {
    this.client = client;
    this.#address = address;
    this.#clock = clock;
    client.on("error", (error) => {
      this.#trouble = error;
    });
    endWhenFlooded(client);
    Object.assign(client, { duplicate: () => client, subscribe: skipSubscription });
  }

  /** Throws a Failure if Redis cannot be reached, or refuses the login. */
  static async open(address: RedisAddress, clock: Clock): Promise<RedisLink> {
    let isOpen = false;
    const { host, port, username, password, database, tls } = address;
    const client = new BottleneckRedis({
      host,
      port,
      ...(username === undefined ? {} : { username }),
      ...(password === undefined ? {} : { password }),
      db: database,
      ...(tls ? { tls: {} } : {}),
      // Redis 5 knows no other, and Bottleneck was written for it.
      protocol: 2,
      // Longer than our own limit, which decides.
      connectTimeout: 2 * TIMEOUT_MS,
      maxRetriesPerRequest: null,
      retryStrategy: (attempt) => (isOpen ? Math.min(50 * 2 ** attempt, 500) : null),
    });
    const link = new RedisLink(client, address, clock);
    const isReady = await withTimeout(TIMEOUT_MS, clock, ready(client));
    isOpen = true;
    if (isReady === true) return link;
    client.disconnect();
    throw link.#unreachable();
  }

  /** Aborted, with a Failure as its reason, when the run must not continue. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Stops everything. The first reason stays. */
  lose(reason: unknown): void {
    if (!this.#lost.signal.aborted)
      this.#lost.abort(reason instanceof Failure ? reason : this.refused(reason));
  }

  /** Runs a script on Redis. Throws a Failure if Redis refuses it, or does not answer within `timeoutMs`. */
  run(
    lua: string,
    keys: readonly string[],
    args: readonly (string | number)[],
    timeoutMs = TIMEOUT_MS,
  ): Promise<unknown> {
    return this.answered(this.client.eval(lua, keys.length, ...keys, ...args), timeoutMs);
  }

  /** Redis's answer. Throws a Failure if it is a refusal, or does not arrive within `timeoutMs`. */
  async answered<T>(asked: Promise<T>, timeoutMs = TIMEOUT_MS): Promise<T> {
    const settled = asked.then(
      (reply) => ({ reply }),
      (error: unknown) => ({ error }),
    );
    const answer = await withTimeout(timeoutMs, this.#clock, settled);
    if (answer === "late") throw this.#silent(timeoutMs);
    if ("error" in answer) throw this.refused(answer.error);
    return answer.reply;
  }

  close(): void {
    this.client.disconnect();
  }

  /** Redis answered, but incorrectly. */
  refused(error: unknown): Failure {
    return new Failure(
      "share/refused",
      `Redis at ${this.#address.shown} refused a command: ${this.#withoutPassword(error)}.`,
      "plancast needs Redis 5 or later, with permission to run scripts and to publish. If another program wrote keys that start with plancast: or b_plancast-, remove them.",
    );
  }

  #unreachable(): Failure {
    const why = this.#trouble === undefined ? "no answer in time" : this.#withoutPassword(this.#trouble);
    return new Failure(
      "share/unreachable",
      `plancast cannot use Redis at ${this.#address.shown}: ${why}. Nothing was sent to the service.`,
      "plancast does not run without Redis if service.share or PLANCAST_REDIS_URL names one. Check that it is up, and that its address and password are right.",
    );
  }

  #silent(ms: number): Failure {
    const why = this.#trouble === undefined ? "" : ` (${this.#withoutPassword(this.#trouble)})`;
    return new Failure(
      "share/unreachable",
      `Redis at ${this.#address.shown} has not answered for ${ms / 1_000} seconds${why}. plancast sent no more requests.`,
      "Check that Redis is up, then run again: plancast does only what is left.",
    );
  }

  /** The error message, without the password. The server may have written it. */
  #withoutPassword(error: unknown): string {
    const text = reasonOf(error);
    if (UNREADABLE.test(text)) return "its answers are not those of a Redis";
    const { password } = this.#address;
    const shown = password === undefined ? text : text.replaceAll(password, "(the password)");
    return shown.length > MAX_TEXT ? `${shown.slice(0, MAX_TEXT)}…` : shown;
  }
}

function ready(client: BottleneckRedis): Promise<boolean> {
  return new Promise((resolve) => {
    client.once("ready", () => resolve(true));
    client.once("end", () => resolve(false));
  });
}

/**
 * Waits for an answer. Only the time (ms) in which this process really ran counts. On a busy machine, a timer may fire
 * long before the process reads an answer that arrived in time. So each step of the wait ends with a check for an
 * answer, and counts as one step however long it really took.
 */
async function withTimeout<T>(ms: number, clock: Clock, answer: Promise<T>): Promise<T | "late"> {
  const over = new AbortController();
  const steps = async (): Promise<"late"> => {
    for (let left = ms; left > 0 && !over.signal.aborted; left -= STEP_MS) {
      await clock.sleep(Math.min(STEP_MS, left), over.signal);
      await new Promise(setImmediate);
    }
    return "late";
  };
  try {
    return await Promise.race([answer, steps()]);
  } finally {
    over.abort();
  }
}

// Adapts Bottleneck's scripts, because they are from 2019. They use the caller's time, so a machine with a clock that
// is an hour fast would make all others wait for an hour; here they use Redis's own clock. And since Redis 7,
// `redis.error_reply` adds `ERR` before its text. Bottleneck no longer recognised its own errors, and did not start
// again after Redis had lost its memory. A table gives the same result in all versions.

const CALLERS_TIME = "local now = tonumber(ARGV[1])";
const SERVERS_TIME =
  "local clock = redis.call('time')\nlocal now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)";
const ERROR_REPLY = /redis\.error_reply\(([^()]*)\)/g;

/**
 * The maximum number of bytes that Redis may send on one connection within a minute. A hundred machines with one limit
 * cause a tenth of it.
 */
const MAX_BYTES_PER_MINUTE = 2 * 1_048_576;
const MINUTE_MS = 60_000;

/** Longer than any message of Redis, in UTF-16 units. */
const MAX_TEXT = 400;

/** ioredis's messages for bytes that it cannot parse. They ask people to report a fault of ioredis. */
const UNREADABLE = /RESP type|Maximum call stack/;

/** ioredis's message for an answer without a request. No other answer on that connection can be trusted. */
const UNASKED = /^Command queue state error/;

/** Closes a connection if the server sends without end, which would keep this process too busy for anything else. */
function endWhenFlooded(client: Pick<Redis, "on" | "emit" | "disconnect" | "stream">): void {
  const end = (): void => {
    if (client.stream.destroyed) return;
    client.disconnect();
    client.stream.destroy();
  };
  client.on("error", ({ message }) => {
    if (UNASKED.test(message)) end();
  });
  client.on("connect", () => {
    let [bytes, since] = [0, performance.now()];
    client.stream.prependListener("data", (part: Uint8Array) => {
      if (performance.now() - since > MINUTE_MS) [bytes, since] = [0, performance.now()];
      bytes += part.byteLength;
      if (bytes <= MAX_BYTES_PER_MINUTE) return;
      client.emit("error", new Error("it sends more than 2 MB per minute"));
      end();
    });
  });
}

/** A connection for Bottleneck. Scripts run with `eval` are unchanged. */
export class BottleneckRedis extends Redis {
  override defineCommand(...[name, definition]: Parameters<Redis["defineCommand"]>): void {
    if (!definition.lua.includes(CALLERS_TIME)) throw new Error(`${name} accepts no time from its caller.`);
    const lua = definition.lua.replace(CALLERS_TIME, SERVERS_TIME).replaceAll(ERROR_REPLY, "{ err = $1 }");
    super.defineCommand(name, { ...definition, lua });
  }
}

/**
 * Bottleneck would subscribe on a second connection. Processes look at Redis often enough without messages, and ioredis
 * throws where nobody can catch it if the answer to a subscription is not a list. This only lets Bottleneck continue.
 */
function skipSubscription(_channel: string, goOn: () => void): void {
  goOn();
}

/** The address of Redis. The original may contain a password, so print only `shown`. */
interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly database: number;
  readonly tls: boolean;
  /** The address without user name and password. */
  readonly shown: string;
}

const DEFAULT_PORT = 6379;

/** Parses `redis://` and, with TLS, `rediss://`. Throws a Failure without repeating the address. */
export function parseRedisAddress(text: string): RedisAddress {
  // The URL Standard silently drops some of them.
  if (CONTROL.test(text)) throw refused(CONTROLS_FOUND);
  const url = parseUrl(text);
  if (url === undefined || !/^rediss?:$/.test(url.protocol)) {
    throw refused("is not a redis:// or rediss:// address");
  }
  if (url.hostname === "") throw refused("names no host");
  if (url.search !== "" || url.hash !== "") throw refused("contains a query or a fragment");
  const database = /^\/?(\d{0,4})$/.exec(url.pathname)?.[1];
  if (database === undefined) throw refused("has a path that is not the number of a database");
  const port = url.port === "" ? DEFAULT_PORT : Number(url.port);
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port,
    username: decoded(url.username),
    password: decoded(url.password),
    database: Number(database),
    tls: url.protocol === "rediss:",
    shown: `${url.protocol}//${url.hostname}:${port}`,
  };
}

function decoded(part: string): string | undefined {
  const text = unescaped(part);
  if (CONTROL.test(text)) throw refused(CONTROLS_FOUND);
  return text === "" ? undefined : text;
}

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw refused("contains a % that encodes nothing");
  }
}

/** A line end in a user name or password would begin a new command for whatever listens there. */
const CONTROL = /\p{Cc}/u;
const CONTROLS_FOUND = "contains a control character";

function refused(what: string): Failure {
  return new Failure(
    "share/address",
    `The address of Redis (service.share or PLANCAST_REDIS_URL) ${what}.`,
    "Write it like redis://redis.example.com:6379, or rediss://user:password@redis.example.com:6380/0 in PLANCAST_REDIS_URL. A password does not belong in plancast.yaml.",
  );
}
