import { Failure } from "../../model/failure.ts";
import { parseUrl } from "../../model/address.ts";

/** The address of Redis. The original may contain a password, so print only `shown`. */
export interface RedisAddress {
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
