/** Sentences in source code: texts of several English words, which people would read. */
import { parseAst } from "rolldown/parseAst";
import type { SourceFile } from "../../src/build/module-graph.ts";

/** A text with this many words is a sentence, or a large part of one. */
const MIN_WORDS = 6;
const WORD = /^["'(`]*[a-z][a-z'-]*[.,:;?!)"'`]*$/i;

/**
 * Functions that make an error or a problem. Its code is in the catalogue, but its message is in the code that finds
 * it.
 */
const MAKES_ERROR = /^(problem|incompleteList|\w*(Failure|Error))$/;
/** Functions that describe a valid value. */
const MAKES_SCHEMA = /^(refine|regex|describe)$/;

/** The sentences of a file, except those that are thrown, in functions that make errors or problems, and in schemas. */
export function sentencesIn({ path, text }: SourceFile): readonly string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (!isNode(node) || isAboutError(node) || MAKES_SCHEMA.test(calleeOf(node))) return;
    const isText = node.type === "TemplateLiteral" || typeof node.value === "string";
    const source = isText ? text.slice(node.start + 1, node.end - 1).replaceAll(/\$\{[^}]*\}/g, "…") : "";
    if (source.split(/\s+/).filter((word) => WORD.test(word)).length >= MIN_WORDS) found.push(source);
    Object.values(node).forEach(visit);
  };
  visit(parseAst(text, { lang: "ts" }, path).body);
  return found;
}

/** The used properties of a node of the syntax tree. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly value?: unknown;
  /** Of a call. */
  readonly callee?: { readonly type: string; readonly name?: string; readonly property?: { name?: string } };
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** Whether it throws, or is a function that makes errors or problems. */
function isAboutError(node: Node): boolean {
  const isFunction = node.type === "FunctionDeclaration" || node.type === "MethodDefinition";
  return node.type === "ThrowStatement" || (isFunction && makesError(node));
}

function makesError(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(makesError);
  return isNode(node) && (MAKES_ERROR.test(calleeOf(node)) || Object.values(node).some(makesError));
}

/** The name of the called function or class, such as `Failure` of `new Failure(…)`; empty for other nodes. */
function calleeOf({ callee }: Node): string {
  return callee?.type === "Super" ? "Error" : (callee?.property?.name ?? callee?.name ?? "");
}
