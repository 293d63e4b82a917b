/** The pull requests that jobs open: one for each branch of plancast. */

import { z } from "zod";
import type { GitHubApi } from "./api.ts";
import type { Job } from "./runner.ts";

const PERMISSION = "pull-requests: write";

const pull = z
  .object({ number: z.int(), html_url: z.string() })
  .transform(({ number, html_url: url }) => ({ number, url }));

export type OwnPullRequest = z.infer<typeof pull>;

/** Where a job works. */
type Place = Pick<Job, "repository" | "refName">;

/** The open pull request from a branch into the job's. Throws a Failure if GitHub refuses. */
export async function openPullRequest(
  api: GitHubApi,
  { repository, refName }: Place,
  branch: string,
): Promise<OwnPullRequest | undefined> {
  const [owner = ""] = repository.split("/");
  const query = new URLSearchParams({ state: "open", head: `${owner}:${branch}`, base: refName });
  const path = `/repos/${repository}/pulls?${query.toString()}`;
  for await (const entry of api.entries({ path, permission: PERMISSION })) {
    const read = pull.safeParse(entry);
    if (read.success) return read.data;
  }
  return undefined;
}

const closedPull = z.object({ merged_at: z.string().nullish(), head: z.object({ sha: z.string() }) });

/** Whether somebody closed a pull request with this commit without merging it. */
export async function wasRefused(
  api: GitHubApi,
  { repository, refName }: Place,
  { branch, sha }: { readonly branch: string; readonly sha: string },
): Promise<boolean> {
  const [owner = ""] = repository.split("/");
  const query = new URLSearchParams({ state: "closed", head: `${owner}:${branch}`, base: refName });
  const path = `/repos/${repository}/pulls?${query.toString()}`;
  for await (const entry of api.entries({ path, permission: PERMISSION })) {
    const read = closedPull.safeParse(entry).data;
    if (read?.head.sha === sha) return !read.merged_at;
  }
  return false;
}

/** The open pull request from a branch into the job's, opened if there is none. Undefined if GitHub does not say which it is. */
export async function ensurePullRequest(
  api: GitHubApi,
  place: Place,
  branch: string,
  texts: { readonly title: string; readonly body: string },
): Promise<OwnPullRequest | undefined> {
  const open = await openPullRequest(api, place, branch);
  if (open !== undefined) return open;
  const path = `/repos/${place.repository}/pulls`;
  const body = { ...texts, head: branch, base: place.refName };
  return pull.safeParse(await api.call({ method: "POST", path, body, permission: PERMISSION })).data;
}

/** Nothing is left to merge. */
export async function closePullRequest(
  api: GitHubApi,
  { repository }: Place,
  { number }: Pick<OwnPullRequest, "number">,
): Promise<void> {
  const path = `/repos/${repository}/pulls/${number}`;
  await api.call({ method: "PATCH", path, body: { state: "closed" }, permission: PERMISSION });
}

/**
 * Merges a pull request if its newest commit is this one, and starts a workflow on the branch: a merge with the token of
 * a job starts none.
 * @param workflow its file in .github/workflows
 */
export async function mergeAndStart(
  api: GitHubApi,
  { repository, refName }: Place,
  { number, sha, workflow }: { readonly number: number; readonly sha: string; readonly workflow: string },
): Promise<void> {
  await api.call({
    method: "PUT",
    path: `/repos/${repository}/pulls/${number}/merge`,
    body: { sha, merge_method: "merge" },
    permission: "contents: write",
  });
  await api.call({
    method: "POST",
    path: `/repos/${repository}/actions/workflows/${workflow}/dispatches`,
    body: { ref: refName },
    permission: "actions: write",
  });
}
