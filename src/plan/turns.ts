/** When each change gets its turn under the service's rate limit. Pure. */
import { utcMs } from "../calendar/canonical.ts";
import type { Change } from "../calendar/change.ts";
import type { Lockfile } from "../calendar/lockfile.ts";
import type { MediaFile, ResolvedMedia, ResolvedPost } from "../calendar/post.ts";
import { waitMsFor, type Pace } from "../calendar/pace.ts";
import { problem, type Problem } from "../calendar/problem.ts";
import { idToSend } from "./fingerprint.ts";

/** Requests of each change, without its uploads. */
export const REQUESTS_PER_CHANGE: Readonly<Record<Change["action"], number>> = {
  create: 1,
  replace: 2,
  cancel: 1,
  adopt: 0,
};

/** The media of the posts that the change will create. */
export function mediaToSend(change: Change): ResolvedPost["media"] {
  return change.action === "create" || change.action === "replace" ? change.desired.media : [];
}

/** Distinct files without an id, in the order in which the changes need them. */
export function uploadsOf(changes: readonly Change[], cache: Lockfile["media"]): readonly MediaFile[] {
  const files = new Map<string, MediaFile>();
  for (const media of changes.flatMap(mediaToSend)) {
    if (isToUpload(media, cache) && !files.has(media.sha256)) files.set(media.sha256, media);
  }
  return [...files.values()];
}

function isToUpload(media: ResolvedMedia, cache: Lockfile["media"]): media is MediaFile {
  return media.kind === "file" && idToSend(media, cache) === undefined;
}

/**
 * The posts that would come due before the service's limit lets them be created, one warning each.
 * @param changes in the order of apply
 */
export function warnDueBeforeSent(
  changes: readonly Change[],
  cache: Lockfile["media"],
  pace: Pace,
  now: number,
): Problem[] {
  const uploaded = new Set<string>();
  let requests = 0;
  return changes.flatMap((change) => {
    const files = mediaToSend(change).filter((media) => isToUpload(media, cache));
    const fresh = files.filter((media) => !uploaded.has(media.sha256));
    for (const media of fresh) uploaded.add(media.sha256);
    const before = requests + fresh.length;
    requests = before + REQUESTS_PER_CHANGE[change.action];
    if (change.action !== "create" && change.action !== "replace") return [];
    const waitMs = waitMsFor(pace, before + 1);
    if (waitMs === 0 || utcMs(change.desired.scheduledAt) > now + waitMs) return [];
    const message =
      `The row is due ${change.desired.scheduledAt}, but its turn under the service's rate limit may come only ${Math.ceil(waitMs / 60_000)} min from now. ` +
      "It may not be scheduled in time: give it a later time, or apply this calendar before the others.";
    return [problem("plan/due-before-turn", message, change.desired.at("scheduled_at"))];
  });
}
