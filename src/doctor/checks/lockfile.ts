import { Failure } from "../../calendar/failure.ts";
import { plural } from "../../report/plural.ts";
import { NEEDS_ADDRESS, NEEDS_PROJECT, ok, skipped, failing, type Check } from "../check.ts";

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
