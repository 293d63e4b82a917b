/** Work on one record waits for other work on it, in this process. */

import type { Kind } from "./store.ts";

export class Turns {
  readonly #queues = new Map<string, Promise<unknown>>();

  /** Does the work when earlier work on the record is over. */
  async take<T>(kind: Kind, id: string, work: () => Promise<T>): Promise<T> {
    const name = `${kind} ${id}`;
    const before = this.#queues.get(name) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#queues.set(name, mine);
    try {
      return await mine;
    } finally {
      if (this.#queues.get(name) === mine) this.#queues.delete(name);
    }
  }

  /** Resolves when all work that began is over. */
  async end(): Promise<void> {
    await Promise.allSettled(this.#queues.values());
  }
}
