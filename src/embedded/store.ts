/**
 * The store of the embedded service: an append-only log, replayed into maps, and media files. What a caller has been
 * told is on the disk, unless the store is in memory. Opened read-only it touches nothing, not even to make its folder.
 */
import { join } from "node:path";
import { Failure } from "../calendar/failure.ts";
import { AppendLog, readLog } from "../state/append-log.ts";
import { mediaOnDisk, mediaInMemory, prepareMediaFolder, type MediaFiles } from "./media-files.ts";
import {
  recordSchema,
  type StoredDelivery,
  type StoredMedia,
  type StoredPost,
  type StoredRun,
  type StoredWebhook,
  type StoreRecord,
} from "./records.ts";
import { ScheduledPosts } from "./waiting-posts.ts";

const LOG_NAME = "store.jsonl";
const MEDIA_NAME = "media";

/** Where records go before they count. */
type Log = Pick<AppendLog, "append" | "close">;

const MEMORY_LOG: Log = { append: () => Promise.resolve(), close: () => Promise.resolve() };

export class Store {
  readonly files: MediaFiles;
  #log: Log | undefined;
  readonly scheduled = new ScheduledPosts();
  readonly #posts = new Map<string, StoredPost>();
  readonly #media = new Map<string, StoredMedia>();
  readonly #disconnected = new Set<string>();
  readonly #webhooks = new Map<string, StoredWebhook>();
  readonly #runs = new Map<string, StoredRun>();
  /** In the order in which they were caused. */
  readonly #deliveries = new Map<string, StoredDelivery>();
  readonly #waitingDeliveries = new Map<string, StoredDelivery>();
  readonly #queues = new Map<string, Promise<unknown>>();
  /** Earliest first; made when asked for, dropped when a post comes or changes. */
  #sortedPosts: readonly StoredPost[] | undefined;

  private constructor(files: MediaFiles) {
    this.files = files;
  }

  /** What is in the folder; nothing where there is none. Throws a Failure when the log cannot be understood. */
  static async openReadOnly(folder: string): Promise<Store> {
    const store = new Store(mediaOnDisk(join(folder, MEDIA_NAME)));
    await store.#replay(folder);
    return store;
  }

  /** As openReadOnly, and for appending. The caller holds the exclusive right on the folder. */
  static async openReadWrite(folder: string): Promise<Store> {
    const store = new Store(mediaOnDisk(join(folder, MEDIA_NAME)));
    const contents = await store.#replay(folder);
    await prepareMediaFolder(join(folder, MEDIA_NAME));
    store.#log = await AppendLog.open(join(folder, LOG_NAME), contents);
    return store;
  }

  /** Empty, and gone when the process ends. */
  static inMemory(): Store {
    const store = new Store(mediaInMemory());
    store.#log = MEMORY_LOG;
    return store;
  }

  async #replay(folder: string) {
    const path = join(folder, LOG_NAME);
    const contents = await readLog(path).catch((error: unknown) => {
      throw error instanceof Failure ? invalidStore(error.message) : error;
    });
    for (const [index, record] of contents.records.entries()) {
      const parsed = recordSchema.safeParse(record);
      if (!parsed.success)
        throw invalidStore(`${path}, line ${index + 1}: not a record that this version of plancast knows.`);
      this.#take(parsed.data);
    }
    return contents;
  }

  #take(record: StoreRecord): void {
    if ("post" in record) {
      this.#posts.set(record.post.id, record.post);
      this.scheduled.take(record.post);
      this.#sortedPosts = undefined;
    } else if ("media" in record) {
      this.#media.set(record.media.id, record.media);
    } else if ("disconnected" in record) {
      this.#disconnected.add(record.disconnected.id);
    } else if ("webhook" in record) {
      this.#webhooks.set(record.webhook.id, record.webhook);
    } else if ("run" in record) {
      this.#runs.set(record.run.id, record.run);
    } else {
      this.#takeDelivery(record.delivery);
    }
    if ("deliveries" in record) record.deliveries?.forEach((each) => this.#takeDelivery(each));
  }

  #takeDelivery(delivery: StoredDelivery): void {
    this.#deliveries.set(delivery.id, delivery);
    if (delivery.state === "waiting") this.#waitingDeliveries.set(delivery.id, delivery);
    else this.#waitingDeliveries.delete(delivery.id);
  }

  /** Resolves when the record is on the disk; from then on it shows. */
  async append(record: StoreRecord): Promise<void> {
    if (this.#log === undefined) throw new Error("The store is open for reading alone.");
    await this.#log.append(record);
    this.#take(record);
  }

  /** Does the work after what goes on under that id, so that no two decide on one state. */
  async runExclusive<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(id) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#queues.set(id, mine);
    try {
      return await mine;
    } finally {
      if (this.#queues.get(id) === mine) this.#queues.delete(id);
    }
  }

  post(id: string): StoredPost | undefined {
    return this.#posts.get(id);
  }

  /** Every post, by scheduled_at, then by id. */
  posts(): readonly StoredPost[] {
    this.#sortedPosts ??= [...this.#posts.values()].sort(
      (a, b) => compare(a.scheduled_at, b.scheduled_at) || compare(a.id, b.id),
    );
    return this.#sortedPosts;
  }

  media(id: string): StoredMedia | undefined {
    return this.#media.get(id);
  }

  /** Every media item, oldest first. */
  allMedia(): readonly StoredMedia[] {
    return [...this.#media.values()].sort(
      (a, b) => compare(a.created_at, b.created_at) || compare(a.id, b.id),
    );
  }

  isDisconnected(accountId: string): boolean {
    return this.#disconnected.has(accountId);
  }

  /** Every webhook, in the order in which they were registered. */
  webhooks(): readonly StoredWebhook[] {
    return [...this.#webhooks.values()];
  }

  delivery(id: string): StoredDelivery | undefined {
    return this.#deliveries.get(id);
  }

  /** Every delivery, in the order in which they were caused. */
  deliveries(): readonly StoredDelivery[] {
    return [...this.#deliveries.values()];
  }

  waitingDeliveries(): readonly StoredDelivery[] {
    return [...this.#waitingDeliveries.values()];
  }

  hasRun(id: string): boolean {
    return this.#runs.has(id);
  }

  async close(): Promise<void> {
    await this.#log?.close();
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function invalidStore(message: string): Failure {
  return new Failure(
    "embedded/store-invalid",
    message,
    "Use the version that wrote it; or restore the file from a backup; or, to start with an empty service, move the folder away.",
  );
}
