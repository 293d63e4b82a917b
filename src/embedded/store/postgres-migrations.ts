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

/** Each write of a project holds a lock with this number, and so no copy starts while it is under way. */
export const PROJECT_LOCK = 7_026_218;
/** A lock of this number is held while the tables change, so that two processes do not change them at once. */
const MIGRATION_LOCK = 7_026_217;

/** Raised when this program needs to know tables that an older one does not. */
const PROGRAM_VERSION = 1;

/**
 * Writes records in one statement: `rows` are numbered by their writes, and the first row of a write decides whether it
 * counts. `add`: there is none. `update`: the record has the text `seen`. `put`: always. The other rows of a write
 * follow it. Rows are locked in one order, so two machines never wait for each other. Each statement of a function sees what
 * was committed before it, and so the texts are compared after the locks were taken.
 */
const WRITE_FUNCTION = `
  CREATE FUNCTION plancast_write(
    the_project text, the_lock int, the_channel text, is_alone boolean, the_rows json, due json, names json,
    OUT clock text, OUT move text, OUT lost int[], OUT newest text[]
  ) LANGUAGE plpgsql AS $$
  DECLARE
    is_news boolean;
    time bigint;
    failed int[];
  BEGIN
    lost := '{}';
    newest := '{}';
    IF is_alone THEN
      PERFORM pg_advisory_xact_lock(${PROJECT_LOCK}, the_lock);
    ELSE
      PERFORM pg_advisory_xact_lock_shared(${PROJECT_LOCK}, the_lock);
    END IF;
    time := extract(epoch FROM clock_timestamp()) * 1000;
    clock := time::text;
    IF NOT is_alone THEN
      SELECT r.record INTO move FROM plancast_records AS r
        WHERE r.project = the_project AND r.kind = 'move' AND r.id = 'store'
          AND r.record::json ->> 'state' IN ('left', 'arriving');
      IF move IS NOT NULL THEN
        RETURN;
      END IF;
    END IF;

    PERFORM FROM plancast_records AS r JOIN json_to_recordset(the_rows) AS w (kind text, id text) USING (kind, id)
      WHERE r.project = the_project ORDER BY r.kind, r.id FOR UPDATE OF r;
    SELECT coalesce(array_agg(w.nr), '{}'), coalesce(array_agg(r.record), '{}') INTO lost, newest
      FROM json_to_recordset(the_rows) AS w (nr int, how text, kind text, id text, seen text)
      LEFT JOIN plancast_records AS r ON r.project = the_project AND r.kind = w.kind AND r.id = w.id
      WHERE w.how = 'update' AND r.record IS DISTINCT FROM w.seen;
    WITH added AS (
      INSERT INTO plancast_records (project, kind, id, place, status, record)
        SELECT the_project, w.kind, w.id, w.place, w.status, w.record
          FROM json_to_recordset(the_rows)
            AS w (nr int, how text, kind text, id text, place text, status text, record text)
          WHERE w.how = 'add' ORDER BY w.nr
        ON CONFLICT DO NOTHING RETURNING kind, id
    )
    SELECT array_agg(w.nr) INTO failed
      FROM json_to_recordset(the_rows) AS w (nr int, how text, kind text, id text)
      WHERE w.how = 'add' AND NOT EXISTS (SELECT FROM added WHERE added.kind = w.kind AND added.id = w.id);
    lost := lost || failed;
    INSERT INTO plancast_records AS r (project, kind, id, place, status, record)
      SELECT the_project, w.kind, w.id, w.place, w.status, w.record
        FROM json_to_recordset(the_rows)
          AS w (nr int, how text, kind text, id text, place text, status text, record text)
        WHERE w.how <> 'add' AND w.nr <> ALL (lost)
      ON CONFLICT (project, kind, id) DO UPDATE
        SET place = EXCLUDED.place, status = EXCLUDED.status, record = EXCLUDED.record;

    is_news := EXISTS (
      SELECT FROM json_to_recordset(due) AS d (nr int, kind text, id text, lane text, at bigint)
        LEFT JOIN plancast_due AS b
          ON b.project = the_project AND b.kind = d.kind AND b.id = d.id AND b.lane = d.lane
        WHERE d.nr <> ALL (lost) AND d.at <= time AND b.at IS DISTINCT FROM d.at);
    DELETE FROM plancast_due AS b USING json_to_recordset(the_rows) AS w (nr int, kind text, id text)
      WHERE b.project = the_project AND b.kind = w.kind AND b.id = w.id AND w.nr <> ALL (lost);
    INSERT INTO plancast_due (project, kind, id, lane, at, added)
      SELECT the_project, d.kind, d.id, d.lane, d.at, r.added
        FROM json_to_recordset(due) AS d (nr int, kind text, id text, lane text, at bigint)
        JOIN plancast_records AS r ON r.project = the_project AND r.kind = d.kind AND r.id = d.id
        WHERE d.nr <> ALL (lost);
    INSERT INTO plancast_names AS n (project, kind, id, name)
      SELECT the_project, m.kind, m.id, m.name
        FROM json_to_recordset(names) AS m (nr int, kind text, id text, name text) WHERE m.nr <> ALL (lost)
      ON CONFLICT (project, kind, name) DO UPDATE SET id = EXCLUDED.id;
    IF is_news THEN
      PERFORM pg_notify(the_channel, '');
    END IF;
  END
  $$;
`;

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
  { version: 3, oldestProgram: 1, sql: WRITE_FUNCTION },
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
