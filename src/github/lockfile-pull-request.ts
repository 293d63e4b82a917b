import { z } from "zod";
import type { GitHubApi } from "./api.ts";
import type { Job } from "./job.ts";

const PERMISSION = "pull-requests: write";

const pull = z.object({ html_url: z.string() });

/** Where a lockfile waits for its pull request to be merged. */
export function lockfileBranch(name: string): string {
  return `plancast/lockfile-${name}`;
}

/** The address of the open pull request that brings a branch into the job's; opens one where there is none. */
export async function ensurePullRequest(
  api: GitHubApi,
  { repository, refName }: Job,
  branch: string,
  lockfile: string,
): Promise<string | undefined> {
  const [owner = ""] = repository.split("/");
  const query = new URLSearchParams({ state: "open", head: `${owner}:${branch}`, base: refName });
  const path = `/repos/${repository}/pulls`;
  for await (const entry of api.entries({ path: `${path}?${query.toString()}`, permission: PERMISSION })) {
    const read = pull.safeParse(entry);
    if (read.success) return read.data.html_url;
  }
  const body = {
    title: `Update ${lockfile}`,
    head: branch,
    base: refName,
    body: "plancast has applied the calendars. This says which posts on the service are this project's: merge it soon.",
  };
  return pull.safeParse(await api.call({ method: "POST", path, body, permission: PERMISSION })).data
    ?.html_url;
}
