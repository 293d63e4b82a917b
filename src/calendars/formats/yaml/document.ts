/**
 * A YAML file as a plain value, with the place of everything in it, and what a schema finds wrong with the value. Used
 * for calendars and plancast.yaml.
 */

import {
  type Document,
  type Node,
  type Pair,
  type YAMLError,
  type YAMLMap,
  type YAMLSeq,
  CST,
  Composer,
  Lexer,
  Parser,
  isAlias,
  isMap,
  isSeq,
  visit,
} from "yaml";
import type { z } from "zod";
import { type Position, type Problem, problem } from "../../../model/problem.ts";
import { type SourceText, inFileOrder } from "../../read/source-text.ts";
import { type ItemPlace, PlainBuilder, isMerge, keyText, placeOf } from "./plain-value.ts";
import { syntaxProblems } from "./syntax-problems.ts";

/** Keys of mappings and indexes of lists, starting at the root of the document. */
export type YamlPath = readonly PropertyKey[];

/** `core` reads numbers and booleans; with `failsafe` every scalar is its source text, so `010` and `1.10` stay. */
type YamlSchema = "core" | "failsafe";

interface YamlOptions {
  readonly schema: YamlSchema;
  /** The form in which keys are compared and stored. */
  readonly keyName: (key: string) => string;
}

/**
 * A parsed document. Its value is plain, or undefined if the file is not valid. The nodes of a long list need ten times the
 * memory of its values, so they are not kept: for a place in an item, the item is read again.
 */
export class YamlDocument {
  readonly problems: readonly Problem[];
  /** Where comments begin. */
  readonly comments: readonly number[];
  #value: unknown;
  readonly #source: SourceText;
  readonly #options: YamlOptions;
  readonly #root: Node | null;
  readonly #plain: PlainBuilder;
  /** The item that was read again last. */
  #item: { readonly place: ItemPlace; readonly node: unknown } | undefined;
  readonly #pairs = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();

  /** Reads a file's text. Pure; never throws. */
  constructor(source: SourceText, options: YamlOptions) {
    this.#plain = new PlainBuilder(source, options.keyName);
    const { document, problems, comments } = parseYaml(source, options.schema, this.#plain);
    this.comments = comments;
    this.#source = source;
    this.#options = options;
    this.#root = document?.contents ?? null;
    const { value } = this.#plain.build(this.#root);
    const understood = !problems.some((each) => each.code !== "yaml/unsupported");
    this.#value = understood && !this.#plain.exhausted ? value : undefined;
    this.problems = [...problems, ...(document === undefined ? [] : inFileOrder(this.#plain.problems))];
  }

  get value(): unknown {
    return this.#value;
  }

  /** Drops the values of a long calendar when its rows have them. Places are still known. */
  forgetValues(): void {
    this.#value = undefined;
    this.#plain.forgetValues();
  }

  /**
   * The place of the value at a path, as written: an alias has its own place, and values that come through it have the
   * original's. If the path does not exist, the last place on the way.
   */
  at(path: YamlPath): Position {
    const list = this.#resolve(this.#find(path.slice(0, -1)));
    const item = isSeq(list) ? this.#plain.placesIn(list)[Number(path.at(-1))] : undefined;
    return item === undefined
      ? placeOf(this.#source, this.#find(path))
      : this.#source.at(item.start, item.end);
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
    if (isSeq(node)) return this.#itemOf(node, Number(step));
    if (!isMap(node)) return undefined;
    const pair = this.#findPair(node, String(step));
    // An omitted value has no text, but its key has.
    return isEmpty(pair?.value) ? pair?.key : pair?.value;
  }

  #itemOf(list: YAMLSeq, index: number): unknown {
    const places = this.#plain.placesIn(list);
    const place = places[index];
    if (place === undefined) return list.items[index - places.length];
    if (this.#item?.place !== place)
      this.#item = { place, node: readItem(this.#source, place, this.#options.schema) };
    return this.#item.node;
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

  /** A mapping's pairs by key, the first of each. Cached, because a mapping with many faults is searched for each. */
  #ownPairs(map: YAMLMap): ReadonlyMap<string, Pair> {
    const known = this.#pairs.get(map);
    if (known !== undefined) return known;
    const pairs = new Map<string, Pair>();
    for (const pair of map.items) {
      const text = isMerge(pair) ? undefined : keyText(pair.key);
      const key = text === undefined ? undefined : this.#options.keyName(text);
      if (key !== undefined && !pairs.has(key)) pairs.set(key, pair);
    }
    this.#pairs.set(map, pairs);
    return pairs;
  }

  #resolve(node: unknown): unknown {
    return isAlias(node) ? this.#plain.targetOf(node) : node;
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

// Parses YAML text to a syntax tree, within limits. This code drives the library's lexer itself for two reasons. The
// tokens contain facts that the tree does not contain, such as the place of a tag. And a hostile file must be stopped
// early, because nesting deeper than the stack ends the whole process.

/** Limits for reading one file. */
interface YamlLimits {
  /** Levels of nesting. Calendars and plancast.yaml have five. */
  readonly depth: number;
  /** Tokens of the lexer, white space included. */
  readonly lexemes: number;
  /** The same, since the last piece of a long list. */
  readonly kept: number;
}

/** Twelve million tokens are 200,000 posts. The nodes of five million are at worst 1.5 GB of memory. */
const LIMITS: YamlLimits = { depth: 100, lexemes: 12_000_000, kept: 5_000_000 };

interface ParsedYaml {
  /** Undefined when there are syntax errors, or nothing in the file. */
  readonly document: Document.Parsed | undefined;
  readonly problems: readonly Problem[];
  /** Where comments begin. */
  readonly comments: readonly number[];
}

/**
 * Parses the only document of a file. All syntax errors are reported.
 * @param plain takes the items of long lists, which the document then lacks
 */
export function parseYaml(
  source: SourceText,
  schema: YamlSchema,
  plain: PlainBuilder,
  limits = LIMITS,
): ParsedYaml {
  const composer = new Composer(composing(schema));
  const refusals: Problem[] = [];
  const trees: CST.Document[] = [];
  const errorsOfPieces: YAMLError[] = [];
  const takePiece = ({ items, bounds, before }: Piece): void => {
    const piece = composed(items, schema);
    if (piece.errors.length > 0) trees.push(items);
    errorsOfPieces.push(...piece.errors);
    if (before !== undefined) plain.learn(composed(before, schema).contents);
    if (isSeq(piece.contents)) plain.take(piece.contents, bounds);
  };
  const comments: number[] = [];
  const tokens = readTokens(source, limits, { refusals, comments, takePiece });
  const documents = [...composeTokens(composer, keptTrees(tokens, trees), source, refusals)];
  const stream = composer.streamInfo();
  const errors = [...errorsOfPieces, ...documents.flatMap((each) => each.errors), ...stream.errors];
  const syntax = refusals.some(isFinal) ? [] : syntaxProblems(source, errors, trees);
  const whole = syntax.length === 0 && !refusals.some(isFinal);
  return { document: whole ? documents[0] : undefined, problems: [...refusals, ...syntax], comments };
}

function composing(schema: YamlSchema) {
  return { schema, uniqueKeys: false, strict: true } as const;
}

function composed(tree: CST.Document, schema: YamlSchema): Document.Parsed {
  const [document] = new Composer(composing(schema)).compose([tree], true);
  if (document === undefined) throw new Error("The library gave no document.");
  return document;
}

/** A lone `\r` is a line end in YAML 1.2, but not to the library. The offsets stay. */
function withLineFeeds(text: string): string {
  return text.replaceAll(/\r(?!\n)/g, "\n");
}

/** The items of a long list are composed in pieces, because their nodes need much memory. */
const PIECE = 100;

/** The document, its mapping, and the list of posts. */
const MAX_AROUND_LIST = 3;

/** The items of a list that are complete. */
interface Piece {
  readonly items: CST.Document;
  /** Where the `-` of each item is, and that of the next item. */
  readonly bounds: readonly number[];
  /** With the first piece of a list: what is complete of the document, for its anchors. */
  readonly before: CST.Document | undefined;
}

/** Removes the items that are complete from the syntax tree of the list that is being read, if there are many. */
function finishedItems({ stack }: Parser, begun: Set<CST.Token>): Piece | undefined {
  const list = stack.at(-1);
  // Deeper lists are part of one post.
  if (list?.type !== "block-seq" || list.items.length <= PIECE || stack.length > MAX_AROUND_LIST)
    return undefined;
  // The library still adds comments to the last two items.
  const items = list.items.splice(0, list.items.length - 2);
  const bounds = [...items, ...list.items].map(
    ({ start }) => start.find(({ type }) => type === "seq-item-ind")?.offset ?? list.offset,
  );
  const before = begun.has(list) ? undefined : documentOf(stack.at(-2));
  begun.add(list);
  return { items: treeOf({ ...list, items }), bounds, before };
}

function treeOf(value: CST.BlockMap | CST.BlockSequence): CST.Document {
  return { type: "document", offset: value.offset, start: [], value };
}

/** A document with the items of a mapping or list that are complete. */
function documentOf(around: CST.Token | undefined): CST.Document | undefined {
  switch (around?.type) {
    case "block-map":
      return treeOf({ ...around, items: around.items.slice(0, -1) });
    case "block-seq":
      return treeOf({ ...around, items: around.items.slice(0, -1) });
    default:
      return undefined;
  }
}

/** The node of an item, read again at its column. */
function readItem(source: SourceText, { from, to }: ItemPlace, schema: YamlSchema): unknown {
  const column = (source.at(from).column ?? 1) - 1;
  const lines = " ".repeat(column) + withLineFeeds(source.text.slice(from, to));
  const [document] = new Composer(composing(schema)).compose(new Parser().parse(lines));
  const list = document?.contents;
  if (!isSeq(list)) return undefined;
  visit(list, {
    Node: (_key, node) => {
      const [start, value, end] = node.range ?? [0, 0, 0];
      node.range = [start + from - column, value + from - column, end + from - column];
    },
  });
  return list.items[0];
}

/** Whether parsing stopped there, so that later errors mean nothing. */
function isFinal(refusal: Problem): boolean {
  return refusal.code === "calendar/too-large" || refusal.code === "yaml/syntax";
}

/** Passes tokens on and keeps the syntax trees, because errors do not show where a bracket or quote was opened. */
function* keptTrees(tokens: Iterable<CST.Token>, trees: CST.Document[]): Generator<CST.Token, void> {
  for (const token of tokens) {
    if (token.type === "document") trees.push(token);
    yield token;
  }
}

/** Composes the first document and stops at the second. */
function* composeTokens(
  composer: Composer,
  tokens: Iterable<CST.Token>,
  source: SourceText,
  refusals: Problem[],
): Generator<Document.Parsed, void> {
  let documents = 0;
  for (const token of tokens) {
    if (token.type === "directive" && !/^%YAML\s+1\.2\s*$/.test(token.source)) {
      refusals.push(unsupportedDirective(source, token));
    }
    if (token.type === "document") documents += 1;
    if (documents > 1) {
      const message = "A second document starts here. Keep only one document in each file.";
      refusals.push(problem("yaml/unsupported", message, source.at(token.offset)));
      break;
    }
    yield* composer.next(token);
  }
  yield* composer.end();
}

function unsupportedDirective(source: SourceText, token: CST.Directive): Problem {
  const message = "plancast reads YAML 1.2 without directives. Remove this line.";
  return problem("yaml/unsupported", message, source.at(token.offset, token.offset + token.source.length));
}

function* readTokens(
  source: SourceText,
  limits: YamlLimits,
  found: { refusals: Problem[]; comments: number[]; takePiece: (piece: Piece) => void },
): Generator<CST.Token, void> {
  const { refusals, comments, takePiece } = found;
  const parser = new Parser();
  const longLists = new Set<CST.Token>();
  let count = 0;
  let kept = 0;
  let afterScalarMark = false;
  for (const lexeme of new Lexer().lex(withLineFeeds(source.text))) {
    // In the library's tokens, `\x1f` means that the next token is a scalar, whatever it looks like.
    if (lexeme.startsWith("!") && !afterScalarMark) {
      const message =
        "plancast does not support tags. Remove this one: plancast reads each value as you write it.";
      refusals.push(
        problem("yaml/unsupported", message, source.at(parser.offset, parser.offset + lexeme.length)),
      );
    }
    if (lexeme.startsWith("#") && !afterScalarMark) comments.push(parser.offset);
    afterScalarMark = lexeme === CST.SCALAR;
    yield* parser.next(lexeme);
    const piece = finishedItems(parser, longLists);
    if (piece !== undefined) takePiece(piece);
    count += 1;
    kept = piece === undefined ? kept + 1 : 0;
    const refusal = limitPassed(source, parser, { count, kept }, limits);
    if (refusal !== undefined) {
      refusals.push(refusal);
      return;
    }
  }
  yield* parser.end();
}

function limitPassed(
  source: SourceText,
  parser: Parser,
  { count, kept }: { readonly count: number; readonly kept: number },
  limits: YamlLimits,
): Problem | undefined {
  if (parser.stack.length > limits.depth) {
    const message = `The file is nested more than ${limits.depth} levels deep here, but a calendar needs only five. Look for a bracket that is never closed.`;
    return problem("yaml/syntax", message, source.at(parser.offset));
  }
  if (count <= limits.lexemes && kept <= limits.kept) return undefined;
  const message = "The file is too large for one YAML calendar. Split it at about this line.";
  return problem("calendar/too-large", message, source.at(parser.offset));
}

/** One thing that a zod schema finds wrong, unions resolved. */
export type SchemaIssue = z.core.$ZodIssue;

/** All issues of a value, each with its full path. For a union, the issues of the branch that fits best. */
export function findIssues(schema: z.ZodType, value: unknown): readonly SchemaIssue[] {
  const result = schema.safeParse(value);
  return result.success ? [] : result.error.issues.flatMap((issue) => resolveUnion(issue));
}

function resolveUnion(issue: SchemaIssue): readonly SchemaIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const deeper = issue.errors.find(
    (branch) =>
      branch.length > 0 && branch.every((each) => each.path.length > 0 || each.code === "unrecognized_keys"),
  );
  if (deeper === undefined) return [issue];
  return deeper.flatMap((each) => resolveUnion({ ...each, path: [...issue.path, ...each.path] }));
}

/** The value at a path; undefined if there is none. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const step of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, step)) return undefined;
    found = Object.getOwnPropertyDescriptor(found, step)?.value;
  }
  return found;
}

/** What a value is, in the words of YAML. */
export function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a mapping";
  return typeof value === "string" ? "text" : `a ${typeof value}`;
}
