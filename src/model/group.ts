import { compareText } from "./text.ts";

/** The items of each key, in the order in which keys and items come up. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/**
 * The items that share a key with others, together; items of one key in their order. For what nearly always comes in the
 * order of its keys: then this takes one look at each, which is quicker than a map of all keys.
 */
export function groupsOfSeveral<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const sorted = [...items].sort((one, other) => compareText(keyOf(one), keyOf(other)));
  const groups: T[][] = [];
  let group: T[] = [];
  let key: string | undefined;
  for (const item of sorted) {
    const own = keyOf(item);
    if (own === key) {
      if (group.push(item) === 2) groups.push(group);
      continue;
    }
    key = own;
    group = [item];
  }
  return groups;
}
