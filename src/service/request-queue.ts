/** Requests that wait, in the order of their priority: in this process's memory, or together with other processes. */
import Bottleneck from "bottleneck/light.js";

export interface RequestQueue {
  /** Requests that wait here. */
  readonly waiting: number;
  /** Runs it when its turn has come; gives `stopped` when the queue was stopped before. */
  schedule<T>(priority: number, run: () => Promise<T>): Promise<T | "stopped">;
  /** Lets so many requests through from now on. */
  admit(requests: number): void;
  stop(): void;
}

export class LocalQueue implements RequestQueue {
  readonly #bottleneck: Bottleneck;

  /** @param concurrency requests that run at once */
  constructor(concurrency: number) {
    this.#bottleneck = new Bottleneck({ maxConcurrent: concurrency, reservoir: 1 });
  }

  get waiting(): number {
    const { RECEIVED, QUEUED } = this.#bottleneck.counts();
    return RECEIVED + QUEUED;
  }

  async schedule<T>(priority: number, run: () => Promise<T>): Promise<T | "stopped"> {
    try {
      return await this.#bottleneck.schedule({ priority }, run);
    } catch (error) {
      if (error instanceof Bottleneck.BottleneckError) return "stopped";
      throw error;
    }
  }

  admit(requests: number): void {
    // Not awaited: it resolves in a later turn, and what is let through meanwhile asks the gate itself.
    void this.#bottleneck.updateSettings({ reservoir: requests });
  }

  stop(): void {
    void this.#bottleneck.stop({ dropWaitingJobs: true });
  }
}
