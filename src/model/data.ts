/** Plain data: JSON values, objects that are written as JSON, and groups of items. */

import { compareText } from "./text.ts";

/** Whether a JSON value is an object: not null, and no array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

type WithoutUndefined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };

/** An object without its undefined properties: absent is not the same as empty. */
export function withoutUndefined<T extends object>(given: T): WithoutUndefined<T> {
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fewer of the same fields
  return Object.fromEntries(present) as WithoutUndefined<T>;
}

/** For JSON.stringify: objects with sorted keys. */
export function sortKeys(_key: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => compareText(one, other)));
}

/** Whether two values are the same as JSON. The keys of their objects must be in the same order. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A value that is made at its first use, because many runs do not need it. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

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

/** The last of some items, in the order of their numbers, whose number is smaller. */
export function lastBefore<T>(
  items: readonly T[],
  numberOf: (item: T) => number,
  number: number,
): T | undefined {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && numberOf(item) < number) low = middle + 1;
    else high = middle;
  }
  return items[low - 1];
}
