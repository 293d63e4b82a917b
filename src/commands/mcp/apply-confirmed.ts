/** The tools `plan` and `apply`: an assistant can make a plan, but only a person can allow it. */

import { relative, sep } from "node:path";
import { z } from "zod";
import { checkoutFolder } from "../../disk/place.ts";
import { type GitHubApi, openGitHub } from "../../github/api.ts";
import { PLAN_FILE, ReviewedPlans, projectStem } from "../../github/reviewed-plans.ts";
import { Failure } from "../../model/failure.ts";
import type { Plan } from "../../model/plan.ts";
import { noPlanAnswer, planAnswer } from "../../report/assistant.ts";
import { type SavedPlan, isSamePlan, readReviewed } from "../../sync/apply/saved-plan.ts";
import { areOtherAccounts } from "../../sync/state/accounts.ts";
import { withoutWaiting } from "../../sync/state/run-lock.ts";
import type { Planning } from "../../sync/sync.ts";
import { applyLocked, planToSave } from "../apply/run.ts";
import { DEFAULT_NAME } from "../ci/inputs.ts";
import { CONFIRMED_MINUTES, ConfirmedPlans, confirmedPlan } from "../confirm/command.ts";
import { printPlan, readPlan } from "../plan/run.ts";
import type { Run } from "../shell/command.ts";
import type { ExitCode, Shell } from "../shell/shell.ts";

/** Plans, and prints the plan as JSON. @param say gets what the assistant should do with the plan */
export async function planForAssistant(
  run: Run,
  calendars: readonly string[],
  say: (text: string) => void,
): Promise<ExitCode> {
  const flags = { ...run.flags, calendar: [...calendars], only: [], "refresh-media": false };
  const planning = await readPlan({ ...run, flags });
  await printPlan(planning, "json", { verbose: false, short: false }, run.console);
  const { plan, problems, project } = planning;
  if (plan === undefined) {
    say(noPlanAnswer(problems.filter(({ severity }) => severity === "error").length));
    return 1;
  }
  say(
    planAnswer({
      hash: plan.hash(),
      summary: plan.summary,
      isGuarded: plan.guards.length > 0,
      calendars,
      projectFile: project.file,
      minutes: CONFIRMED_MINUTES,
    }),
  );
  return 0;
}

/** Applies the plan with this hash, if a person has confirmed it. Prints the result as JSON. */
export async function applyConfirmed(
  run: Run,
  hash: string,
  calendars: readonly string[],
): Promise<ExitCode> {
  const { flags, shell } = run;
  return applyLocked({
    ...run,
    flags: {
      ...flags,
      calendar: [...calendars],
      only: [],
      "refresh-media": false,
      plan: undefined,
      yes: false,
      format: "json",
      "allow-cancels": undefined,
      "allow-recreates": undefined,
    },
    lockOptions: withoutWaiting("mcp", shell),
    report: undefined,
    checkConfirmed: (planning, plan) => checkConfirmed(hash, planning, plan, run),
  });
}

/** Uses up the confirmation or the review, as the last step before the first change. Throws a Failure without one. */
async function checkConfirmed(hash: string, planning: Planning, plan: Plan, { shell }: Run): Promise<void> {
  if (plan.hash() !== hash)
    throw new Failure(
      "apply/plan-changed",
      "The plan has changed, so it no longer has this hash. Nothing was changed.",
      "Call plan again, and ask a person to confirm the new plan.",
    );
  if (plan.changes.length === 0) return;
  const { project, opened } = planning;
  const plans = await ConfirmedPlans.of(project, shell.env, shell.clock);
  if (opened === undefined) throw notConfirmed(hash);
  const confirmed = await confirmedPlan(planning, opened, plan);
  if (await plans.take(confirmed)) return;
  const isReviewed = await wasReviewed(planToSave(planning, plan), project.root, shell).catch(
    (error: unknown) => {
      throw error instanceof Failure ? notConfirmed(hash, error.message) : error;
    },
  );
  if (!isReviewed || !(await plans.takeReview(confirmed))) throw notConfirmed(hash);
}

/** @param why plancast does not know whether it was reviewed */
function notConfirmed(hash: string, why?: string): Failure {
  const review = why === undefined ? "" : ` plancast could not look for a reviewed plan: ${why}`;
  return new Failure(
    "apply/not-confirmed",
    `Nobody has confirmed this plan, or the confirmation has expired or was used. Nothing was changed.${review}`,
    `Ask a person to run \`plancast confirm ${hash}\` in a terminal, and call apply within ${CONFIRMED_MINUTES} minutes.`,
  );
}

const repositorySchema = z.object({ default_branch: z.string().min(1) });

/**
 * Looks for exactly this plan among those of the newest pull requests that are merged into the main branch. False
 * without `GITHUB_TOKEN` and `GITHUB_REPOSITORY`. Throws a Failure if GitHub refuses.
 * @param root the project's folder
 */
async function wasReviewed(
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
