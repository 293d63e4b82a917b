/** What only the service can tell of posts that are to be sent: whether it has their platforms and media. */
import type { Project } from "./calendar/config.ts";
import type { Lockfile } from "./calendar/lockfile.ts";
import type { ResolvedPost } from "./calendar/post.ts";
import { problem, type Problem } from "./calendar/problem.ts";
import type { Diff } from "./plan/diff.ts";
import { idToSend } from "./plan/fingerprint.ts";
import { mediaToSend } from "./plan/turns.ts";
import type { ReadService } from "./service/service.ts";
import { aliasesOf, unknownPlatforms } from "./validate/platforms.ts";

/** The platforms that the posts name against those that the service has connected. Costs a request, if there are posts. */
export async function checkPlatforms(
  posts: readonly ResolvedPost[],
  project: Project,
  service: ReadService,
): Promise<Problem[]> {
  if (posts.length === 0) return [];
  const known = await service.listPlatforms();
  if (known !== undefined) return unknownPlatforms(posts, known, aliasesOf(project.config.platforms));
  const message =
    "The service's list of connected platforms cannot be read, so the names in the calendar were not checked.";
  return [problem("platform/unchecked", message)];
}

/** Of the media that are to be sent by an id, those that the service does not have. */
export async function findMissingMedia(
  { changes }: Diff,
  { media }: Lockfile,
  service: ReadService,
): Promise<ReadonlySet<string>> {
  const ids = changes.flatMap(mediaToSend).flatMap((each) => idToSend(each, media) ?? []);
  return ids.length === 0 ? new Set() : service.findMissingMedia([...new Set(ids)]);
}

/** A file can be uploaded again; an id that a row names cannot. */
export function unknownMedia({ changes }: Diff, missing: ReadonlySet<string>): Problem[] {
  return changes.flatMap((change) =>
    mediaToSend(change).flatMap((each, index) => {
      if (change.action === "cancel" || each.kind !== "id" || !missing.has(each.id)) return [];
      const message = `The service has no media "${each.id}". Name a file instead, or an id that it has.`;
      return [problem("media/unknown-id", message, change.desired.at("media", index))];
    }),
  );
}
