/**
 * The tables of the PostgreSQL store, as numbered steps. A step only adds, so that an older program can go on beside a
 * newer one. What is not needed any more is removed one release later, by a step whose `oldestProgram` is that release.
 */

interface Migration {
  readonly version: number;
  /** The oldest `PROGRAM_VERSION` that can use the tables after this step. */
  readonly oldestProgram: number;
  readonly sql: string;
}

/** Raised when this program needs to know tables that an older one does not. */
export const PROGRAM_VERSION = 1;

/**
 * Places and ids sort byte by byte, as in the other stores. A record is text, because PostgreSQL's JSON refuses some texts
 * that people write. `at` is in ms since the epoch.
 */
export const MIGRATIONS: readonly Migration[] = [
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
];
