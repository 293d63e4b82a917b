/** What earlier runs left undone. */

import { Failure } from "../../model/failure.ts";
import { plural } from "../../report/text/numbers.ts";
import { type Check, NEEDS_ADDRESS, NEEDS_PROJECT, failing, ok, skipped, warning } from "../check.ts";
import type { StateFacts } from "../facts.ts";

export const journalCheck: Check = {
  name: "journal",
  looksAt: "What earlier runs left: cut short, half replaced, of unknown outcome.",
  run: ({ state }) => {
    if (state === undefined) return skipped(NEEDS_PROJECT);
    if (state.read === undefined) return skipped(NEEDS_ADDRESS);
    const { read } = state;
    if (read instanceof Failure)
      return read.code.startsWith("journal/")
        ? failing(read.message, read.hint)
        : skipped("needs a lockfile that can be read.");
    const { lockfile } = read;
    const unknown = Object.keys(lockfile.unknown).length;
    const retiring = Object.keys(lockfile.retiring).length;
    if (unknown > 0 && !isRunning(state))
      return failing(
        `${plural(unknown, "post")} may or may not be scheduled: ${Object.keys(lockfile.unknown).slice(0, 5).join(", ")}.`,
        "Run apply, which looks on the service. What stays in doubt, `plancast resolve` takes your word for.",
      );
    if (isRunning(state)) return ok("Is being written by the run that is going on.");
    if (read.journal.records.length > 0)
      return warning(
        "A run was cut short.",
        "Run apply: it goes on from the journal, and does nothing twice.",
      );
    if (retiring > 0)
      return warning(
        `${plural(retiring, "older post")} of a replacement still to be cancelled.`,
        "Run apply.",
      );
    return ok("Nothing is left from earlier runs.");
  },
};

function isRunning({ lock }: StateFacts): boolean {
  return typeof lock === "object" && lock.running;
}
