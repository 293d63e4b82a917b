/**
 * The store of the embedded service: an append-only log, replayed into maps, and media files. Confirmed data is on the
 * disk, unless the store is in memory. If it is opened read-only, it changes nothing, and does not even create its
 * folder.
 */

import { AppendLog, readLog } from "../../disk/append-log.ts";
import { makeFolder } from "../../disk/files.ts";
import type { Place } from "../../disk/place.ts";
import { type ProcessLock, LockHeld, acquireProcessLock } from "../../disk/process-lock.ts";
import { Failure, reasonOf } from "../../model/failure.ts";
import { compareText } from "../../model/text.ts";
import { type MediaFiles, mediaInMemory, mediaOnDisk, prepareMediaFolder } from "./media-files.ts";
import {
  type StoreRecord,
  type StoredDelivery,
  type StoredMedia,
  type StoredPost,
  type StoredPublication,
  type StoredRun,
  type StoredWebhook,
  recordSchema,
} from "./records.ts";

const LOG_NAME = "store.jsonl";
const MEDIA_NAME = "media";

/** Records are written here before they count. */
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
  /** Keyed by post and platform. */
  readonly #publications = new Map<string, StoredPublication>();
  /** By account and the network's id of a part: the publication that the part belongs to. */
  readonly #parts = new Map<string, string>();
  /** Listed in the order of their causes. */
  readonly #deliveries = new Map<string, StoredDelivery>();
  readonly #waitingDeliveries = new Map<string, StoredDelivery>();
  readonly #queues = new Map<string, Promise<unknown>>();
  /** Earliest first; created on demand, dropped when a post is added or changed. */
  #sortedPosts: readonly StoredPost[] | undefined;

  private constructor(files: MediaFiles) {
    this.files = files;
  }

  /** The content of the folder; empty if it does not exist. Throws a Failure if plancast cannot read the log. */
  static async openReadOnly(folder: Place): Promise<Store> {
    const store = new Store(mediaOnDisk(folder.in(MEDIA_NAME)));
    await store.#replay(folder);
    return store;
  }

  /** Like openReadOnly, and for appending. The caller has the exclusive lock for the folder. */
  static async openReadWrite(folder: Place): Promise<Store> {
    const store = new Store(mediaOnDisk(folder.in(MEDIA_NAME)));
    const contents = await store.#replay(folder);
    await prepareMediaFolder(folder.in(MEDIA_NAME));
    store.#log = await AppendLog.open(folder.in(LOG_NAME), contents);
    return store;
  }

  /** Empty, and lost when the process ends. @param files where its media are */
  static inMemory(files: MediaFiles = mediaInMemory()): Store {
    const store = new Store(files);
    store.#log = MEMORY_LOG;
    return store;
  }

  async #replay(folder: Place) {
    const place = folder.in(LOG_NAME);
    const contents = await readLog(place).catch((error: unknown) => {
      throw error instanceof Failure ? invalidStore(error.message) : error;
    });
    for (const [index, record] of contents.records.entries()) {
      const parsed = recordSchema.safeParse(record);
      if (!parsed.success)
        throw invalidStore(
          `${place.path}, line ${index + 1}: not a record that this version of plancast knows.`,
        );
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
    } else if ("publication" in record) {
      this.#takePublication(record.publication);
    } else {
      this.#takeDelivery(record.delivery);
    }
    if ("deliveries" in record) record.deliveries?.forEach((each) => this.#takeDelivery(each));
  }

  #takePublication(publication: StoredPublication): void {
    const name = publicationName(publication.post_id, publication.platform);
    this.#publications.set(name, publication);
    for (const { id } of publication.parts) this.#parts.set(`${publication.account_id} ${id}`, name);
  }

  #takeDelivery(delivery: StoredDelivery): void {
    this.#deliveries.set(delivery.id, delivery);
    if (delivery.state === "waiting") this.#waitingDeliveries.set(delivery.id, delivery);
    else this.#waitingDeliveries.delete(delivery.id);
  }

  /** Resolves when the record is on the disk and visible. */
  async append(record: StoreRecord): Promise<void> {
    if (this.#log === undefined) throw new Error("The store is open only for reading.");
    await this.#log.append(record);
    this.#take(record);
  }

  /** Waits for other work with the same id, so that two tasks never use the same state. */
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
      (a, b) => compareText(a.scheduled_at, b.scheduled_at) || compareText(a.id, b.id),
    );
    return this.#sortedPosts;
  }

  media(id: string): StoredMedia | undefined {
    return this.#media.get(id);
  }

  /** Every media item, oldest first. */
  allMedia(): readonly StoredMedia[] {
    return [...this.#media.values()].sort(
      (a, b) => compareText(a.created_at, b.created_at) || compareText(a.id, b.id),
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

  /** All deliveries, in the order of their events. */
  deliveries(): readonly StoredDelivery[] {
    return [...this.#deliveries.values()];
  }

  waitingDeliveries(): readonly StoredDelivery[] {
    return [...this.#waitingDeliveries.values()];
  }

  /** The progress of a post on a real account; undefined before its first attempt. */
  publication(postId: string, platform: string): StoredPublication | undefined {
    return this.#publications.get(publicationName(postId, platform));
  }

  /** Whether the network's id belongs to a different post than this one. */
  isPartOfAnother({ post_id, platform, account_id }: StoredPublication, partId: string): boolean {
    const owner = this.#parts.get(`${account_id} ${partId}`);
    return owner !== undefined && owner !== publicationName(post_id, platform);
  }

  hasRun(id: string): boolean {
    return this.#runs.has(id);
  }

  async close(): Promise<void> {
    await this.#log?.close();
  }
}

function publicationName(postId: string, platform: string): string {
  return `${postId} ${platform}`;
}

function invalidStore(message: string): Failure {
  return new Failure(
    "embedded/store-invalid",
    message,
    "Use the version that wrote it, or restore the file from a backup. To start with an empty service, move the folder away.",
  );
}

/** Whether the store can be written to. */
export type Access = "read-only" | "read-write";

export interface OpenedStore {
  readonly store: Store;
  readonly lock?: ProcessLock;
  close(): Promise<void>;
}

/** Throws a Failure if another process uses the store, or plancast cannot read or write it. */
export async function openStore(folder: Place | undefined, access: Access): Promise<OpenedStore> {
  if (folder !== undefined && access === "read-write") return await openLocked(folder);
  const store = folder === undefined ? Store.inMemory() : await Store.openReadOnly(folder);
  return { store, close: () => store.close() };
}

async function openLocked(folder: Place): Promise<OpenedStore> {
  const lock = await lockFolder(folder);
  try {
    const store = await Store.openReadWrite(folder);
    return {
      store,
      lock,
      async close() {
        await store.close();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error instanceof Failure ? error : notWritable(folder, error);
  }
}

async function lockFolder(folder: Place): Promise<ProcessLock> {
  const place = folder.in("owner.json");
  try {
    await makeFolder(folder);
    return await acquireProcessLock(place);
  } catch (error) {
    if (!(error instanceof LockHeld)) throw notWritable(folder, error);
    const at = error.owner?.info["url"];
    throw new Failure(
      "embedded/in-use",
      `The store of the embedded service is in use: ${error.message}${at === undefined ? "" : ` It answers at ${at}.`}`,
      `Wait until that process ends, or stop it. If no plancast is running, remove ${place.path}.`,
    );
  }
}

/** The store, while this process had it open. */
export function takenOver(folder: Place | undefined): Failure {
  return new Failure(
    "embedded/taken-over",
    `Another process used the store of the running service, ${folder?.path}, or its file owner.json was removed. The service stops, because it would not know the other's posts.`,
    "Start it again. Run every command of the project where it can see the service: as the same user, and inside the same container.",
  );
}

function notWritable({ path }: Place, error: unknown): Failure {
  return new Failure(
    "disk/not-writable",
    `plancast cannot write to the embedded service's store, ${path}: ${reasonOf(error)}`,
    "Check the folder's permissions and the free space on the disk.",
    { cause: error },
  );
}

/** The posts that are neither cancelled nor published. Checking whether a post is due is cheap. */
class ScheduledPosts {
  /** By id, in the order of their creation. */
  readonly #posts = new Map<string, StoredPost>();
  /** Earliest time of a post, in ms; undefined if it must be computed. */
  #next: number | undefined;

  /** Updates the state of a post. */
  take(post: StoredPost): void {
    if (post.cancelled_at === undefined && post.published_at === undefined) {
      this.#posts.set(post.id, post);
      if (this.#next !== undefined) this.#next = Math.min(this.#next, timeOf(post));
    } else if (this.#posts.delete(post.id)) {
      this.#next = undefined;
    }
  }

  /** When the next post is due, in ms; Infinity if none is. */
  next(): number {
    this.#next ??= [...this.#posts.values()].reduce(
      (least, post) => Math.min(least, timeOf(post)),
      Number.POSITIVE_INFINITY,
    );
    return this.#next;
  }

  /** The posts that are due at that time, in ms: earliest first, then in the order of their creation. */
  due(at: number): StoredPost[] {
    if (this.next() > at) return [];
    return [...this.#posts.values()]
      .filter((post) => timeOf(post) <= at)
      .sort((a, b) => timeOf(a) - timeOf(b));
  }
}

function timeOf(post: StoredPost): number {
  return Date.parse(post.scheduled_at);
}
