/**
 * A YAML tree as plain values: mappings become objects without a prototype, and aliases and merge keys (`<<`) are
 * resolved. The library's `toJS` is not used: it searches the whole document for each alias, stops at the first fault,
 * and gives no place for it.
 */

import {
  type Alias,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
  Scalar,
  isAlias,
  isMap,
  isScalar,
  isSeq,
} from "yaml";
import { isObject, lastBefore } from "../../../model/data.ts";
import { type Position, type Problem, problem } from "../../../model/problem.ts";
import type { Code } from "../../../problems/catalogue.ts";
import type { SourceText } from "../../read/source-text.ts";

/**
 * The maximum number of nodes that aliases and merge keys may add. Normal files add a few for each post; nested aliases
 * in a hostile one add billions.
 */
const MAX_ALIASED_NODES = 1_000_000;

/** This many UTF-16 units of text count as one node. */
const UNITS_PER_NODE = 64;

/** How the source writes null. */
const PLAIN_NULL = /^(?:~|null|Null|NULL)?$/;

/** Where an item of a list is: its `-`, that of the next item, and the range of its node. Offsets in the file. */
export interface ItemPlace {
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
}

/** Items of a long list whose nodes are not kept. */
interface ReadItems extends Built {
  readonly value: unknown[];
  readonly places: ItemPlace[];
  size: number;
}

interface Built {
  readonly value: unknown;
  /** Number of nodes in the resolved value. */
  readonly size: number;
}

const NOTHING: Built = { value: null, size: 1 };

/** The text of a mapping's key, undefined if it is not a scalar. */
export function keyText(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined;
  return key.source ?? String(key.value);
}

/** Whether a pair merges other mappings into its own. */
export function isMerge(pair: Pair): boolean {
  return isScalar(pair.key) && pair.key.type === Scalar.PLAIN && keyText(pair.key) === "<<";
}

/** Resolves the tree of a document, or first what is complete of it. */
export class PlainBuilder {
  readonly problems: Problem[] = [];
  /** Whether the aliases multiply too much: then the values must not be used. */
  exhausted = false;
  readonly #source: SourceText;
  readonly #keyName: (key: string) => string;
  /** The nodes with an anchor of this name, in the order of the file. */
  readonly #anchors = new Map<string, Node[]>();
  /** By the offset of the list. */
  readonly #items = new Map<number, ReadItems>();
  /** The values of anchored nodes; absent while they are being built. */
  readonly #built = new Map<Node, Built>();
  #aliased = 0;

  /** @param keyName gives the form in which the keys of mappings are compared and kept */
  constructor(source: SourceText, keyName: (key: string) => string) {
    this.#source = source;
    this.#keyName = keyName;
  }

  build(node: unknown): Built {
    if (isAlias(node)) return this.#alias(node);
    if (isScalar(node)) return this.#anchored(node, () => buildScalar(node));
    if (isMap(node)) return this.#anchored(node, () => this.#map(node));
    if (isSeq(node)) return this.#anchored(node, () => this.#sequence(node));
    return NOTHING;
  }

  /** Learns the anchors of what comes before a long list. The whole document has it again, so its problems come later. */
  learn(before: Node | null): void {
    const [known, aliased] = [this.problems.length, this.#aliased];
    this.build(before);
    this.problems.length = known;
    this.#aliased = aliased;
    this.exhausted = false;
  }

  /** Takes the next items of a long list, whose nodes are not needed any more. @param bounds where each `-` is, and the next one */
  take(list: YAMLSeq, bounds: readonly number[]): void {
    const offset = offsetOf(list);
    const read: ReadItems = this.#items.get(offset) ?? { value: [], places: [], size: 0 };
    this.#items.set(offset, read);
    for (const [index, item] of list.items.entries()) {
      const { value, size } = this.build(item);
      const [start, end] = rangeOf(item);
      read.value.push(value);
      read.places.push({ from: bounds[index] ?? 0, to: bounds[index + 1] ?? 0, start, end });
      read.size += size;
    }
  }

  /** After this, it only finds places. */
  forgetValues(): void {
    this.#built.clear();
    for (const { value } of this.#items.values()) value.length = 0;
  }

  /** The places of the first items of a list, whose nodes are not kept. */
  placesIn(list: YAMLSeq): readonly ItemPlace[] {
    return this.#items.get(offsetOf(list))?.places ?? [];
  }

  /** The node of an alias: the last one above it with this anchor. */
  targetOf(alias: Alias): Node | undefined {
    return lastBefore(this.#anchors.get(alias.source) ?? [], offsetOf, offsetOf(alias));
  }

  #anchored(node: Node, make: () => Built): Built {
    const anchor = "anchor" in node && typeof node.anchor === "string" ? node.anchor : undefined;
    if (anchor === undefined) return make();
    this.#addAnchor(anchor, node);
    const built = make();
    this.#built.set(node, built);
    return built;
  }

  /** What is read again after a long list is known already. */
  #addAnchor(name: string, node: Node): void {
    const nodes = this.#anchors.get(name) ?? [];
    this.#anchors.set(name, nodes);
    const last = nodes.at(-1);
    if (last !== undefined && offsetOf(last) === offsetOf(node)) nodes.pop();
    if (last === undefined || offsetOf(last) <= offsetOf(node)) nodes.push(node);
  }

  #alias(alias: Alias): Built {
    if (this.exhausted) return NOTHING;
    const target = this.targetOf(alias);
    if (target === undefined) {
      this.#report("yaml/syntax", `There is no anchor \`&${alias.source}\` above this alias.`, alias);
      return NOTHING;
    }
    const built = this.#built.get(target);
    if (built === undefined) return this.#exhaust("This alias is inside its own anchor.", alias);
    this.#aliased += built.size;
    if (this.#aliased <= MAX_ALIASED_NODES) return built;
    return this.#exhaust("The aliases up to here expand to more than a million values. Use fewer.", alias);
  }

  #exhaust(message: string, alias: Alias): Built {
    this.#report("yaml/unsupported", message, alias);
    this.exhausted = true;
    return NOTHING;
  }

  #sequence(list: YAMLSeq): Built {
    const before = this.#items.get(offsetOf(list));
    const built = list.items.map((item) => this.build(item));
    const own = built.map((each) => each.value);
    return before === undefined
      ? { value: own, size: total(built) }
      : { value: [...before.value, ...own], size: before.size + total(built) };
  }

  #map(map: YAMLMap): Built {
    const values = new Map<string, unknown>();
    const built: Built[] = [];
    const merged: object[] = [];
    for (const pair of map.items) {
      const key = this.#key(pair, map);
      const value = this.build(pair.value);
      built.push(value);
      if (key === undefined) continue;
      if (values.has(key))
        this.#report("row/value-twice", `The key \`${key}\` is there twice. Keep one of them.`, pair.key);
      else values.set(key, value.value);
      if (isMerge(pair)) merged.push(...this.#mergeSources(pair, value.value));
    }
    if (map.items.some(isMerge)) values.delete("<<");
    // A mapping's own keys have priority, then the keys of the first merged mappings.
    for (const [key, value] of merged.flatMap((each) => Object.entries(each))) {
      if (!values.has(key)) values.set(key, value);
    }
    return { value: toObject(values), size: total(built) + values.size };
  }

  #key(pair: Pair, map: YAMLMap): string | undefined {
    this.build(pair.key);
    const text = keyText(pair.key);
    if (text === undefined) this.#report("yaml/unsupported", "A key must be plain text.", pair.key ?? map);
    return text === undefined ? undefined : this.#keyName(text);
  }

  #mergeSources(pair: Pair, value: unknown): object[] {
    const sources: readonly unknown[] = Array.isArray(value) ? value : [value];
    const objects = sources.filter(isObject);
    if (objects.length === sources.length || this.exhausted) return objects;
    this.#report("yaml/unsupported", "`<<` needs an alias of a mapping, or a list of them.", pair.key);
    return [];
  }

  #report(code: Code, message: string, node: unknown): void {
    this.problems.push(problem(code, message, placeOf(this.#source, node)));
  }
}

function buildScalar(node: Scalar): Built {
  const { value } = node;
  if (typeof value !== "string") return { value, size: 1 };
  // The library puts a quoted text together letter by letter. The search joins the parts, which need 32 bytes each.
  const isNull = PLAIN_NULL.test(value) && node.type === Scalar.PLAIN;
  return isNull ? NOTHING : { value, size: 1 + Math.floor(value.length / UNITS_PER_NODE) };
}

function total(built: readonly Built[]): number {
  return built.reduce((sum, each) => sum + each.size, 1);
}

/** Without inherited properties, so that a key such as `__proto__` is an ordinary key. */
class PlainObject {
  readonly [key: string]: unknown;

  static {
    Object.setPrototypeOf(this.prototype, null);
    Reflect.deleteProperty(this.prototype, "constructor");
  }
}

/** An object of `Object.create(null)` needs three times as much memory, and a long calendar has one for each post. */
function toObject(values: ReadonlyMap<string, unknown>): object {
  const object: Record<string, unknown> = new PlainObject();
  for (const [key, value] of values) object[key] = value;
  return object;
}

/** The place of a node, for the value that it becomes. */
export function placeOf(source: SourceText, node: unknown): Position {
  return source.at(...rangeOf(node));
}

function rangeOf(node: unknown): [start: number, end: number] {
  const range = isAlias(node) || isScalar(node) || isMap(node) || isSeq(node) ? node.range : undefined;
  return [range?.[0] ?? 0, range?.[1] ?? 0];
}

function offsetOf(node: Node): number {
  return rangeOf(node)[0];
}
