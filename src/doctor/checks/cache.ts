import { plural } from "../../report/text/numbers.ts";
import { type Check, NEEDS_PROJECT, ok, skipped } from "../check.ts";

/** Whatever becomes of it, it is made again: nothing ever has to be done. */
export const cacheCheck: Check = {
  name: "cache",
  looksAt: "What plancast remembers of media files.",
  run: ({ remembered }) => {
    if (remembered === undefined) return skipped(NEEDS_PROJECT);
    if (remembered === "unusable")
      return ok(
        "What was remembered of media files cannot be used; the next validate or apply makes it anew.",
      );
    return ok(`${plural(remembered, "media file")} remembered on this machine.`);
  },
};
