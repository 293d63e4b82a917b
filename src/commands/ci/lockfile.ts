/** Commits the lockfile after an apply to the repository, even if the apply failed or was killed. */

import { z } from "zod";
import { readRegular, statsAt } from "../../disk/files.ts";
import { type Place, placeInProject } from "../../disk/place.ts";
import { Git } from "../../github/git-branch.ts";
import {
  type AppliedFile,
  appliedLockfile,
  ensurePullRequest,
  lockfileBranch,
  pushLockfile,
} from "../../github/push-lockfile.ts";
import { type Job, readJob, writeSummary } from "../../github/runner.ts";
import { LOCKFILE_NOT_SAVED, lockfilePullRequest } from "../../report/outcomes/apply-text.ts";
import { errorCode } from "../../model/failure.ts";
import { annotations } from "../../report/problems/github.ts";
import { mergeScheduleTexts } from "../../repository/merge-schedules.ts";
import { SCHEDULE_FILE } from "../../repository/schedule.ts";
import { type Project, REPOSITORY } from "../../settings/config.ts";
import { lockfilePlace, lockfileText } from "../../sync/state/lockfile.ts";
import { readState } from "../../sync/state/project-state.ts";
import type { Console } from "../shell/console.ts";
import type { GlobalFlags } from "../shell/flags.ts";
import { loadProject } from "../project/project.ts";
import { reportError } from "../shell/report-problems.ts";
import type { ExitCode, Shell } from "../shell/shell.ts";
import { type Inputs, readInputs, withoutInputs } from "./inputs.ts";
import { setOutputs, withApi } from "./report.ts";

export async function ciLockfile(given: GlobalFlags, shell: Shell, console: Console): Promise<ExitCode> {
  try {
    const inputs = readInputs(shell.env);
    const job = await readJob(shell.env);
    const flags = { ...given, config: given.config ?? (inputs.config || undefined) };
    const outputs = await publishLockfile(await loadProject(flags, shell), job, inputs, shell);
    await setOutputs(shell, outputs);
    console.note(`Lockfile: ${outputs.lockfile}.\n`);
    return 0;
  } catch (error) {
    const problems = reportError(error, console);
    console.result(annotations(problems, ""));
    await setOutputs(shell, { lockfile: "failed" });
    await writeSummary(shell.env["GITHUB_STEP_SUMMARY"], LOCKFILE_NOT_SAVED);
    return 1;
  }
}

interface LockfileOutputs extends Record<string, string> {
  readonly lockfile: "unchanged" | "committed" | "pull-request" | "left";
}

async function publishLockfile(
  project: Project,
  job: Job,
  inputs: Inputs,
  shell: Shell,
): Promise<LockfileOutputs> {
  const { lockfile } = project.config;
  // Apply refused to run here, so the lockfile is the pull request's own.
  if (job.source !== "merged") return { lockfile: "unchanged" };
  const origin = await originOf(await lockfilePlace(project));
  if (inputs.lockfile === "none") return { lockfile: "left" };
  if (origin === undefined) return { lockfile: "unchanged" };
  const text = lockfileText((await readState(project, origin)).lockfile);
  const schedule = origin === REPOSITORY ? await appliedSchedule(project) : [];
  const files = [appliedLockfile(lockfile, text, origin), ...schedule];
  const git = new Git(project.root, withoutInputs(shell.env));
  const { clock, random } = shell;
  const push = { git, files, branch: job.refName, clock, random };
  if (inputs.lockfile === "commit")
    return { lockfile: (await pushLockfile(push)) === "pushed" ? "committed" : "unchanged" };
  const into = lockfileBranch(inputs.name);
  if ((await pushLockfile({ ...push, into })) === "unchanged") return { lockfile: "unchanged" };
  const url = await withApi({ job, inputs, shell }, (api) =>
    ensurePullRequest(api, job, into, lockfilePullRequest(lockfile)),
  );
  return { lockfile: "pull-request", "lockfile-url": url ?? "" };
}

/** The schedule, in one commit with the lockfile that owns its posts. Without the file, apply scheduled nothing. */
async function appliedSchedule({ root }: Project): Promise<readonly AppliedFile[]> {
  const place = await placeInProject(root, SCHEDULE_FILE);
  if ((await statsAt(place)) === undefined) return [];
  const text = (await readRegular(place)).toString("utf8");
  return [{ path: SCHEDULE_FILE, text, merge: mergeScheduleTexts }];
}

/** The service of a lockfile; undefined without a lockfile. An unreadable one is refused later. */
async function originOf(place: Place): Promise<string | undefined> {
  try {
    return z.object({ origin: z.string() }).parse(JSON.parse((await readRegular(place)).toString("utf8")))
      .origin;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    return "";
  }
}
