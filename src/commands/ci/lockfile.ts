/** Commits the lockfiles after an apply to the repository, even if the apply failed or was killed. */

import { z } from "zod";
import { readRegular, statsAt } from "../../disk/files.ts";
import { findRepository } from "../../disk/git.ts";
import { type Place, placeInProject } from "../../disk/place.ts";
import { Git, fetchTip, folderInCommit, pathInCommit, textAt } from "../../github/git-branch.ts";
import {
  type AppliedFile,
  type AppliedProject,
  appliedLockfile,
  lockfileBranch,
  pushLockfiles,
} from "../../github/push-lockfile.ts";
import { ensurePullRequest } from "../../github/own-pull-request.ts";
import { confirmedFiles, pushConfirmed } from "../../github/confirmed-files.ts";
import { type Job, readJob, writeSummary } from "../../github/runner.ts";
import { LOCKFILE_NOT_SAVED, lockfilePullRequest } from "../../report/outcomes/apply.ts";
import { Failure, errorCode } from "../../model/failure.ts";
import { annotations } from "../../report/problems/github.ts";
import { joinedText } from "../../repository/schedule-layers.ts";
import {
  PUBLISHED_FILE,
  SCHEDULE_FILE,
  SCHEDULE_FILES,
  mergeScheduleTexts,
} from "../../repository/schedule.ts";
import { confirmedSchedule } from "../../repository/trusted-schedule.ts";
import { type Project, REPOSITORY } from "../../settings/config.ts";
import { lockfilePlace, lockfileText } from "../../sync/state/lockfile.ts";
import { confirmedLockfile, readState } from "../../sync/state/project-state.ts";
import type { Console } from "../shell/console.ts";
import type { GlobalFlags } from "../shell/command.ts";
import { loadProject } from "../project/project.ts";
import { reportError } from "../shell/report-problems.ts";
import type { ExitCode, Shell } from "../shell/shell.ts";
import { type Inputs, namedProjects, readInputs, withoutInputs } from "./inputs.ts";
import { setOutputs, withApi } from "./report.ts";

export async function ciLockfile(given: GlobalFlags, shell: Shell, console: Console): Promise<ExitCode> {
  try {
    const inputs = readInputs(shell.env);
    const job = await readJob(shell.env);
    const { outputs, failures } = await publishLockfiles(
      await flagsOf(given, inputs, shell),
      job,
      inputs,
      shell,
    );
    await setOutputs(shell, outputs);
    console.note(`Lockfile: ${outputs.lockfile}.\n`);
    if (failures.length === 0) return 0;
    await reportFailures(failures, shell, console);
    return 1;
  } catch (error) {
    await reportFailures([error], shell, console);
    return 1;
  }
}

async function reportFailures(failures: readonly unknown[], shell: Shell, console: Console): Promise<void> {
  const problems = failures.flatMap((error) => reportError(error, console));
  console.result(annotations(problems, ""));
  await setOutputs(shell, { lockfile: "failed" });
  await writeSummary(shell.env["GITHUB_STEP_SUMMARY"], LOCKFILE_NOT_SAVED);
}

/** The flags that name each project. */
async function flagsOf(given: GlobalFlags, inputs: Inputs, shell: Shell): Promise<readonly GlobalFlags[]> {
  if (inputs.projects.length === 0)
    return [{ ...given, config: given.config ?? (inputs.config || undefined) }];
  return (await namedProjects(inputs, shell)).map((config) => ({ ...given, config }));
}

interface LockfileOutputs extends Record<string, string> {
  readonly lockfile: "unchanged" | "committed" | "pull-request" | "left";
}

interface Published {
  readonly outputs: LockfileOutputs;
  /** Why the files of some projects are not in the repository. */
  readonly failures: readonly unknown[];
}

export async function publishLockfiles(
  projects: readonly GlobalFlags[],
  job: Job,
  inputs: Inputs,
  shell: Shell,
): Promise<Published> {
  // Apply refused to run here, so the lockfile is the pull request's own.
  if (job.source !== "merged") return { outputs: { lockfile: "unchanged" }, failures: [] };
  if (inputs.lockfile === "none") return { outputs: { lockfile: "left" }, failures: [] };
  const { applied, failures } = await appliedProjects(projects, job, shell);
  const [first] = applied;
  if (first === undefined) return { outputs: { lockfile: "unchanged" }, failures };
  const { clock, random } = shell;
  const push = {
    git: first.git,
    projects: applied.map(({ files }) => files),
    branch: job.refName,
    clock,
    random,
  };
  const into = inputs.lockfile === "commit" ? undefined : lockfileBranch(inputs.name);
  // First what is confirmed, because publish sends nothing else of the branch.
  const confirmed = new Map(applied.flatMap((each) => [...each.confirmed]));
  const refused = await pushConfirmed(first.git, inputs.name, confirmed).then(
    () => [],
    (error: unknown) => [error],
  );
  const pushed = await pushLockfiles(into === undefined ? push : { ...push, into });
  const all = [...failures, ...refused, ...pushed.failures.map(({ failure }) => failure)];
  if (pushed.result === "unchanged") return { outputs: { lockfile: "unchanged" }, failures: all };
  if (into === undefined) return { outputs: { lockfile: "committed" }, failures: all };
  const title = applied.length === 1 ? (first.files[0]?.path ?? "") : "the lockfiles";
  const opened = await withApi({ job, inputs, shell }, (api) =>
    ensurePullRequest(api, job, into, lockfilePullRequest(title)),
  );
  return { outputs: { lockfile: "pull-request", "lockfile-url": opened?.url ?? "" }, failures: all };
}

/** What an apply of one project wrote, with git in the project's folder. */
interface Applied {
  readonly git: Git;
  /** The folder of its git repository. */
  readonly repository: string | undefined;
  readonly files: AppliedProject;
  /** The texts of what counts of these files, by their paths in a commit; empty if the apply did not come that far. */
  readonly confirmed: ReadonlyMap<string, string>;
}

/**
 * The files of all projects that have some. An unreadable lockfile does not prevent the commit of the other
 * lockfiles.
 */
async function appliedProjects(
  projects: readonly GlobalFlags[],
  job: Job,
  shell: Shell,
): Promise<{ readonly applied: readonly Applied[]; readonly failures: readonly unknown[] }> {
  const applied: Applied[] = [];
  const failures: unknown[] = [];
  for (const flags of projects) {
    try {
      const project = await loadProject(flags, shell);
      const found = await appliedFiles(project, job, shell);
      if (found === undefined) continue;
      if (found.repository !== (applied[0] ?? found).repository) throw inOtherRepository(project);
      applied.push(found);
    } catch (error) {
      // With one project, it ends the step in the same way.
      failures.push(error);
    }
  }
  return { applied, failures };
}

function inOtherRepository({ root }: Project): Failure {
  return new Failure(
    "repository/push",
    `${root} is in a different git repository than the other projects, for example in a submodule.`,
    "Leave it out of the input projects, and give it a workflow of its own.",
  );
}

/** Undefined if the project has no lockfile. */
async function appliedFiles(project: Project, job: Job, shell: Shell): Promise<Applied | undefined> {
  const { lockfile } = project.config;
  const origin = await originOf(await lockfilePlace(project));
  if (origin === undefined) return undefined;
  const git = new Git(project.root, withoutInputs(shell.env));
  const text = lockfileText((await readState(project, origin)).lockfile);
  const schedule = origin === REPOSITORY ? await appliedSchedule(project, git) : [];
  const repository = (await findRepository(project.root))?.root;
  const path = await pathInCommit(git, lockfile);
  const counts = await confirmedLockfile(project, origin);
  return {
    git,
    repository,
    files: [appliedLockfile(path, text, origin), ...schedule],
    // The apply restored the schedule before it wrote what counts of the lockfile.
    confirmed:
      counts === undefined
        ? new Map()
        : new Map([[path, lockfileText(counts)], ...(await confirmedSchedules(git, job, schedule))]),
  };
}

/** What the apply confirms of the schedule that it wrote, by its path in a commit. */
async function confirmedSchedules(
  git: Git,
  { refName }: Job,
  written: readonly AppliedFile[],
): Promise<ReadonlyMap<string, string>> {
  if (written.length === 0) return new Map();
  const [path, other] = [await pathInCommit(git, SCHEDULE_FILE), await pathInCommit(git, PUBLISHED_FILE)];
  const at = { commit: "HEAD", folder: await folderInCommit(git) };
  const before = await (await confirmedFiles(git, at, [SCHEDULE_FILE]))?.read(SCHEDULE_FILE);
  const tip = before === undefined ? undefined : await fetchTip(git, refName);
  const branch =
    tip === undefined
      ? ""
      : joinedText({ schedule: await textAt(git, tip, path), published: await textAt(git, tip, other) });
  const textOf = (each: string): string => written.find((file) => file.path === each)?.text ?? "";
  const ours = joinedText({ schedule: textOf(path), published: textOf(other) });
  return new Map([[path, confirmedSchedule(ours, before ?? "", branch)]]);
}

/** The schedule, in one commit with the lockfile that owns its posts. Without a file, apply scheduled nothing. */
async function appliedSchedule({ root }: Project, git: Git): Promise<readonly AppliedFile[]> {
  const files: AppliedFile[] = [];
  for (const name of SCHEDULE_FILES) {
    const place = await placeInProject(root, name);
    if ((await statsAt(place)) === undefined) continue;
    const text = (await readRegular(place)).toString("utf8");
    files.push({ path: await pathInCommit(git, name), text, merge: mergeScheduleTexts });
  }
  return files;
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
