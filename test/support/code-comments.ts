/** The texts that engineers read in source files: comments, and names of tests. */

import { readFileSync } from "node:fs";
import { Visitor, parseSync } from "rolldown/utils";

export interface SourceText {
  /** From 1. */
  readonly line: number;
  /** Of a comment: without its marks, with its line ends. */
  readonly text: string;
}

/** Comments for tools, not for people. */
const DIRECTIVE = /oxlint-|prettier-ignore|^\/ *</;

/** The comments of a file. Lines of `//` that follow each other are one comment. */
export function commentsOf(path: string): readonly SourceText[] {
  const source = readFileSync(path, "utf8");
  const found: { line: number; end: number; isLine: boolean; text: string }[] = [];
  for (const { type, value, start, end } of parseSync(path, source).comments) {
    if (DIRECTIVE.test(value)) continue;
    const last = found.at(-1);
    const [line, isLine] = [lineAt(source, start), type === "Line"];
    const text = isLine ? value.trim() : value.replaceAll(/^\s*\* ?/gm, "").trim();
    if (last?.isLine === true && isLine && last.end === line - 1) {
      last.text += `\n${text}`;
      last.end = line;
    } else found.push({ line, end: lineAt(source, end), isLine, text });
  }
  return found.map(({ line, text }) => ({ line, text: withoutTags(text) }));
}

/** Each tag of JSDoc begins a paragraph: `@param path relative to the root`. */
function withoutTags(text: string): string {
  return text.replaceAll(
    /\s*@(?:param|returns|throws|typedef|property)\b(?: \{.*?\})?(?: \[?\w+\]?)?/g,
    "\n\n",
  );
}

/** The names that a file gives its tests and groups of tests, as they are written. */
export function testNamesOf(path: string): readonly SourceText[] {
  const source = readFileSync(path, "utf8");
  const names: SourceText[] = [];
  const visitor = new Visitor({
    CallExpression: ({ callee, arguments: [name] }) => {
      const [called] = /^\w+/.exec(source.slice(callee.start, callee.end)) ?? [];
      if ((called !== "test" && called !== "describe") || name === undefined) return;
      if (name.type === "TemplateLiteral" || (name.type === "Literal" && typeof name.value === "string"))
        names.push({ line: lineAt(source, name.start), text: source.slice(name.start + 1, name.end - 1) });
    },
  });
  visitor.visit(parseSync(path, source).program);
  return names;
}

function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split("\n").length;
}
