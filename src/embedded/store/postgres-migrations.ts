/**
 * The tables of the PostgreSQL store, as numbered steps. A step only adds, so that an older program can go on beside a
 * newer one. What is not needed any more is removed one release later, by a step whose `oldestProgram` is that release.
 */

import type { Pool } from "pg";
import { Failure } from "../../model/failure.ts";

interface Migration {
  readonly version: number;
  /** The oldest `PROGRAM_VERSION` that can use the tables after this step. */
  readonly oldestProgram: number;
  readonly sql: string;
}

/** A lock of this number is held while the tables change, so that two processes do not change them at once. */
const MIGRATION_LOCK = 7_026_217;

/** Raised when this program needs to know tables that an older one does not. */
const PROGRAM_VERSION = 1;

/**
 * Places and ids sort byte by byte, as in the other stores. A record is text, because PostgreSQL's JSON refuses some texts
 * that people write. `at` is in ms since the epoch. A limit has a phase until `ends`, and in it, `free` requests are left.
 */
const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    oldestProgram: 1,
    sql: `
      CREATE TABLE plancast_records (
        project text NOT NULL,
        kind text NOT NULL,
        id text COLLATE "C" NOT NULL,
        place text COLLATE "C" NOT NULL,
        status text NOT NULL,
        record text NOT NULL,
        added bigint GENERATED ALWAYS AS IDENTITY,
        PRIMARY KEY (project, kind, id)
      );
      CREATE INDEX ON plancast_records (project, kind, place);
      CREATE INDEX ON plancast_records (project, kind, status, place);
      CREATE TABLE plancast_due (
        project text NOT NULL,
        kind text NOT NULL,
        id text COLLATE "C" NOT NULL,
        lane text NOT NULL,
        at bigint NOT NULL,
        added bigint NOT NULL,
        PRIMARY KEY (project, kind, id, lane),
        FOREIGN KEY (project, kind, id) REFERENCES plancast_records ON DELETE CASCADE
      );
      CREATE INDEX ON plancast_due (project, kind, lane, at, added);
      CREATE TABLE plancast_keys (
        project text PRIMARY KEY,
        keys text NOT NULL
      );
      CREATE TABLE plancast_names (
        project text NOT NULL,
        kind text NOT NULL,
        name text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        PRIMARY KEY (project, kind, name),
        FOREIGN KEY (project, kind, id) REFERENCES plancast_records ON DELETE CASCADE
      );
    `,
  },
  {
    version: 2,
    oldestProgram: 1,
    sql: `
      CREATE TABLE plancast_limits (
        project text NOT NULL,
        name text NOT NULL,
        phase text NOT NULL,
        ends timestamptz NOT NULL,
        free int NOT NULL,
        PRIMARY KEY (project, name)
      );
      CREATE INDEX ON plancast_records (project, kind, added);
    `,
  },
];

/**
 * Each migration is applied once, in order, by one process: all in one transaction, whose lock ends with it. Throws a Failure
 * if this program is too old.
 */
export async function migrate(pool: Pool): Promise<void> {
  const client = await pool.connect();
  let isUsable = false;
  try {
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
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
      await client.query(sql);
      await client.query("INSERT INTO plancast_schema VALUES ($1, $2)", [version, oldestProgram]);
    }
    await client.query("COMMIT");
    isUsable = true;
  } finally {
    // The end of the connection also ends a transaction.
    client.release(!isUsable);
  }
}
