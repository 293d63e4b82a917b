/** The result of a command, in the requested form. */

import type { Run } from "./command.ts";

export interface CommandResult {
  /** For scripts. The text shows the same facts. */
  readonly document: object;
  readonly text: () => string;
  /** What to do next, after the text. */
  readonly next?: string | undefined;
}

/** Prints the document with `--format json`, otherwise the text. */
export function showResult(
  { flags, console }: Run<{ readonly format: string }>,
  { document, text, next }: CommandResult,
): void {
  if (flags.format === "json") {
    console.json(document);
    return;
  }
  console.result(text());
  console.next(next);
}
