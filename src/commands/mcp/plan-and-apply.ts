/**
 * The tools `plan` and `apply`: an assistant can make a plan, but only people can allow it. Either a person has confirmed
 * it at a terminal, or it was reviewed in a pull request that is merged, and the main branch still says the same.
 */

import { posix } from "node:path";
import { z } from "zod";
import { findCalendars } from "../../calendars/find.ts";
import { readRegular } from "../../disk/files.ts";
import { blobId } from "../../disk/git.ts";
import { folderInCheckout, placeTyped, statsOf } from "../../disk/place.ts";
import { type GitHubApi, openGitHub } from "../../github/api.ts";
import { PLAN_FILE, ReviewedPlans, projectStem } from "../../github/reviewed-plans.ts";
import { Failure } from "../../model/failure.ts";
import type { Plan } from "../../model/plan.ts";
import { noPlanAnswer, planAnswer } from "../../report/assistant.ts";
import type { Project } from "../../settings/config.ts";
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

/** Applies the plan with this hash, if it was confirmed or reviewed. Prints the result as JSON. */
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
async function checkConfirmed(
  hash: string,
  planning: Planning,
  plan: Plan,
  { shell }: Run,
): Promise<boolean> {
  if (plan.hash() !== hash)
    throw new Failure(
      "apply/plan-changed",
      "The plan has changed, so it no longer has this hash. Nothing was changed.",
      "Call plan again, and ask a person to confirm the new plan.",
    );
  if (plan.changes.length === 0) return true;
  const { project, opened } = planning;
  const plans = await ConfirmedPlans.of(project, shell.env, shell.clock);
  if (opened === undefined) throw notConfirmed(hash);
  const confirmed = await confirmedPlan(planning, opened, plan);
  if (await plans.take(confirmed)) return true;
  const folder = await folderInCheckout(project.root);
  const { origin: service } = opened.service;
  const planned = { plan: await planToSave(planning, plan), project, folder, service };
  const found = await findReview(planned, shell).catch((error: unknown) => {
    if (error instanceof Failure) return { why: error.message };
    throw error;
  });
  if (found !== "reviewed") throw notConfirmed(hash, found.why);
  if (!(await plans.takeReview([folder, service, hash]))) throw notConfirmed(hash, USED);
  return true;
}

const USED = "This machine has applied it before, or cannot note that it does.";

/** @param why no review counts */
function notConfirmed(hash: string, why?: string): Failure {
  const review = why === undefined ? "" : ` It does not count as reviewed: ${why}`;
  return new Failure(
    "apply/not-confirmed",
    `Nobody has confirmed this plan, or the confirmation has expired or was used. Nothing was changed.${review}`,
    `Ask a person to run \`plancast confirm ${hash}\` in a terminal, and call apply within ${CONFIRMED_MINUTES} minutes.`,
  );
}

/** A plan to make now, and where. */
interface Planned {
  readonly plan: SavedPlan;
  readonly project: Project;
  /** Of the project, from the root of its repository. */
  readonly folder: string;
  /** Origin of the service. */
  readonly service: string;
}

/** Undefined if nobody set up a repository to look in. */
interface NoReview {
  readonly why: string | undefined;
}

const repositorySchema = z.object({ default_branch: z.string().min(1) });
const treeSchema = z.object({
  truncated: z.literal(false),
  tree: z.array(z.object({ path: z.string(), sha: z.string() })),
});

/**
 * Whether this plan was reviewed. It must be the plan that a job made for this project and service before its pull
 * request was merged into the main branch. The files behind it must be those of the main branch: somebody may have taken
 * back what was reviewed. Throws a Failure if GitHub refuses.
 */
async function findReview(
  planned: Planned,
  { env, clock, stop }: Pick<Shell, "env" | "clock" | "stop">,
): Promise<"reviewed" | NoReview> {
  const { GITHUB_TOKEN: token = "", GITHUB_REPOSITORY: repository = "" } = env;
  if (token === "" || !/^[\w.-]+\/[\w.-]+$/.test(repository)) return { why: undefined };
  const url = env["GITHUB_API_URL"] || "https://api.github.com";
  const { api, close } = openGitHub({ url, token, clock, stop });
  try {
    const path = `/repos/${repository}`;
    const { default_branch: branch } = await read(api, path, "metadata: read", repositorySchema);
    const merged = new ReviewedPlans(() => api, { repository, sha: branch, refName: branch }, DEFAULT_NAME);
    if (!(await isAmong(merged, planned)))
      return { why: `No pull request merged into ${branch} has exactly this plan of this project.` };
    const tree = `${path}/git/trees/${encodeURIComponent(branch)}?recursive=1`;
    const files = await read(api, tree, "contents: read", treeSchema);
    const onMain = new Map(files.tree.map((each) => [each.path, each.sha]));
    const other = await otherThan(onMain, planned);
    return other === undefined ? "reviewed" : { why: `${other} is not as in ${branch} on GitHub.` };
  } finally {
    await close();
  }
}

async function isAmong(merged: ReviewedPlans, { plan: now, folder }: Planned): Promise<boolean> {
  for await (const { text } of merged.plans()) {
    // A job for several projects gives each its own file.
    for (const file of [`${projectStem(folder)}.json`, PLAN_FILE]) {
      const plan = await readReviewed(() => text(file), now);
      if (plan === undefined || plan instanceof Failure) continue;
      if (isSamePlan(plan, now) && !areOtherAccounts(plan.accounts, now.accounts)) return true;
    }
  }
  return false;
}

/** The first of the project's calendars, settings and lockfile that differs from the branch. */
async function otherThan(
  onMain: ReadonlyMap<string, string>,
  { folder, project: { root, file, config, extended = [] } }: Planned,
): Promise<string | undefined> {
  const { files: calendars } = await findCalendars(root, config.calendars);
  for (const name of [file, ...extended.map((each) => each.file), config.lockfile, ...calendars]) {
    const expected = onMain.get(posix.join(folder, name));
    const path = posix.join(root, name);
    const isHere = (await statsOf(path)) !== undefined;
    if (!isHere && expected === undefined) continue;
    if (!isHere || expected === undefined) return name;
    const { place } = await placeTyped(path, root);
    if (blobId(await readRegular(place), expected) !== expected) return name;
  }
  return undefined;
}

async function read<T>(api: GitHubApi, path: string, permission: string, schema: z.ZodType<T>): Promise<T> {
  const answer = schema.safeParse(await api.call({ method: "GET", path, permission }));
  if (answer.success) return answer.data;
  throw new Failure("ci/github", `GitHub's API: GET ${path}: the answer is not as expected.`);
}
