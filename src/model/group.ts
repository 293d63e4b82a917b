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
 * Groups of items that share a key, without keys that only one item has. The items are nearly always in the order of
 * their keys. This code uses that, so it is faster than a map of all keys.
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
