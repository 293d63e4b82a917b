/**
 * Adds to the text of a YAML file. Existing text stays as it is, with comments and layout. The caller must read the
 * result and compare it.
 */

import {
  type DocumentOptions,
  type Node,
  type SchemaOptions,
  type ScalarTag,
  type YAMLMap,
  type YAMLSeq,
  Document,
  Scalar,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  visit,
} from "yaml";
import { quoteInvisible } from "./write-yaml.ts";

/** A value exactly as the file writes it elsewhere, with its quotes. */
export class WrittenValue {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

const AS_WRITTEN: ScalarTag = {
  tag: "!written",
  default: true,
  identify: (value) => value instanceof WrittenValue,
  resolve: (text) => text,
  stringify: ({ value }) => (value instanceof WrittenValue ? value.source : String(value)),
};

const WRITING: DocumentOptions & SchemaOptions = {
  compat: "yaml-1.1",
  customTags: [AS_WRITTEN],
};

/** Keys of mappings and indexes of lists, starting at the root of the document. */
export type YamlPath = readonly (string | number)[];

/**
 * Adds pairs to the mapping at a path; the document may be empty. Undefined if the mapping has no place for them.
 * @param parts of the text, or of a text that differs from it only after the mapping
 */
export function addPairs(
  text: string,
  path: YamlPath,
  pairs: Readonly<Record<string, unknown>>,
  parts: YamlParts = partsOf(text),
): string | undefined {
  if (Object.keys(pairs).length === 0) return text;
  const { get, key } = parts;
  const map = get(path);
  const parentKey = key(path);
  if (map === undefined && path.length === 0) return insertLines(text, text.length, blockText(pairs), 0);
  if (isScalar(map) && map.value === null && parentKey !== undefined && startOf(map) === endOf(map)) {
    return insertLines(text, endOf(parentKey), blockText(pairs), columnAt(text, startOf(parentKey)) + 2);
  }
  if (!isMap(map)) return undefined;
  if (map.flow !== true) {
    const [first] = map.items;
    const indent = isNode(first?.key) ? columnAt(text, startOf(first.key)) : 0;
    const gap = path.length === 0 && isSpaced(text, map) ? "\n" : "";
    return insertLines(text, afterComments(text, endOfBlock(map), indent), gap + blockText(pairs), indent);
  }
  if (map.items.length > 0) return insertIntoFlow(text, map, flowText(pairs).slice(1, -1).trim());
  if (parentKey === undefined || /[\n#]/.test(text.slice(startOf(map), endOf(map)))) return undefined;
  const opened = text.slice(0, startOf(map)).trimEnd() + text.slice(endOf(map));
  return insertLines(opened, endOf(parentKey), blockText(pairs), columnAt(text, startOf(parentKey)) + 2);
}

/** Looks up nodes of a YAML text by path. */
export interface YamlParts {
  readonly get: (path: YamlPath) => Node | undefined;
  /** The key at the end of a path, where it leads through a mapping. */
  readonly key: (path: YamlPath) => Node | undefined;
}

/** For a text that was already read without errors. */
export function partsOf(text: string): YamlParts {
  // A lone `\r` is a line end in YAML 1.2, but not in the library. Replacing it keeps the offsets.
  const document = parseDocument(text.replaceAll(/\r(?!\n)/g, "\n"), { uniqueKeys: false });
  const get = (path: YamlPath): Node | undefined => {
    const found: unknown = path.length === 0 ? document.contents : document.getIn(path, true);
    return isNode(found) ? found : undefined;
  };
  const key = (path: YamlPath): Node | undefined => {
    const parent = path.length === 0 ? undefined : get(path.slice(0, -1));
    if (!isMap(parent)) return undefined;
    const pair = parent.items.find((each) => isScalar(each.key) && each.key.value === path.at(-1));
    return isPair(pair) && isNode(pair.key) ? pair.key : undefined;
  };
  return { get, key };
}

export function startOf({ range }: Node): number {
  return range?.[0] ?? 0;
}

export function endOf({ range }: Node): number {
  return range?.[1] ?? 0;
}

/** The end of the last item in a block collection. The library's end includes the comments after it. */
export function endOfBlock(node: Node): number {
  if ((!isMap(node) && !isSeq(node)) || node.flow === true) return endOf(node);
  const last: unknown = node.items.at(-1);
  if (!isPair(last)) return isNode(last) ? endOfBlock(last) : endOf(node);
  const end = isNode(last.value) ? endOfBlock(last.value) : 0;
  return Math.max(end, isNode(last.key) ? endOf(last.key) : 0);
}

/** Skips the comments that belong to the item, because they are indented like its content. */
function afterComments(text: string, offset: number, indent: number): number {
  // A block of text ends where the next line begins.
  const isAtStart = offset > 0 && offset === startOfLine(text, offset);
  const from = isAtStart
    ? offset - (/(?:\r\n|[\r\n])$/.exec(text.slice(0, offset))?.[0].length ?? 0)
    : offset;
  const comments = new RegExp(`(?:(?:\\r\\n|\\n|\\r) {${indent + 1},}#[^\\r\\n]*)+`, "y");
  const lineEnd = from + (/^[^\r\n]*/.exec(text.slice(from))?.[0].length ?? 0);
  comments.lastIndex = lineEnd;
  return lineEnd + (comments.exec(text)?.[0].length ?? 0);
}

/** The column of an offset, from 0. */
export function columnAt(text: string, offset: number): number {
  return offset - startOfLine(text, offset);
}

function startOfLine(text: string, offset: number): number {
  return Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;
}

/** Whether an empty line precedes the last key, as in files that separate their parts. */
function isSpaced(text: string, map: YAMLMap): boolean {
  const key = map.items.at(-1)?.key;
  if (!isScalar(key)) return false;
  if (key.spaceBefore === true) return true;
  const [above, before] = text
    .slice(0, startOf(key))
    .split(/\r\n|[\r\n]/)
    .slice(1)
    .slice(-2);
  return before === "" && above !== undefined && /^[ \t]*$/.test(above);
}

/** Inserts lines, each ending with `\n`, after the line of an offset. */
function insertLines(text: string, offset: number, lines: string, indent: number): string {
  const lineEnd = /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
  const rest = /\r\n|\n|\r/.exec(text.slice(offset));
  const isAtStart = offset === startOfLine(text, offset);
  const at = isAtStart ? offset : rest === null ? text.length : offset + rest.index + rest[0].length;
  const before = at === startOfLine(text, at) ? "" : lineEnd;
  const indented = lines.replaceAll(/^(?=.)/gm, " ".repeat(indent)).replaceAll("\n", lineEnd);
  return text.slice(0, at) + before + indented + text.slice(at);
}

function insertIntoFlow(text: string, collection: YAMLMap | YAMLSeq, inner: string): string | undefined {
  const last: unknown = collection.items.at(-1);
  const node = isPair(last) ? last.value : last;
  if (!isNode(node)) return undefined;
  return `${text.slice(0, endOf(node))}, ${inner}${text.slice(endOf(node))}`;
}

/** Lines, each with a `\n` at its end. */
export function blockText(value: unknown): string {
  const document = quoteInvisible(new Document(value, WRITING));
  // Header rows are easier to read on one line.
  visit(document, {
    Seq: (_key, seq) => {
      if (seq.items.every((item) => isScalar(item) && typeof item.value === "number")) seq.flow = true;
    },
  });
  return document.toString({ lineWidth: 0, blockQuote: "literal", flowCollectionPadding: false });
}

/** Like `blockText`, on one line. */
export function flowText(value: unknown): string {
  const document = quoteInvisible(new Document(value, WRITING));
  visit(document, {
    Scalar: (_key, scalar) => {
      if (typeof scalar.value === "string" && scalar.value.includes("\n")) scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  const oneLine = {
    lineWidth: 0,
    collectionStyle: "flow",
    doubleQuotedMinMultiLineLength: Infinity,
  } as const;
  return document.toString(oneLine).trimEnd();
}
