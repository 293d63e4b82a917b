/** Texts and comments in source code, as people read them. */

import { Visitor, parseSync } from "rolldown/utils";
import type { SourceFile } from "../../src/build/module-graph.ts";
import { wordCount } from "./plain-words.ts";

/** A text of this many words is read as a sentence, or as a part of one. */
const MIN_WORDS = 4;

/** Patterns and code in strings, which nobody reads as prose. */
const NOT_PROSE = /^\s*<|^\s*(?:local|if) |[{};]\s*\n|^\^|\\[bdpsuw]/;

/** A piece of a file that people read. */
export interface ReadText {
  /** From 1. */
  readonly line: number;
  /** On one line. Values in a template become "x". */
  readonly text: string;
}

/** String and template literals of four words or more. */
export function textsIn({ path, text }: SourceFile): readonly ReadText[] {
  const found: ReadText[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (!isNode(node) || isImport(node)) return;
    const literal = literalText(node);
    if (literal !== undefined && wordCount(literal) >= MIN_WORDS && !NOT_PROSE.test(literal))
      found.push({ line: lineOf(text, node.start), text: literal });
    Object.values(node).forEach(visit);
  };
  visit(parseSync(path, text).program.body);
  return found;
}

/** Comments for tools, not for people. */
const DIRECTIVE = /oxlint-|prettier-ignore|^\/ *</;
/** A tag of JSDoc, up to its text. */
const TAG = /\s*@(?:param|returns|throws|typedef|property)\b(?: \{.*?\})?(?: \[?\w+\]?)?/g;

/** Comments, without their marks. Lines of `//` that follow each other are one comment; a tag begins a paragraph. */
export function commentsIn({ path, text }: SourceFile): readonly ReadText[] {
  const found: { line: number; end: number; isLine: boolean; text: string }[] = [];
  for (const { type, value, start, end } of parseSync(path, text).comments) {
    if (DIRECTIVE.test(value)) continue;
    const last = found.at(-1);
    const [line, isLine] = [lineOf(text, start), type === "Line"];
    const read = value
      .replaceAll(/^ *\*+ ?/gm, "")
      .replaceAll(TAG, "\n\n")
      .trim();
    if (last?.isLine === true && isLine && last.end === line - 1) {
      last.text += `\n${read}`;
      last.end = line;
    } else found.push({ line, end: lineOf(text, end), isLine, text: read });
  }
  return found.map(({ line, text: read }) => ({ line, text: read }));
}

/** The names that a file gives its tests and groups of tests, as they are written. */
export function testNamesIn({ path, text }: SourceFile): readonly ReadText[] {
  const names: ReadText[] = [];
  const visitor = new Visitor({
    CallExpression: ({ callee, arguments: [name] }) => {
      const [called] = /^\w+/.exec(text.slice(callee.start, callee.end)) ?? [];
      if ((called !== "test" && called !== "describe") || name === undefined) return;
      if (name.type === "TemplateLiteral" || (name.type === "Literal" && typeof name.value === "string"))
        names.push({ line: lineOf(text, name.start), text: text.slice(name.start + 1, name.end - 1) });
    },
  });
  visitor.visit(parseSync(path, text).program);
  return names;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly value?: unknown;
  /** Of a template: its texts, each before an expression, and the last. */
  readonly quasis?: readonly { readonly value: { readonly cooked: string | null } }[];
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

function isImport({ type }: Node): boolean {
  return type === "ImportDeclaration" || type === "ExportAllDeclaration";
}

function literalText({ type, value, quasis }: Node): string | undefined {
  if (type === "TemplateLiteral") return quasis?.map((each) => each.value.cooked ?? "").join("x");
  return type === "Literal" && typeof value === "string" ? value : undefined;
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
