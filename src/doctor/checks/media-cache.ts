import { plural } from "../../report/plural.ts";
import { NEEDS_PROJECT, ok, skipped, type Check } from "../check.ts";

/** Whatever becomes of it, it is made again: nothing ever has to be done. */
export const mediaCacheCheck: Check = ({ remembered }) => {
  if (remembered === undefined) return skipped("cache", NEEDS_PROJECT);
  if (remembered === "unusable")
    return ok(
      "cache",
      "What was remembered of media files cannot be used; the next validate or apply makes it anew.",
    );
  return ok("cache", `${plural(remembered, "media file")} remembered on this machine.`);
};
