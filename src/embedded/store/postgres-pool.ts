/** Connections to the PostgreSQL database in `PLANCAST_DATABASE_URL`. */

import { type ClientConfig, Client, Pool } from "pg";
import { parseUrl } from "../../model/address.ts";
import { Failure } from "../../model/failure.ts";

/** How long a statement may take, in ms. A database that hangs must not stop the publisher forever. */
const STATEMENT_MS = 15_000;
/**
 * How long the database waits for the next statement of a transaction, in ms. Otherwise a machine that is suspended or cut
 * off in a transaction would keep its rows locked for hours.
 */
const IDLE_MS = 5_000;
const CONNECT_MS = 10_000;

/** Connects with the first query. Throws a Failure if the address is none. @param most connections at once */
export function openPool(url: string, most: number): Pool {
  const pool = new Pool({ ...configOf(url), max: most });
  // A connection may end at any time. A query on it rejects, and the next one opens another connection.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/** One connection, which is not open yet. */
export function newClient(url: string): Client {
  return new Client({ ...configOf(url), keepAlive: true });
}

function configOf(url: string): ClientConfig {
  return {
    connectionString: checkedUrl(url),
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: STATEMENT_MS,
    idle_in_transaction_session_timeout: IDLE_MS,
    application_name: "plancast",
  };
}

function checkedUrl(text: string): string {
  const url = parseUrl(text);
  if (url !== undefined && /^postgres(?:ql)?:$/.test(url.protocol) && url.hostname !== "") return text;
  throw new Failure(
    "share/address",
    "PLANCAST_DATABASE_URL is not the address of a PostgreSQL database.",
    "Write it like postgres://user:password@db.example.com:5432/plancast.",
  );
}
