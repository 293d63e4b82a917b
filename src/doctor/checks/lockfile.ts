import { Failure } from "../../model/failure.ts";
import { plural } from "../../report/text/numbers.ts";
import { type Check, NEEDS_ADDRESS, NEEDS_PROJECT, failing, ok, skipped } from "../check.ts";

export const lockfileCheck: Check = {
  name: "lockfile",
  looksAt: "Whether it can be read, and is of this service.",
  run: ({ state }) => {
    if (state === undefined) return skipped(NEEDS_PROJECT);
    const { read, lockfile: file } = state;
    if (!file.exists) return ok(`${file.name} is not there yet: nothing was applied from here.`);
    if (read === undefined) return skipped(NEEDS_ADDRESS);
    if (read instanceof Failure && !read.code.startsWith("journal/")) return failing(read.message, read.hint);
    if (read instanceof Failure) return ok(`${file.name} can be read.`);
    const { posts, media } = read.lockfile;
    const owned = plural(Object.keys(posts).length, "post");
    return ok(`${file.name} owns ${owned} and knows ${plural(Object.keys(media).length, "media file")}.`);
  },
};
