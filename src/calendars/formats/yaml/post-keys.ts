/**
 * Reads the keys of posts as the headers of a table: the fields' own names, common names for them, and `columns:` of
 * plancast.yaml.
 */

import type { ColumnMeaning } from "../../../model/columns.ts";
import type { Field } from "../../../model/fields.ts";
import { isObject } from "../../../model/data.ts";
import { foldName } from "../../../model/text.ts";
import { type ColumnValues, type ValueSettings, valuesOf } from "../../columns/column-values.ts";
import { mapColumns } from "../../columns/columns.ts";
import type { ReadOptions } from "../../read/format.ts";

type UsedKey = Extract<ColumnMeaning, { kind: "used" }>;

/** Yes-or-no keys. */
export type Switches = ReadonlyMap<string, UsedKey>;

/** What a key of a post means. A rival has the same meaning as the key `first` of the same post. */
export type KeyMeaning =
  | Exclude<ColumnMeaning, { kind: "rival" }>
  | (Extract<ColumnMeaning, { kind: "rival" }> & { readonly first: string });

/** Understands keys. Most posts of a calendar have the same keys, so plancast reads each set of keys only once. */
export class PostKeys {
  readonly #columns: ReadOptions["columns"];
  readonly #kept: ReadonlySet<string>;
  readonly #known = new Map<string, ReadonlyMap<string, KeyMeaning>>();
  readonly #settings: ValueSettings;
  readonly #values = new Map<string, ColumnValues | undefined>();

  constructor({ columns, keep = [], ...settings }: Pick<ReadOptions, "columns" | "keep"> & ValueSettings) {
    this.#columns = columns;
    this.#settings = settings;
    this.#kept = new Set(keep);
  }

  /** Whether a filter uses the key, whatever it means. */
  isKept(key: string): boolean {
    return this.#kept.has(foldName(key));
  }

  /** What the values of a deciding key mean; undefined for other keys. */
  valuesOf(key: string, meaning: UsedKey): ColumnValues | undefined {
    if (!this.#values.has(key)) {
      const named = { names: [key], columns: { meanings: [meaning], fields: [] }, keyOf: () => key };
      this.#values.set(key, valuesOf(named, 0, this.#settings));
    }
    return this.#values.get(key);
  }

  /** The field that a name means, as a key. */
  fieldOf(name: string): Field | undefined {
    const meaning = this.#understand([foldName(name)]).get(foldName(name));
    return meaning?.kind === "used" && meaning.as.kind === "field" ? meaning.as.field : undefined;
  }

  of(post: object): ReadonlyMap<string, KeyMeaning> {
    const keys = Object.keys(post).filter((key) => key !== "variants");
    const mark = JSON.stringify(keys);
    const known = this.#known.get(mark);
    if (known !== undefined) return known;
    const found = this.#understand(keys);
    this.#known.set(mark, found);
    return found;
  }

  /** The yes-or-no keys of posts, and of their defaults. */
  switchesIn(posts: readonly unknown[]): Switches {
    return new Map(
      posts
        .filter(isObject)
        .flatMap((post) =>
          [...this.of(post)].flatMap(([key, meaning]) =>
            meaning.kind === "used" && meaning.as.kind === "switch" ? [[key, meaning] as const] : [],
          ),
        ),
    );
  }

  #understand(keys: readonly string[]): ReadonlyMap<string, KeyMeaning> {
    const { meanings } = mapColumns(keys, this.#columns);
    return new Map(
      keys.map((key, index): [string, KeyMeaning] => {
        const meaning = meanings[index] ?? { kind: "unknown" };
        return [key, meaning.kind === "rival" ? { ...meaning, first: keys[meaning.winner] ?? "" } : meaning];
      }),
    );
  }
}
