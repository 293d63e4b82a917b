/** All commands, one line each, in the order in which the help shows them. Nothing here loads yargs: completion has no time for it. */

import { aiCommand } from "./ai/command.ts";
import { applyCommand } from "./apply/command.ts";
import { automationsCommand } from "./automations/command.ts";
import { calendarCommand } from "./calendar/command.ts";
import { ciCommand } from "./ci/command.ts";
import { columnsCommand } from "./columns/command.ts";
import { completionCommand } from "./completion.ts";
import { convertCommand } from "./convert/command.ts";
import { doctorCommand } from "./doctor/command.ts";
import { draftCommand } from "./draft/command.ts";
import { initCommand } from "./init/command.ts";
import { listenCommand } from "./listen/command.ts";
import { mediaCommand } from "./media/command.ts";
import { planCommand } from "./plan/command.ts";
import { platformsCommand } from "./platforms/command.ts";
import { postsCommand } from "./posts/command.ts";
import { previewCommand } from "./preview/command.ts";
import { pullCommand } from "./pull/command.ts";
import { resolveCommand } from "./resolve/command.ts";
import { rulesCommand } from "./rules.ts";
import { serveCommand } from "./serve.ts";
import { type Command, nameOf } from "./shared/command.ts";
import { statusCommand } from "./status/command.ts";
import { validateCommand } from "./validate.ts";
import { webhooksCommand } from "./webhooks/command.ts";

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
