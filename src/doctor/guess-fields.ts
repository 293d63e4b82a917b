/** Which value of a record may be which field of a post, by what it looks like and a little by its name. */

import { networkNamed } from "../checks/networks/platform-limits.ts";
import { isoInstant } from "../model/canonical.ts";
import { isObject } from "../model/json.ts";
import { statusMeaning } from "../service/answers/post.ts";
import { isId } from "../service/answers/record.ts";
import type { Json } from "../service/records.ts";

/** How well a leaf fits; 0 where it does not. */
type Fits = (leaf: Leaf, now: number) => number;

export type GuessedField = "id" | "scheduled_at" | "status" | "platforms" | "content" | "media";

/** In the order in which they choose: what only one leaf can be goes first. */
const FITS: readonly (readonly [GuessedField, Fits])[] = [
  ["scheduled_at", fitsTime],
  ["id", fitsId],
  ["platforms", fitsPlatforms],
  ["media", fitsMedia],
  ["status", fitsStatus],
  ["content", fitsContent],
];

/** The best leaf for each field; each is taken once. */
export function guessFields(leaves: readonly Leaf[], now: number): Map<GuessedField, Leaf> {
  const found = new Map<GuessedField, Leaf>();
  for (const [field, fits] of FITS) {
    const best = bestOf(
      leaves.filter((leaf) => ![...found.values()].includes(leaf)),
      (leaf) => fits(leaf, now),
    );
    if (best !== undefined) found.set(field, best);
  }
  return found;
}

/** The first among those that fit best; undefined where none fits at all. */
function bestOf<T>(all: readonly T[], score: (each: T) => number): T | undefined {
  let best: { readonly each: T; readonly score: number } | undefined;
  for (const each of all) {
    const found = score(each);
    if (found > (best?.score ?? 0)) best = { each, score: found };
  }
  return best?.each;
}

/** A time for most of the records, better one that is still to come. */
function fitsTime(leaf: Leaf, now: number): number {
  const times = single(leaf).flatMap((value) => timeOf(value) ?? []);
  if (times.length < leaf.byItem.length / 2 || times.length < single(leaf).length) return 0;
  const toCome = times.filter((ms) => ms > now).length / times.length;
  const named = hint(leaf, /sched|publish|post|send|due|when|goes|slot|run/) ? 1 : 0;
  return hint(leaf, /creat|updat|modif|chang|delet|expire|seen/) ? toCome / 2 : 0.5 + 3 * toCome + named;
}

/** Years 2001 to 2128, in seconds or ms. Smaller numbers are counts. */
function timeOf(value: unknown): number | undefined {
  if (typeof value === "string") return isoInstant(value, "Z");
  if (typeof value !== "number" || value < 1e9 || value >= 5e12) return undefined;
  return value < 5e9 ? value * 1_000 : value >= 1e12 ? value : undefined;
}

/** One word for every record, each another. */
function fitsId(leaf: Leaf): number {
  const words = single(leaf).filter((value) => typeof value === "string" || typeof value === "number");
  const isForAll = words.length === leaf.byItem.length && new Set(words).size === words.length;
  if (!isForAll || !words.every((word) => isId(String(word)) && !String(word).includes("://"))) return 0;
  const [last = ""] = leaf.path.slice(-1);
  const isNamed = /^_?(post[-_]?)?(id|uuid|guid|ref|reference|key|number|nr|no|code)$/i.test(last);
  const isLikeOne = words.every((word) => /\d/.test(String(word)));
  if (!isNamed && (!isLikeOne || words.some((word) => timeOf(word) !== undefined))) return 0;
  return (isNamed ? 3 : 1) + Math.max(0, 3 - leaf.path.length);
}

/** Names of networks, and nothing else. */
function fitsPlatforms(leaf: Leaf): number {
  const names = leaf.byItem.flat();
  const isTold = leaf.byItem.filter((values) => values.length > 0).length > leaf.byItem.length / 2;
  if (!isTold || !names.every((name) => typeof name === "string" && networkNamed(name) !== undefined))
    return 0;
  return 2 + (hint(leaf, /platform|network|channel|target|provider/) ? 1 : 0) - leaf.path.length / 10;
}

/** Ids of media, in the form that the interface shows, or under a name that says so. */
function fitsMedia(leaf: Leaf): number {
  const values = leaf.byItem.flat();
  const areIds = values.length > 0 && values.every((value) => typeof value === "string" && isId(value));
  if (!areIds || values.some((value) => String(value).includes("://"))) return 0;
  if (values.every((value) => String(value).startsWith("media_"))) return 3;
  const [last = ""] = leaf.path.slice(-1);
  const isNamed = leaf.path.some((step) => /media|asset|attachment|image|file|picture/i.test(step));
  return isNamed && /id|ref|uuid|key/i.test(last) ? 1 : 0;
}

/** One short word of a few. */
function fitsStatus(leaf: Leaf): number {
  const words = single(leaf).filter(
    (value) => typeof value === "string" && /^[\p{L}_ -]{2,24}$/u.test(value),
  );
  if (words.length < leaf.byItem.length) return 0;
  const known =
    words.filter((word) => statusMeaning(String(word).toLowerCase()) !== undefined).length / words.length;
  const named = hint(leaf, /status|state|phase|stage/) ? 2 : 0;
  return known === 0 && named === 0 ? 0 : 2 * known + named;
}

/** The longest text. */
function fitsContent(leaf: Leaf): number {
  const texts = single(leaf).filter((value) => typeof value === "string" && value !== "");
  if (texts.length < leaf.byItem.length / 2) return 0;
  if (texts.some((text) => /^https?:\/\/\S*$/.test(String(text)) || timeOf(text) !== undefined)) return 0;
  const named = hint(leaf, /content|text|caption|message|body|copy|description/);
  const hasBlanks = texts.some((text) => /\s/.test(String(text)));
  if (!hasBlanks && !named) return 0;
  // The same text stands beside it without markup, mostly.
  if (texts.some((text) => /<\/?[a-z][^<>]*>/i.test(String(text)))) return 1;
  const length = texts.reduce<number>((sum, text) => sum + String(text).length, 0) / texts.length;
  return Math.min(length, 500) + (named ? 100 : 0);
}

/** The values of items that have just one. */
function single({ byItem }: Leaf): readonly unknown[] {
  return byItem.flatMap((values) => (values.length === 1 ? values : []));
}

function hint({ path }: Leaf, words: RegExp): boolean {
  return words.test(path.join(" ").toLowerCase());
}

/** The lists of an answer that look like posts, or like connected accounts. */

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

/** Where things stand in an answer of unknown shape: its lists of objects, and the values within those. */

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
function listsIn(value: unknown, path: readonly string[] = []): FoundList[] {
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
interface Leaf {
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
