import { Failure } from "../calendar/failure.ts";
import type { Console } from "./console.ts";
import type { Shell } from "./shell.ts";

/**
 * Whether what cannot be taken back may be done: by --yes, or by whoever can be asked. Throws a Failure where there is
 * nobody to ask. `question` is escaped already.
 */
export async function confirmChange(
  question: string,
  { yes }: { readonly yes: boolean },
  shell: Shell,
  console: Console,
): Promise<boolean> {
  if (yes) return true;
  if (!shell.isInteractive) {
    throw new Failure(
      "run/needs-yes",
      "There is nobody to ask: this is not a terminal. Nothing was changed.",
      "Run again with --yes.",
    );
  }
  const isYes = await shell.confirm(`${question} [y/N] `);
  if (!isYes) console.note("Nothing was changed.\n");
  return isYes;
}
