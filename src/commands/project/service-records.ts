/**
 * Shared by commands that show or change records of the service. Prints a result as text or JSON, reads the lockfile if
 * possible, and turns the result of a write into an exit code.
 */

import { utcTime } from "../../model/canonical.ts";
import type { Clock } from "../../model/clock.ts";
import { Failure } from "../../model/failure.ts";
import type { Lockfile } from "../../model/lockfile.ts";
import {
  type WriteOutcomeDocument,
  type Wording,
  writeOutcomeDocument,
  writeOutcomeText,
} from "../../report/outcomes/write-outcome.ts";
import { failureText } from "../../report/problems/failure-text.ts";
import type { WriteResult } from "../../service/records.ts";
import type { FullService, ReadService } from "../../service/service.ts";
import type { Project } from "../../settings/config.ts";
import { refuseOtherAccounts } from "../../sync/state/accounts.ts";
import { type ReadState, OpenState, readState } from "../../sync/state/project-state.ts";
import type { FormatFlag, ProjectRun, Run } from "../shell/command.ts";
import { withService } from "./connect.ts";
import { type CommandResult, showResult } from "../shell/result.ts";
import type { ExitCode } from "../shell/shell.ts";

export function showRead(
  run: ProjectRun<FormatFlag>,
  read: (service: FullService) => Promise<CommandResult>,
): Promise<ExitCode> {
  return withService<ExitCode>(run, "read-only", async ({ service }) => {
    showResult(run, await read(service));
    return 0;
  });
}

/**
 * For commands that change nothing. If the lockfile cannot be used, prints a note and returns undefined: posts then
 * appear without their rows.
 */
export async function readLockfileIfPossible(
  { project, console }: ProjectRun,
  origin: string,
): Promise<Lockfile | undefined> {
  try {
    return (await readState(project, origin)).lockfile;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.alert(failureText(error, console.errorStyle, console).replace(/^(\S*)error/, "$1note"));
    return undefined;
  }
}

/**
 * Writes the lockfile if it has changed. The caller holds the run lock. Throws a Failure if the key leads to accounts that are not in the lockfile.
 */
export async function saveLockfile(
  project: Project,
  lockfile: Lockfile,
  {
    read,
    service,
    clock,
  }: { readonly read: ReadState; readonly service: ReadService; readonly clock: Clock },
): Promise<void> {
  if (!OpenState.differs(lockfile, read)) return;
  await refuseOtherAccounts(service, read.lockfile);
  const writing = await OpenState.open(project, lockfile, read, utcTime(clock.now()));
  await writing.close();
}

/**
 * Prints the result of a write: as text, or as the `outcome` of the JSON document. Returns the run's exit code.
 * @param outcome what the document says besides the result; it may override the result's status
 */
export function reportWrite(
  run: Run<FormatFlag>,
  written: WriteResult<unknown>,
  { outcome, wording, next }: { readonly outcome: object; readonly wording: Wording; readonly next?: string },
): ExitCode {
  const ended = writeOutcomeDocument(written);
  showResult(run, {
    document: { version: 1, outcome: { ...ended, ...outcome } },
    text: () => writeOutcomeText(ended, wording, run.console.style),
    next: ended.status === "done" ? next : undefined,
  });
  return writeExitCode(ended);
}

/** The exit code for a single write. */
export function writeExitCode({ status }: WriteOutcomeDocument): ExitCode {
  return ({ done: 0, failed: 1, unknown: 3, not_started: 130 } as const)[status];
}
