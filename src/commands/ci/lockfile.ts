/** Commits the lockfile after an apply to the repository, even if the apply failed or was killed. */

import { z } from "zod";
import { readRegular } from "../../disk/files.ts";
import type { Place } from "../../disk/place.ts";
import { Git, ensurePullRequest, lockfileBranch, pushLockfile } from "../../github/push-lockfile.ts";
import { type Job, readJob, writeSummary } from "../../github/runner.ts";
import { LOCKFILE_NOT_SAVED, lockfilePullRequest } from "../../report/outcomes/apply-text.ts";
import { errorCode } from "../../model/failure.ts";
import { annotations } from "../../report/problems/github.ts";
import type { Project } from "../../settings/config.ts";
import { lockfilePlace, lockfileText } from "../../sync/state/lockfile.ts";
import { readState } from "../../sync/state/project-state.ts";
import type { Console } from "../common/console.ts";
import type { GlobalFlags } from "../common/flags.ts";
import { loadProject } from "../common/project.ts";
import { reportError } from "../common/report-problems.ts";
import type { ExitCode, Shell } from "../common/shell.ts";
import { type Inputs, readInputs } from "./inputs.ts";
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
  const git = new Git(project.root, withoutInputs(shell.env));
  const { clock, random } = shell;
  const push = { git, lockfile, text, origin, branch: job.refName, clock, random };
  if (inputs.lockfile === "commit")
    return { lockfile: (await pushLockfile(push)) === "pushed" ? "committed" : "unchanged" };
  const into = lockfileBranch(inputs.name);
  if ((await pushLockfile({ ...push, into })) === "unchanged") return { lockfile: "unchanged" };
  const url = await withApi({ job, inputs, shell }, (api) =>
    ensurePullRequest(api, job, into, lockfilePullRequest(lockfile)),
  );
  return { lockfile: "pull-request", "lockfile-url": url ?? "" };
}

/** The environment for git: it has its own credentials, and does not need plancast's. */
function withoutInputs(env: Shell["env"]): Shell["env"] {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith("INPUT_") && !name.startsWith("PLANCAST_")),
  );
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
