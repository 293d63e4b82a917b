/** Work on one thing waits for earlier work on it, in this process. */
export class Turns {
  readonly #queues = new Map<string, Promise<unknown>>();

  /** Does the work when earlier work with this name is over. */
  async take<T>(name: string, work: () => Promise<T>): Promise<T> {
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
