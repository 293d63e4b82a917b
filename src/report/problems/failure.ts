/** Why a run ended, for a terminal and as a problem in JSON. */

import { Failure } from "../../model/failure.ts";
import { type Problem, problem } from "../../model/problem.ts";
import { escapeTerminal, terminalText } from "../text/escape.ts";
import type { Style } from "../text/style.ts";
import { advice, paragraph } from "../text/wrap.ts";

export interface FailureTextOptions {
  /** Also shows the stack of an internal fault, and the causes of a failure. */
  readonly verbose: boolean;
}

/** Why a run ended: what happened, what to do, and the code that scripts match. Accepts anything that was thrown. */
export function failureText(thrown: unknown, style: Style, { verbose }: FailureTextOptions): string {
  const { colors } = style;
  const { code, message } = failureProblem(thrown);
  const hint = hintOf(thrown, verbose);
  return terminalText([
    `${colors.red("error")} ${colors.dim(code)}`,
    ...paragraph(message, style, "  "),
    ...(hint === undefined ? [] : advice(hint, style)),
    ...(verbose ? detailLines(thrown) : []).map((line) => `  ${colors.dim(escapeTerminal(line))}`),
  ]);
}

/** The same as data, for output in JSON. */
export function failureProblem(thrown: unknown): Problem {
  if (isKnown(thrown)) return problem(thrown.code, thrown.message);
  return problem(
    "internal/fault",
    `This is a bug in plancast, not an error in your files: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
  );
}

function hintOf(thrown: unknown, verbose: boolean): string | undefined {
  if (isKnown(thrown)) return thrown.hint;
  return verbose
    ? "Please report it, with the output below and what you did."
    : "Run again with --verbose, and report the bug with that output.";
}

function isKnown(thrown: unknown): thrown is Failure {
  return thrown instanceof Failure && thrown.code !== "internal/fault";
}

/** Stacks for plancast's own faults; for a failure, only its causes. */
function detailLines(thrown: unknown): string[] {
  const [first, ...causes] = causeChain(thrown);
  if (isKnown(first)) return causes.map((cause) => `caused by ${String(cause)}`);
  return [first, ...causes].flatMap((each) =>
    (each instanceof Error ? (each.stack ?? String(each)) : String(each))
      .split("\n")
      .map((line) => line.trim()),
  );
}

/** The error and its causes, in order. */
function causeChain(thrown: unknown): unknown[] {
  const chain = [thrown];
  let last = thrown;
  // Deep enough for any real chain, and safe for circular ones.
  while (last instanceof Error && last.cause !== undefined && chain.length < 8) {
    last = last.cause;
    chain.push(last);
  }
  return chain;
}
