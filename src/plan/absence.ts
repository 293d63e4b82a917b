/** Owned posts that the list of scheduled posts lacks, and why a row is to be created. Pure. */
import { getOwn } from "../calendar/entry.ts";
import type { ResolvedPost } from "../calendar/post.ts";
import type { DiffInput } from "./diff.ts";

/**
 * What became of an owned post that the list of scheduled posts does not hold. `unsaid`: the service has it, does not say
 * whether it is scheduled, and does not tell where the list ends; it must not be made again.
 */
export type Absence = "published" | "not_found" | "cancelled" | "failed" | "unsaid";

export function absence(
  post: Pick<ResolvedPost, "key">,
  { lockfile, absent }: Pick<DiffInput, "lockfile" | "absent">,
): Absence | undefined {
  if (absent.size === 0) return undefined;
  const owned = getOwn(lockfile.posts, post.key);
  return owned === undefined ? undefined : absent.get(owned.post_id);
}

export function createReason(post: ResolvedPost, input: DiffInput): string {
  const owned = getOwn(input.lockfile.posts, post.key);
  if (owned === undefined) {
    const tried = Object.hasOwn(input.lockfile.unknown, post.key);
    return tried ? "An earlier attempt never appeared on the service." : "The row is new.";
  }
  switch (absence(post, input)) {
    case "not_found":
    case "unsaid":
      return "It was scheduled, but the service no longer has it.";
    case "cancelled":
      return "It was scheduled, but somebody cancelled it on the service.";
    case "failed":
      return "It was scheduled, but the service says that it failed.";
    case "published":
    case undefined:
      return "The earlier post of this row is no longer scheduled, and the row has a new time.";
  }
}
