/** Syntax problems of a YAML file, at the place where people expect them. */

import { type ErrorCode, type YAMLError, CST } from "yaml";
import { type Problem, problem } from "../../../model/problem.ts";
import { groupBy, lastBefore } from "../../../model/data.ts";
import type { SourceText } from "../../read/source-text.ts";

const MISALIGNED =
  "The indentation differs from the lines around it. Align items and keys that belong together.";

/** Text before a key: spaces, and dashes of the items that it begins. */
const BEFORE_KEY = /^ *(?:- +)*/;

/**
 * A key below another one's value, indented further. The library treats it as a part of that value. It reports two
 * errors there: a mapping within a value, and a key on several lines.
 * @param errors that start at one place
 */
function tooDeep(
  source: SourceText,
  errors: readonly YAMLError[],
): { readonly offset: number; readonly end: number; readonly message: string } | undefined {
  const whole = errors.find(({ code }) => code === "MULTILINE_IMPLICIT_KEY");
  if (whole === undefined || !errors.some(({ code }) => code === "BLOCK_AS_IMPLICIT_KEY")) return undefined;
  const [above, line] = [source.lineOf(whole.pos[0]), source.lineOf(whole.pos[1])];
  if (above === line) return undefined;
  const offset = firstLetterOf(source, whole.pos[1]);
  const column = source.at(offset).column ?? 0;
  const columnAbove = (BEFORE_KEY.exec(source.line(above) ?? "")?.[0].length ?? 0) + 1;
  return {
    offset,
    end: whole.pos[1],
    message:
      `This line begins at column ${column}, but line ${above} at column ${columnAbove}. ` +
      "Align keys that belong together, and put a text of several lines that contains `: ` in quotes.",
  };
}

/** The offset of the first letter on the line; the given offset if the line is blank. */
function firstLetterOf(source: SourceText, offset: number): number {
  const line = source.lineOf(offset);
  const blanks = (source.line(line) ?? "").search(/\S/);
  return blanks === -1 ? offset : (source.offsetOf(line) ?? 0) + blanks;
}

/** Nobody reads more at once. A file that is not YAML has an error at every letter. */
const MAX_PROBLEMS = 100;

const NO_TABS = "YAML does not allow a tab here. Indent with spaces.";

/** Plain messages with a solution for common mistakes. For others, the library's message is used. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  TAB_AS_INDENT: NO_TABS,
  MULTILINE_IMPLICIT_KEY: "A key must be on one line. Is a colon missing, or does a text need quotes?",
  BLOCK_AS_IMPLICIT_KEY: "A text that contains `: ` must be in quotes, and a nested mapping on its own line.",
  BAD_DQ_ESCAPE: "YAML does not know this escape. Write \\\\ for a backslash, or use single quotes.",
  BAD_SCALAR_START: "A text that starts with this character must be in quotes.",
  KEY_OVER_1024_CHARS: "The key is longer than 1024 characters. Does the text need quotes?",
};

/**
 * Matches the library's messages about unclosed brackets and quotes, and about wrong indentation: its codes do not
 * distinguish these. The library is bundled, so its messages change only with an update, and tests would show that.
 */
const BRACKET = /end with a [\]}]$/;
const QUOTE = /^Missing closing ["']quote/;
const OUT_OF_LINE =
  /^Sequence item without - indicator|^A block sequence may not be used|^Unexpected seq-item-ind at node end/;
const CLOSES_NOTHING = /^Unexpected flow-(?:seq|map)-end/;
const AFTER_QUOTE =
  "The quoted text ends before this. Inside '…', write an apostrophe as ''. Inside \"…\", write a quote as \\\".";

/** The message for lines after the structure was lost. */
const IN_LOST_STRUCTURE: ReadonlySet<ErrorCode> = new Set([
  "BLOCK_AS_IMPLICIT_KEY",
  "MULTILINE_IMPLICIT_KEY",
  "MISSING_CHAR",
  "UNEXPECTED_TOKEN",
]);

/** Reported elsewhere, together with the tags and directives. */
const REPORTED_ELSEWHERE: ReadonlySet<ErrorCode> = new Set(["TAG_RESOLVE_FAILED", "BAD_DIRECTIVE"]);

/** The token at an offset, and the message for it. */
interface Found {
  readonly offset: number;
  readonly message: string;
  /** End of the text to underline. */
  readonly end: number;
  /** Whether the line's indentation differs from its neighbours. */
  readonly isMisaligned?: boolean;
}

/**
 * The library's errors as problems, one per place, because a second one only repeats the first. @param trees of the
 * file
 */
export function syntaxProblems(
  source: SourceText,
  errors: readonly YAMLError[],
  trees: readonly CST.Document[],
): Problem[] {
  const relevant = errors.filter((error) => !REPORTED_ELSEWHERE.has(error.code));
  const sorted = relevant.toSorted((a, b) => a.pos[0] - b.pos[0]);
  const openings = findOpenings(source, sorted.length > 0 ? trees : []);
  const ofStart = groupBy(sorted, ({ pos }) => pos[0]);
  const byOffset = new Map<number, Problem>();
  let misaligned = 0;
  for (const error of sorted) {
    // After the parser loses the structure, it reports an error for every token.
    if (byOffset.size > 0 && error.message.includes(" in YAML stream")) continue;
    // A wrongly indented line makes the next one look wrong.
    if (IN_LOST_STRUCTURE.has(error.code) && source.lineOf(error.pos[0]) === misaligned) continue;
    const { offset, message, end, isMisaligned } = describe(
      source,
      error,
      ofStart.get(error.pos[0]) ?? [],
      openings,
    );
    if (isMisaligned === true) misaligned = source.lineOf(offset);
    if (!byOffset.has(offset)) byOffset.set(offset, problem("yaml/syntax", message, source.at(offset, end)));
  }
  return withinLimit([...byOffset.values()].toSorted(byPlace));
}

/** An unclosed bracket is the cause of errors after it. */
function byPlace(a: Problem, b: Problem): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}

function describe(
  source: SourceText,
  error: YAMLError,
  there: readonly YAMLError[],
  openings: Openings,
): Found {
  const start = beforeLineEnd(source, Math.min(error.pos[0], source.text.length));
  const opening = openingOf(error, openings);
  if (opening !== undefined) return { ...opening, end: opening.offset + 1 };
  const tab = findTabIndent(source, start);
  if (tab !== undefined) return { offset: tab, message: NO_TABS, end: tab + 1 };
  const deep = tooDeep(source, there);
  if (deep !== undefined) return deep;
  const isMisaligned = error.code === "BAD_INDENT" || OUT_OF_LINE.test(error.message);
  const message = isMisaligned ? MISALIGNED : messageOf(source, error);
  const offset = isMisaligned ? firstLetterOf(source, start) : start;
  return { offset, message, end: Math.max(error.pos[1], offset + 1), isMisaligned };
}

/** The opening that an error says has no end. */
function openingOf({ message, pos }: YAMLError, { brackets, quotes }: Openings): Opening | undefined {
  const opened = BRACKET.test(message) ? brackets : QUOTE.test(message) ? quotes : [];
  // The innermost bracket or quote that is still open there.
  return lastBefore(opened, ({ offset }) => offset, pos[0]);
}

/** The library may point between the two characters of a line end, which has no column. */
function beforeLineEnd({ text }: SourceText, offset: number): number {
  return text[offset] === "\n" && text[offset - 1] === "\r" ? offset - 1 : offset;
}

/** A tab in the indentation of a line causes various errors, which do not mention it. */
function findTabIndent(source: SourceText, offset: number): number | undefined {
  const { line = 1, column = 1 } = source.at(offset);
  const indent = /^ *\t/.exec(source.line(line) ?? "")?.[0];
  return indent === undefined ? undefined : offset - column + indent.length;
}

function messageOf({ text }: SourceText, { code, message, pos: [start] }: YAMLError): string {
  if (CLOSES_NOTHING.test(message))
    return "This bracket closes nothing. Remove it, or put the text in quotes.";
  if (code === "UNEXPECTED_TOKEN" && /["']/.test(text[start - 1] ?? "")) return AFTER_QUOTE;
  return ADVICE[code] ?? `This is not YAML: ${message.charAt(0).toLowerCase()}${message.slice(1)}.`;
}

function withinLimit(problems: readonly Problem[]): Problem[] {
  return problems.slice(0, MAX_PROBLEMS).map((each, index) => {
    const more = index === MAX_PROBLEMS - 1 ? problems.length - MAX_PROBLEMS : 0;
    return more === 0 ? each : { ...each, message: `${each.message} ${more} more errors follow.` };
  });
}

// Where brackets and quotes open. The library reports where their end is missing, often far below.

/** An opening. The message of this problem is about a missing or wrong end. */
interface Opening {
  /** UTF-16 units. */
  readonly offset: number;
  readonly message: string;
}

/** Listed in the order of the file. */
interface Openings {
  /** Openings without a correct end. */
  readonly brackets: readonly Opening[];
  /** All. */
  readonly quotes: readonly Opening[];
}

function findOpenings(source: SourceText, trees: readonly CST.Document[]): Openings {
  const brackets: Opening[] = [];
  const quotes: Opening[] = [];
  const look = (token: CST.Token | null | undefined): void => {
    if (token?.type === "flow-collection") brackets.push(...bracket(token, source));
    else quotes.push(...quote(token));
  };
  for (const tree of trees) {
    CST.visit(tree, ({ key, value }) => {
      look(key);
      look(value);
    });
  }
  const inOrder = (a: Opening, b: Opening): number => a.offset - b.offset;
  return { brackets: brackets.toSorted(inOrder), quotes: quotes.toSorted(inOrder) };
}

function bracket({ start, end }: CST.FlowCollection, source: SourceText): Opening[] {
  const [opening, closing, what] =
    start.type === "flow-seq-start" ? ["[", "]", "list"] : ["{", "}", "mapping"];
  const closer = end.find(({ type }) => type === "flow-seq-end" || type === "flow-map-end");
  if (closer?.source === closing) return [];
  const message =
    closer === undefined
      ? `This \`${opening}\` is never closed. Put a \`${closing}\` where its ${what} ends.`
      : `This \`${opening}\` is closed by a \`${closer.source}\` on line ${source.lineOf(closer.offset)}. Close it with \`${closing}\`.`;
  return [{ offset: start.offset, message }];
}

function quote(token: CST.Token | null | undefined): Opening[] {
  const end =
    token?.type === "double-quoted-scalar"
      ? 'Put a `"` where its text ends.'
      : token?.type === "single-quoted-scalar"
        ? "Put a `'` where its text ends. Write an apostrophe in the text as `''`."
        : undefined;
  if (!token || end === undefined) return [];
  return [{ offset: token.offset, message: `This quote is never closed. ${end}` }];
}
