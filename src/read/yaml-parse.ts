/**
 * YAML text to a syntax tree, within bounds. The library's lexer is driven by hand, because on the way its
 * lexemes tell what the tree does not (where a tag stands), and because a hostile file must be stopped before the
 * library recurses into it: nesting deeper than the stack ends the whole process.
 */
import { Composer, CST, Lexer, Parser, type Document } from "yaml";
import { problem, type Problem } from "../calendar/problem.ts";
import type { SourceText } from "./source-text.ts";
import { syntaxProblems } from "./yaml-syntax.ts";

/** How much is read of one file. */
interface YamlLimits {
  /** Levels of nesting. Calendars and project files have five. */
  readonly depth: number;
  /** Tokens of the lexer, white space included. */
  readonly lexemes: number;
}

/** Five million lexemes are 80,000 posts, or 1.5 GB of memory at worst. */
const LIMITS: YamlLimits = { depth: 100, lexemes: 5_000_000 };

/** `core` reads numbers and booleans; with `failsafe` every scalar is its source text, so `010` and `1.10` stay. */
export type YamlSchema = "core" | "failsafe";

export interface ParsedYaml {
  /** Undefined when there are syntax errors, or nothing in the file. */
  readonly document: Document.Parsed | undefined;
  readonly problems: readonly Problem[];
}

/** Parses the one document of a file. All syntax errors are reported. */
export function parseYaml(source: SourceText, schema: YamlSchema, limits = LIMITS): ParsedYaml {
  // A lone `\r` is a line end in YAML 1.2, but not to the library. The offsets stay.
  const text = source.text.replaceAll(/\r(?!\n)/g, "\n");
  const composer = new Composer({ schema, uniqueKeys: false, strict: true });
  const refusals: Problem[] = [];
  const trees: CST.Document[] = [];
  const tokens = readTokens(text, source, limits, refusals);
  const documents = [...composeTokens(composer, keptTrees(tokens, trees), source, refusals)];
  const stream = composer.streamInfo();
  const errors = [...documents.flatMap((document) => document.errors), ...stream.errors];
  const syntax = refusals.some(isFinal) ? [] : syntaxProblems(source, errors, trees);
  const whole = syntax.length === 0 && !refusals.some(isFinal);
  return { document: whole ? documents[0] : undefined, problems: [...refusals, ...syntax] };
}

/** Whether reading stopped there, so that errors after it mean nothing. */
function isFinal(refusal: Problem): boolean {
  return refusal.code === "calendar/too-large" || refusal.code === "yaml/too-deep";
}

/** Hands tokens on, and keeps the trees among them: errors alone do not tell where something was opened. */
function* keptTrees(tokens: Iterable<CST.Token>, trees: CST.Document[]): Generator<CST.Token, void> {
  for (const token of tokens) {
    if (token.type === "document") trees.push(token);
    yield token;
  }
}

/** Composes the first document and stops at a second. */
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
      const message = "A second document starts here. Keep one document in each file.";
      refusals.push(problem("yaml/several-documents", message, source.at(token.offset)));
      break;
    }
    yield* composer.next(token);
  }
  yield* composer.end();
}

function unsupportedDirective(source: SourceText, token: CST.Directive): Problem {
  const message = "Plancast reads YAML 1.2 without directives. Remove this line.";
  return problem("yaml/unsupported", message, source.at(token.offset, token.offset + token.source.length));
}

function* readTokens(
  text: string,
  source: SourceText,
  limits: YamlLimits,
  refusals: Problem[],
): Generator<CST.Token, void> {
  const parser = new Parser();
  let count = 0;
  let afterScalarMark = false;
  for (const lexeme of new Lexer().lex(text)) {
    // In the library's words, `\x1f` says that the next lexeme is a scalar, whatever it looks like.
    if (lexeme.startsWith("!") && !afterScalarMark) {
      const message = "Tags are not supported. Remove it: every value is read as it is written.";
      refusals.push(
        problem("yaml/unsupported", message, source.at(parser.offset, parser.offset + lexeme.length)),
      );
    }
    afterScalarMark = lexeme === CST.SCALAR;
    yield* parser.next(lexeme);
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
    const message = `The file nests more than ${limits.depth} levels deep here. A calendar needs five.`;
    return problem("yaml/too-deep", message, source.at(parser.offset));
  }
  if (lexemes <= limits.lexemes) return undefined;
  const message = "The file holds more than plancast reads from one YAML file. Split it at about this line.";
  return problem("calendar/too-large", message, source.at(parser.offset));
}
