/**
 * A YAML file as a plain value, with the place of everything in it. Calendars and the project file are both read
 * with this.
 */
import { isAlias, isMap, isSeq, type Alias, type Node, type Pair, type YAMLMap } from "yaml";
import type { Position, Problem } from "../calendar/problem.ts";
import type { SourceText } from "./source-text.ts";
import { parseYaml, type YamlSchema } from "./yaml-parse.ts";
import { isMerge, keyText, placeOf, toPlain } from "./yaml-plain.ts";

/** Keys of mappings and indexes of lists, from the root of the document on. */
export type YamlPath = readonly PropertyKey[];

export interface YamlOptions {
  /** `core` reads numbers and booleans; with `failsafe` every scalar is its source text. */
  readonly schema: YamlSchema;
  /** The form in which keys are compared and kept. */
  readonly keyName: (key: string) => string;
}

/** A document that was read: its value is plain, or undefined when the file cannot be understood. */
export class YamlDocument {
  readonly value: unknown;
  readonly problems: readonly Problem[];
  readonly #source: SourceText;
  readonly #root: Node | null;
  readonly #keyName: (key: string) => string;
  readonly #targets: ReadonlyMap<Alias, Node>;
  readonly #pairs = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();

  /** Reads a file's text. Pure; never throws. */
  constructor(source: SourceText, options: YamlOptions) {
    const parsed = parseYaml(source, options.schema);
    this.#source = source;
    this.#keyName = options.keyName;
    this.#root = parsed.document?.contents ?? null;
    const plain = toPlain(this.#root, source, options.keyName);
    this.#targets = plain.targets;
    const understood = !parsed.problems.some(
      (each) => each.code !== "yaml/several-documents" && each.code !== "yaml/unsupported",
    );
    this.value = understood ? plain.value : undefined;
    this.problems = [...parsed.problems, ...plain.problems];
  }

  /**
   * The place of the value at a path, as it is written there: an alias is its own place, and what came through one
   * stands where it was written. Where the path leads to nothing: the last place on the way.
   */
  at(path: YamlPath): Position {
    const node = this.#find(path);
    return placeOf(this.#source, node);
  }

  /** The place of a mapping's key. */
  keyAt(path: YamlPath, key: string): Position {
    return placeOf(this.#source, this.#findKey(path, key) ?? this.#find(path));
  }

  /** A mapping's key as it is written. */
  keyText(path: YamlPath, key: string): string {
    return keyText(this.#findKey(path, key)) ?? key;
  }

  #findKey(path: YamlPath, key: string): unknown {
    const map = this.#resolve(this.#find(path));
    return isMap(map) ? this.#findPair(map, key)?.key : undefined;
  }

  #find(path: YamlPath): unknown {
    let found: unknown = this.#root;
    for (const step of path) {
      const next = this.#step(this.#resolve(found), step);
      if (next === undefined) return found;
      found = next;
    }
    return found;
  }

  #step(node: unknown, step: PropertyKey): unknown {
    if (isSeq(node)) return node.items[Number(step)];
    if (!isMap(node)) return undefined;
    const pair = this.#findPair(node, String(step));
    // Nothing is written where a value is left out; its key is there.
    return isEmpty(pair?.value) ? pair?.key : pair?.value;
  }

  #findPair(map: YAMLMap, key: string): Pair | undefined {
    const own = this.#ownPairs(map).get(key);
    if (own !== undefined) return own;
    for (const pair of map.items.filter(isMerge)) {
      const value = this.#resolve(pair.value);
      const sources = isSeq(value) ? value.items.map((item) => this.#resolve(item)) : [value];
      for (const source of sources) {
        const found = isMap(source) ? this.#findPair(source, key) : undefined;
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  /** A mapping's pairs by key, the first of each. Kept, because a mapping with many faults is asked for each. */
  #ownPairs(map: YAMLMap): ReadonlyMap<string, Pair> {
    const known = this.#pairs.get(map);
    if (known !== undefined) return known;
    const pairs = new Map<string, Pair>();
    for (const pair of map.items) {
      const text = isMerge(pair) ? undefined : keyText(pair.key);
      const key = text === undefined ? undefined : this.#keyName(text);
      if (key !== undefined && !pairs.has(key)) pairs.set(key, pair);
    }
    this.#pairs.set(map, pairs);
    return pairs;
  }

  #resolve(node: unknown): unknown {
    return isAlias(node) ? this.#targets.get(node) : node;
  }
}

function isEmpty(node: unknown): boolean {
  if (node === null || node === undefined) return true;
  return (
    typeof node === "object" &&
    "range" in node &&
    Array.isArray(node.range) &&
    node.range[0] === node.range[1]
  );
}
