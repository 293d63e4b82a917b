import type { ErrorCode, YAMLError } from "yaml";
import { problem, type Problem } from "../calendar/problem.ts";
import type { SourceText } from "./source-text.ts";

/** More than anybody reads at a time; a file that is no YAML at all has one at every letter. */
const MAX_PROBLEMS = 100;

/** Plain words, and a way on, for the mistakes that people make. The library's words serve for the others. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  TAB_AS_INDENT: "Indent with blanks: YAML does not allow tabs there.",
  BAD_INDENT:
    "The indentation is not that of the lines around it. Align items and keys that belong together.",
  MULTILINE_IMPLICIT_KEY: "A key must be on one line. Is a colon missing, or does a text need quotes?",
  BLOCK_AS_IMPLICIT_KEY:
    "A text that holds `: ` must be in quotes, and a nested mapping on a line of its own.",
  BAD_DQ_ESCAPE: "This escape is not known. Write \\\\ for a backslash, or use single quotes.",
  BAD_SCALAR_START: "A text that starts with this character must be in quotes.",
  KEY_OVER_1024_CHARS: "The key is longer than 1024 characters. Does the text need quotes?",
};

/** These are reported where the tags and directives themselves are found. */
const REPORTED_ELSEWHERE: ReadonlySet<ErrorCode> = new Set(["TAG_RESOLVE_FAILED", "BAD_DIRECTIVE"]);

/** The library's errors as problems, one at a place: a second one there only repeats the first. */
export function syntaxProblems(source: SourceText, errors: readonly YAMLError[]): Problem[] {
  const byOffset = new Map<number, YAMLError>();
  for (const error of errors) {
    const offset = Math.min(error.pos[0], source.text.length);
    if (!REPORTED_ELSEWHERE.has(error.code) && !byOffset.has(offset)) byOffset.set(offset, error);
  }
  const found = [...byOffset].sort(([a], [b]) => a - b);
  const shown = found.slice(0, MAX_PROBLEMS).map(([offset, error], index) => {
    const rest = index === MAX_PROBLEMS - 1 ? found.length - MAX_PROBLEMS : 0;
    const more = rest > 0 ? ` ${rest} more errors follow.` : "";
    return problem(
      "yaml/syntax",
      `${ADVICE[error.code] ?? sentence(error.message)}${more}`,
      source.at(offset, error.pos[1]),
    );
  });
  return shown;
}

function sentence(message: string): string {
  return `This is not YAML: ${message.charAt(0).toLowerCase()}${message.slice(1)}.`;
}
