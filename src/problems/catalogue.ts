/** The catalogue of problems. */

import { CALENDAR_CODES } from "./calendars.ts";
import { COMMAND_CODES, PROGRAM_CODES, DISK_CODES } from "./commands.ts";
import { ROW_CODES } from "./rows.ts";
import { SERVICE_CODES } from "./service.ts";

/** A code's entry in the catalogue. The sentences are Markdown, and docs/reference/problems.md shows them. */
export interface ProblemEntry {
  readonly severity: "error" | "warning";
  /** The rule, as one sentence. */
  readonly rule: string;
  /** The most common cause. */
  readonly cause: string;
  /** What to do about it. */
  readonly fix: string;
}

/** An entry as this folder writes it: an error, unless it says that it is a warning. */
type WrittenEntry = Omit<ProblemEntry, "severity"> & { readonly severity?: "warning" };

const BEFORE_THE_RULES = {
  ...CALENDAR_CODES,
  ...ROW_CODES,
  ...SERVICE_CODES,
  ...DISK_CODES,
  ...COMMAND_CODES,
} as const satisfies Record<string, WrittenEntry>;

/**
 * Every code that plancast prints, except those of the rules, which are in checks/rules. Codes are part of the
 * contract: scripts match them, so never rename one. Each family (`row` of `row/id`) has one file in this folder, in
 * the order of the reference. The code that finds a problem writes its message, with the place and what to do.
 */
export const CODES = { ...BEFORE_THE_RULES, ...PROGRAM_CODES } as const satisfies Record<
  string,
  WrittenEntry
>;

export type Code = keyof typeof CODES;

/** Code of a rule, such as `content/too-long`. checks/rules has the list. */
export type RuleCode = `content/${string}` | `media/${string}` | `row/${string}` | `options/${string}`;

export type ProblemCode = Code | RuleCode;

/** The severity that a code always has. */
export function severityOfCode(code: Code): ProblemEntry["severity"] {
  const entry: WrittenEntry = CODES[code];
  return entry.severity ?? "error";
}

/** All codes, including the codes of the rules, in the order of the reference. */
export function catalogueWith(
  rules: Readonly<Record<string, ProblemEntry>>,
): Readonly<Record<string, ProblemEntry>> {
  const all: Record<string, WrittenEntry | ProblemEntry> = {
    ...BEFORE_THE_RULES,
    ...rules,
    ...PROGRAM_CODES,
  };
  return Object.fromEntries(
    Object.entries(all).map(([code, entry]) => [code, { severity: "error", ...entry } as const]),
  );
}
