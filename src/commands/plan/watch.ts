/** `plan --watch`: a plan at each save. Problems are shown, and watching continues. */

import type { MediaSources } from "../../calendars/check.ts";
import type { WebMedia } from "../../media/web-media.ts";
import { Failure, ProjectProblems } from "../../model/failure.ts";
import { type Saves, settingsFiles, watchSaves } from "../../preview/live/watch.ts";
import { reusedText, savedText, watchingText } from "../../report/plan/watch-text.ts";
import type { Project } from "../../settings/config.ts";
import { hashCacheOf } from "../../sync/state/media-caches.ts";
import { planCalendars } from "../../sync/sync.ts";
import type { Run } from "../shell/command.ts";
import type { OpenedService } from "../../service/connect/open-service.ts";
import { type ReusedService, REUSE_MS, reuseService } from "../../service/connect/reused-answers.ts";
import { readCompared } from "../project/base.ts";
import { connect } from "../project/connect.ts";
import { withAddresses } from "../project/media.ts";
import { loadProject, projectFolder } from "../project/project.ts";
import { reportError, showProblems } from "../shell/report-problems.ts";
import type { ExitCode } from "../shell/shell.ts";
import { type PlanFlags, narrowingOf, printPlan } from "./run.ts";

interface Watch extends Run<PlanFlags> {
  /** Absolute. */
  readonly root: string;
  readonly saves: Saves;
}

/** Ends only when it is stopped, so always as interrupted: a command after `&&` does not run. */
export async function watchPlan(run: Run<PlanFlags>): Promise<ExitCode> {
  const { flags, shell } = run;
  rejectOtherFlags(flags);
  const root = await projectFolder(flags, shell);
  const watch: Watch = { ...run, root, saves: await watchSaves(root, shell) };
  while (!shell.stop.aborted) {
    await untilSettingsChange(watch);
  }
  return 130;
}

/** Waits until files are saved, and clears the screen. */
async function nextSave({ saves, root, console }: Watch): Promise<readonly string[]> {
  console.note(watchingText(root, console.errorStyle));
  const files = await saves.next();
  if (files.length > 0) {
    console.clear();
    console.note(savedText(files, console.errorStyle));
  }
  return files;
}

/** Flags for a single plan make no sense here. */
function rejectOtherFlags(flags: PlanFlags): void {
  const other =
    flags.out !== undefined
      ? "--out"
      : flags.now !== undefined
        ? "--now"
        : flags["detailed-exitcode"]
          ? "--detailed-exitcode"
          : undefined;
  const name = other ?? (flags.format === "text" ? undefined : `--format ${flags.format}`);
  if (name === undefined) return;
  throw new Failure(
    "usage/arguments",
    `--watch makes many plans, but ${name} needs one.`,
    "Leave out one of the two.",
  );
}

/** Plans at each save, and reuses facts about media and the service, until plancast.yaml or the lockfile is saved. */
async function untilSettingsChange(watch: Watch): Promise<void> {
  const { flags, shell, console } = watch;
  let project: Project;
  try {
    project = await loadProject(flags, shell);
  } catch (error) {
    reportError(error, console);
    if (error instanceof ProjectProblems) await watch.saves.alsoWatch(error.files);
    await nextSave(watch);
    return;
  }
  const how = { refresh: flags["refresh-media"] };
  await withAddresses({ ...watch, project }, how, (addresses) => planAtSaves(project, addresses, watch));
}

async function planAtSaves(project: Project, addresses: WebMedia, watch: Watch): Promise<void> {
  const { shell } = watch;
  const media = { addresses, hashes: hashCacheOf(project, shell.clock) };
  const service = reuseService(() => connect({ ...watch, project }, "read-only"), shell.clock);
  const settings = new Set(settingsFiles(project));
  await watch.saves.alsoWatch([...settings]);
  try {
    let saved: readonly string[];
    do {
      await planOnce(project, media, service, watch);
      saved = await nextSave(watch);
    } while (saved.length > 0 && !saved.some((file) => settings.has(file)));
  } finally {
    await service.forget();
  }
}

/** Plans and shows the plan, or the problems that prevent it. */
async function planOnce(
  project: Project,
  media: MediaSources,
  service: ReusedService<OpenedService>,
  watch: Watch,
): Promise<void> {
  const { flags, shell, console } = watch;
  try {
    const planning = await planCalendars({ ...narrowingOf(flags), cwd: shell.cwd }, media, {
      project,
      clock: shell.clock,
      onlyValid: flags["only-valid"],
      compared: await readCompared(project, shell.env),
      open: service.open,
    });
    showProblems(planning, console);
    await printPlan(planning, "text", flags, console);
    if (planning.plan === undefined) return;
    const reused = service.reusedMs();
    if (reused !== undefined) console.note(reusedText(reused, REUSE_MS, console.errorStyle));
  } catch (error) {
    if (shell.stop.aborted) return;
    reportError(error, console);
    await service.forget();
  }
}
