import { lockHolder } from "../../apply/run-lock.ts";
import { NEEDS_PROJECT, ok, skipped, warning, failing, type Check } from "../check.ts";

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
