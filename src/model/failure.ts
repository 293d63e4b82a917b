/** Errors that end a run, and the reasons in them. */

import type { Code } from "../problems/catalogue.ts";
import { NETWORK_REASONS } from "../problems/connection-texts.ts";
import type { Problem } from "./problem.ts";

/**
 * Ends a run: something outside the calendars (plancast.yaml, service, disk) cannot be used. The message says what
 * happened and where; the hint says what to do. Neither may hold a key.
 */
export class Failure extends Error {
  readonly code: Code;
  readonly hint: string | undefined;

  constructor(code: Code, message: string, hint?: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "Failure";
    this.code = code;
    this.hint = hint;
  }
}

/** plancast.yaml cannot be used. Holds everything that is wrong with it. */
export class ProjectProblems extends Error {
  readonly problems: readonly Problem[];
  /** One line of plancast.yaml or a file that it extends, without its line end, to show beside a problem. */
  readonly sourceLine: (file: string, line: number) => string | undefined;
  /** The files whose next save may correct it, relative to the project root, with `/`. */
  readonly files: readonly string[];

  constructor(
    problems: readonly Problem[],
    sourceLine: ProjectProblems["sourceLine"],
    files: readonly string[] = [],
  ) {
    super(problems.map((each) => each.message).join("\n"));
    this.name = "ProjectProblems";
    this.problems = problems;
    this.sourceLine = sourceLine;
    this.files = files;
  }
}

/** The result of the work, or undefined if it throws a Failure. */
export function unlessFailure<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    return ignoreFailure(error);
  }
}

/** For `catch`: returns undefined for a Failure, and throws anything else again. */
export function ignoreFailure(error: unknown): undefined {
  if (error instanceof Failure) return undefined;
  throw error;
}

/** Node's code for a system error, such as `ENOENT`; undefined if there is none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Why something failed, as far as the thrown value shows. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A short reason in plain words, with the system's code so that people can search for it. */
export function networkReason(error: unknown): string {
  const inner = firstCause(error);
  if (!(inner instanceof Error)) return "unknown fault";
  const code = networkCode(error);
  const known = NETWORK_REASONS.get(code);
  return known === undefined ? `${inner.message} (${code})` : `${known} (${code})`;
}

/** The code of Node or undici, otherwise the error's name. */
export function networkCode(error: unknown): string {
  const inner = firstCause(error);
  if (!(inner instanceof Error)) return "";
  return "code" in inner && typeof inner.code === "string" ? inner.code : inner.name;
}

/** If several addresses of one host failed, the first failure. */
function firstCause(error: unknown): unknown {
  return error instanceof AggregateError ? error.errors[0] : error;
}
