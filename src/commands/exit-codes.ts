import type { ExitCode } from "./shell.ts";

/** What each exit code means: for --help and for the reference. */
export const EXIT_CODES: Readonly<Record<ExitCode, { readonly short: string; readonly meaning: string }>> = {
  0: { short: "done", meaning: "Done, or nothing to do." },
  1: {
    short: "failed or refused",
    meaning: "Failed or refused: bad input, a guard, a post that failed.",
  },
  2: { short: "changes (plan --detailed-exitcode)", meaning: "`plan --detailed-exitcode` found changes." },
  3: {
    short: "unknown outcome",
    meaning: "The run ended with an outcome that it could not determine; run it again.",
  },
  130: { short: "interrupted", meaning: "Interrupted." },
};

export function exitCodeLine(): string {
  const all = Object.entries(EXIT_CODES).map(([code, { short }]) => `${code} ${short}`);
  return `Exit codes: ${all.join(", ")}.`;
}
