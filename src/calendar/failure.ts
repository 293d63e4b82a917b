import type { Code } from "./codes.ts";

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

/** Why something failed, as far as what was thrown tells. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
