/**
 * Writes of the PostgreSQL store. Those that come while a statement is under way are written together in the next one, which
 * is one transaction. Each of them counts or does not count, whatever happens to the others. The database compares a
 * changed record with the version that the change was made from. So no change is lost, and no record is locked meanwhile.
 */

import { DatabaseError, type Pool } from "pg";
import { z } from "zod";
import { storedMove } from "./records.ts";
import { type StoreIndex, indexOf } from "./store-index.ts";
import type { Entry } from "./store.ts";
import { moved } from "./moved.ts";

/** A record that is written, and those that are written with it. */
export interface Write {
  /** `add`: only if there is none. `put`: whatever there is. Otherwise only if it still has this text. */
  readonly to: "add" | "put" | { readonly from: string };
  readonly entries: readonly [Entry, ...Entry[]];
}

/** If it was not written: the record's newest text; undefined if there is none. */
export type Written =
  { readonly isWritten: true } | { readonly isWritten: false; readonly newest: string | undefined };

export interface WriterOptions {
  readonly pool: Pool;
  readonly project: string;
  /** Number of the lock that each write of the project holds, so that no copy starts while it is under way. */
  readonly lock: number;
  readonly channel: string;
  /** Gets the database's Unix time, in ms, after each statement. */
  readonly onTime: (time: number) => void;
}

/** Writes in one statement. */
const TOGETHER = 200;

interface Waiting {
  readonly write: Write;
  readonly resolve: (written: Written) => void;
  readonly reject: (error: unknown) => void;
}

export class PostgresWriter {
  readonly #options: WriterOptions;
  #waiting: Waiting[] = [];
  /** Whether a statement is under way, or begins soon. */
  #isBusy = false;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Rejects if it is not certain that the write was committed, and if another store is used. */
  write(write: Write): Promise<Written> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject });
      this.#start();
    });
  }

  /**
   * Writes at once, all or nothing, also to a store that is not used.
   * Meanwhile, no other write is under way.
   */
  async writeAlone(writes: readonly Write[]): Promise<void> {
    await this.#send(writes, true);
  }

  /** Soon, so that what others write now is written together. */
  #start(): void {
    if (this.#isBusy || this.#waiting.length === 0) return;
    this.#isBusy = true;
    setImmediate(() => {
      void this.#settle(this.#next()).finally(() => {
        this.#isBusy = false;
        this.#start();
      });
    });
  }

  /** Writes of different records. */
  #next(): readonly Waiting[] {
    const seen = new Set<string>();
    const batch: Waiting[] = [];
    const rest: Waiting[] = [];
    for (const each of this.#waiting) {
      const keys = each.write.entries.map(keyOf);
      const isNew = batch.length < TOGETHER && keys.every((key) => !seen.has(key));
      (isNew ? batch : rest).push(each);
      for (const key of keys) seen.add(key);
    }
    this.#waiting = rest;
    return batch;
  }

  async #settle(batch: readonly Waiting[]): Promise<void> {
    try {
      const results = await this.#send(
        batch.map(({ write }) => write),
        false,
      );
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] ?? { isWritten: true });
    } catch (error) {
      // The database wrote nothing. One of the writes may be the reason, and the others must not fail with it.
      if (batch.length > 1 && isAboutRecords(error)) for (const each of batch) await this.#settle([each]);
      else for (const { reject } of batch) reject(error);
    }
  }

  async #send(writes: readonly Write[], isAlone: boolean): Promise<readonly Written[]> {
    const { pool, project, lock, channel, onTime } = this.#options;
    const rows = writes.flatMap(rowsOf);
    const due = rows.flatMap(({ nr, kind, id, index }) =>
      [...index.due].map(([lane, at]) => ({ nr, kind, id, lane, at })),
    );
    const names = rows.flatMap(({ nr, kind, id, index }) =>
      index.names.map((name) => ({ nr, kind, id, name: nameInDatabase(name) })),
    );
    const groups = [rows.map(({ index: _index, ...row }) => row), due, names];
    const answer: unknown = await pool.query("SELECT * FROM plancast_write($1, $2, $3, $4, $5, $6, $7)", [
      project,
      lock,
      channel,
      isAlone,
      ...groups.map((each) => JSON.stringify(each)),
    ]);
    const [{ clock, move, lost, newest }] = answerSchema.parse(answer).rows;
    onTime(Number(clock));
    if (move !== null) throw moved(storedMove.parse(JSON.parse(move)));
    const news = new Map(lost.map((nr, index) => [nr, newest[index] ?? undefined]));
    return writes.map((_, nr) =>
      news.has(nr) ? { isWritten: false, newest: news.get(nr) } : { isWritten: true },
    );
  }
}

/** Classes of errors: data exception, integrity, and transaction rollback. */
function isAboutRecords(error: unknown): boolean {
  return error instanceof DatabaseError && /^(?:22|23|40)/.test(error.code ?? "");
}

const answerSchema = z.object({
  rows: z.tuple([
    z.object({
      clock: z.string(),
      /** Why nothing was written: another store is used. */
      move: z.string().nullable(),
      /** Numbers of the writes that were not made, and the newest text of their records. */
      lost: z.array(z.int()),
      newest: z.array(z.string().nullable()),
    }),
  ]),
});

interface Row {
  /** Number of its write. */
  readonly nr: number;
  readonly how: "add" | "put" | "update";
  readonly kind: string;
  readonly id: string;
  readonly place: string;
  readonly status: string;
  readonly record: string;
  readonly seen: string | undefined;
  readonly index: StoreIndex;
}

function rowsOf({ to, entries }: Write, nr: number): readonly Row[] {
  return entries.map(({ kind, record }, position) => {
    const index = indexOf(kind, record);
    const how = position > 0 ? "put" : typeof to === "string" ? to : "update";
    return {
      nr,
      how,
      kind,
      id: record.id,
      place: index.place,
      status: index.status,
      record: JSON.stringify(record),
      seen: how === "update" && typeof to !== "string" ? to.from : undefined,
      index,
    };
  });
}

function keyOf({ kind, record }: Entry): string {
  return `${kind} ${record.id}`;
}

/** Networks choose the ids of parts, and PostgreSQL does not take every text. */
export function nameInDatabase(name: string): string {
  return /[\0\ud800-\udfff]/u.test(name) ? JSON.stringify(name) : name;
}
