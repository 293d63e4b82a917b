/** `plancast accounts add`: asks for an account, signs in with its secret, and adds it to plancast.yaml without the secret. */

import { addAccountSettings } from "../../calendars/edit/project-settings.ts";
import { parseProject } from "../../calendars/project.ts";
import { Failure } from "../../model/failure.ts";
import { accountNames, checkAccount } from "../../networks/open-accounts.ts";
import {
  NETWORK_QUESTIONS,
  addedText,
  checkFailedText,
  limitsText,
  secretAdvice,
  secretPrompt,
} from "../../report/status/network-accounts.ts";
import { escapeTerminal, terminalText } from "../../report/text/escape.ts";
import { paragraph } from "../../report/text/wrap.ts";
import { secretVariable } from "../../settings/accounts.ts";
import type { ProjectRun } from "../shell/command.ts";
import { networkOptions } from "../project/connect.ts";
import { openProjectFile } from "../project/project-file.ts";
import type { ExitCode } from "../shell/shell.ts";
import { withOtherLimits } from "./other-limits.ts";

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
      "account/needs-terminal",
      "Cannot ask for the account: this is not a terminal. Nothing was changed.",
      `Add it under \`accounts:\` in ${project.file}, then run \`plancast accounts check\`.`,
    );
  const asked = await askAccount(run, wanted);
  if (asked === undefined) return 130;
  const file = await openProjectFile(project);
  const after = addAccountSettings(project, file.text, asked.name, asked.settings);
  const added = accountNames(parseProject(project.file, after, project.extended).accounts).find(
    ({ name }) => name === asked.name,
  );
  if (added === undefined) throw new Error("The account is missing in the new text.");
  const variable = secretVariable(added.settings);
  console.note(terminalText(paragraph(secretAdvice(added.settings), console.errorStyle)));
  const secret = shell.env[variable] || (await shell.ask(secretPrompt(variable), "hidden"));
  if (secret === undefined || secret === "") return shell.stop.aborted ? 130 : 1;
  const options = { ...networkOptions(run, project), stop: shell.stop, namedBy: "person" as const };
  const answer = await checkAccount(added, { ...options, env: { ...shell.env, [variable]: secret } });
  if (answer.state === "failed") {
    console.note(terminalText(paragraph(checkFailedText(added.name, answer.reason), console.errorStyle)));
    return 1;
  }
  await file.write(after);
  const check = withOtherLimits(answer, added.platform, project.config);
  const texts = [
    addedText(added.name, variable, project.file, added.platform),
    limitsText({ platform: added.platform, check }),
  ];
  shell.stdout.write(
    terminalText(texts.filter((text) => text !== "").flatMap((text) => paragraph(text, console.style))),
  );
  return 0;
}

interface AskedAccount {
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** Undefined if the person leaves. Answers are checked when the new plancast.yaml is read. */
async function askAccount(
  { project, shell }: ProjectRun,
  wanted: string | undefined,
): Promise<AskedAccount | undefined> {
  const ask = async (text: string, usual = ""): Promise<string | undefined> => {
    const answer = await shell.ask(`${escapeTerminal(text)}${usual === "" ? "" : ` [${usual}]`}: `);
    return answer === "" ? usual : answer;
  };
  const named = await ask("Network: bluesky, mastodon or webhook", networkNamed(wanted));
  if (named === undefined) return undefined;
  const network = networkNamed(named);
  if (network === undefined)
    throw new Failure(
      "usage/arguments",
      `"${named}" is not a network on which plancast publishes.`,
      "Choose bluesky, mastodon or webhook.",
    );
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
    const answer = await ask(text, usual);
    if (answer === undefined) return undefined;
    if (answer !== usual) settings[key] = answer;
  }
  const { key, variable } = SECRETS[network];
  const isTaken = Object.values(taken).some((each) => secretVariable(each) === variable);
  const usual = isTaken ? `${name.toUpperCase().replaceAll("-", "_")}_${variable}` : variable;
  const chosen = await ask("Environment variable for its secret", usual);
  return chosen === undefined ? undefined : { name, settings: { ...settings, [key]: chosen } };
}

function networkNamed(text: string | undefined): NetworkName | undefined {
  const folded = text?.trim().toLowerCase();
  return folded === "bluesky" || folded === "mastodon" || folded === "webhook" ? folded : undefined;
}
