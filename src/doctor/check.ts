/** A check looks at the facts and gives one finding. Checks are pure; examine.ts gathers the facts. */

import type { Facts } from "./facts.ts";
import type { Finding } from "./finding.ts";

/** Undefined where there is nothing to look at in this project, and nothing to say of that. */
export type Check = (facts: Facts) => Finding | undefined;

/** Why a check has nothing to look at. */
export const NEEDS_PROJECT = "needs a project file that can be read.";
export const NEEDS_ADDRESS = "needs the address of a service.";
export const NEEDS_ANSWER = "needs an answer of the service.";
export const NEEDS_READABLE = "needs answers that can be read; see records.";

export function ok(name: string, message: string): Finding {
  return { name, state: "ok", message };
}

export function skipped(name: string, message: string): Finding {
  return { name, state: "skipped", message };
}

export function warning(name: string, message: string, advice: string, snippet?: string): Finding {
  return { name, state: "warning", message, advice, ...(snippet !== undefined && { snippet }) };
}

/** `advice` is there in all but failures that have none. */
export function failing(name: string, message: string, advice?: string, snippet?: string): Finding {
  return {
    name,
    state: "problem",
    message,
    ...(advice !== undefined && { advice }),
    ...(snippet !== undefined && { snippet }),
  };
}
