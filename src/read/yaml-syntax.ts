import type { ErrorCode, YAMLError } from "yaml";
import { problem, type Problem } from "../calendar/problem.ts";
import type { SourceText } from "./source-text.ts";

/** More than anybody reads at a time; a file that is no YAML at all has one at every letter. */
const MAX_PROBLEMS = 100;

const NO_TABS = "Indent with blanks: YAML does not allow a tab here.";

/** Plain words, and a way on, for the mistakes that people make. The library's words serve for the others. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  TAB_AS_INDENT: NO_TABS,
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
  const relevant = errors.filter((error) => !REPORTED_ELSEWHERE.has(error.code));
  const sorted = relevant.toSorted((a, b) => a.pos[0] - b.pos[0]);
  const byOffset = new Map<number, Problem>();
  for (const error of sorted) {
    // Once the parser has lost the structure it stumbles over every token that follows.
    if (byOffset.size > 0 && error.message.includes(" in YAML stream")) continue;
    const { offset, found } = describe(source, error);
    if (!byOffset.has(offset)) byOffset.set(offset, found);
  }
  return withinLimit([...byOffset.values()]);
}

function describe(
  source: SourceText,
  error: YAMLError,
): { readonly offset: number; readonly found: Problem } {
  const start = beforeLineEnd(source, Math.min(error.pos[0], source.text.length));
  const tab = findTabIndent(source, start);
  const offset = tab ?? start;
  const message = tab === undefined ? messageOf(error) : NO_TABS;
  return {
    offset,
    found: problem("yaml/syntax", message, source.at(offset, tab === undefined ? error.pos[1] : tab + 1)),
  };
}

/** The library may point between the two characters of a line end, where there is no column. */
function beforeLineEnd({ text }: SourceText, offset: number): number {
  return text[offset] === "\n" && text[offset - 1] === "\r" ? offset - 1 : offset;
}

/** A tab in the indentation of the line of an error causes errors of many kinds, none of which names it. */
function findTabIndent(source: SourceText, offset: number): number | undefined {
  const { line = 1, column = 1 } = source.at(offset);
  const indent = /^ *\t/.exec(source.line(line) ?? "")?.[0];
  return indent === undefined ? undefined : offset - column + indent.length;
}

function messageOf(error: YAMLError): string {
  if (/^Missing closing ["']quote/.test(error.message)) {
    return "The file ends within a quoted text. Look above for a quote that opens and does not close.";
  }
  const { message } = error;
  return ADVICE[error.code] ?? `This is not YAML: ${message.charAt(0).toLowerCase()}${message.slice(1)}.`;
}

function withinLimit(problems: readonly Problem[]): Problem[] {
  return problems.slice(0, MAX_PROBLEMS).map((each, index) => {
    const more = index === MAX_PROBLEMS - 1 ? problems.length - MAX_PROBLEMS : 0;
    return more === 0 ? each : { ...each, message: `${each.message} ${more} more errors follow.` };
  });
}
