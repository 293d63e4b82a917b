/** Why a run ended, for a terminal and as a problem in JSON. */

import { Failure, errorCode } from "../../model/failure.ts";
import { type Problem, problem } from "../../model/problem.ts";
import { escapeTerminal, terminalText } from "../text/escape.ts";
import type { Style } from "../text/style.ts";
import { advice, paragraph } from "../text/wrap.ts";

interface FailureTextOptions {
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
  const known = knownFailure(thrown);
  if (known !== undefined) return problem(known.code, known.message);
  return problem(
    "internal/fault",
    `This is a bug in plancast, not an error in your files: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
  );
}

function hintOf(thrown: unknown, verbose: boolean): string | undefined {
  const known = knownFailure(thrown);
  if (known !== undefined) return known.hint;
  return verbose
    ? "Please report it, with the output below and what you did."
    : "Run again with --verbose, and report the bug with that output.";
}

/** The failure that it is or means; undefined for a bug of plancast. */
function knownFailure(thrown: unknown): Failure | undefined {
  if (thrown instanceof Failure) return thrown.code === "internal/fault" ? undefined : thrown;
  return diskFailure(thrown);
}

/** What the system says if a file or a folder cannot be used: permissions, space, a read-only or broken disk, open files. */
const DISK_ERRORS: ReadonlySet<string | undefined> = new Set([
  "EACCES",
  "EDQUOT",
  "EFBIG",
  "EIO",
  "EMFILE",
  "ENFILE",
  "ENOSPC",
  "EPERM",
  "EROFS",
]);

/** A fault of the disk that nobody expected there, as a Failure. Undefined for anything else, also for network and processes. */
function diskFailure(thrown: unknown): Failure | undefined {
  if (!DISK_ERRORS.has(errorCode(thrown)) || !(thrown instanceof Error)) return undefined;
  const syscall = "syscall" in thrown ? String(thrown.syscall) : "";
  if ("address" in thrown || syscall === "" || syscall.startsWith("spawn")) return undefined;
  return new Failure(
    "disk/not-writable",
    `plancast cannot use a file or folder that it needs: ${thrown.message}`,
    "Check its permissions and the free space on the disk, then run again.",
    { cause: thrown },
  );
}

/** Stacks for plancast's own faults; for a failure, only its causes. */
function detailLines(thrown: unknown): string[] {
  const [first, ...causes] = causeChain(thrown);
  if (knownFailure(first) !== undefined) return causes.map((cause) => `caused by ${String(cause)}`);
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
