/**
 * The text of a YAML file, for changes of single values. The library's tokens hold every character, and a change touches
 * only its own tokens: comments and layout stay. The caller must read the result and compare it.
 */

import {
  type CST,
  type Document,
  type Node,
  type Pair,
  CST as Tokens,
  Composer,
  Parser,
  isMap,
  isNode,
  isScalar,
  isSeq,
} from "yaml";
import type { Cell } from "../../../model/row.ts";
import { blockText, flowText, isPlainText } from "./write-yaml.ts";

/** Keys of mappings and indexes of lists, starting at the root of the document. */
export type KeyPath = readonly (string | number)[];

/** Makes a change that is possible. */
export type YamlChange = () => void;

export class YamlText {
  /** The text before all changes, with `\n` as its line ends. */
  readonly #text: string;
  readonly #tokens: readonly CST.Token[];
  readonly #document: Document | undefined;
  readonly #lineEnd: string;
  /** Lines after all tokens. */
  #added = "";

  /** @param text which was already read without errors; it may be empty */
  constructor(text: string) {
    const ends = [...new Set(text.match(/\r\n|\n|\r/g))];
    // The library knows no lone `\r`. In a file with several line ends, new lines get `\n`.
    this.#lineEnd = ends.length === 1 ? (ends[0] ?? "\n") : "\n";
    this.#text = text.replaceAll(this.#lineEnd, "\n");
    this.#tokens = [...new Parser().parse(this.#text)];
    const composer = new Composer({ keepSourceTokens: true, uniqueKeys: false });
    [this.#document] = composer.compose(this.#tokens);
  }

  toString(): string {
    const text = leavesOf(this.#tokens).reduce((before, { source }) => before + source, "");
    const gap = this.#added !== "" && text !== "" && !text.endsWith("\n") ? "\n" : "";
    return (text + gap + this.#added).replaceAll("\n", this.#lineEnd);
  }

  get(path: KeyPath): Node | undefined {
    const found: unknown = path.length === 0 ? this.#document?.contents : this.#document?.getIn(path, true);
    return isNode(found) ? found : undefined;
  }

  /** Adds pairs to the mapping at a path, which may be missing or blank. Undefined if it has no place for them. */
  add(path: KeyPath, pairs: Readonly<Record<string, unknown>>): YamlChange | undefined {
    const map = this.get(path);
    const block = blockText(pairs);
    if (map === undefined && path.length === 0) return () => void (this.#added += block);
    if (!isMap(map)) return this.#addToBlank(path, block);
    const token = map.srcToken;
    if (token?.type === "block-map") {
      const gap = path.length === 0 && this.#isSpaced(map.items.at(-1)) ? "\n" : "";
      const { indent } = token;
      return () => insertLines(leavesOf([token]), gap + indented(block, indent), indent);
    }
    if (token?.type !== "flow-collection") return undefined;
    const inner = flowText(pairs).slice(1, -1).trim();
    const last = leavesOf(token.items.flatMap((item) => tokensOf(item))).findLast(isContent);
    if (last !== undefined) return () => void (last.source += `, ${inner}`);
    return () => void (token.start.source += inner);
  }

  /** Adds pairs under a key without a value. */
  #addToBlank(path: KeyPath, block: string): YamlChange | undefined {
    const item = this.#pairAt(path)?.srcToken;
    const key = item?.key ?? undefined;
    if (
      item === undefined ||
      key === undefined ||
      Boolean(item.value) ||
      isInFlow(this.get(path.slice(0, -1)))
    )
      return undefined;
    const indent = indentOf(key) + 2;
    return () => insertLines(leavesOf(tokensOf(item)), indented(block, indent), indent);
  }

  /**
   * Gives a key that is there another value: a list only where one is already. Undefined if that would remove a comment
   * or is not possible.
   * @param mayBePlain whether the text may be without quotes, although other programs could read a date or a boolean
   */
  set(path: KeyPath, value: Cell, mayBePlain = false): YamlChange | undefined {
    const pair = this.#pairAt(path);
    const item = pair?.srcToken;
    const key = item?.key ?? undefined;
    const sep = item?.sep;
    if (item === undefined || key === undefined || sep === undefined) return undefined;
    const token = item.value ?? undefined;
    if (isSeq(pair?.value)) return setList(pair.value, typeof value === "string" ? [value] : value);
    if (typeof value !== "string" || isMap(pair?.value)) return undefined;
    const inFlow = isInFlow(this.get(path.slice(0, -1)));
    const type = scalarType(value, token, { inFlow, mayBePlain });
    const style = { type, inFlow, afterKey: true, implicitKey: type !== "BLOCK_LITERAL" };
    if (token !== undefined) return () => setScalar(token, value, style);
    const colon = sep.findIndex(({ type: kind }) => kind === "map-value-ind");
    const mark = sep[colon];
    if (mark === undefined || sep.slice(colon + 1).some(isContent)) return undefined;
    return () => {
      const rest = sep.splice(colon + 1);
      const end = rest.splice(0, rest.findIndex(({ type: kind }) => kind === "newline") + 1 || rest.length);
      mark.source += " ";
      const created = Tokens.createScalarToken(value, {
        ...style,
        indent: indentOf(key) + 2,
        end,
        offset: -1,
      });
      // Comments on the lines below.
      if ("props" in created) created.source += rest.reduce((text, { source }) => text + source, "");
      else if ("end" in created) created.end = [...(created.end ?? []), ...rest];
      item.value = created;
    };
  }

  /** Replaces a text in a list by a mapping on one line. */
  setItem(node: Node, value: Readonly<Record<string, unknown>>): YamlChange | undefined {
    const token = node.srcToken;
    if (token === undefined || !("source" in token) || token.type === "block-scalar") return undefined;
    return () => void (token.source = flowText(value).trim());
  }

  /** Whether an empty line precedes a key, as in files that separate their parts. */
  #isSpaced(pair: Pair | undefined): boolean {
    const start = isNode(pair?.key) ? (pair.key.range?.[0] ?? 0) : 0;
    return /\n[ \t]*\n$/.test(this.#text.slice(0, start));
  }

  #pairAt(path: KeyPath): Pair | undefined {
    const parent = path.length === 0 ? undefined : this.get(path.slice(0, -1));
    if (!isMap(parent)) return undefined;
    return parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1));
  }
}

function indentOf(token: CST.Token): number {
  return "indent" in token ? token.indent : 0;
}

function isInFlow(node: Node | undefined): boolean {
  return node?.srcToken?.type === "flow-collection";
}

/** A date or time that is valid YAML without quotes. */
const PLAIN_TIME = /^\d[\w+\-/.]*(?:[ :][\w+\-/.]+)*$/;
const YES_OR_NO = /^(?:yes|no|true|false)$/i;

/** Quotes stay. A text of several lines becomes a block, where one is possible. */
function scalarType(
  value: string,
  before: CST.Token | undefined,
  { inFlow, mayBePlain }: { readonly inFlow: boolean; readonly mayBePlain: boolean },
): "PLAIN" | "QUOTE_SINGLE" | "QUOTE_DOUBLE" | "BLOCK_LITERAL" {
  if (!isPlainText(value)) return "QUOTE_DOUBLE";
  const comment = before === undefined ? undefined : leavesOf([before]).find(isComment);
  // A comment after the text stays after it.
  const isAfter = comment !== undefined && before?.type !== "block-scalar";
  // Blank lines at the end of a block are easily lost.
  const words = value.trimEnd();
  // A block finds its indent in its first line with text, so spaces before that text would be lost.
  const isIndented = /^\s*[ \t]/.test(value);
  const isBlock = !inFlow && !isAfter && !isIndented && words !== "" && value.length - words.length < 2;
  if (value.includes("\n")) return isBlock ? "BLOCK_LITERAL" : "QUOTE_DOUBLE";
  // After a text without quotes, it would look like a hashtag of the text.
  if (comment !== undefined && /^#[^\s#]/.test(comment.source)) return "QUOTE_DOUBLE";
  if (before?.type === "single-quoted-scalar") return "QUOTE_SINGLE";
  if (before?.type === "double-quoted-scalar") return "QUOTE_DOUBLE";
  if (mayBePlain && before !== undefined && (PLAIN_TIME.test(value) || YES_OR_NO.test(value))) return "PLAIN";
  return /^["']/.test(blockText(value)) ? "QUOTE_DOUBLE" : "PLAIN";
}

/** Blank lines after a block are part of it, and stay. */
function setScalar(
  token: CST.Token,
  value: string,
  style: Parameters<typeof Tokens.setScalarValue>[2],
): void {
  const blank = token.type === "block-scalar" ? token.source.slice(endOfText(token.source) || Infinity) : "";
  Tokens.setScalarValue(token, value, style);
  const last = leavesOf([token]).at(-1);
  if (last !== undefined) last.source += blank;
}

/** A list in the layout of the old one. */
function setList(list: Node, values: readonly string[]): YamlChange | undefined {
  const token = list.srcToken;
  if (token?.type !== "flow-collection" && token?.type !== "block-seq") return undefined;
  const before = leavesOf(token.items.flatMap((item) => tokensOf(item)));
  if (before.some(isComment)) return undefined;
  const items = values.map((value) => flowText([value]).slice(1, -1).trim());
  const text = before.reduce((all, { source }) => all + source, "");
  const after = text.slice(text.trimEnd().length);
  const source =
    token.type === "flow-collection"
      ? items.join(", ")
      : items.map((item) => `- ${item}`).join(`\n${" ".repeat(token.indent)}`) + after;
  return () =>
    void token.items.splice(0, Infinity, { start: [{ type: "space", offset: -1, indent: -1, source }] });
}

// Tokens.

/** A token with characters of its own. */
type Leaf = Extract<CST.Token, { readonly source: string }>;

function tokensOf({ start, key, sep, value }: CST.CollectionItem): CST.Token[] {
  return [...start, ...(key ? [key] : []), ...(sep ?? []), ...(value ? [value] : [])];
}

/** All characters of tokens, in their order. */
function leavesOf(tokens: readonly CST.Token[]): Leaf[] {
  return tokens.flatMap((token): Leaf[] => {
    switch (token.type) {
      case "document":
        return leavesOf([...token.start, ...(token.value ? [token.value] : []), ...(token.end ?? [])]);
      case "block-map":
      case "block-seq":
        return leavesOf(token.items.flatMap((item) => tokensOf(item)));
      case "flow-collection":
        return leavesOf([token.start, ...token.items.flatMap((item) => tokensOf(item)), ...token.end]);
      case "block-scalar":
        return [...leavesOf(token.props), token];
      default:
        return "end" in token && token.end !== undefined ? [token, ...leavesOf(token.end)] : [token];
    }
  });
}

function isComment({ type }: CST.Token): boolean {
  return type === "comment";
}

function isContent({ type }: CST.Token): boolean {
  return !["space", "comment", "newline", "comma"].includes(type);
}

/** Where the blank lines at the end of a block start. 0 if its last line has no end. */
function endOfText(source: string): number {
  return source.indexOf("\n", source.trimEnd().length) + 1;
}

/**
 * Inserts lines after the last line with content, and after the comments that belong to it, because they are further
 * to the right than the new lines.
 */
function insertLines(leaves: readonly Leaf[], lines: string, indent: number): void {
  const last = leaves.findLastIndex(isContent);
  const block = leaves[last];
  const keepsBlanks = leaves.findLast(({ type }) => type === "block-scalar-header")?.source.includes("+");
  const at =
    block?.type !== "block-scalar" ? 0 : keepsBlanks === true ? block.source.length : endOfText(block.source);
  if (block !== undefined && at > 0) {
    block.source = block.source.slice(0, at) + lines + block.source.slice(at);
    return;
  }
  const rest = leaves.slice(last + 1);
  const other = rest.findIndex((leaf, index) => {
    const isOnOwnLine = rest.slice(0, index).some(({ type }) => type === "newline");
    return leaf.type === "comment" && isOnOwnLine && leaf.indent <= indent;
  });
  const own = other === -1 ? rest : rest.slice(0, other);
  const comment = own.findLastIndex(isComment);
  const lineEnd = own.slice(Math.max(0, comment)).find(({ type }) => type === "newline");
  const place = lineEnd ?? leaves.at(-1);
  if (place === undefined) return;
  // Without a line end at the end of the file, there is none after the edit, either.
  if (lineEnd === undefined) place.source += `\n${lines.replace(/\n$/, "")}`;
  else lineEnd.source += lines;
}

function indented(lines: string, indent: number): string {
  return lines.replaceAll(/^(?=.)/gm, " ".repeat(indent));
}
