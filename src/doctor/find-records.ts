/** The lists of an answer that look like posts, or like connected accounts. */
import { networkNamed } from "../rules/platform-limits.ts";
import { bestOf, guessFields, type GuessedField } from "./guess-fields.ts";
import { leavesIn, listsIn, type FoundList, type Leaf } from "./json-leaves.ts";

export interface FoundPosts extends FoundList {
  readonly guessed: ReadonlyMap<GuessedField, Leaf>;
}

/** The list whose objects look most like posts: they have an id, and a time or a text. */
export function postsIn(body: unknown, now: number): FoundPosts | undefined {
  const candidates = listsIn(body).map((list) => ({
    ...list,
    guessed: guessFields(leavesIn(list.items), now),
  }));
  return bestOf(candidates, ({ guessed, items }) => {
    const isPosts = guessed.has("id") && (guessed.has("scheduled_at") || guessed.has("content"));
    return isPosts ? guessed.size + Math.min(items.length, 9) / 10 : 0;
  });
}

/** Accounts: objects, of which each names one network. */
export function accountsIn(body: unknown): FoundList | undefined {
  return bestOf(listsIn(body), (list) => (networkLeaf(list) === undefined ? 0 : list.items.length));
}

function isNetwork(value: unknown): boolean {
  return typeof value === "string" && networkNamed(value) !== undefined;
}

/** Records of which nothing is known but that each has an id. */
export function recordsIn(body: unknown): FoundList | undefined {
  return bestOf(listsIn(body), (list) =>
    guessFields(leavesIn(list.items), 0).has("id") ? list.items.length : 0,
  );
}

/** Where accounts name their networks. */
export function networkLeaf({ items }: FoundList): Leaf | undefined {
  return bestOf(leavesIn(items), ({ byItem }) => {
    const names = byItem.filter((values) => values.length === 1 && values.every(isNetwork)).length;
    return names > byItem.length / 2 ? names : 0;
  });
}
