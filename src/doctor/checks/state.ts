import { Failure } from "../../model/failure.ts";
import { plural } from "../../report/text/numbers.ts";
import { lockHolder } from "../../sync/state/run-lock.ts";
import { type Check, NEEDS_ADDRESS, NEEDS_PROJECT, failing, ok, skipped, warning } from "../check.ts";
import type { StateFacts } from "../facts.ts";

export const lockCheck: Check = ({ state }) => {
  if (state === undefined) return skipped("lock", NEEDS_PROJECT);
  const { lock: found } = state;
  if (found === "free") return ok("lock", "No run is going on.");
  if (found === "unreadable")
    return failing(
      "lock",
      ".plancast/run.lock cannot be understood, so it is not known whether a run is going on.",
      "If none is, remove that file.",
    );
  const { owner, running } = found;
  if (!running)
    return ok(
      "lock",
      `A run died and left the run lock behind: ${lockHolder(owner)}. The next run takes it over.`,
    );
  return warning(
    "lock",
    `A run is going on in this project: ${lockHolder(owner)}.`,
    "Wait for it to end; `plancast apply --lock-timeout 5m` does so by itself. If it hangs, end that process: what it did is in the journal.",
  );
};

export const lockfileCheck: Check = ({ state }) => {
  if (state === undefined) return skipped("lockfile", NEEDS_PROJECT);
  const { read, lockfile: file } = state;
  if (!file.exists) return ok("lockfile", `${file.name} is not there yet: nothing was applied from here.`);
  if (read === undefined) return skipped("lockfile", NEEDS_ADDRESS);
  if (read instanceof Failure && !read.code.startsWith("journal/"))
    return failing("lockfile", read.message, read.hint);
  if (read instanceof Failure) return ok("lockfile", `${file.name} can be read.`);
  const { posts, media } = read.lockfile;
  const owned = plural(Object.keys(posts).length, "post");
  return ok(
    "lockfile",
    `${file.name} owns ${owned} and knows ${plural(Object.keys(media).length, "media file")}.`,
  );
};

/** What earlier runs left undone. */

export const journalCheck: Check = ({ state }) => {
  if (state === undefined) return skipped("journal", NEEDS_PROJECT);
  if (state.read === undefined) return skipped("journal", NEEDS_ADDRESS);
  const { read } = state;
  if (read instanceof Failure)
    return read.code.startsWith("journal/")
      ? failing("journal", read.message, read.hint)
      : skipped("journal", "needs a lockfile that can be read.");
  const { lockfile } = read;
  const unknown = Object.keys(lockfile.unknown).length;
  const retiring = Object.keys(lockfile.retiring).length;
  if (unknown > 0 && !isRunning(state))
    return failing(
      "journal",
      `${plural(unknown, "post")} may or may not be scheduled: ${Object.keys(lockfile.unknown).slice(0, 5).join(", ")}.`,
      "Run apply, which looks on the service. What stays in doubt, `plancast resolve` takes your word for.",
    );
  if (isRunning(state)) return ok("journal", "Is being written by the run that is going on.");
  if (read.journal.records.length > 0)
    return warning(
      "journal",
      "A run was cut short.",
      "Run apply: it goes on from the journal, and does nothing twice.",
    );
  if (retiring > 0)
    return warning(
      "journal",
      `${plural(retiring, "older post")} of a replacement still to be cancelled.`,
      "Run apply.",
    );
  return ok("journal", "Nothing is left from earlier runs.");
};

function isRunning({ lock }: StateFacts): boolean {
  return typeof lock === "object" && lock.running;
}
