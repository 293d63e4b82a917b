/**
 * A store in PostgreSQL, which several processes and machines share. A write is one transaction. A change locks the
 * record's row, so changes of one record follow each other, whoever makes them. The database's clock is the clock of all.
 */

import { Pool, type PoolClient } from "pg";
import { Failure, reasonOf } from "../../model/failure.ts";
import { parseUrl } from "../../model/address.ts";
import type { MediaFiles } from "./media-files.ts";
import { MIGRATIONS, PROGRAM_VERSION } from "./postgres-migrations.ts";
import { RECORDS } from "./records.ts";
import { indexOf } from "./store-index.ts";
import type { StoreChange, DueQuery, Entry, Kind, ListQuery, Records, Store } from "./store.ts";

export interface PostgresOptions {
  /** `postgres://…`, as `PLANCAST_DATABASE_URL` has it. */
  readonly url: string;
  /** Name of the project in the database. */
  readonly project: string;
  readonly files: MediaFiles;
  /** Ms since any moment, from a clock that nobody sets. */
  readonly monotonic: () => number;
}

/** How long a statement may take, in ms. A database that hangs must not stop the publisher forever. */
const STATEMENT_MS = 15_000;
const CONNECT_MS = 10_000;
const MAX_CONNECTIONS = 8;
/** How often the database is asked for its time, in ms. */
const CLOCK_MS = 60_000;

/** A lock of this number is held while the tables change, so that two processes do not change them at once. */
const MIGRATION_LOCK = 7_026_217;

export class PostgresStore implements Store {
  readonly isShared = true;
  readonly files: MediaFiles;
  readonly #pool: Pool;
  readonly #project: string;
  readonly #monotonic: () => number;
  /** The database's Unix time, in ms, when `#monotonic` was 0. */
  #startMs = 0;
  #clockTimer: NodeJS.Timeout | undefined;

  private constructor(pool: Pool, { project, files, monotonic }: PostgresOptions) {
    this.#pool = pool;
    this.#project = project;
    this.files = files;
    this.#monotonic = monotonic;
  }

  /**
   * Connects, and brings the tables to the version of this program. Throws a Failure if the address is none, the database
   * cannot be reached, or a newer plancast has changed the tables in a way that this one does not know.
   */
  static async open(options: PostgresOptions): Promise<PostgresStore> {
    const pool = new Pool({
      connectionString: checkedUrl(options.url),
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_MS,
      statement_timeout: STATEMENT_MS,
      query_timeout: STATEMENT_MS,
      application_name: "plancast",
    });
    // A connection may end at any time. A query on it rejects, and the next one opens another connection.
    pool.on("error", () => undefined);
    pool.on("connect", (client) => client.on("error", () => undefined));
    try {
      await migrate(pool);
      const store = new PostgresStore(pool, options);
      await store.#readClock();
      store.#clockTimer = setInterval(() => void store.#readClock().catch(() => undefined), CLOCK_MS).unref();
      return store;
    } catch (error) {
      await pool.end();
      throw error instanceof Failure ? error : unreachable(error);
    }
  }

  /** Unix time of the database, in ms. A machine whose clock is set while it runs does not change it. */
  readonly now = (): number => Math.round(this.#startMs + this.#monotonic());

  async get<K extends Kind>(kind: K, id: string): Promise<Records[K] | undefined> {
    const { rows } = await this.#query(
      "SELECT record FROM plancast_records WHERE project = $1 AND kind = $2 AND id = $3",
      [kind, id],
    );
    return rows.map((row) => read(kind, row))[0];
  }

  async list<K extends Kind>(
    kind: K,
    { status, after, limit, isReversed = false }: ListQuery = {},
  ): Promise<readonly Records[K][]> {
    const order = isReversed ? "DESC" : "ASC";
    const { rows } = await this.#query(
      `SELECT record FROM plancast_records
       WHERE project = $1 AND kind = $2
         AND ($3::text IS NULL OR status = $3) AND ($4::text IS NULL OR place ${isReversed ? "<" : ">"} $4)
       ORDER BY place ${order} LIMIT $5`,
      [kind, status, after, limit],
    );
    return rows.map((row) => read(kind, row));
  }

  async count(kind: Kind, { status }: Pick<ListQuery, "status"> = {}): Promise<number> {
    const { rows } = await this.#query(
      `SELECT count(*)::text AS record FROM plancast_records
       WHERE project = $1 AND kind = $2 AND ($3::text IS NULL OR status = $3)`,
      [kind, status],
    );
    return Number(rows[0]?.record ?? 0);
  }

  async find<K extends Kind>(kind: K, name: string): Promise<Records[K] | undefined> {
    const { rows } = await this.#query(
      `SELECT record FROM plancast_names JOIN plancast_records USING (project, kind, id)
       WHERE project = $1 AND kind = $2 AND name = $3`,
      [kind, name],
    );
    return rows.map((row) => read(kind, row))[0];
  }

  async due<K extends Kind>(kind: K, { lane, at, limit }: DueQuery): Promise<readonly Records[K][]> {
    const { rows } = await this.#query(
      `SELECT record FROM plancast_due JOIN plancast_records USING (project, kind, id)
       WHERE project = $1 AND kind = $2 AND lane = $3 AND at <= $4
       ORDER BY at, plancast_due.added LIMIT $5`,
      [kind, lane, at, limit],
    );
    return rows.map((row) => read(kind, row));
  }

  async nextDue(kind: Kind, lanes: readonly string[]): Promise<number> {
    const { rows } = await this.#query(
      `SELECT min(at)::text AS record FROM plancast_due
       WHERE project = $1 AND kind = $2 AND lane = ANY($3)`,
      [kind, lanes],
    );
    const next = rows[0]?.record;
    return next === null || next === undefined ? Infinity : Number(next);
  }

  add(entry: Entry, also: readonly Entry[] = []): Promise<boolean> {
    return this.#transaction(async (client) => {
      const isNew = await this.#insert(client, entry);
      if (isNew) for (const each of also) await this.#put(client, each);
      return isNew;
    });
  }

  update<K extends Kind>(
    kind: K,
    id: string,
    change: (record: Records[K]) => StoreChange<K> | undefined,
  ): Promise<Records[K] | undefined> {
    return this.#transaction(async (client) => {
      const { rows } = await client.query<Row>(
        "SELECT record FROM plancast_records WHERE project = $1 AND kind = $2 AND id = $3 FOR UPDATE",
        [this.#project, kind, id],
      );
      const before = rows.map((row) => read(kind, row))[0];
      const changed = before === undefined ? undefined : change(before);
      if (changed === undefined) return undefined;
      await this.#put(client, { kind, record: changed.record });
      for (const each of changed.also ?? []) await this.#put(client, each);
      return changed.record;
    });
  }

  /** The keys of the project's service, as text, which all machines share. The first machine makes them. */
  async keys(make: () => string): Promise<string> {
    await this.#query("INSERT INTO plancast_keys VALUES ($1, $2) ON CONFLICT DO NOTHING", [make()]);
    const { rows } = await this.#query("SELECT keys AS record FROM plancast_keys WHERE project = $1", []);
    return rows[0]?.record ?? "";
  }

  async close(): Promise<void> {
    clearInterval(this.#clockTimer);
    await this.#pool.end();
  }

  #query(text: string, values: readonly unknown[]): Promise<{ readonly rows: readonly Row[] }> {
    return this.#pool.query<Row>(text, [this.#project, ...values]);
  }

  /** Rejects if it is not certain that the transaction was committed. */
  async #transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let isUsable = true;
    try {
      await client.query("BEGIN");
      const result = await work(client);
      await client.query("COMMIT");
      return result;
    } catch (error) {
      isUsable = await client.query("ROLLBACK").then(
        () => true,
        () => false,
      );
      throw error;
    } finally {
      client.release(!isUsable);
    }
  }

  async #insert(client: PoolClient, entry: Entry): Promise<boolean> {
    const { place, status } = indexOf(entry.kind, entry.record);
    const { rowCount } = await client.query(
      `INSERT INTO plancast_records (project, kind, id, place, status, record)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
      [this.#project, entry.kind, entry.record.id, place, status, JSON.stringify(entry.record)],
    );
    if (rowCount !== 1) return false;
    await this.#index(client, entry);
    return true;
  }

  async #put(
    client: PoolClient,
    entry: { readonly kind: Kind; readonly record: Records[Kind] },
  ): Promise<void> {
    const { kind, record } = entry;
    const { place, status } = indexOf(kind, record);
    await client.query(
      `INSERT INTO plancast_records (project, kind, id, place, status, record)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (project, kind, id) DO UPDATE SET place = $4, status = $5, record = $6`,
      [this.#project, kind, record.id, place, status, JSON.stringify(record)],
    );
    await this.#index(client, entry);
  }

  /** Replaces what the record is found by. */
  async #index(
    client: PoolClient,
    { kind, record }: { readonly kind: Kind; readonly record: Records[Kind] },
  ): Promise<void> {
    const { names, due } = indexOf(kind, record);
    const key = [this.#project, kind, record.id];
    await client.query("DELETE FROM plancast_due WHERE project = $1 AND kind = $2 AND id = $3", key);
    if (due.size > 0)
      await client.query(
        `INSERT INTO plancast_due (project, kind, id, lane, at, added)
         SELECT $1, $2, $3, lane, at, added FROM unnest($4::text[], $5::bigint[]) AS news (lane, at),
           (SELECT added FROM plancast_records WHERE project = $1 AND kind = $2 AND id = $3) AS record`,
        [...key, [...due.keys()], [...due.values()]],
      );
    if (names.length > 0)
      await client.query(
        `INSERT INTO plancast_names (project, kind, id, name)
         SELECT $1, $2, $3, unnest($4::text[])
         ON CONFLICT (project, kind, name) DO UPDATE SET id = EXCLUDED.id`,
        [...key, names],
      );
  }

  async #readClock(): Promise<void> {
    const before = this.#monotonic();
    const { rows } = await this.#pool.query<Row>(
      "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::text AS record",
    );
    const between = (before + this.#monotonic()) / 2;
    this.#startMs = Number(rows[0]?.record) - between;
  }
}

interface Row {
  readonly record: string | null;
}

/** Throws a Failure for a record that plancast did not write. */
function read<K extends Kind>(kind: K, { record }: Row): Records[K] {
  const { data } = RECORDS[kind].safeParse(JSON.parse(record ?? "null"));
  if (data === undefined)
    throw new Failure(
      "embedded/store-invalid",
      `The database has a record (${kind}) that this version of plancast does not know.`,
      "Use the version that wrote it, or restore the database from a backup.",
    );
  // The schema of a kind gives its records.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return data as Records[K];
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

function unreachable(error: unknown): Failure {
  return new Failure(
    "share/unreachable",
    `plancast cannot use the database in PLANCAST_DATABASE_URL: ${reasonOf(error)}`,
    "Check that the database is up, and that its address, user and password are right.",
    { cause: error },
  );
}

/** Each migration is applied once, in order, by one process. Throws a Failure if this program is too old. */
async function migrate(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await client.query(
      "CREATE TABLE IF NOT EXISTS plancast_schema (version int PRIMARY KEY, oldest_program int NOT NULL)",
    );
    const { rows } = await client.query<{ version: number; oldest_program: number }>(
      "SELECT version, oldest_program FROM plancast_schema ORDER BY version",
    );
    if (rows.some(({ oldest_program: oldest }) => oldest > PROGRAM_VERSION))
      throw new Failure(
        "run/newer-version",
        "A newer plancast has changed the database's tables, and this version cannot use them any more.",
        "Update plancast on this machine.",
      );
    const applied = new Set(rows.map(({ version }) => version));
    for (const { version, oldestProgram, sql } of MIGRATIONS) {
      if (applied.has(version)) continue;
      await client.query("BEGIN");
      await client.query(sql);
      await client.query("INSERT INTO plancast_schema VALUES ($1, $2)", [version, oldestProgram]);
      await client.query("COMMIT");
    }
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  } finally {
    // The lock ends with the connection if this fails.
    const isFree = await client.query("SELECT pg_advisory_unlock($1)", [MIGRATION_LOCK]).then(
      () => true,
      () => false,
    );
    client.release(!isFree);
  }
}
