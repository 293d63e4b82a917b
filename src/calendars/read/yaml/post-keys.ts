/**
 * Reads the keys of posts as the headers of a table: the fields' own names, common names for them, and `columns:` of
 * plancast.yaml.
 */

import { type UsedAs, IGNORE, NOT_CARRIED, REFUSE } from "../../../model/columns.ts";
import type { Field } from "../../../model/fields.ts";
import { isObject } from "../../../model/data.ts";
import { foldName } from "../../../model/text.ts";
import { mapColumns } from "../../columns/columns.ts";
import type { ReadOptions } from "../format.ts";

interface UsedKey {
  readonly kind: "used";
  readonly as: UsedAs;
  /** Only the name of the key shows its meaning. */
  readonly isGuess?: boolean;
}

/** Yes-or-no keys. */
export type Switches = ReadonlyMap<string, UsedKey>;

/** What a key of a post means. */
export type KeyMeaning =
  | UsedKey
  | { readonly kind: typeof IGNORE | typeof NOT_CARRIED | typeof REFUSE }
  /** It has the same meaning as the key `first`. */
  | { readonly kind: "duplicate"; readonly first: string; readonly field: string }
  /** `suggestion`: the field that the key may mean. */
  | { readonly kind: "unknown"; readonly suggestion: string | undefined };

/** Keys that say with a yes that a post is already published. */
const PUBLISHED: ReadonlySet<string> = new Set(["published", "posted"]);

/** Understands keys. Most posts of a calendar have the same keys, so plancast reads each set of keys only once. */
export class PostKeys {
  readonly #columns: ReadOptions["columns"];
  readonly #kept: ReadonlySet<string>;
  readonly #known = new Map<string, ReadonlyMap<string, KeyMeaning>>();

  constructor({ columns, keep = [] }: Pick<ReadOptions, "columns" | "keep">) {
    this.#columns = columns;
    this.#kept = new Set(keep);
  }

  /** Whether a filter uses the key, whatever it means. */
  isKept(key: string): boolean {
    return this.#kept.has(foldName(key));
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
        const meaning = meanings[index];
        switch (meaning?.kind) {
          case "used":
            // A vague name often means something else, and nobody would see it.
            return meaning.evidence.by === "synonym" && meaning.evidence.isVague
              ? [key, { kind: "unknown", suggestion: fieldOf(meaning.as) }]
              : [key, { kind: "used", as: meaning.as, isGuess: meaning.evidence.by === "synonym" }];
          case "ignored":
            return [key, { kind: IGNORE }];
          case "not_carried":
          case "refuse":
            return [key, { kind: meaning.kind }];
          case "duplicate":
            return [
              key,
              { kind: "duplicate", first: keys[meaning.first] ?? "", field: fieldOf(meaning.as) ?? "" },
            ];
          default:
            if (PUBLISHED.has(key))
              return [
                key,
                { kind: "used", as: { kind: "switch", field: "status", value: "skip" }, isGuess: true },
              ];
            if (key === "state" && !keys.includes("status"))
              return [key, { kind: "used", as: { kind: "field", field: "status" } }];
            return [key, { kind: "unknown", suggestion: undefined }];
        }
      }),
    );
  }
}

function fieldOf(target: UsedAs): string | undefined {
  return target.kind === "field" ? target.field : undefined;
}
