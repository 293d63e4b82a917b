/**
 * Looks at the posts in a job that runs on a schedule, sends what is new, and keeps an issue up to date. Also marks plans
 * of open pull requests that are out of date. The job fails only if a channel did not take its news.
 */

import { AlertIssue } from "../../alerts/channels/github-issue.ts";
import type { Alert } from "../../alerts/core/alert.ts";
import { newsCounts, openMarkdown } from "../../alerts/core/message.ts";
import { readUsableLockfile } from "../../calendars/project.ts";
import type { GitHubApi } from "../../github/api.ts";
import { isApiFailure } from "../../github/api.ts";
import { openPlans } from "../../github/reviewed-plans.ts";
import { noteInComment } from "../../github/sticky-comment.ts";
import { ignoreFailure } from "../../model/failure.ts";
import { emptyLockfile } from "../../model/lockfile.ts";
import type { Problem } from "../../model/problem.ts";
import { commentMarker } from "../../report/plan/plan-markdown.ts";
import { plural } from "../../report/text/numbers.ts";
import { parseSavedPlan } from "../../sync/apply/saved-plan.ts";
import { whyStale } from "../../sync/apply/stale-plan.ts";
import { reportError } from "../shell/report-problems.ts";
import { lookNow, sendToEverybody, watchedName } from "../watch/look.ts";
import { planFileOf } from "./plan.ts";
import { type CiResult, type CiStep, problemCounts, withApi } from "./report.ts";

export async function watchStep(step: CiStep): Promise<CiResult> {
  return withApi(step, async (api) => {
    const { job, inputs, folder, project } = step;
    const seen = await lookNow(step);
    const { stale, problems: unchecked } = await staleAlerts(step, api);
    const look = { ...seen, open: [...seen.open, ...stale], isWhole: seen.isWhole && unchecked.length === 0 };
    const name = folder === "" ? inputs.name : `${inputs.name} ${folder}`;
    const issue = new AlertIssue(api, { job, name, project: watchedName(project) });
    const results = await sendToEverybody(step, look, [issue], issue);
    const failures = results.flatMap(({ failure }) =>
      failure === undefined ? [] : reportError(failure, step.console),
    );
    const problems = [...failures, ...unchecked];
    const news = results.map((each) => newsCounts(each.news)).find((text) => text !== "");
    const head = `### ${plural(look.open.length, "alert")} open${news === undefined ? "" : `: ${news}`}\n`;
    return {
      exit: failures.length === 0 ? 0 : 1,
      annotations: problems,
      markdown: look.open.length === 0 ? head : `${head}\n${openMarkdown(look.open)}\n`,
      outputs: {
        result: failures.length > 0 ? "failed" : look.open.length > 0 ? "alerts" : "nothing",
        ...problemCounts(problems),
      },
      isNews: false,
    };
  });
}

interface StalePlans {
  readonly stale: readonly Alert[];
  /** Why some could not be checked. */
  readonly problems: readonly Problem[];
}

/** Plans of open pull requests that no longer show what a merge would do. Each is marked on its pull request. */
async function staleAlerts(step: CiStep, api: GitHubApi): Promise<StalePlans> {
  const { job, inputs, project, part, shell, console } = step;
  const stale: Alert[] = [];
  try {
    const lockfile = (await readUsableLockfile(project)) ?? emptyLockfile("");
    const now = shell.clock.now();
    for await (const { number, headSha, text } of openPlans(api, job, inputs.name, now)) {
      const file = await text(planFileOf(part));
      const plan = file === undefined ? undefined : readPlan(file);
      const why = plan === undefined ? undefined : whyStale(plan, lockfile, now);
      if (why === undefined) continue;
      const key = JSON.stringify(["stale", number, headSha]);
      stale.push({ kind: "stale", key, text: `Pull request ${number}`, reason: why });
      await noteInComment(api, { job, marker: commentMarker(inputs.name), number }, staleNote(why));
    }
    return { stale, problems: [] };
  } catch (error) {
    // The alerts are worth more than the marks.
    if (!isApiFailure(error) || shell.stop.aborted) throw error;
    return { stale, problems: reportError(error, console) };
  }
}

/** The job of the pull request wrote the file. One that cannot be read says nothing. */
function readPlan(text: string) {
  try {
    return parseSavedPlan(text);
  } catch (error) {
    return ignoreFailure(error);
  }
}

function staleNote(why: string): string {
  return `> ⚠️ **This plan is out of date.** ${why} Run its job again, or push a commit, to see the current plan.\n`;
}
