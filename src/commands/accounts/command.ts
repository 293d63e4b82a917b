/** `plancast accounts`: lists, checks and adds the accounts on which `plancast serve` publishes. */

import type { Argv } from "yargs";
import { Failure } from "../../model/failure.ts";
import { nearest } from "../../model/text.ts";
import { type AccountName, accountNames, checkAccount } from "../../networks/open-accounts.ts";
import {
  type ShownAccount,
  accountDocument,
  networkAccountsText,
} from "../../report/status/network-accounts.ts";
import { secretVariable } from "../../settings/accounts.ts";
import { type FlagsOf, type ProjectRun, type Run, defineCommand } from "../shell/command.ts";
import { networkOptions } from "../project/connect.ts";
import { type GlobalFlags, FORMAT_OPTION, namePositional } from "../shell/flags.ts";
import { openProject } from "../project/project.ts";
import { printProblemsJson } from "../shell/report-problems.ts";
import type { ExitCode } from "../shell/shell.ts";
import { addAccount } from "./add.ts";
import { withOtherLimits } from "./other-limits.ts";

const defineFlags = (yargs: Argv<GlobalFlags>) =>
  yargs
    .positional("action", {
      choices: ["list", "check", "add"] as const,
      demandOption: true,
      describe: "What to do",
    })
    .positional(
      "name",
      namePositional(
        "Account to check or add. Default: check all accounts; name a new account after its network",
      ),
    )
    .option("format", FORMAT_OPTION)
    .example("$0 accounts add", "Ask for an account, test it, and add it to plancast.yaml")
    .example("$0 accounts check", "Sign in to each account, and publish nothing");

type AccountsFlags = FlagsOf<typeof defineFlags>;

export const command = defineCommand<AccountsFlags>({
  flags: defineFlags,
  run: accounts,
  printFailed: printProblemsJson,
});

async function accounts(run: Run<AccountsFlags>): Promise<ExitCode> {
  const { flags } = run;
  const opened = await openProject(run);
  switch (flags.action) {
    case "list":
      show(
        opened,
        chosen(opened).map((account) => shown(account, opened)),
      );
      return 0;
    case "check":
      return checkAccounts(opened);
    case "add":
      return addAccount(opened, flags.name);
  }
}

/** The named account, or all. */
function chosen({ project, flags }: ProjectRun<AccountsFlags>): readonly AccountName[] {
  const all = accountNames(project.config.accounts);
  if (flags.name === undefined) return all;
  const found = all.filter(({ name }) => name === flags.name);
  if (found.length > 0) return found;
  const names = all.map(({ name }) => name);
  const near = nearest(flags.name, names);
  throw new Failure(
    "account/not-found",
    `${project.file} has no account "${flags.name}".${near === undefined ? "" : ` Did you mean "${near}"?`}`,
    "`plancast accounts list` shows the accounts, and `plancast accounts add` adds one.",
  );
}

async function checkAccounts(run: ProjectRun<AccountsFlags>): Promise<ExitCode> {
  const results: ShownAccount[] = [];
  for (const account of chosen(run)) {
    // One after the other, because a person may be asked about each.
    const check = await checkAccount(account, {
      ...networkOptions(run, run.project),
      stop: run.shell.stop,
    });
    results.push({
      ...shown(account, run),
      check: withOtherLimits(check, account.platform, run.project.config),
    });
  }
  show(run, results);
  return results.some(({ check }) => check?.state === "failed") ? 1 : 0;
}

function shown(account: AccountName, { shell }: ProjectRun<AccountsFlags>): ShownAccount {
  const { name, platform, settings } = account;
  const variable = secretVariable(settings);
  return {
    name,
    platform,
    server: settings.network === "webhook" ? "" : settings.server,
    variable,
    isSet: (shell.env[variable] ?? "").trim() !== "",
  };
}

function show({ flags, shell, console }: ProjectRun<AccountsFlags>, results: readonly ShownAccount[]): void {
  shell.stdout.write(
    flags.format === "json"
      ? `${JSON.stringify({ version: 1, accounts: results.map(accountDocument) }, null, 2)}\n`
      : networkAccountsText(results, console.style),
  );
}
