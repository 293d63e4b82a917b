/**
 * Rate limits that all machines of a project share, in a table of the PostgreSQL store, by the database's clock. Nothing
 * is counted twice or forgotten: a request whose place is not certain is not sent.
 */

import type { Pool } from "pg";
import type { SharedCount, SharedPhase } from "../../service/rate/shared-gate.ts";
import { openPool } from "./postgres-pool.ts";

/** A machine asks for places one after the other anyway, because they are in one row. */
const MAX_CONNECTIONS = 2;

const MS = "interval '1 millisecond'";
/** Whether the phase in the table has not ended. `EXCLUDED` has the phase that would follow it. */
const IS_RUNNING = "l.ends > statement_timestamp()";
const LEFT_MS = "extract(epoch FROM ends - clock_timestamp())::float8 * 1000";

const NEXT_END = `statement_timestamp() + $4 * ${MS}`;

/** A value while the phase in the table goes on, and otherwise that of the phase that would follow it. */
function whileRunning(column: string, value: string): string {
  return `CASE WHEN ${IS_RUNNING} THEN ${value} ELSE EXCLUDED.${column} END`;
}

type Taken = SharedPhase & { readonly free: number };

/** Limits of accounts and keys, by name. */
export class PostgresLimits {
  readonly #pool: Pool;
  readonly #project: string;

  /** Connects when a limit is first asked. */
  constructor({ url, project }: { readonly url: string; readonly project: string }) {
    this.#pool = openPool(url, MAX_CONNECTIONS);
    this.#project = project;
  }

  /** The count of an account's requests. */
  count(name: string): SharedCount {
    const change = async (set: string, values: readonly unknown[]): Promise<void> => {
      await this.#pool.query(`UPDATE plancast_limits AS l ${set} AND project = $1 AND name = $2`, [
        this.#project,
        name,
        ...values,
      ]);
    };
    return {
      take: (probe, probeMs) => this.#take(name, probe, probeMs, 0),
      open: (probe, left, ms) =>
        change(`SET phase = 'open', free = $4, ends = statement_timestamp() + $5 * ${MS} WHERE phase = $3`, [
          probe,
          left,
          ms,
        ]),
      endProbe: (probe) => change("SET ends = statement_timestamp() WHERE phase = $3", [probe]),
      shut: (phase, ms) =>
        change(
          `SET phase = $3, ends = statement_timestamp() + $4 * ${MS}
           WHERE NOT (phase LIKE 'closed%' AND ends >= statement_timestamp() + $4 * ${MS})`,
          [phase, ms],
        ),
      lower: (from, to) =>
        change(`SET free = $4 WHERE phase = 'open' AND ${IS_RUNNING} AND free > $3`, [from, to]),
    };
  }

  /** Takes one of `limit` requests of a key, in a window that begins with its first one. */
  takeInWindow(name: string, limit: number, windowMs: number): Promise<Taken> {
    return this.#take(name, "open", windowMs, limit);
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  /** @param free requests that are left in the next phase, before this one */
  async #take(name: string, next: string, nextMs: number, free: number): Promise<Taken> {
    const { rows } = await this.#pool.query<{ phase: string; free: number; ms: number }>(
      `INSERT INTO plancast_limits AS l VALUES ($1, $2, $3, ${NEXT_END}, $5 - 1)
       ON CONFLICT (project, name) DO UPDATE SET
         phase = ${whileRunning("phase", "l.phase")},
         ends = ${whileRunning("ends", "l.ends")},
         free = ${whileRunning("free", "GREATEST(l.free - 1, -1)")}
       RETURNING phase, free, ${LEFT_MS} AS ms`,
      [this.#project, name, next, nextMs, free],
    );
    const [row] = rows;
    if (row === undefined) throw new Error("The database did not say what is left of a limit.");
    const { phase, ms } = row;
    return {
      phase,
      leftMs: Math.max(1, ms),
      isTaken: phase === "open" && row.free >= 0,
      free: Math.max(0, row.free),
    };
  }
}
