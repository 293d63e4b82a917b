/** Everything random in a simulation comes from one seed. */

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to below 2^32. Source: mulberry32, by Tommy Ettinger. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** From 0 to below `end`. */
  below(end: number): number {
    return this.next() % end;
  }

  /** True this many times of a hundred. */
  percent(share: number): boolean {
    return this.below(100) < share;
  }

  pick<T>(choices: readonly T[]): T {
    const chosen = choices[this.below(choices.length)];
    if (chosen === undefined) throw new Error("There is nothing to choose from.");
    return chosen;
  }

  /** A choice from a table of weights. */
  weighted<Name extends string>(table: Readonly<Record<Name, number>>): Name {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the table
    const entries = Object.entries(table) as [Name, number][];
    let left = this.below(entries.reduce((sum, [, weight]) => sum + weight, 0));
    for (const [name, weight] of entries) {
      if (left < weight) return name;
      left -= weight;
    }
    throw new Error("The table has no weights.");
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.below(256));
  }
}
