/**
 * What every store guarantees. A store keeps records; it decides nothing about publishing.
 *
 * - **Durable.** A write that resolves survives a crash of the process and of the machine, unless the store is in memory.
 * - **All or nothing.** The records of one write are all there afterwards, or none of them. If a write rejects, the store
 *   may have either state; reading again shows which.
 * - **One after the other.** `update` gives `change` the newest version of a record. No other write comes between that
 *   version and the new one, whoever shares the store. So a change that checks a claim in the record can rely on it.
 * - **Found at once.** Every method sees all writes that were resolved before it was called.
 *
 * There are stores in memory, in a folder (file-store.ts), in PostgreSQL (postgres-store.ts), and of what a run has claimed in
 * a branch (repository/claimed-store.ts). What not all of them can do has a name:
 *
 * | name          | who has it        | what it means |
 * | ------------- | ----------------- | ------------- |
 * | `isShared`    | PostgreSQL        | Others write, too. So each claim has a short lease, which is renewed. |
 * | `listen`      | PostgreSQL        | Wakes up processes when others wrote. |
 * | `claimsEndAt` | claims in a branch | A write to the branch takes seconds. So claims are written together, before the store is opened, and no lease is renewed. Its writes are in memory, until all results are pushed together. |
 * | `compact` and more | file, PostgreSQL | See `LastingStore`. |
 */

import type { MediaFiles } from "./media-files.ts";
import type {
  StoredDelivery,
  StoredDisconnection,
  StoredMedia,
  StoredMove,
  StoredPost,
  StoredRun,
  StoredWebhook,
} from "./records.ts";

/** The kinds of records, with their types. */
export interface Records {
  readonly post: StoredPost;
  /** A post that was over long ago. It is in no list of posts, but `get` gives it as a post. */
  readonly archived: StoredPost;
  readonly media: StoredMedia;
  readonly disconnection: StoredDisconnection;
  readonly webhook: StoredWebhook;
  readonly run: StoredRun;
  readonly delivery: StoredDelivery;
  readonly move: StoredMove;
}

export type Kind = keyof Records;

/** A record and its kind. */
export type Entry<K extends Kind = Kind> = {
  [Each in K]: { readonly kind: Each; readonly record: Records[Each] };
}[K];

/** The new version of a record, and records of other kinds that are written with it. */
export interface StoreChange<K extends Kind> {
  readonly record: Records[K];
  readonly also?: readonly Entry[];
}

export interface Store {
  /** Whether other processes may write at the same time. */
  readonly isShared: boolean;
  /** When all claims end, in ms since the epoch. Undefined: the publisher gives each claim its end, and renews it. */
  readonly claimsEndAt?: number;
  /** The bytes of media. */
  readonly files: MediaFiles;
  /** Undefined if there is none. */
  get<K extends Kind>(kind: K, id: string): Promise<Records[K] | undefined>;
  /** One page of the records of a kind, by place. Without a limit: all of them. */
  list<K extends Kind>(kind: K, query?: ListQuery): Promise<readonly Records[K][]>;
  /** How many records `list` would give without a limit. */
  count(kind: Kind, query?: Pick<ListQuery, "status">): Promise<number>;
  /** The record with this name in its index; undefined if there is none. */
  find<K extends Kind>(kind: K, name: string): Promise<Records[K] | undefined>;
  /** Records on which something can be done in a lane at a time: earliest first, then in the order of their creation. */
  due<K extends Kind>(kind: K, query: DueQuery): Promise<readonly Records[K][]>;
  /** The lanes in which something can be done now or later. */
  lanes(kind: Kind): Promise<readonly string[]>;
  /** When something can be done next in one of the lanes, in ms since the epoch; Infinity if never. */
  nextDue(kind: Kind, lanes: readonly string[]): Promise<number>;
  /** Writes records that did not exist. Resolves to false, and writes nothing, if an id of the first one's kind is taken. */
  add(entry: Entry, also?: readonly Entry[]): Promise<boolean>;
  /**
   * Changes a record. Resolves to the new version; to undefined if there is no record with this id, or `change` gives undefined.
   * If `change` throws, nothing is written, and the call rejects with its error.
   * @param of its id, or a version that a reading or a change gave: then a shared store need not read it first
   * @param change pure, because a store may call it again for a newer version
   */
  update<K extends Kind>(
    kind: K,
    of: string | Records[K],
    change: (record: Records[K]) => StoreChange<K> | undefined,
  ): Promise<Records[K] | undefined>;
  /**
   * Calls `onDue` soon after a process wrote something that is due. A call may be missing, so who listens also asks from
   * time to time. Only a shared store has it.
   */
  listen?(onDue: () => void): void;
  close(): Promise<void>;
}

/** A store that outlives its process, so that it grows, and can be copied into another one. */
export interface LastingStore extends Store {
  /** Archives posts and removes other records that are old, see age.ts, and media with their bytes. */
  compact(): Promise<void>;
  /** All records, in groups of one kind that fit into memory, in the order of their creation. */
  everything(): AsyncIterable<readonly Entry[]>;
  /** Writes records. Those whose ids are there already stay as they are. */
  addMissing(entries: readonly Entry[]): Promise<void>;
  /** Removes all records, and then sets `move`. Files of media may stay. If it is cut off, it must be called again. */
  clear(move: StoredMove): Promise<void>;
  /** From then on, nothing is due unless the store is `here`, and other processes write only if it is `here` or `leaving`. */
  setMove(move: StoredMove): Promise<void>;
  describe(): Promise<StoreDescription>;
}

export interface StoreDescription {
  /** Version of the form of its records or tables. */
  readonly version: number;
  /** Size of the records in bytes. In a database: of the tables of all projects. */
  readonly bytes: number;
  /** Number of archived posts by the year of their time. */
  readonly archived: Readonly<Record<string, number>>;
}

export interface ListQuery {
  /** Only records with this status in their index. */
  readonly status?: string | undefined;
  /** Only records after this place. */
  readonly after?: string | undefined;
  readonly limit?: number;
  /** From the last place to the first. `after` then means "before". */
  readonly isReversed?: boolean;
}

export interface DueQuery {
  readonly lane: string;
  /** Ms since the epoch. */
  readonly at: number;
  readonly limit?: number;
}
