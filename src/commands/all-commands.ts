/** All commands, one line each, in the order in which the help shows them. Nothing here loads yargs: completion has no time for it. */
import { nameOf, type Command } from "./command.ts";
import { aiCommand } from "./ai.ts";
import { applyCommand } from "./apply.ts";
import { automationsCommand } from "./automations.ts";
import { ciCommand } from "./ci.ts";
import { calendarCommand } from "./calendar.ts";
import { columnsCommand } from "./columns.ts";
import { completionCommand } from "./completion.ts";
import { convertCommand } from "./convert.ts";
import { doctorCommand } from "./doctor.ts";
import { draftCommand } from "./draft.ts";
import { initCommand } from "./init.ts";
import { listenCommand } from "./listen.ts";
import { mediaCommand } from "./media.ts";
import { planCommand } from "./plan.ts";
import { platformsCommand } from "./platforms.ts";
import { postsCommand } from "./posts.ts";
import { previewCommand } from "./preview.ts";
import { pullCommand } from "./pull.ts";
import { resolveCommand } from "./resolve.ts";
import { rulesCommand } from "./rules.ts";
import { serveCommand } from "./serve.ts";
import { statusCommand } from "./status.ts";
import { validateCommand } from "./validate.ts";
import { webhooksCommand } from "./webhooks.ts";

/** A command whose flags' type need not be known, for what is done with each of them. */
export interface ListedCommand {
  /** The word after `plancast`. */
  readonly name: string;
  readonly use: <Result>(work: <Flags>(given: Command<Flags>) => Result) => Result;
}

function listed<Flags>(given: Command<Flags>): ListedCommand {
  return { name: nameOf(given.command), use: (work) => work(given) };
}

export const COMMANDS: readonly ListedCommand[] = [
  listed(initCommand),
  listed(validateCommand),
  listed(planCommand),
  listed(applyCommand),
  listed(previewCommand),
  listed(calendarCommand),
  listed(statusCommand),
  listed(listenCommand),
  listed(draftCommand),
  listed(columnsCommand),
  listed(convertCommand),
  listed(pullCommand),
  listed(resolveCommand),
  listed(postsCommand),
  listed(mediaCommand),
  listed(platformsCommand),
  listed(aiCommand),
  listed(automationsCommand),
  listed(webhooksCommand),
  listed(doctorCommand),
  listed(rulesCommand),
  listed(serveCommand),
  listed(ciCommand),
  listed(completionCommand),
];
