/**
 * `plancast lockfile`: merges two versions of the lockfile, accepts that the project's accounts changed, or removes the
 * lockfile to move to another service. It changes nothing on a service.
 */

import { basename, resolve } from "node:path";
import { readRegular, writeAtomic } from "../disk/files.ts";
import { conflictingTexts, markConflict } from "../disk/git.ts";
import { placeInProject, placeTyped } from "../disk/place.ts";
import { utcTime } from "../model/canonical.ts";
import { Failure, reasonOf } from "../model/failure.ts";
import { sameList } from "../model/text.ts";
import { noAccountsText } from "../problems/plan-texts.ts";
import type { AcceptedDocument, ForgottenDocument, MergedDocument } from "../report/documents/project.ts";
import {
  acceptQuestion,
  acceptedText,
  forgetQuestion,
  forgottenText,
  mergedScheduleText,
  mergedText,
} from "../report/outcomes/lockfile.ts";
import { SCHEDULE_FILE, SCHEDULE_FILES, isScheduleText, mergeScheduleTexts } from "../repository/schedule.ts";
import { connectedAccounts } from "../sync/state/accounts.ts";
import { lockfilePlace, lockfileText } from "../sync/state/lockfile.ts";
import { type MergedVersions, mergeVersions, parseOurs } from "../sync/state/merge-lockfiles.ts";
import { OpenState, forgetState, readKeptState, readState } from "../sync/state/project-state.ts";
import {
  type FlagsOf,
  type ProjectRun,
  type Run,
  FORMAT_OPTION,
  YES_OPTION,
  actionPositional,
  confirmChange,
  defineCommand,
  defineFlags,
  namesPositional,
  rejectNames,
} from "./shell/command.ts";
import { withLocalRunLock, withRunLock } from "./project/connect.ts";
import { openProject } from "./project/project.ts";
import { showResult } from "./shell/result.ts";
import type { ExitCode } from "./shell/shell.ts";

const FLAGS = defineFlags({
  action: actionPositional(["merge", "accept-account", "forget"]),
  file: namesPositional("Only for merge: the three files BASE OURS THEIRS, as git passes them"),
  yes: YES_OPTION,
  format: FORMAT_OPTION,
});

type LockfileFlags = FlagsOf<typeof FLAGS>;

export const command = defineCommand({
  flags: FLAGS,
  examples: [
    ["lockfile merge", "Resolve a git conflict in the lockfile or the schedule"],
    ["lockfile forget", "Ask, then remove the lockfile, for example to move to another service"],
    ["lockfile accept-account", "Ask, then record the connected accounts in the lockfile"],
  ],
  run: changeLockfile,
});

async function changeLockfile(run: Run<LockfileFlags>): Promise<ExitCode> {
  const { action, file } = run.flags;
  if (action === "merge" && file.length > 0) return mergeForGit(file, run);
  rejectNames(file, `lockfile ${action}`);
  const opened = await openProject(run);
  switch (action) {
    case "merge": {
      return mergeConflict(opened);
    }
    case "forget": {
      return forget(opened);
    }
    case "accept-account": {
      return acceptAccounts(opened);
    }
  }
}

/** As a merge driver of git: writes the result into the second file. It needs no project. */
async function mergeForGit(files: readonly string[], run: Run<LockfileFlags>): Promise<ExitCode> {
  const { shell } = run;
  const [base, ours, theirs] = files.map((file) => resolve(shell.cwd, file));
  if (base === undefined || ours === undefined || theirs === undefined || files.length > 3)
    throw new Failure(
      "usage/arguments",
      "plancast lockfile merge takes three files, or none.",
      "Run plancast lockfile merge BASE OURS THEIRS, or without files after a merge that stopped.",
    );
  const { place: into } = await placeTyped(ours, shell.cwd);
  const texts = {
    base: await textAt(base, shell.cwd),
    ours: await textAt(ours, shell.cwd),
    theirs: await textAt(theirs, shell.cwd),
  };
  if (isScheduleText(texts.ours)) {
    await writeAtomic(into, mergeScheduleTexts(texts.base, texts.ours, texts.theirs));
    return 0;
  }
  // Somebody may have named a different file by mistake. It stays as it is.
  parseOurs(texts);
  try {
    const merged = mergeVersions(texts);
    await writeAtomic(into, lockfileText(merged.lockfile));
    return showMerged(merged, false, run);
  } catch (error) {
    // git must not use the file as the result of a merge.
    await markConflict(into.path, base, theirs);
    throw error;
  }
}

async function textAt(path: string, from: string): Promise<string> {
  try {
    return (await readRegular((await placeTyped(path, from)).place)).toString("utf8");
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(
      "disk/unreadable",
      `${basename(path)} cannot be read: ${reasonOf(error)}`,
      "Check its name.",
    );
  }
}

/** After a merge that stopped at the project's lockfile, or at its schedule. Writes both, or nothing. */
function mergeConflict(run: ProjectRun<LockfileFlags>): Promise<ExitCode> {
  const { project, flags, console } = run;
  const { root, config } = project;
  const { lockfile: name } = config;
  return withLocalRunLock<ExitCode>(run, "lockfile merge", async () => {
    const place = await lockfilePlace(project);
    const texts = await conflictingTexts(root, name);
    const schedules: [string, string][] = [];
    for (const file of SCHEDULE_FILES) {
      const versions = await conflictingTexts(root, file);
      if (versions === undefined) continue;
      schedules.push([file, mergeScheduleTexts(versions.base, versions.ours, versions.theirs)]);
    }
    if (texts === undefined && schedules.length === 0)
      throw new Failure(
        "lockfile/cannot-merge",
        `git has no conflict in ${name} or ${SCHEDULE_FILE}.`,
        `If the merge is not finished, run \`git checkout --merge -- ${name}\` first. Otherwise, restore ${name} from git.`,
      );
    const merged = texts && mergeVersions(texts);
    for (const [file, text] of schedules) await writeAtomic(await placeInProject(root, file), text);
    if (merged !== undefined) {
      await writeAtomic(place, lockfileText(merged.lockfile));
      showMerged(merged, true, run);
    } else if (flags.format === "json")
      console.json({ version: 1, outcome: { status: "done", scheduled_twice: [] } satisfies MergedDocument });
    const written = schedules.map(([file]) => file);
    if (flags.format !== "json") for (const file of written) console.result(mergedScheduleText(file));
    const files = [...(merged === undefined ? [] : [name]), ...written];
    console.next(`plancast plan; if it is right, git add ${files.join(" ")} and finish the merge.`);
    return 0;
  });
}

function showMerged(
  { lockfile, rivals }: MergedVersions,
  isAsked: boolean,
  run: Run<LockfileFlags>,
): ExitCode {
  const outcome: MergedDocument = {
    status: "done",
    posts: Object.keys(lockfile.posts).length,
    scheduled_twice: [...rivals].map(([id, key]) => ({ key, post_id: id })),
  };
  showResult(run, {
    document: { version: 1, outcome },
    // git shows its driver's output, so the driver prints nothing if there is nothing to know.
    text: () => (isAsked || rivals.size > 0 ? mergedText(outcome, run.console.style) : ""),
  });
  return 0;
}

/** Needs no service: the configured one may have changed. */
function forget(run: ProjectRun<LockfileFlags>): Promise<ExitCode> {
  const { project, shell, console } = run;
  const { lockfile } = project.config;
  return withLocalRunLock(run, "lockfile forget", async () => {
    const kept = await readKeptState(project);
    if (kept === undefined) {
      console.note("There is no lockfile, so there is nothing to forget.\n");
      const nothing: ForgottenDocument = { status: "done", posts: 0 };
      showResult(run, { document: { version: 1, outcome: nothing }, text: () => "" });
      return 0;
    }
    const now = utcTime(shell.clock.now());
    const { origin, dueAt, hasJournal } = kept;
    const due = dueAt.filter((each) => each > now).length;
    const outcome: ForgottenDocument = { status: "done", origin, posts: dueAt.length, due };
    const question = forgetQuestion(outcome, lockfile, hasJournal, console.errorStyle);
    if (!(await confirmChange(question, run))) return shell.stop.aborted ? 130 : 1;
    await forgetState(project);
    showResult(run, {
      document: { version: 1, outcome },
      text: () => forgottenText(outcome, lockfile, console.style),
      next: "plancast plan shows what apply would schedule on the configured service.",
    });
    return 0;
  });
}

function acceptAccounts(run: ProjectRun<LockfileFlags>): Promise<ExitCode> {
  const { project, shell, console } = run;
  const work = { command: "lockfile accept-account", access: "read-only" } as const;
  return withRunLock<ExitCode>(run, work, async ({ service }) => {
    const read = await readState(project, service.origin);
    const { accounts: known = [], ...others } = read.lockfile;
    const connected = await connectedAccounts(service);
    if (connected === undefined ? known.length === 0 : connected.length === 0) {
      const { message, hint } = noAccountsText(connected !== undefined);
      throw new Failure("lockfile/no-accounts", message, hint);
    }
    const outcome: AcceptedDocument = { status: "done", before: known, accounts: connected ?? [] };
    if (!sameList(known, outcome.accounts)) {
      const question = acceptQuestion(outcome, console.errorStyle);
      if (!(await confirmChange(question, run))) return shell.stop.aborted ? 130 : 1;
      const startedAt = utcTime(shell.clock.now());
      // Without accounts, later runs compare nothing.
      const next = connected === undefined ? others : { ...others, accounts: [...connected] };
      const state = await OpenState.open(project, next, read, startedAt);
      await state.close();
    }
    showResult(run, {
      document: { version: 1, outcome },
      text: () => acceptedText(outcome, console.style),
      next: `commit ${project.config.lockfile}; plancast plan shows what apply would do on these accounts.`,
    });
    return 0;
  });
}
