/** Whether a plan was reviewed in a pull request that is merged. */

import { relative, sep } from "node:path";
import { z } from "zod";
import { checkoutFolder } from "../../disk/place.ts";
import { type GitHubApi, openGitHub } from "../../github/api.ts";
import { PLAN_FILE, ReviewedPlans, projectStem } from "../../github/reviewed-plans.ts";
import { Failure } from "../../model/failure.ts";
import { type SavedPlan, isSamePlan, readReviewed } from "../../sync/apply/saved-plan.ts";
import { areOtherAccounts } from "../../sync/state/accounts.ts";
import { DEFAULT_NAME } from "../ci/inputs.ts";
import type { Shell } from "../shell/shell.ts";

const repositorySchema = z.object({ default_branch: z.string().min(1) });

/**
 * Looks for exactly this plan among those of the newest pull requests that are merged into the main branch. False
 * without `GITHUB_TOKEN` and `GITHUB_REPOSITORY`. Throws a Failure if GitHub refuses.
 * @param root the project's folder
 */
export async function wasReviewed(
  now: SavedPlan,
  root: string,
  { env, clock, stop }: Pick<Shell, "env" | "clock" | "stop">,
): Promise<boolean> {
  const { GITHUB_TOKEN: token = "", GITHUB_REPOSITORY: repository = "" } = env;
  if (token === "" || !/^[\w.-]+\/[\w.-]+$/.test(repository)) return false;
  const url = env["GITHUB_API_URL"] || "https://api.github.com";
  const project = relative(await checkoutFolder(root), root).replaceAll(sep, "/");
  const { api, close } = openGitHub({ url, token, clock, stop });
  try {
    const branch = await mainBranch(api, repository);
    const merged = new ReviewedPlans(() => api, { repository, sha: branch, refName: branch }, DEFAULT_NAME);
    for await (const { text } of merged.plans()) {
      // A job for several projects gives each its own file.
      for (const file of [`${projectStem(project)}.json`, PLAN_FILE]) {
        const plan = await readReviewed(() => text(file));
        if (plan === undefined || plan instanceof Failure || !isSamePlan(plan, now)) continue;
        return !areOtherAccounts(plan.accounts, now.accounts);
      }
    }
    return false;
  } finally {
    await close();
  }
}

async function mainBranch(api: GitHubApi, repository: string): Promise<string> {
  const path = `/repos/${repository}`;
  const read = repositorySchema.safeParse(
    await api.call({ method: "GET", path, permission: "metadata: read" }),
  );
  if (read.success) return read.data.default_branch;
  throw new Failure("ci/github", `GitHub does not name the main branch of ${repository}.`);
}
