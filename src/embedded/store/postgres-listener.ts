/**
 * Notices between the machines of a project: something was written that is due now. A notice may get lost with its
 * connection, so machines also ask the database from time to time.
 */

import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { newClient } from "./postgres-pool.ts";

/** How long to wait before the next connection, in ms. */
const RECONNECT_MS = 1_000;
/** How often a silent connection is tried, in ms: the other side may be gone. */
const ALIVE_MS = 30_000;

/** The channel of a project: a name that PostgreSQL takes, whatever the project is called. */
export function channelOf(project: string): string {
  return `plancast_${createHash("sha256").update(project).digest("hex").slice(0, 32)}`;
}

/** Calls `onDue` for each notice, and after each interruption. */
export class DueListener {
  readonly #url: string;
  readonly #channel: string;
  readonly #onDue: () => void;
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;

  constructor(url: string, channel: string, onDue: () => void) {
    this.#url = url;
    this.#channel = channel;
    this.#onDue = onDue;
    this.#done = this.#listen();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  async #listen(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const client = newClient(this.#url);
      const ended = new Promise<void>((resolve) => void client.once("end", () => resolve()));
      // The query in flight rejects, or the next one.
      client.on("error", () => undefined);
      // What fails now is tried again.
      await this.#listenOn(client, ended).catch(() => undefined);
      // If the other side is gone, this may take as long as TCP waits.
      client.end().catch(() => undefined);
      await this.#pause(RECONNECT_MS);
    }
  }

  /** Resolves or rejects when the connection is of no more use. */
  async #listenOn(client: Client, ended: Promise<void>): Promise<void> {
    client.on("notification", this.#onDue);
    await client.connect();
    await client.query(`LISTEN ${this.#channel}`);
    // Something may have come while nobody listened.
    this.#onDue();
    for (;;) {
      const isOver = await Promise.race([ended.then(() => true), this.#pause(ALIVE_MS)]);
      if (isOver === true || this.#stop.signal.aborted) return;
      await client.query("SELECT 1");
    }
  }

  /** Ends early when the listener is closed. */
  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stop.signal, ref: false }).catch(() => undefined);
  }
}
