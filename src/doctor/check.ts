/** What a check of `plancast doctor` is, and what it finds. Checks are pure: examine.ts gathers the facts. */

import type { Facts } from "./facts.ts";

/** One check: an object in a file of checks/, and a line in checks/run-checks.ts. */
export interface Check {
  /** In one word, as findings name it. */
  readonly name: string;
  /** What it looks at, for docs/run/doctor.md. */
  readonly looksAt: string;
  /** Undefined where this project has nothing of the kind. */
  readonly run: (facts: Facts) => Result | undefined;
}

/** `warning`: nothing must be done, but you should know. `skipped`: it could not be looked at. */
export type FindingState = "ok" | "warning" | "problem" | "skipped";

interface Result {
  readonly state: FindingState;
  readonly message: string;
  /** What to do. */
  readonly advice?: string;
  /** Lines for plancast.yaml. */
  readonly snippet?: string;
}

/** What a check found. */
export interface Finding extends Result {
  /** Of the check. */
  readonly name: string;
}

/** Why a check has nothing to look at. */
export const NEEDS_PROJECT = "needs a readable plancast.yaml.";
export const NEEDS_ADDRESS = "needs the address of a service.";
export const NEEDS_ANSWER = "needs an answer from the service.";
export const NEEDS_READABLE = "needs answers that plancast can read. See records.";

export function ok(message: string): Result {
  return { state: "ok", message };
}

export function skipped(message: string): Result {
  return { state: "skipped", message };
}

export function warning(message: string, advice: string, snippet?: string): Result {
  return { state: "warning", message, advice, ...(snippet !== undefined && { snippet }) };
}

/** @param advice undefined only for failures that come without */
export function failing(message: string, advice?: string, snippet?: string): Result {
  return {
    state: "problem",
    message,
    ...(advice !== undefined && { advice }),
    ...(snippet !== undefined && { snippet }),
  };
}
