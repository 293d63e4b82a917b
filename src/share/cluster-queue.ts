/**
 * Requests of all processes that share a key, in Bottleneck's clustering: its reservoir in Redis lets them through, and
 * a change of it wakes the queues of all. It only hints, as it does in one process: it is taken when a request is let
 * through, and set by whoever learned something last. The gate has the last word.
 *
 * How many a process has in flight is counted in that process: a count in Redis would keep the places of a process that
 * died. And how a request ended never waits for Redis: Bottleneck would not tell before its place is given back.
 */
import Bottleneck from "bottleneck";
import type { RequestQueue } from "../service/request-queue.ts";
import { BottleneckRedis } from "./bottleneck-redis.ts";
import type { RedisLink } from "./redis-link.ts";

/** What Bottleneck keeps of a key that nobody uses any more goes after this, ms. */
const QUEUE_KEPT_MS = 3_600_000;

export class ClusterQueue implements RequestQueue {
  readonly #link: RedisLink;
  readonly #connection: Bottleneck.IORedisConnection;
  readonly #cluster: Bottleneck;
  readonly #local: Bottleneck;
  /** Of each request that waits: gives it up. */
  readonly #waiting = new Set<() => void>();
  #isStopped = false;

  private constructor(link: RedisLink, name: string, concurrency: number) {
    this.#link = link;
    // With the class at hand it looks for no module of that name, which is not there in what is built.
    this.#connection = new Bottleneck.IORedisConnection({ client: link.client, Redis: BottleneckRedis });
    this.#cluster = new Bottleneck({
      id: name,
      connection: this.#connection,
      reservoir: 1,
      timeout: QUEUE_KEPT_MS,
    });
    this.#cluster.on("error", (error) => this.#fail(error));
    this.#local = new Bottleneck({ maxConcurrent: concurrency }).chain(this.#cluster);
  }

  /** Throws a Failure when Redis does not answer, or refuses. */
  static async open(link: RedisLink, name: string, concurrency: number): Promise<ClusterQueue> {
    const queue = new ClusterQueue(link, name, concurrency);
    await link.answered(queue.#cluster.ready());
    return queue;
  }

  get waiting(): number {
    const [local, cluster] = [this.#local.counts(), this.#cluster.counts()];
    return local.RECEIVED + local.QUEUED + cluster.RECEIVED + cluster.QUEUED;
  }

  schedule<T>(priority: number, run: () => Promise<T>): Promise<T | "stopped"> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => resolve("stopped");
      if (this.#isStopped) giveUp();
      else this.#waiting.add(giveUp);
      const job = async (): Promise<void> => {
        // What was given up does not run, even if Redis lets it through at last.
        if (this.#waiting.delete(giveUp)) await run().then(resolve, reject);
      };
      this.#local.schedule({ priority }, job).catch((error: unknown) => this.#fail(error));
    });
  }

  admit(requests: number): void {
    // A promise, whatever its types say.
    Promise.resolve(this.#cluster.updateSettings({ reservoir: requests })).catch((error: unknown) =>
      this.#fail(error),
    );
  }

  stop(): void {
    this.#isStopped = true;
    for (const giveUp of this.#waiting) giveUp();
    this.#waiting.clear();
  }

  /** Tells all processes that something is new. */
  announce(): void {
    this.#cluster.publish("news").catch((error: unknown) => this.#fail(error));
  }

  onNews(listener: () => void): void {
    this.#cluster.on("message", listener);
  }

  /** Ends the connections, also Bottleneck's own one for messages. */
  async close(): Promise<void> {
    this.stop();
    await this.#connection.disconnect(false);
  }

  /** Without its queue nothing may be sent. */
  #fail(error: unknown): void {
    if (!this.#isStopped) this.#link.lose(error);
  }
}
