/**
 * A store in PostgreSQL, which several processes and machines share. A change counts only if the record is still the version
 * that it was made from, so changes of one record follow each other, whoever makes them: see postgres-writer.ts. The
 * database's clock is the clock of all.
 */

import { createHash } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import { z } from "zod";
import { Failure, reasonOf } from "../../model/failure.ts";
import type { MediaFiles } from "./media-files.ts";
import { isOld, oldBefore } from "./age.ts";
import { KINDS, entryOf } from "./memory-store.ts";
import { moved } from "./moved.ts";
import { PROJECT_LOCK, migrate } from "./postgres-migrations.ts";
import { DueListener, channelOf } from "./postgres-listener.ts";
import { openPool } from "./postgres-pool.ts";
import { PostgresWriter, nameInDatabase } from "./postgres-writer.ts";
import { type StoredMove, RECORDS } from "./records.ts";
import { indexOf } from "./store-index.ts";
import { Turns } from "./turns.ts";
import type {
  StoreChange,
  DueQuery,
  Entry,
  Kind,
  LastingStore,
  ListQuery,
  Records,
  StoreDescription,
} from "./store.ts";

export interface PostgresOptions {
  /** `postgres://…`, as `PLANCAST_DATABASE_URL` has it. */
  readonly url: string;
  /** Name of the project in the database. */
  readonly project: string;
  readonly files: MediaFiles;
  /** Ms since any moment, from a clock that nobody sets. */
  readonly monotonic: () => number;
}

const MAX_CONNECTIONS = 8;
/** How often the database is asked for its time, in ms. */
const CLOCK_MS = 60_000;

/** Other writes of a record that may come first, one after the other. Each of them is a success of somebody else. */
const MAX_RACES = 10_000;
/** Records that are read or written at once. */
const GROUP = 1_000;
/** How often old records are put away, in ms. */
const COMPACT_MS = 3_600_000;

export class PostgresStore implements LastingStore {
  readonly isShared = true;
  readonly files: MediaFiles;
  readonly #pool: Pool;
  readonly #project: string;
  readonly #monotonic: () => number;
  /** The database's Unix time, in ms, when `#monotonic` was 0. */
  #startMs = 0;
  readonly #lock: number;
  #timers: readonly NodeJS.Timeout[] = [];
  readonly #url: string;
  readonly #channel: string;
  readonly #listeners: DueListener[] = [];
  readonly #writer: PostgresWriter;
  readonly #changes = new Turns();
  readonly #readings = new Turns();
  /** The texts of records in the database. */
  readonly #texts = new WeakMap<object, string>();
  /** Readings that have not begun, by what they ask. */
  readonly #waiting = new Map<string, Answer>();

  private constructor(pool: Pool, { url, project, files, monotonic }: PostgresOptions) {
    this.#pool = pool;
    this.#url = url;
    this.#channel = channelOf(project);
    this.#project = project;
    this.#lock = createHash("sha256").update(project).digest().readInt32BE(0);
    this.files = files;
    this.#monotonic = monotonic;
    const onTime = (time: number): void => this.#catchUp(time);
    this.#writer = new PostgresWriter({ pool, project, lock: this.#lock, channel: this.#channel, onTime });
  }

  /**
   * Connects, and brings the tables to the version of this program. Throws a Failure if the address is none, the database
   * cannot be reached, or a newer plancast has changed the tables in a way that this one does not know.
   */
  static async open(options: PostgresOptions): Promise<PostgresStore> {
    const pool = openPool(options.url, MAX_CONNECTIONS);
    try {
      await migrate(pool);
      const store = new PostgresStore(pool, options);
      await store.#readClock();
      // What fails now is tried again later.
      store.#timers = [
        setInterval(() => void store.#readClock().catch(() => undefined), CLOCK_MS).unref(),
        setInterval(() => void store.#compactRecords().catch(() => undefined), COMPACT_MS).unref(),
      ];
      return store;
    } catch (error) {
      await pool.end();
      throw error instanceof Failure ? error : unreachable(error);
    }
  }

  /** Unix time of the database, in ms. A machine whose clock is set while it runs does not change it. */
  readonly now = (): number => Math.round(this.#startMs + this.#monotonic());

  get<K extends Kind>(kind: K, id: string): Promise<Records[K] | undefined> {
    return this.#newest(kind, id, kind === "post" ? ["post", "archived"] : [kind]);
  }

  async list<K extends Kind>(
    kind: K,
    { status, after, limit, isReversed = false }: ListQuery = {},
  ): Promise<readonly Records[K][]> {
    const order = isReversed ? "DESC" : "ASC";
    const { rows } = await this.#queryOnce(
      `SELECT record FROM plancast_records
       WHERE project = $1 AND kind = $2
         AND ($3::text IS NULL OR status = $3) AND ($4::text IS NULL OR place ${isReversed ? "<" : ">"} $4)
       ORDER BY place ${order} LIMIT $5`,
      [kind, status, after, limit],
    );
    return this.#records(kind, rows);
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
      [kind, nameInDatabase(name)],
    );
    return this.#records(kind, rows)[0];
  }

  async due<K extends Kind>(kind: K, { lane, at, limit }: DueQuery): Promise<readonly Records[K][]> {
    const { rows } = await this.#query(
      `SELECT record FROM plancast_due JOIN plancast_records USING (project, kind, id)
       WHERE project = $1 AND kind = $2 AND lane = $3 AND at <= $4
       ORDER BY at, plancast_due.added LIMIT $5`,
      [kind, lane, at, limit],
    );
    return this.#records(kind, rows);
  }

  async lanes(kind: Kind): Promise<readonly string[]> {
    // From each lane to the next one, because a lane may have very many posts.
    const next = `SELECT lane AS record FROM plancast_due WHERE project = $1 AND kind = $2`;
    const { rows } = await this.#queryOnce(
      `WITH RECURSIVE lanes AS (
         (${next} ORDER BY lane LIMIT 1)
         UNION ALL
         SELECT (${next} AND lane > lanes.record ORDER BY lane LIMIT 1) FROM lanes WHERE lanes.record IS NOT NULL
       ) SELECT record FROM lanes WHERE record IS NOT NULL`,
      [kind],
    );
    return rows.flatMap(({ record }) => record ?? []);
  }

  async nextDue(kind: Kind, lanes: readonly string[]): Promise<number> {
    const { rows } = await this.#pool.query<Row & { readonly move: string | null }>(
      `SELECT min(at)::text AS record, (${selectMove("$1")}) AS move FROM plancast_due
       WHERE project = $1 AND kind = $2 AND lane = ANY($3)`,
      [this.#project, kind, lanes],
    );
    const move = moveIn({ record: rows[0]?.move ?? null });
    if (move !== undefined && move.state !== "here") throw moved(move);
    const next = rows[0]?.record;
    return next === null || next === undefined ? Infinity : Number(next);
  }

  async add(entry: Entry, also: readonly Entry[] = []): Promise<boolean> {
    const { isWritten } = await this.#writer.write({ to: "add", entries: [entry, ...also] });
    return isWritten;
  }

  update<K extends Kind>(
    kind: K,
    of: string | Records[K],
    change: (record: Records[K]) => StoreChange<K> | undefined,
  ): Promise<Records[K] | undefined> {
    const id = typeof of === "string" ? of : of.id;
    return this.#changes.take(`${kind} ${id}`, async () => {
      let before = typeof of === "string" || !this.#texts.has(of) ? await this.#newest(kind, id) : of;
      // What the caller knows may be old.
      let isNewest = before !== of;
      for (let races = 0; before !== undefined && races < MAX_RACES;) {
        const changed = change(before);
        if (changed !== undefined) {
          const entries = [entryOf(kind, changed.record), ...(changed.also ?? [])] as const;
          const from = this.#texts.get(before) ?? "";
          const written = await this.#writer.write({ to: { from }, entries });
          if (written.isWritten) return this.#known(changed.record, JSON.stringify(changed.record));
          races += 1;
          before = written.newest === undefined ? undefined : this.#read(kind, written.newest);
        } else if (isNewest) return undefined;
        else before = await this.#newest(kind, id);
        isNewest = true;
      }
      if (before !== undefined) throw new Error(`Others change the record ${id} all the time.`);
      return undefined;
    });
  }

  async compact(): Promise<void> {
    await this.#compactRecords();
    await this.files.removeOrphans?.(async (id) => (await this.get("media", id)) !== undefined);
  }

  async #compactRecords(): Promise<void> {
    const before = oldBefore(this.now());
    for (const kind of KINDS) {
      let after: string | undefined = "";
      while (after !== undefined) after = await this.#compactGroup(kind, after, before);
    }
  }

  async *everything(): AsyncGenerator<readonly Entry[]> {
    for (const kind of KINDS) {
      for (let after = "0"; ;) {
        const { rows } = await this.#pool.query<Row & { readonly number: string }>(
          `SELECT record, added::text AS number FROM plancast_records
           WHERE project = $1 AND kind = $2 AND added > $3 ORDER BY added LIMIT ${GROUP}`,
          [this.#project, kind, after],
        );
        const last = rows.at(-1);
        if (last === undefined) break;
        yield this.#records(kind, rows).map((record) => entryOf(kind, record));
        after = last.number;
      }
    }
  }

  async addMissing(entries: readonly Entry[]): Promise<void> {
    if (entries.length > 0)
      await this.#writer.writeAlone(entries.map((entry) => ({ to: "add", entries: [entry] })));
  }

  async clear(move: StoredMove): Promise<void> {
    for (let removed = 1; removed > 0;)
      removed = await this.#transaction("exclusive", async (client) => {
        const { rowCount } = await client.query(
          `DELETE FROM plancast_records WHERE project = $1 AND ctid = ANY(ARRAY(
             SELECT ctid FROM plancast_records WHERE project = $1 AND kind <> 'move' LIMIT ${GROUP}))`,
          [this.#project],
        );
        return rowCount ?? 0;
      });
    await this.setMove(move);
  }

  async setMove(move: StoredMove): Promise<void> {
    await this.#writer.writeAlone([{ to: "put", entries: [{ kind: "move", record: move }] }]);
  }

  async describe(): Promise<StoreDescription> {
    const { rows } = await this.#pool.query<{ version: number; bytes: string }>(
      `SELECT max(version) AS version, (SELECT sum(pg_total_relation_size(name::regclass))::text
         FROM unnest(ARRAY['plancast_records', 'plancast_due', 'plancast_names']) AS name) AS bytes
       FROM plancast_schema`,
    );
    const years = await this.#pool.query<{ year: string; posts: number }>(
      `SELECT left(place, 4) AS year, count(*)::int AS posts FROM plancast_records
       WHERE project = $1 AND kind = 'archived' GROUP BY 1 ORDER BY 1`,
      [this.#project],
    );
    return {
      version: rows[0]?.version ?? 0,
      bytes: Number(rows[0]?.bytes),
      archived: Object.fromEntries(years.rows.map(({ year, posts }) => [year, posts])),
    };
  }

  /** The keys of the project's service, as text, which all machines share. The first machine makes them. */
  async keys(make: () => string): Promise<string> {
    await this.#query("INSERT INTO plancast_keys VALUES ($1, $2) ON CONFLICT DO NOTHING", [make()]);
    const { rows } = await this.#query("SELECT keys AS record FROM plancast_keys WHERE project = $1", []);
    return rows[0]?.record ?? "";
  }

  listen(onDue: () => void): void {
    this.#listeners.push(new DueListener(this.#url, this.#channel, onDue));
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all(this.#listeners.map((each) => each.close()));
    await this.#pool.end();
  }

  #query(text: string, values: readonly unknown[]): Answer {
    return this.#pool.query<Row>(text, [this.#project, ...values]);
  }

  /** While a query is under way, others that ask the same wait for one query after it, which answers all of them. */
  #queryOnce(text: string, values: readonly unknown[]): Answer {
    const key = JSON.stringify([text, values]);
    const asked =
      this.#waiting.get(key) ??
      this.#readings.take(key, () => {
        this.#waiting.delete(key);
        return this.#query(text, values);
      });
    this.#waiting.set(key, asked);
    return asked;
  }

  /**
   * Rejects if it is not certain that the transaction was committed, and if another store is used.
   * @param turn `exclusive`: no other write is under way, and also a store that is not used can be written to
   */
  async #transaction<T>(turn: "shared" | "exclusive", work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let isUsable = true;
    try {
      // One request: most of a write's time is the way to the database and back.
      const lock = turn === "shared" ? "pg_advisory_xact_lock_shared" : "pg_advisory_xact_lock";
      const answers: unknown = await client.query(
        `BEGIN; SELECT ${lock}(${PROJECT_LOCK}, ${this.#lock}); ${selectMove(client.escapeLiteral(this.#project))};
         SELECT ${CLOCK} AS record`,
      );
      const [moves, clock] = beginSchema.parse(answers).slice(-2);
      this.#catchUp(Number(clock?.rows[0]?.record));
      const move = moveIn(moves?.rows[0]);
      if (turn === "shared" && (move?.state === "left" || move?.state === "arriving")) throw moved(move);
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

  /** Puts a group of old records away. Resolves to the place after which the next group starts; undefined at the end. */
  async #compactGroup(kind: Kind, after: string, before: string): Promise<string | undefined> {
    const { records, old } = await this.#transaction("shared", async (client) => {
      const { rows } = await client.query<Row>(
        `SELECT record FROM plancast_records WHERE project = $1 AND kind = $2 AND place > $3 AND place < $4
         ORDER BY place LIMIT ${GROUP} FOR UPDATE SKIP LOCKED`,
        [this.#project, kind, after, before],
      );
      const found = this.#records(kind, rows).map((record) => entryOf(kind, record));
      const gone = found.filter((entry) => isOld(entry, before));
      const key = [this.#project, kind, gone.map(({ record }) => record.id)];
      const where = "WHERE project = $1 AND kind = $2 AND id = ANY($3)";
      if (kind === "post" && gone.length > 0) {
        await client.query(`DELETE FROM plancast_names ${where}`, key);
        await client.query(`UPDATE plancast_records SET kind = 'archived' ${where}`, key);
      } else if (gone.length > 0) await client.query(`DELETE FROM plancast_records ${where}`, key);
      return { records: found.map(({ record }) => record), old: gone };
    });
    // A crash before this leaves bytes that nobody needs.
    for (const { kind: each, record } of old) if (each === "media") await this.files.remove(record);
    return nextAfter(kind, records);
  }

  async #newest<K extends Kind>(
    kind: K,
    id: string,
    kinds: readonly string[] = [kind],
  ): Promise<Records[K] | undefined> {
    const { rows } = await this.#query(
      "SELECT record FROM plancast_records WHERE project = $1 AND kind = ANY($2) AND id = $3",
      [kinds, id],
    );
    return this.#records(kind, rows)[0];
  }

  #records<K extends Kind>(kind: K, rows: readonly Row[]): readonly Records[K][] {
    return rows.map(({ record }) => this.#read(kind, record ?? ""));
  }

  #read<K extends Kind>(kind: K, text: string): Records[K] {
    return this.#known(read(kind, text), text);
  }

  /** Notes the text of a record, so that a change of it needs no other reading. */
  #known<R extends object>(record: R, text: string): R {
    this.#texts.set(record, text);
    return record;
  }

  async #readClock(): Promise<void> {
    const before = this.#monotonic();
    const { rows } = await this.#pool.query<Row>(`SELECT ${CLOCK} AS record`);
    const between = (before + this.#monotonic()) / 2;
    this.#startMs = Number(rows[0]?.record) - between;
  }

  /** It is later than this time of the database. A machine that was suspended does not know: its own clock did not go on. */
  #catchUp(time: number): void {
    this.#startMs = Math.max(this.#startMs, time - this.#monotonic());
  }
}

/** The database's Unix time, in ms, in SQL. */
const CLOCK = "(extract(epoch FROM clock_timestamp()) * 1000)::text";

interface Row {
  readonly record: string | null;
}

type Answer = Promise<{ readonly rows: readonly Row[] }>;

const beginSchema = z.array(z.object({ rows: z.array(z.looseObject({ record: z.string().optional() })) }));

/** The only record of a copy. @param project in SQL */
function selectMove(project: string): string {
  return `SELECT record FROM plancast_records WHERE project = ${project} AND kind = 'move' AND id = 'store'`;
}

function moveIn(row: { readonly record?: string | null | undefined } | undefined): StoredMove | undefined {
  return row?.record ? read("move", row.record) : undefined;
}

/** The place after a group of records; undefined if there are no more. */
function nextAfter<K extends Kind>(kind: K, records: readonly Records[K][]): string | undefined {
  const last = records.length < GROUP ? undefined : records.at(-1);
  return last && indexOf(kind, last).place;
}

/** Throws a Failure for a record that plancast did not write. */
function read<K extends Kind>(kind: K, text: string): Records[K] {
  const { data } = RECORDS[kind].safeParse(JSON.parse(text));
  if (data === undefined)
    throw new Failure(
      "disk/state-invalid",
      `The database has a record (${kind}) that this version of plancast does not know.`,
      "Use the version that wrote it, or restore the database from a backup.",
    );
  // The schema of a kind gives its records.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return data as Records[K];
}

function unreachable(error: unknown): Failure {
  return new Failure(
    "share/unreachable",
    `plancast cannot use the database in PLANCAST_DATABASE_URL: ${reasonOf(error)}`,
    "Check that the database is up, and that its address, user and password are right.",
    { cause: error },
  );
}
