/** What happened to posts that were due: from plancast's records, and from the service for the rest. */

import { utcMs, utcTime } from "../model/canonical.ts";
import { Failure } from "../model/failure.ts";
import type { Lockfile } from "../model/lockfile.ts";
import type { Publication } from "../model/publication.ts";
import type { ReadFullService } from "../service/service.ts";
import type { Project } from "../settings/config.ts";
import { currentPublications, readPublications } from "../tracking/publication-log.ts";

/** The service is asked about posts that were due at most this long ago, in ms; the records know older ones. */
const ASKED_MS = 31 * 24 * 3_600_000;

/**
 * By the key of the post's row. Without an answer of the service, only the records count. The page then shows less, but
 * nothing wrong.
 * @param asks whether to ask the service @param now ms
 */
export async function pastPublications(
  project: Project,
  lockfile: Lockfile,
  service: Pick<ReadFullService, "origin" | "findPosts" | "readPost">,
  { asks, now }: { readonly asks: boolean; readonly now: number },
): Promise<ReadonlyMap<string, Publication>> {
  const due = Object.entries(lockfile.posts).filter(([, { scheduled_at: at }]) => at <= utcTime(now));
  if (due.length === 0) return new Map();
  const open = due.flatMap(([, { post_id: id, scheduled_at: dueAt }]) =>
    asks && now - utcMs(dueAt) <= ASKED_MS ? [{ id, dueAt }] : [],
  );
  const recorded = await unlessFailed(() => readPublications(project, service.origin));
  const current =
    open.length === 0
      ? undefined
      : await unlessFailed(() => currentPublications(project, open, service, now));
  return new Map(
    due.flatMap(([key, { post_id: id }]) => {
      const known = current?.publications.get(id) ?? recorded?.publicationOf(id);
      return known === undefined ? [] : [[key, known] as const];
    }),
  );
}

async function unlessFailed<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
