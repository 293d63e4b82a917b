/** Keeps one comment on a pull request up to date. Finds it by a hidden marker, if plancast wrote it. */

import { z } from "zod";
import { type GitHubApi, isApiFailure } from "./api.ts";
import type { Job, PullRequest } from "./runner.ts";

/** The author of comments with the token that every job gets. */
const DEFAULT_AUTHOR = "github-actions[bot]";

const PERMISSION = "pull-requests: write";

const comment = z.object({
  id: z.int(),
  body: z.string().nullish(),
  user: z.object({ login: z.string() }).nullish(),
});
const written = z.object({ html_url: z.string() });
const login = z.object({ login: z.string() });

export interface StickyComment {
  readonly job: Pick<Job, "repository">;
  readonly pullRequest: Pick<PullRequest, "number">;
  /** The first line of the comment: the marker. */
  readonly marker: string;
  /** The full text, starting with the marker. */
  readonly body: string;
  /** Whether to create a comment if there is none. Otherwise, only an existing one is changed. */
  readonly createIfMissing: boolean;
}

/** Writes the comment. Returns its address; undefined if none was written. Throws a Failure. */
export async function updateStickyComment(api: GitHubApi, given: StickyComment): Promise<string | undefined> {
  const { job, pullRequest, body, createIfMissing } = given;
  const issue = `/repos/${job.repository}/issues`;
  const { id: own } = (await findOwn(api, `${issue}/${pullRequest.number}/comments`, given.marker)) ?? {};
  if (own === undefined && !createIfMissing) return undefined;
  const answer = await api.call(
    own === undefined
      ? {
          method: "POST",
          path: `${issue}/${pullRequest.number}/comments`,
          body: { body },
          permission: PERMISSION,
        }
      : { method: "PATCH", path: `${issue}/comments/${own}`, body: { body }, permission: PERMISSION },
  );
  return written.safeParse(answer).data?.html_url;
}

/** Puts a note at the top of the comment, if there is one without it. The next plan replaces the whole comment. */
export async function noteInComment(
  api: GitHubApi,
  { job, marker, number }: Pick<StickyComment, "job" | "marker"> & Pick<PullRequest, "number">,
  note: string,
): Promise<void> {
  const issue = `/repos/${job.repository}/issues`;
  const own = await findOwn(api, `${issue}/${number}/comments`, marker);
  if (own === undefined || own.body.startsWith(`${marker}\n${note}`)) return;
  const body = `${marker}\n${note}\n${own.body.slice(marker.length)}`;
  await api.call({
    method: "PATCH",
    path: `${issue}/comments/${own.id}`,
    body: { body },
    permission: PERMISSION,
  });
}

interface OwnComment {
  readonly id: number;
  readonly body: string;
}

/** Our last comment with the marker. Other authors' comments with the marker do not count. */
async function findOwn(api: GitHubApi, path: string, marker: string): Promise<OwnComment | undefined> {
  const marked: (OwnComment & { readonly author: string | undefined })[] = [];
  for await (const entry of api.entries({ path: `${path}?per_page=100`, permission: PERMISSION })) {
    const read = comment.safeParse(entry);
    if (read.success && read.data.body?.startsWith(marker) === true)
      marked.push({ id: read.data.id, body: read.data.body, author: read.data.user?.login });
  }
  if (marked.length === 0) return undefined;
  const author = await authorOf(api);
  return marked.findLast((each) => each.author === author);
}

/** The author name of the token. A job's own token cannot ask for it, and has the default name. */
export async function authorOf(api: GitHubApi, permission = PERMISSION): Promise<string> {
  try {
    const answer = await api.call({ method: "GET", path: "/user", permission });
    return login.safeParse(answer).data?.login ?? DEFAULT_AUTHOR;
  } catch (error) {
    if (isApiFailure(error)) return DEFAULT_AUTHOR;
    throw error;
  }
}
