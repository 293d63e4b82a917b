/** `plancast --help`, `plancast help plan`, and `plancast` without arguments. */

import { commandHelp, overviewHelp } from "../report/reference/help.ts";
import { COMMAND_GROUPS } from "./all-commands.ts";
import type { Console } from "./common/console.ts";
import { EXIT_CODES } from "./common/shell.ts";
import { commonFlags, documented, namedCommand, unknownCommand } from "./usage.ts";

/** Prints the help of the command that `topic` names, or the overview. Throws a Failure for an unknown command. */
export async function showHelp(topic: readonly string[], console: Console): Promise<void> {
  const command = namedCommand(topic);
  if (command === undefined && topic.length > 0) throw unknownCommand(topic);
  const help =
    command === undefined
      ? overview(console)
      : commandHelp(await documented(command), commonFlags(), console.style);
  console.result(help);
}

function overview({ style }: Console): string {
  const exitCodes = Object.entries(EXIT_CODES).map(([code, { short }]) => [code, short] as const);
  return overviewHelp({ groups: COMMAND_GROUPS, globalFlags: commonFlags(), exitCodes }, style);
}
