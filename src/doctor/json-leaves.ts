/** Where things stand in an answer of unknown shape: its lists of objects, and the values within those. */
import { isObject } from "../service/decode-list.ts";
import type { Json } from "../service/records.ts";

/** How deep is looked, and at how many items. */
const MAX_DEPTH = 6;
const MAX_ITEMS = 50;
const MAX_LEAVES = 500;
/** A name that can be shown and written down. What is longer or stranger is data, not a name. */
const NAME = /^[\p{L}\p{N}_$@:. -]{1,60}$/u;

export interface FoundList {
  readonly path: readonly string[];
  readonly items: readonly Json[];
}

/** Lists that hold objects and nothing else, the outermost on each way. */
export function listsIn(value: unknown, path: readonly string[] = []): FoundList[] {
  if (Array.isArray(value)) {
    const items = value.filter(isObject);
    return items.length > 0 && items.length === value.length
      ? [{ path, items: items.slice(0, MAX_ITEMS) }]
      : [];
  }
  if (!isObject(value) || path.length >= MAX_DEPTH) return [];
  return namedIn(value).flatMap(([key, each]) => listsIn(each, [...path, key]));
}

/** Values of one path, by item: none where an item has nothing there, several where the path goes through a list. */
export interface Leaf {
  readonly path: readonly string[];
  readonly byItem: readonly (readonly unknown[])[];
}

export function leavesIn(items: readonly Json[]): Leaf[] {
  const found = new Map<string, { path: readonly string[]; byItem: unknown[][] }>();
  for (const [index, item] of items.entries()) {
    walk(item, [], (path, value) => {
      const key = path.join("\n");
      const leaf = found.get(key) ?? { path, byItem: items.map(() => []) };
      if (!found.has(key) && found.size >= MAX_LEAVES) return;
      found.set(key, leaf);
      leaf.byItem[index]?.push(value);
    });
  }
  return [...found.values()];
}

function walk(
  value: unknown,
  path: readonly string[],
  tell: (path: readonly string[], value: unknown) => void,
): void {
  if (Array.isArray(value)) for (const each of value.slice(0, MAX_ITEMS)) walk(each, path, tell);
  else if (!isObject(value)) tell(path, value);
  else if (path.length < MAX_DEPTH) {
    for (const [key, each] of namedIn(value)) walk(each, [...path, key], tell);
  }
}

/** The way to the object that is it, through lists of one as well. */
export function pathToRecord(
  value: unknown,
  isIt: (record: Json) => boolean,
  path: readonly string[] = [],
): readonly string[] | undefined {
  if (isObject(value) && isIt(value)) return path;
  if (path.length >= MAX_DEPTH) return undefined;
  for (const [key, each] of stepsInto(value)) {
    const found = pathToRecord(each, isIt, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function stepsInto(value: unknown): [string, unknown][] {
  if (Array.isArray(value)) return value.length === 1 ? [["0", value[0]]] : [];
  return isObject(value) ? namedIn(value) : [];
}

/** Whether a name can be shown, and written into a project file. */
export function isName(name: string): boolean {
  return NAME.test(name);
}

function namedIn(value: Json): [string, unknown][] {
  return Object.entries(value).filter(([key]) => isName(key));
}
