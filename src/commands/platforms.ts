/** `plancast platforms`: lists the accounts that the service is connected to, or disconnects one. */

import { Failure } from "../model/failure.ts";
import { disconnectWording, writeOutcomeDocument } from "../report/outcomes/write-outcome.ts";
import {
  type ServiceAccount,
  accountDocument,
  accountName,
  accountsText,
} from "../report/status/service-lists.ts";
import { isDown } from "../service/answers/other-records.ts";
import { oneLine } from "../report/text/style.ts";
import type { ReadFullService } from "../service/service.ts";
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
  namePositional,
  rejectName,
  requireName,
} from "./shell/command.ts";
import { withRunLock } from "./project/connect.ts";
import { printProblemsJson } from "./shell/report-problems.ts";
import { openProject } from "./project/project.ts";
import { reportWrite, showRead } from "./project/service-records.ts";
import type { ExitCode } from "./shell/shell.ts";

const FLAGS = defineFlags({
  action: actionPositional(["list", "disconnect"]),
  id: namePositional("Id of the account to disconnect"),
  yes: YES_OPTION,
  format: FORMAT_OPTION,
});

type PlatformsFlags = FlagsOf<typeof FLAGS>;

export const command = defineCommand({
  flags: FLAGS,
  examples: [
    ["platforms list", "List accounts with their ids"],
    ["platforms disconnect acc_3", "Ask, then disconnect the account"],
  ],
  run: platforms,
  printFailed: printProblemsJson,
});

async function platforms(run: Run<PlatformsFlags>): Promise<ExitCode> {
  const { flags } = run;
  if (flags.action === "list") {
    rejectName(flags.id, "platforms list");
    return listPlatforms(await openProject(run));
  }
  const id = requireName(flags.id, "platforms disconnect", "account");
  return disconnectPlatform(await openProject(run), id);
}

function listPlatforms(run: ProjectRun<PlatformsFlags>): Promise<ExitCode> {
  const { console } = run;
  return showRead(run, async (service) => {
    const { items: accounts, doubt } = await service.listAccounts();
    const items = accounts.map((each) => ({ ...each, isDown: isDown(each) }));
    return {
      document: () => ({ version: 1, whole: doubt === undefined, platforms: items.map(accountDocument) }),
      text: () => accountsText({ items, doubt }, console.style),
      next: items.length === 0 ? undefined : "use these names in the calendars. plancast plan checks them.",
    };
  });
}

function disconnectPlatform(run: ProjectRun<PlatformsFlags>, id: string): Promise<ExitCode> {
  const { shell, console } = run;
  return withRunLock(
    run,
    { command: "platforms disconnect", access: "admin" },
    async ({ service, checkAccounts }) => {
      await checkAccounts();
      const account = await accountOf(id, service);
      const words = oneLine(accountName(account), console.errorStyle);
      const question = `Disconnect ${words}? The service can then no longer publish the posts that are scheduled for it.`;
      if (!(await confirmChange(question, run))) return shell.stop.aborted ? 130 : 1;
      const written = await service.disconnectPlatform(id);
      return reportWrite(run, written, {
        outcome: { ...accountDocument(account), ...writeOutcomeDocument(written) },
        wording: disconnectWording(accountName(account)),
        next: "plancast platforms list shows which accounts are still connected.",
      });
    },
  );
}

async function accountOf(id: string, service: ReadFullService): Promise<ServiceAccount> {
  const { items } = await service.listAccounts();
  const account = items.find((each) => each.id === id);
  if (account !== undefined) return account;
  const ids = items.flatMap((each) => each.id ?? []).slice(0, 20);
  throw new Failure(
    "service/not-found",
    `The service has no connected account "${id}". Connected: ${ids.length === 0 ? "none with an id" : ids.join(", ")}.`,
    "plancast platforms list shows the accounts.",
  );
}
