/**
 * A YAML file as a plain value, with the place of everything in it, and what a schema finds wrong with the value. Used
 * for calendars and plancast.yaml.
 */

import {
  type Alias,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
  CST,
  Composer,
  Lexer,
  Parser,
  isAlias,
  isMap,
  isSeq,
} from "yaml";
import type { z } from "zod";
import { type Position, type Problem, problem } from "../../../model/problem.ts";
import type { SourceText } from "../../read/source-text.ts";
import { isMerge, keyText, placeOf, toPlain } from "./plain-value.ts";
import { syntaxProblems } from "./syntax-problems.ts";

/** Keys of mappings and indexes of lists, starting at the root of the document. */
export type YamlPath = readonly PropertyKey[];

interface YamlOptions {
  /** `core` reads numbers and booleans; with `failsafe` every scalar is its source text. */
  readonly schema: YamlSchema;
  /** The form in which keys are compared and stored. */
  readonly keyName: (key: string) => string;
}

/** A parsed document. Its value is plain, or undefined if the file is not valid. */
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
    const understood = !parsed.problems.some((each) => each.code !== "yaml/unsupported");
    this.value = understood ? plain.value : undefined;
    this.problems = [...parsed.problems, ...plain.problems];
  }

  /**
   * The place of the value at a path, as written: an alias has its own place, and values that come through it have the
   * original's. If the path does not exist, the last place on the way.
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
    // An omitted value has no text, but its key has.
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

  /** A mapping's pairs by key, the first of each. Cached, because a mapping with many faults is searched for each. */
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

// Parses YAML text to a syntax tree, within limits. This code drives the library's lexer itself for two reasons. The
// tokens contain facts that the tree does not contain, such as the place of a tag. And a hostile file must be stopped
// early, because nesting deeper than the stack ends the whole process.

/** Limits for reading one file. */
interface YamlLimits {
  /** Levels of nesting. Calendars and plancast.yaml have five. */
  readonly depth: number;
  /** Tokens of the lexer, white space included. */
  readonly lexemes: number;
}

/** Five million tokens are 80,000 posts, or at worst 1.5 GB of memory. */
const LIMITS: YamlLimits = { depth: 100, lexemes: 5_000_000 };

/** `core` reads numbers and booleans; with `failsafe` every scalar is its source text, so `010` and `1.10` stay. */
type YamlSchema = "core" | "failsafe";

interface ParsedYaml {
  /** Undefined when there are syntax errors, or nothing in the file. */
  readonly document: Document.Parsed | undefined;
  readonly problems: readonly Problem[];
}

/** Parses the only document of a file. All syntax errors are reported. */
export function parseYaml(source: SourceText, schema: YamlSchema, limits = LIMITS): ParsedYaml {
  // A lone `\r` is a line end in YAML 1.2, but not to the library. The offsets stay.
  const text = source.text.replaceAll(/\r(?!\n)/g, "\n");
  const options = { schema, uniqueKeys: false, strict: true };
  const composer = new Composer(options);
  const refusals: Problem[] = [];
  const trees: CST.Document[] = [];
  const pieces: Document.Parsed[] = [];
  const takePiece = (tree: CST.Document): void => {
    const [piece] = new Composer(options).compose([tree]);
    if (piece === undefined) return;
    if (piece.errors.length > 0) trees.push(tree);
    pieces.push(piece);
  };
  const tokens = readTokens(text, source, limits, { refusals, takePiece });
  const documents = [...composeTokens(composer, keptTrees(tokens, trees), source, refusals)];
  const stream = composer.streamInfo();
  const errors = [...[...pieces, ...documents].flatMap((document) => document.errors), ...stream.errors];
  const syntax = refusals.some(isFinal) ? [] : syntaxProblems(source, errors, trees);
  const whole = syntax.length === 0 && !refusals.some(isFinal);
  return { document: whole ? joined(pieces, documents[0]) : undefined, problems: [...refusals, ...syntax] };
}

/** The items of a long list are composed in pieces, because their syntax trees need twice the memory of the result. */
const PIECE = 1_000;

/** The document, its mapping, and the list of posts. */
const MAX_AROUND_LIST = 3;

/** Removes the items that are complete from the syntax tree of the list that is being read, if there are many. */
function finishedItems({ stack }: Parser): CST.Document | undefined {
  const list = stack.at(-1);
  // Deeper lists are part of one post.
  if (list?.type !== "block-seq" || list.items.length <= PIECE || stack.length > MAX_AROUND_LIST)
    return undefined;
  // The library still adds comments to the last two items.
  const value = { ...list, items: list.items.splice(0, list.items.length - 2) };
  return { type: "document", offset: list.offset, start: [], value };
}

/** The document with the items of all pieces. */
function joined(
  pieces: readonly Document.Parsed[],
  document: Document.Parsed | undefined,
): Document.Parsed | undefined {
  if (document === undefined || pieces.length === 0) return document;
  const root = document.contents;
  for (const list of isMap(root) ? root.items.map(({ value }) => value) : [root]) {
    if (!isSeq(list)) continue;
    const own = pieces.filter(({ contents }) => contents?.range[0] === list.range?.[0]);
    const before = own.flatMap(({ contents }) => (isSeq(contents) ? contents.items : []));
    list.items = [...before, ...list.items];
  }
  return document;
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
  text: string,
  source: SourceText,
  limits: YamlLimits,
  { refusals, takePiece }: { refusals: Problem[]; takePiece: (items: CST.Document) => void },
): Generator<CST.Token, void> {
  const parser = new Parser();
  let count = 0;
  let afterScalarMark = false;
  for (const lexeme of new Lexer().lex(text)) {
    // In the library's tokens, `\x1f` means that the next token is a scalar, whatever it looks like.
    if (lexeme.startsWith("!") && !afterScalarMark) {
      const message =
        "plancast does not support tags. Remove this one: plancast reads each value as you write it.";
      refusals.push(
        problem("yaml/unsupported", message, source.at(parser.offset, parser.offset + lexeme.length)),
      );
    }
    afterScalarMark = lexeme === CST.SCALAR;
    yield* parser.next(lexeme);
    const piece = finishedItems(parser);
    if (piece !== undefined) takePiece(piece);
    count += 1;
    const refusal = limitPassed(source, parser, count, limits);
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
  lexemes: number,
  limits: YamlLimits,
): Problem | undefined {
  if (parser.stack.length > limits.depth) {
    const message = `The file is nested more than ${limits.depth} levels deep here, but a calendar needs only five. Look for a bracket that is never closed.`;
    return problem("yaml/syntax", message, source.at(parser.offset));
  }
  if (lexemes <= limits.lexemes) return undefined;
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
