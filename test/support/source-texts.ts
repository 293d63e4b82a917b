/** Texts and comments in source code, as a reader meets them. */

import { parseSync } from "rolldown/utils";
import type { SourceFile } from "../../src/build/module-graph.ts";
import { wordCount } from "./plain-words.ts";

/** A text of this many words is read as a sentence, or as a part of one. */
const MIN_WORDS = 4;

/** Patterns and code that stand in strings: nobody reads them as prose. */
const NOT_PROSE = /^\s*<|^\s*(?:local|if) |[{};]\s*\n|^\^|\\[bdpsuw]/;

/** A piece of a file that people read. */
export interface ReadText {
  /** From 1. */
  readonly line: number;
  /** On one line; what a template fills in is "x". */
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

/** Comments, without their signs. */
export function commentsIn({ path, text }: SourceFile): readonly ReadText[] {
  return parseSync(path, text).comments.map(({ value, start }) => ({
    line: lineOf(text, start),
    // A tag, such as @param, is a paragraph of its own.
    text: value
      .replaceAll(/^ *\*+ ?/gm, "")
      .replaceAll(/^@/gm, "\n@")
      .trim(),
  }));
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
