/** A list without repetition, whose entries others name by their places. */
export class IndexedList<K, V> {
  readonly #places = new Map<K, number>();
  readonly #make: (key: K) => V;
  readonly entries: V[] = [];

  /** @param make makes the entry of a key, once */
  constructor(make: (key: K) => V) {
    this.#make = make;
  }

  placeOf(key: K): number {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.#places.set(key, this.entries.length);
    return this.entries.push(this.#make(key)) - 1;
  }
}
