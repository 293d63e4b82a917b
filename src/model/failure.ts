/** Errors that end a run, and the reasons in them. */

import type { Code } from "../problems/catalogue.ts";
import { NETWORK_REASONS } from "../problems/network-reasons.ts";
import type { Problem } from "./problem.ts";

/**
 * Ends a run: something outside the calendars (project file, service, disk) cannot be used.
 * The message says what happened and where; the hint says what to do. Neither may hold a key.
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

/** A project file that cannot be used, with everything that is wrong with it. */
export class ProjectProblems extends Error {
  readonly problems: readonly Problem[];
  /** One line of the project file, without its line end, to show beside a problem. */
  readonly sourceLine: (line: number) => string | undefined;

  constructor(problems: readonly Problem[], sourceLine: (line: number) => string | undefined) {
    super(problems.map((each) => each.message).join("\n"));
    this.name = "ProjectProblems";
    this.problems = problems;
    this.sourceLine = sourceLine;
  }
}

/** What a piece of work gives; undefined where it throws a Failure. */
export function unlessFailure<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    return ignoreFailure(error);
  }
}

/** For `catch`: undefined for a Failure. Throws anything else again. */
export function ignoreFailure(error: unknown): undefined {
  if (error instanceof Failure) return undefined;
  throw error;
}

/** The code that Node gives an error of the system, such as `ENOENT`; undefined where it has none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Why something failed, as far as what was thrown tells. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A short reason in plain words, with the system's code for those who search for it. */
export function networkReason(error: unknown): string {
  const inner = firstCause(error);
  if (!(inner instanceof Error)) return "unknown fault";
  const code = networkCode(error);
  const known = NETWORK_REASONS.get(code);
  return known === undefined ? `${inner.message} (${code})` : `${known} (${code})`;
}

/** The code that Node or undici has for it; the error's name where there is none. */
export function networkCode(error: unknown): string {
  const inner = firstCause(error);
  if (!(inner instanceof Error)) return "";
  return "code" in inner && typeof inner.code === "string" ? inner.code : inner.name;
}

/** Of attempts at several addresses of one host, the first. */
function firstCause(error: unknown): unknown {
  return error instanceof AggregateError ? error.errors[0] : error;
}
