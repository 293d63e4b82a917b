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
export interface RegisteredCommand {
  /** The word after `plancast`. */
  readonly name: string;
  readonly use: <Result>(work: <Flags>(given: Command<Flags>) => Result) => Result;
}

function register<Flags>(given: Command<Flags>): RegisteredCommand {
  return { name: nameOf(given.command), use: (work) => work(given) };
}

export const COMMANDS: readonly RegisteredCommand[] = [
  register(initCommand),
  register(validateCommand),
  register(planCommand),
  register(applyCommand),
  register(previewCommand),
  register(calendarCommand),
  register(statusCommand),
  register(listenCommand),
  register(draftCommand),
  register(columnsCommand),
  register(convertCommand),
  register(pullCommand),
  register(resolveCommand),
  register(postsCommand),
  register(mediaCommand),
  register(platformsCommand),
  register(aiCommand),
  register(automationsCommand),
  register(webhooksCommand),
  register(doctorCommand),
  register(rulesCommand),
  register(serveCommand),
  register(ciCommand),
  register(completionCommand),
];
