import { lockHolder } from "../../sync/state/run-lock.ts";
import { type Check, NEEDS_PROJECT, failing, ok, skipped, warning } from "../check.ts";

export const lockCheck: Check = {
  name: "lock",
  looksAt: "Whether a run is going on, or has died.",
  run: ({ state }) => {
    if (state === undefined) return skipped(NEEDS_PROJECT);
    const { lock: found } = state;
    if (found === "free") return ok("No run is going on.");
    if (found === "unreadable")
      return failing(
        ".plancast/run.lock cannot be understood, so it is not known whether a run is going on.",
        "If none is, remove that file.",
      );
    const { owner, running } = found;
    if (!running)
      return ok(`A run died and left the run lock behind: ${lockHolder(owner)}. The next run takes it over.`);
    return warning(
      `A run is going on in this project: ${lockHolder(owner)}.`,
      "Wait for it to end; `plancast apply --lock-timeout 5m` does so by itself. If it hangs, end that process: what it did is in the journal.",
    );
  },
};
