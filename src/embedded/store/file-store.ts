/**
 * A store in a folder: a log of all writes, replayed into memory, and media files. A log that became much longer than what
 * it says is replaced by a short one. Posts that were over long ago move to the archive, and other old records go. So the
 * start depends on what is scheduled, not on the history. A store that is opened read-only keeps its own changes in memory, and changes no file.
 */

import { z } from "zod";
import { AppendLog, readLog } from "../../disk/append-log.ts";
import { makeFolder, statsAt } from "../../disk/files.ts";
import type { Place } from "../../disk/place.ts";
import { type ProcessLock, LockHeld, acquireProcessLock } from "../../disk/process-lock.ts";
import { Failure, reasonOf } from "../../model/failure.ts";
import { ORPHAN_MS, mediaOnDisk, prepareMediaFolder, removeOrphans } from "./media-files.ts";
import { MemoryStore, entryOf } from "./memory-store.ts";
import { PostArchive } from "./post-archive.ts";
import { isOld, oldBefore } from "./age.ts";
import { type StoredMove, RECORDS, withoutClaims } from "./records.ts";
import type { Entry, Kind, LastingStore, Records, Store, StoreDescription } from "./store.ts";

const LOG_NAME = "store.jsonl";
const MEDIA_NAME = "media";
const ARCHIVE_NAME = "archive";

/** Version of the form of the records. */
const VERSION = 1;
/** Old records that are worth a new log, and a new file of the archive. */
const MANY_OLD = 1_000;
/** Lines that a log may have beyond twice its records. */
const SPARE_LINES = 10_000;
/** Records that are copied at once. */
const GROUP = 1_000;

/** Whether the store can be written to. */
export type Access = "read-only" | "read-write";

export interface OpenedStore<Kept extends Store = Store> {
  readonly store: Kept;
  /** The store's clock, if it has one: Unix time, in ms. */
  readonly now?: () => number;
  /** The text with the keys that all machines share, if several have the store. */
  readonly keys?: (make: () => string) => Promise<string>;
  readonly lock?: ProcessLock;
  close(): Promise<void>;
}

/**
 * @param now ms since the epoch; decides which posts are old
 * Throws a Failure if another process uses the store, or plancast cannot read or write it.
 */
export async function openFileStore(
  folder: Place,
  access: Access,
  now: () => number,
): Promise<OpenedStore<LastingStore>> {
  if (access === "read-write") return openLocked(folder, now);
  const { entries } = await readEntries(folder);
  const store = new FileStore(folder, now, undefined);
  store.load(entries);
  return { store, close: () => store.close() };
}

async function openLocked(folder: Place, now: () => number): Promise<OpenedStore<LastingStore>> {
  const lock = await lockFolder(folder);
  try {
    const { entries, contents } = await readEntries(folder);
    await prepareMediaFolder(folder.in(MEDIA_NAME));
    const log = await AppendLog.open(folder.in(LOG_NAME), contents);
    const store = new FileStore(folder, now, { log, lines: contents.records.length });
    store.load(entries);
    await store.compactIfWorthwhile();
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

class FileStore extends MemoryStore implements LastingStore {
  readonly #folder: Place;
  readonly #archive: PostArchive;
  readonly #now: () => number;
  /** Undefined for a store that is only read. */
  readonly #log: AppendLog | undefined;
  #lines: number;
  #compacting: Promise<void> | undefined;

  constructor(
    folder: Place,
    now: () => number,
    written: { readonly log: AppendLog; readonly lines: number } | undefined,
  ) {
    super(mediaOnDisk(folder.in(MEDIA_NAME)), (entries) => this.#append(entries));
    this.#folder = folder;
    this.#archive = new PostArchive(folder.in(ARCHIVE_NAME));
    this.#now = now;
    this.#log = written?.log;
    this.#lines = written?.lines ?? 0;
  }

  /** Takes what the log says. Nobody else has the store, so claims of earlier processes are over. */
  load(entries: Iterable<Entry>): void {
    this.take(
      Array.from(entries, (entry) =>
        entry.kind === "post" ? entryOf("post", withoutClaims(entry.record)) : entry,
      ),
    );
  }

  override async get<K extends Kind>(kind: K, id: string): Promise<Records[K] | undefined> {
    const found = await super.get(kind, id);
    if (found !== undefined || kind !== "post") return found;
    // Only posts are archived.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return (await this.#archive.get(id)) as Records[K] | undefined;
  }

  /** Another compaction may be under way; then this is that one. */
  compact(): Promise<void> {
    this.#compacting ??= this.#compact().finally(() => {
      this.#compacting = undefined;
    });
    return this.#compacting;
  }

  async compactIfWorthwhile(): Promise<void> {
    const entries = [...this.entries()];
    const before = oldBefore(this.#now());
    const isLong = this.#lines > 2 * entries.length + SPARE_LINES;
    if (isLong || entries.filter((entry) => isOld(entry, before)).length >= MANY_OLD) await this.compact();
  }

  async *everything(): AsyncGenerator<readonly Entry[]> {
    const entries = [...this.entries()];
    for (let at = 0; at < entries.length; at += GROUP) yield entries.slice(at, at + GROUP);
    for await (const posts of this.#archive.groups())
      yield posts.map((record) => ({ kind: "archived", record }));
  }

  async addMissing(entries: readonly Entry[]): Promise<void> {
    await this.#archive.add(entries.flatMap(({ kind, record }) => (kind === "archived" ? [record] : [])));
    const isNew = await Promise.all(
      entries.map(
        async ({ kind, record }) => kind !== "archived" && (await super.get(kind, record.id)) === undefined,
      ),
    );
    await this.#write(entries.filter((_, index) => isNew[index]));
  }

  async clear(move: StoredMove): Promise<void> {
    await this.#archive.clear(this.#folder);
    this.empty();
    this.take([{ kind: "move", record: move }]);
    await this.#rewrite();
  }

  setMove(move: StoredMove): Promise<void> {
    return this.#write([{ kind: "move", record: move }]);
  }

  async describe(): Promise<StoreDescription> {
    const years = await this.#archive.years();
    const log = (await statsAt(this.#folder.in(LOG_NAME)))?.size ?? 0;
    return {
      version: VERSION,
      bytes: years.reduce((sum, { bytes }) => sum + bytes, log),
      archived: Object.fromEntries(years.map(({ year, posts }) => [year, posts])),
    };
  }

  override async close(): Promise<void> {
    await super.close();
    await this.#compacting?.catch(() => undefined);
    await this.#log?.close();
  }

  async #write(entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return;
    await this.#append(entries);
    this.take(entries);
  }

  async #append(entries: readonly Entry[]): Promise<void> {
    await this.#log?.append(entries);
    this.#lines += 1;
    // The next write reports a disk error.
    if (this.#lines % SPARE_LINES === 0) this.compactIfWorthwhile().catch(() => undefined);
  }

  async #compact(): Promise<void> {
    if (this.#log === undefined) return;
    const before = oldBefore(this.#now());
    const old = [...this.entries()].filter((entry) => isOld(entry, before));
    // A crash after this leaves posts in both places. Then those in the log count.
    await this.#archive.add(old.flatMap(({ kind, record }) => (kind === "post" ? [record] : [])));
    const dropped: Entry[] = [];
    for (const entry of old) if (await this.drop(entry, before)) dropped.push(entry);
    await this.#rewrite();
    for (const { kind, record } of dropped) if (kind === "media") await this.files.remove(record);
    await this.#removeOrphans();
  }

  /** A crash may leave bytes of media without a record. The bytes come first, so young ones may still get theirs. */
  async #removeOrphans(): Promise<void> {
    const written = await statsAt(this.#folder.in(LOG_NAME));
    if (written === undefined) return;
    const isKnown = async (id: string): Promise<boolean> => (await this.get("media", id)) !== undefined;
    await removeOrphans(this.#folder.in(MEDIA_NAME), isKnown, written.mtimeMs - ORPHAN_MS);
  }

  async #rewrite(): Promise<void> {
    await this.#log?.replace(() => {
      const entries = [...this.entries()];
      this.#lines = entries.length;
      return entries.map((entry) => [entry]);
    });
  }
}

const entrySchema = z.union([
  z.strictObject({ kind: z.literal("post"), record: RECORDS.post }),
  z.strictObject({ kind: z.literal("media"), record: RECORDS.media }),
  z.strictObject({ kind: z.literal("disconnection"), record: RECORDS.disconnection }),
  z.strictObject({ kind: z.literal("webhook"), record: RECORDS.webhook }),
  z.strictObject({ kind: z.literal("run"), record: RECORDS.run }),
  z.strictObject({ kind: z.literal("delivery"), record: RECORDS.delivery }),
  z.strictObject({ kind: z.literal("move"), record: RECORDS.move }),
]);
const lineSchema = z.array(entrySchema).min(1);

/** The newest version of each record in the log. Throws a Failure for a line that plancast did not write. */
async function readEntries(folder: Place) {
  const place = folder.in(LOG_NAME);
  const newest = new Map<string, Entry>();
  const keep = (record: unknown, line: number): void => {
    const { data } = lineSchema.safeParse(record);
    if (data === undefined)
      throw invalidStore(`${place.path}, line ${line}: not a record that this version of plancast knows.`);
    for (const entry of data) newest.set(`${entry.kind} ${entry.record.id}`, entry);
  };
  const contents = await readLog(place, keep).catch((error: unknown) => {
    throw error instanceof Failure ? invalidStore(error.message) : error;
  });
  return { entries: newest.values(), contents };
}

function invalidStore(message: string): Failure {
  return new Failure(
    "disk/state-invalid",
    message,
    "Use the version that wrote it, or restore the file from a backup. To start with an empty service, move the folder away.",
  );
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
      "run/locked",
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
