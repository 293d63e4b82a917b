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
  Scalar,
  isAlias,
  isMap,
  isScalar,
  isSeq,
} from "yaml";
import { isObject } from "../../../model/data.ts";
import { type Problem, problem } from "../../../model/problem.ts";
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

export interface PlainYaml {
  /** Undefined if the aliases multiply too much: then the values must not be used. */
  readonly value: unknown;
  readonly problems: readonly Problem[];
  readonly targets: ReadonlyMap<Alias, Node>;
}

interface Built {
  readonly value: unknown;
  /** Number of nodes in the resolved value. */
  readonly size: number;
}

const NOTHING: Built = { value: null, size: 1 };

/** Resolves a tree. `keyName` gives the form in which the keys of mappings are compared and kept. */
export function toPlain(root: Node | null, source: SourceText, keyName: (key: string) => string): PlainYaml {
  const builder = new PlainBuilder(source, keyName);
  const { value } = builder.build(root);
  return {
    value: builder.exhausted ? undefined : value,
    problems: builder.problems,
    targets: builder.targets,
  };
}

/** The text of a mapping's key, undefined if it is not a scalar. */
export function keyText(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined;
  return key.source ?? String(key.value);
}

/** Whether a pair merges other mappings into its own. */
export function isMerge(pair: Pair): boolean {
  return isScalar(pair.key) && pair.key.type === Scalar.PLAIN && keyText(pair.key) === "<<";
}

class PlainBuilder {
  readonly problems: Problem[] = [];
  readonly targets = new Map<Alias, Node>();
  exhausted = false;
  readonly #source: SourceText;
  readonly #keyName: (key: string) => string;
  /** The latest node for each anchor: nodes are visited in the order of the file. */
  readonly #anchors = new Map<string, Node>();
  /** The values of anchored nodes; absent while they are being built. */
  readonly #built = new Map<Node, Built>();
  #aliased = 0;

  constructor(source: SourceText, keyName: (key: string) => string) {
    this.#source = source;
    this.#keyName = keyName;
  }

  build(node: unknown): Built {
    if (isAlias(node)) return this.#alias(node);
    if (isScalar(node)) return this.#anchored(node, () => buildScalar(node));
    if (isMap(node)) return this.#anchored(node, () => this.#map(node));
    if (isSeq(node)) return this.#anchored(node, () => this.#sequence(node.items));
    return NOTHING;
  }

  #anchored(node: Node, make: () => Built): Built {
    const anchor = "anchor" in node && typeof node.anchor === "string" ? node.anchor : undefined;
    if (anchor === undefined) return make();
    this.#anchors.set(anchor, node);
    const built = make();
    this.#built.set(node, built);
    return built;
  }

  #alias(alias: Alias): Built {
    if (this.exhausted) return NOTHING;
    const target = this.#anchors.get(alias.source);
    if (target === undefined) {
      this.#report("yaml/syntax", `There is no anchor \`&${alias.source}\` above this alias.`, alias);
      return NOTHING;
    }
    this.targets.set(alias, target);
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

  #sequence(items: readonly unknown[]): Built {
    const built = items.map((item) => this.build(item));
    return { value: built.map((each) => each.value), size: total(built) };
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
  const isNull = node.type === Scalar.PLAIN && PLAIN_NULL.test(value);
  return isNull ? NOTHING : { value, size: 1 + Math.floor(value.length / UNITS_PER_NODE) };
}

function total(built: readonly Built[]): number {
  return built.reduce((sum, each) => sum + each.size, 1);
}

/** Without a prototype, so that a key such as `__proto__` is an ordinary key. */
function toObject(values: ReadonlyMap<string, unknown>): object {
  const object: Record<string, unknown> = Object.create(null);
  for (const [key, value] of values) object[key] = value;
  return object;
}

/** The place of a node, for the value that it becomes. */
export function placeOf(source: SourceText, node: unknown): ReturnType<SourceText["at"]> {
  const range = isAlias(node) || isScalar(node) || isMap(node) || isSeq(node) ? node.range : undefined;
  return source.at(range?.[0] ?? 0, range?.[1] ?? 0);
}
