/**
 * `plancast accounts`: lists, checks and adds the accounts on which `plancast serve` publishes. To add one, it signs
 * in with the account's secret, and writes the account into plancast.yaml without the secret.
 */

import { isDeepStrictEqual } from "node:util";
import { addAccountSettings } from "../../calendars/edit/project-settings.ts";
import { parseProject } from "../../calendars/project.ts";
import { limitsOfProject } from "../../checks/networks/network-names.ts";
import { Failure } from "../../model/failure.ts";
import { nearest } from "../../model/text.ts";
import { type AccountCheck, SERVER_LIMITS, type ServerLimits } from "../../networks/network.ts";
import { type AccountName, accountNames, checkAccount, hasSecret } from "../../networks/open-accounts.ts";
import type { AccountDocument } from "../../report/documents/project.ts";
import {
  NETWORK_QUESTIONS,
  addedText,
  checkFailedText,
  limitsText,
  networkAccountsText,
  secretAdvice,
  secretPrompt,
} from "../../report/status/network-accounts.ts";
import { escapeTerminal, terminalText } from "../../report/text/escape.ts";
import { paragraph } from "../../report/text/wrap.ts";
import { accountSchema, secretVariable } from "../../settings/accounts.ts";
import type { Config } from "../../settings/config.ts";
import { networkOptions } from "../project/connect.ts";
import { openProject, openProjectFile } from "../project/project.ts";
import {
  type FlagsOf,
  type ProjectRun,
  type Run,
  FORMAT_OPTION,
  actionPositional,
  defineCommand,
  defineFlags,
  namePositional,
} from "../shell/command.ts";
import { showResult } from "../shell/result.ts";
import type { ExitCode, Shell } from "../shell/shell.ts";

const FLAGS = defineFlags({
  action: actionPositional(["list", "check", "add"]),
  name: namePositional(
    "Account to check or add. Default: check all accounts; name a new account after its network",
  ),
  format: FORMAT_OPTION,
});

type AccountsFlags = FlagsOf<typeof FLAGS>;

export const command = defineCommand({
  flags: FLAGS,
  examples: [
    ["accounts add", "Ask for an account, test it, and add it to plancast.yaml"],
    ["accounts check", "Sign in to each account, and publish nothing"],
  ],
  run: accounts,
});

/** A person waits for the answer, in ms. */
const PATIENCE_MS = 60_000;

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
    "usage/not-found",
    `${project.file} has no account "${flags.name}".${near === undefined ? "" : ` Did you mean "${near}"?`}`,
    "`plancast accounts list` shows the accounts, and `plancast accounts add` adds one.",
  );
}

async function checkAccounts(run: ProjectRun<AccountsFlags>): Promise<ExitCode> {
  const results: AccountDocument[] = [];
  for (const account of chosen(run)) {
    // One after the other, because a person may be asked about each.
    const check = await checkAccount(account, {
      ...networkOptions(run, run.project, PATIENCE_MS),
      stop: run.shell.stop,
    }).catch((error: unknown) => notOpened(error, run.shell));
    results.push({
      ...shown(account, run),
      check: withOtherLimits(check, account.platform, run.project.config),
    });
  }
  show(run, results);
  return results.some(({ check }) => check?.state === "failed") ? 1 : 0;
}

/** A secret that is missing or not confirmed concerns only its account. */
function notOpened(error: unknown, { stop }: Shell): AccountCheck {
  if (!(error instanceof Failure) || stop.aborted) throw error;
  const { code, message, hint = "" } = error;
  return { state: "failed", reason: `${message} ${hint} (${code})` };
}

function shown(account: AccountName, { shell }: ProjectRun<AccountsFlags>): AccountDocument {
  const { name, platform, settings } = account;
  const variable = secretVariable(settings);
  return {
    name,
    platform,
    server: settings.network === "webhook" ? "" : settings.server,
    variable,
    secret: hasSecret(variable, shell.env) ? "set" : "missing",
  };
}

function show(run: ProjectRun<AccountsFlags>, accounts: readonly AccountDocument[]): void {
  showResult(run, {
    document: { version: 1, accounts },
    text: () => networkAccountsText(accounts, run.console.style),
  });
}

/** The key of each network's secret, and the usual name of its variable. */
const SECRETS = {
  bluesky: { key: "password_env", variable: "BLUESKY_APP_PASSWORD" },
  mastodon: { key: "token_env", variable: "MASTODON_TOKEN" },
  webhook: { key: "url_env", variable: "WEBHOOK_URL" },
} as const;

type NetworkName = keyof typeof SECRETS;

/** @param wanted its name in `accounts:`; default: the network's */
export async function addAccount(run: ProjectRun, wanted: string | undefined): Promise<ExitCode> {
  const { project, shell, console } = run;
  if (!shell.isInteractive)
    throw new Failure(
      "run/needs-terminal",
      "Cannot ask for the account: this is not a terminal. Nothing was changed.",
      `Add it under \`accounts:\` in ${project.file}, then run \`plancast accounts check\`.`,
    );
  const asked = await askAccount(run, wanted);
  if (asked === undefined) return 130;
  const file = await openProjectFile(project);
  const after = addAccountSettings(project, file.text, asked.name, asked.settings);
  const all = accountNames(parseProject(project.file, after, project.extended).accounts);
  const added = all.find(({ name }) => name === asked.name);
  if (added === undefined) throw new Error("The account is missing in the new text.");
  const variable = secretVariable(added.settings);
  console.note(terminalText(paragraph(secretAdvice(added.settings), console.errorStyle)));
  const answer = await signIn(run, added);
  if (answer === undefined) return shell.stop.aborted ? 130 : 1;
  await file.write(after);
  const check = withOtherLimits(answer, added.platform, project.config);
  const texts = [
    addedText(added, variable, project.file, renamedBy(added, all, project.config)),
    limitsText({ platform: added.platform, check }),
  ];
  shell.stdout.write(
    terminalText(texts.filter((text) => text !== "").flatMap((text) => paragraph(text, console.style))),
  );
  return 0;
}

/** The answer to a question is asked for again if it cannot be right. */
const MAX_TRIES = 3;

/** Signs in with the secret, and asks for it again if it is wrong. Undefined if that did not work. */
async function signIn(
  run: ProjectRun,
  added: AccountName,
): Promise<Extract<AccountCheck, { state: "ready" }> | undefined> {
  const { project, shell, console } = run;
  const variable = secretVariable(added.settings);
  const isSet = hasSecret(variable, shell.env);
  const options = {
    ...networkOptions(run, project, PATIENCE_MS),
    stop: shell.stop,
    namedBy: "person" as const,
  };
  for (let tries = 0; tries < (isSet ? 1 : MAX_TRIES); tries += 1) {
    const typed = isSet ? undefined : await shell.ask(secretPrompt(variable), "hidden");
    if (!isSet && !typed) return undefined;
    const env = typed === undefined ? shell.env : { ...shell.env, [variable]: typed };
    const answer = await checkAccount(added, { ...options, env });
    if (answer.state === "ready") return answer;
    console.note(terminalText(paragraph(checkFailedText(added.name, answer.reason), console.errorStyle)));
    // Another secret does not help against a server that is down.
    if (answer.isSignInRefused !== true) return undefined;
  }
  return undefined;
}

/** What rows now call an account that they named only by its network before. */
function renamedBy(
  added: AccountName,
  all: readonly AccountName[],
  { accounts: before }: Pick<Config, "accounts">,
): string | undefined {
  const first = accountNames(before).find(({ platform }) => platform === added.settings.network);
  return all.find(({ id }) => id === first?.id)?.platform;
}

interface AskedAccount {
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** Undefined if the person leaves. An answer that cannot be right is asked for again. */
async function askAccount(
  { project, shell, console }: ProjectRun,
  wanted: string | undefined,
): Promise<AskedAccount | undefined> {
  const ask = async (
    text: string,
    usual: string,
    faultOf: (answer: string) => string | undefined,
  ): Promise<string | undefined> => {
    for (let tries = 1; ; tries += 1) {
      const typed = await shell.ask(`${escapeTerminal(text)}${usual === "" ? "" : ` [${usual}]`}: `);
      const answer = typed === "" ? usual : typed;
      const fault = answer === undefined ? undefined : faultOf(answer);
      if (fault === undefined) return answer;
      if (tries === MAX_TRIES)
        throw new Failure("usage/arguments", fault, "Nothing was changed. Run it again.");
      console.note(terminalText(paragraph(`${fault} Please answer again.`, console.errorStyle)));
    }
  };
  const named = await ask("Network: bluesky, mastodon or webhook", networkNamed(wanted) ?? "", (answer) =>
    networkNamed(answer) === undefined
      ? `"${answer}" is not a network on which plancast publishes. Choose bluesky, mastodon or webhook.`
      : undefined,
  );
  const network = networkNamed(named);
  if (network === undefined) return undefined;
  const name = wanted ?? network;
  const taken = project.config.accounts;
  if (Object.hasOwn(taken, name))
    throw new Failure(
      "usage/arguments",
      `${project.file} already has an account named ${name}.`,
      "Choose another name: `plancast accounts add NAME`.",
    );
  const settings: Record<string, string> = { network };
  for (const { key, text, usual } of NETWORK_QUESTIONS[network]) {
    const answer = await ask(text, usual ?? "", (typed) => settingFault(network, key, typed));
    if (answer === undefined) return undefined;
    if (answer !== usual) settings[key] = answer;
  }
  const { key, variable } = SECRETS[network];
  const isTaken = Object.values(taken).some((each) => secretVariable(each) === variable);
  const usual = isTaken ? `${name.toUpperCase().replaceAll("-", "_")}_${variable}` : variable;
  const chosen = await ask("Environment variable for its secret", usual, (typed) =>
    settingFault(network, key, typed),
  );
  return chosen === undefined ? undefined : { name, settings: { ...settings, [key]: chosen } };
}

/** Why a setting of an account cannot have this value; undefined if it can. */
function settingFault(network: NetworkName, key: string, value: string): string | undefined {
  const { error } = accountSchema.safeParse({ network, [key]: value });
  const issue = error?.issues.find(({ path }) => path[0] === key);
  return issue === undefined ? undefined : `This must be ${issue.message.replace(/\.$/, "")}.`;
}

function networkNamed(text: string | undefined): NetworkName | undefined {
  const folded = text?.trim().toLowerCase();
  return folded === "bluesky" || folded === "mastodon" || folded === "webhook" ? folded : undefined;
}

/** The answer of the network. It contains only the limits that differ from the project's limits. */
function withOtherLimits(
  check: AccountCheck,
  platform: string,
  config: Pick<Config, "limits" | "platforms" | "accounts">,
): NonNullable<AccountDocument["check"]> {
  if (check.state === "failed") return check;
  const { limits: server = {}, ...account } = check;
  const checked = limitsOfProject(config)(platform)?.limits ?? {};
  const different = SERVER_LIMITS.filter(
    (name) => server[name] !== undefined && !areEqual(server[name], checked[name]),
  );
  if (different.length === 0) return account;
  return { ...account, limits: { server: only(server, different), checked: only(checked, different) } };
}

/** The order of a list does not count. */
function areEqual(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(asSet(one), asSet(other));
}

function asSet(value: unknown): unknown {
  return Array.isArray(value) ? new Set<unknown>(value) : value;
}

function only(limits: ServerLimits, names: readonly (keyof ServerLimits)[]): ServerLimits {
  return Object.fromEntries(names.map((name) => [name, limits[name]]));
}
