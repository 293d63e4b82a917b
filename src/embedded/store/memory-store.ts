/** A store in memory: maps, and lists that stay sorted. It is lost when the process ends. The file store keeps its data here. */

import { compareText } from "../../model/text.ts";
import { isOld } from "./age.ts";
import { type MediaFiles, mediaInMemory } from "./media-files.ts";
import { RECORDS } from "./records.ts";
import { type StoreIndex, indexOf } from "./store-index.ts";
import { Turns } from "./turns.ts";
import type { StoreChange, DueQuery, Entry, Kind, ListQuery, Records, Store } from "./store.ts";

export class MemoryStore implements Store {
  readonly isShared = false;
  readonly files: MediaFiles;
  readonly #tables: { readonly [K in Kind]: Table<Records[K]> };
  readonly #turns = new Turns();
  readonly #write: (entries: readonly Entry[]) => Promise<void>;

  /**
   * @param files where its media are
   * @param write called before records count; if it rejects, they do not
   */
  constructor(
    files: MediaFiles = mediaInMemory(),
    write: (entries: readonly Entry[]) => Promise<void> = () => Promise.resolve(),
  ) {
    this.files = files;
    this.#write = write;
    this.#tables = {
      post: new Table(),
      archived: new Table(),
      media: new Table(),
      disconnection: new Table(),
      webhook: new Table(),
      run: new Table(),
      delivery: new Table(),
      move: new Table(),
    };
  }

  /** Takes records that are already where `write` would put them. */
  take(entries: readonly Entry[]): void {
    for (const entry of entries) this.#put(entry);
  }

  /** Forgets a record, unless a change that came first made it younger. Resolves to whether it did. */
  drop({ kind, record: { id } }: Entry, before: string): Promise<boolean> {
    // oxlint-disable-next-line require-await
    return this.#turns.take(`${kind} ${id}`, async () => {
      const record = this.#tables[kind].get(id);
      if (record === undefined || !isOld(entryOf(kind, record), before)) return false;
      this.#tables[kind].remove(id);
      return true;
    });
  }

  /** Forgets everything. */
  empty(): void {
    for (const { kind, record } of this.entries()) this.#tables[kind].remove(record.id);
  }

  /** All records, with their kinds. */
  *entries(): Generator<Entry> {
    for (const kind of KINDS) for (const record of this.#tables[kind].values()) yield entryOf(kind, record);
  }

  // oxlint-disable-next-line require-await
  async get<K extends Kind>(kind: K, id: string): Promise<Records[K] | undefined> {
    return this.#tables[kind].get(id);
  }

  // oxlint-disable-next-line require-await
  async list<K extends Kind>(kind: K, query: ListQuery = {}): Promise<readonly Records[K][]> {
    return this.#tables[kind].list(query);
  }

  // oxlint-disable-next-line require-await
  async count(kind: Kind, { status }: Pick<ListQuery, "status"> = {}): Promise<number> {
    return this.#tables[kind].count(status);
  }

  // oxlint-disable-next-line require-await
  async find<K extends Kind>(kind: K, name: string): Promise<Records[K] | undefined> {
    return this.#tables[kind].find(name);
  }

  // oxlint-disable-next-line require-await
  async due<K extends Kind>(kind: K, query: DueQuery): Promise<readonly Records[K][]> {
    return this.#tables[kind].due(query);
  }

  // oxlint-disable-next-line require-await
  async lanes(kind: Kind): Promise<readonly string[]> {
    return this.#tables[kind].lanes();
  }

  // oxlint-disable-next-line require-await
  async nextDue(kind: Kind, lanes: readonly string[]): Promise<number> {
    return Math.min(...lanes.map((lane) => this.#tables[kind].nextDue(lane)));
  }

  add(entry: Entry, also: readonly Entry[] = []): Promise<boolean> {
    return this.#turns.take(`${entry.kind} ${entry.record.id}`, async () => {
      if ((await this.get(entry.kind, entry.record.id)) !== undefined) return false;
      await this.#commit([entry, ...also]);
      return true;
    });
  }

  update<K extends Kind>(
    kind: K,
    of: string | Records[K],
    change: (record: Records[K]) => StoreChange<K> | undefined,
  ): Promise<Records[K] | undefined> {
    const id = typeof of === "string" ? of : of.id;
    return this.#turns.take(`${kind} ${id}`, async () => {
      const before = this.#tables[kind].get(id);
      const changed = before === undefined ? undefined : change(before);
      if (changed === undefined) return undefined;
      await this.#commit([entryOf(kind, changed.record), ...(changed.also ?? [])]);
      return changed.record;
    });
  }

  async close(): Promise<void> {
    await this.#turns.end();
  }

  async #commit(entries: readonly Entry[]): Promise<void> {
    await this.#write(entries);
    this.take(entries);
  }

  #put<K extends Kind>({ kind, record }: Entry<K>): void {
    this.#tables[kind].put(record, indexOf(kind, record));
  }
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const KINDS = Object.keys(RECORDS) as readonly Kind[];

export function entryOf<K extends Kind>(kind: K, record: Records[K]): Entry {
  // The compiler cannot connect a generic kind with its record.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { kind, record } as Entry;
}

interface Row<T> {
  readonly record: T;
  readonly index: StoreIndex;
}

/** The records of one kind. */
class Table<T extends { readonly id: string }> {
  readonly #rows = new Map<string, Row<T>>();
  /** Ids by name. */
  readonly #names = new Map<string, string>();
  /** Places by status; "" has all of them. */
  readonly #places = new Map<string, SortedTexts>();
  readonly #idAt = new Map<string, string>();
  readonly #lanes = new Map<string, Lane>();

  get(id: string): T | undefined {
    return this.#rows.get(id)?.record;
  }

  *values(): Generator<T> {
    for (const { record } of this.#rows.values()) yield record;
  }

  put(record: T, index: StoreIndex): void {
    const before = this.#rows.get(record.id)?.index;
    // Most changes leave a record at its place.
    const isMoved = before?.place !== index.place || before.status !== index.status;
    const { place, status, names, due } = index;
    this.#clear(record.id, isMoved, due);
    this.#rows.set(record.id, { record, index });
    if (isMoved) {
      this.#idAt.set(place, record.id);
      for (const each of new Set(["", status])) this.#placesOf(each).add(place);
    }
    for (const name of names) this.#names.set(name, record.id);
    for (const [lane, at] of due) this.#laneOf(lane).set(record.id, at);
  }

  remove(id: string): void {
    this.#clear(id, true);
    this.#rows.delete(id);
  }

  /** @param next lanes in which it stays, at its place among those with the same time */
  #clear(id: string, isMoved: boolean, next: ReadonlyMap<string, number> = new Map()): void {
    const before = this.#rows.get(id)?.index;
    if (before === undefined) return;
    for (const name of before.names) this.#names.delete(name);
    for (const lane of before.due.keys()) if (!next.has(lane)) this.#laneOf(lane).delete(id);
    if (!isMoved) return;
    this.#idAt.delete(before.place);
    for (const each of new Set(["", before.status])) this.#placesOf(each).remove(before.place);
  }

  list({ status = "", ...query }: ListQuery): T[] {
    return this.#placesOf(status)
      .page(query)
      .flatMap((place) => this.get(this.#idAt.get(place) ?? "") ?? []);
  }

  count(status = ""): number {
    return this.#placesOf(status).size;
  }

  find(name: string): T | undefined {
    return this.get(this.#names.get(name) ?? "");
  }

  due({ lane, at, limit }: DueQuery): T[] {
    return this.#laneOf(lane)
      .due(at)
      .slice(0, limit)
      .flatMap((id) => this.get(id) ?? []);
  }

  lanes(): string[] {
    return [...this.#lanes].flatMap(([name, lane]) => (lane.next() === Infinity ? [] : [name]));
  }

  nextDue(lane: string): number {
    return this.#laneOf(lane).next();
  }

  #placesOf(status: string): SortedTexts {
    return made(this.#places, status, () => new SortedTexts());
  }

  #laneOf(lane: string): Lane {
    return made(this.#lanes, lane, () => new Lane());
  }
}

function made<T>(map: Map<string, T>, key: string, make: () => T): T {
  const found = map.get(key);
  if (found !== undefined) return found;
  const fresh = make();
  map.set(key, fresh);
  return fresh;
}

/** Texts in their order. Many additions in a row are sorted once, at the next reading. */
class SortedTexts {
  #sorted: string[] = [];
  #added: string[] = [];

  get size(): number {
    return this.#sorted.length + this.#added.length;
  }

  add(text: string): void {
    this.#added.push(text);
  }

  remove(text: string): void {
    this.#settle();
    const at = this.#firstFrom(text);
    if (this.#sorted[at] === text) this.#sorted.splice(at, 1);
  }

  page({ after, limit, isReversed = false }: Omit<ListQuery, "status">): readonly string[] {
    this.#settle();
    const from = after === undefined ? undefined : this.#firstFrom(after);
    if (!isReversed) {
      const start = from === undefined ? 0 : from + (this.#sorted[from] === after ? 1 : 0);
      return this.#sorted.slice(start, limit === undefined ? undefined : start + limit);
    }
    const end = from ?? this.#sorted.length;
    return this.#sorted.slice(limit === undefined ? 0 : Math.max(0, end - limit), end).reverse();
  }

  /** A few additions go to their places; for many, sorting everything is faster. */
  #settle(): void {
    if (this.#added.length === 0) return;
    const added = this.#added.splice(0);
    if (added.length > MANY) {
      this.#sorted = [...this.#sorted, ...added].sort(compareText);
      return;
    }
    for (const text of added) this.#sorted.splice(this.#firstFrom(text), 0, text);
  }

  /** The index of the first text that is not before the given one. */
  #firstFrom(text: string): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareText(this.#sorted[middle] ?? "", text) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Additions from which sorting is faster than inserting each. */
const MANY = 16;

/** When something can be done with each record. Whether something is due is cheap to ask. */
class Lane {
  readonly #times = new Map<string, number>();
  /** The earliest time, in ms; undefined if it must be computed. */
  #next: number | undefined;

  set(id: string, at: number): void {
    if (this.#times.get(id) === this.#next) this.#next = undefined;
    this.#times.set(id, at);
    if (this.#next !== undefined) this.#next = Math.min(this.#next, at);
  }

  delete(id: string): void {
    if (this.#times.get(id) === this.#next) this.#next = undefined;
    this.#times.delete(id);
  }

  next(): number {
    if (this.#next === undefined) {
      this.#next = Infinity;
      for (const at of this.#times.values()) if (at < this.#next) this.#next = at;
    }
    return this.#next;
  }

  /** Ids, earliest first, then in the order in which they came. */
  due(at: number): string[] {
    if (this.next() > at) return [];
    return [...this.#times]
      .filter(([, time]) => time <= at)
      .sort(([, one], [, other]) => one - other)
      .map(([id]) => id);
  }
}
