/**
 * `plancast lockfile`: accepts that the project's accounts changed, or removes the lockfile to move to another service.
 * Neither changes anything on a service.
 */

import type { Argv } from "yargs";
import { utcTime } from "../model/canonical.ts";
import { Failure } from "../model/failure.ts";
import { sameList } from "../model/text.ts";
import { noAccountsText } from "../problems/plan-texts.ts";
import {
  type Forgotten,
  acceptQuestion,
  acceptedDocument,
  acceptedText,
  forgetQuestion,
  forgottenDocument,
  forgottenText,
} from "../report/outcomes/lockfile.ts";
import { connectedAccounts } from "../sync/state/accounts.ts";
import { OpenState, forgetState, readKeptState, readState } from "../sync/state/project-state.ts";
import { type FlagsOf, type ProjectRun, type Run, confirmChange, defineCommand } from "./common/command.ts";
import { withLocalRunLock, withRunLock } from "./common/connect.ts";
import { type GlobalFlags, FORMAT_OPTION, YES_OPTION } from "./common/flags.ts";
import { printProblemsJson } from "./common/report-problems.ts";
import { openProject } from "./common/project.ts";
import type { ExitCode } from "./common/shell.ts";

const defineFlags = (yargs: Argv<GlobalFlags>) =>
  yargs
    .positional("action", {
      choices: ["accept-account", "forget"] as const,
      demandOption: true,
      describe: "What to do",
    })
    .option("yes", YES_OPTION)
    .option("format", FORMAT_OPTION)
    .example("$0 lockfile forget", "Ask, then remove the lockfile, for example to move to another service")
    .example("$0 lockfile accept-account", "Ask, then record the connected accounts in the lockfile");

type LockfileFlags = FlagsOf<typeof defineFlags>;

export const command = defineCommand<LockfileFlags>({
  flags: defineFlags,
  run: changeLockfile,
  printFailed: printProblemsJson,
});

async function changeLockfile(run: Run<LockfileFlags>): Promise<ExitCode> {
  const opened = await openProject(run);
  return run.flags.action === "forget" ? forget(opened) : acceptAccounts(opened);
}

/** Needs no service: the configured one may have changed. */
function forget(run: ProjectRun<LockfileFlags>): Promise<ExitCode> {
  const { project, flags, shell, console } = run;
  const { lockfile } = project.config;
  return withLocalRunLock(run, "lockfile forget", async () => {
    const kept = await readKeptState(project);
    if (kept === undefined) {
      console.note("There is no lockfile, so there is nothing to forget.\n");
      if (flags.format === "json") console.json(forgottenDocument(undefined));
      return 0;
    }
    const now = utcTime(shell.clock.now());
    const { origin, dueAt, hasJournal } = kept;
    const due = dueAt.filter((each) => each > now).length;
    const found: Forgotten = { origin, posts: dueAt.length, due, hasJournal };
    const question = forgetQuestion(found, lockfile, console.errorStyle);
    if (!(await confirmChange(question, run))) return shell.stop.aborted ? 130 : 1;
    await forgetState(project);
    if (flags.format === "json") console.json(forgottenDocument(found));
    else {
      console.result(forgottenText(found, lockfile, console.style));
      console.next("plancast plan shows what apply would schedule on the configured service.");
    }
    return 0;
  });
}

function acceptAccounts(run: ProjectRun<LockfileFlags>): Promise<ExitCode> {
  const { project, flags, shell, console } = run;
  const work = { command: "lockfile accept-account", access: "read-only" } as const;
  return withRunLock<ExitCode>(run, work, async ({ service }) => {
    const { lockfile, journal } = await readState(project, service.origin);
    const connected = await connectedAccounts(service);
    if (connected === undefined || connected.length === 0) {
      const { message, hint } = noAccountsText(connected !== undefined);
      throw new Failure("lockfile/no-accounts", message, hint);
    }
    const accepted = { known: lockfile.accounts ?? [], connected };
    if (!sameList(accepted.known, connected)) {
      const question = acceptQuestion(accepted, console.errorStyle);
      if (!(await confirmChange(question, run))) return shell.stop.aborted ? 130 : 1;
      const startedAt = utcTime(shell.clock.now());
      const state = await OpenState.open(
        project,
        { ...lockfile, accounts: [...connected] },
        journal,
        startedAt,
      );
      await state.close();
    }
    if (flags.format === "json") console.json(acceptedDocument(accepted));
    else {
      console.result(acceptedText(accepted, console.style));
      console.next(
        `commit ${project.config.lockfile}; plancast plan shows what apply would do on these accounts.`,
      );
    }
    return 0;
  });
}
