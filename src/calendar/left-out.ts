import { DERIVED_KEY_PREFIX, type Post } from "./post.ts";

/** A row that a filter leaves out, as far as it can be understood. */
export interface FilteredRow {
  readonly file: string;
  /** Its id, or the keys of the posts that it would be. Empty where neither can be told. */
  readonly keys: readonly string[];
  /** In canonical form. */
  readonly content: string;
  /** When and where it would be published, where that can be told. */
  readonly places: readonly Pick<Post, "scheduledAt" | "platforms">[];
}

/** The rows that a filter leaves out. What they own is not touched. */
export class FilteredRows {
  readonly #rows: readonly FilteredRow[];
  readonly #keys: ReadonlySet<string>;

  /** @param planned keys of the rows that are planned: these are theirs, whoever else would have them */
  constructor(rows: readonly FilteredRow[], planned: ReadonlySet<string> = new Set()) {
    this.#rows = rows;
    this.#keys = new Set(rows.flatMap(({ keys }) => keys).filter((key) => !planned.has(key)));
  }

  /** How many there are in the calendars in scope. */
  count(inScope: (file: string) => boolean): number {
    return this.#rows.filter(({ file }) => inScope(file)).length;
  }

  /** Whether a post of that key is such a row's; `launch@twitter` is what the row `launch` is on one platform. */
  has(key: string): boolean {
    if (this.#keys.size === 0) return false;
    return this.#keys.has(key) || this.#keys.has(key.slice(0, Math.max(0, key.lastIndexOf("@"))));
  }

  /** Rows without an id that own no post under their present key: one that they were before an edit may be theirs. */
  unmatched(isOwned: (key: string) => boolean): readonly FilteredRow[] {
    return this.#rows.filter(
      ({ keys }) => !keys.some((key) => isOwned(key) || !key.startsWith(DERIVED_KEY_PREFIX)),
    );
  }
}
