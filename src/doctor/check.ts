/** The types of a check of `plancast doctor` and its findings. Checks are pure: examine.ts collects the facts. */

import type { Facts } from "./facts.ts";

/** One check: an object in a file of checks/, and a line in checks/run-checks.ts. */
export interface Check {
  /** One word, as findings name it. */
  readonly name: string;
  /** What it checks, for docs/run/doctor.md. */
  readonly looksAt: string;
  /** Undefined if it does not apply to this project. */
  readonly run: (facts: Facts) => Result | undefined;
}

/** `warning`: you should know, but need not do anything. `skipped`: it could not be checked. */
export type FindingState = "ok" | "warning" | "problem" | "skipped";

interface Result {
  readonly state: FindingState;
  readonly message: string;
  /** What to do. */
  readonly advice?: string;
  /** Lines for plancast.yaml. */
  readonly snippet?: string;
}

/** The result of a check. */
export interface Finding extends Result {
  /** Name of the check. */
  readonly name: string;
}

/** Why a check could not run. */
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

/** @param advice undefined only for failures without one */
export function failing(message: string, advice?: string, snippet?: string): Result {
  return {
    state: "problem",
    message,
    ...(advice !== undefined && { advice }),
    ...(snippet !== undefined && { snippet }),
  };
}
