/** The commands as data, for the reference pages: what each would tell yargs. */

import { COMMANDS } from "../commands/all-commands.ts";
import { globalFlags } from "../commands/shared/flags.ts";
import { type Flag, definedBy } from "../commands/usage.ts";
import type { DocumentedCommand, DocumentedFlag } from "../report/reference/commands.ts";

export function listedCommands(): Promise<readonly DocumentedCommand[]> {
  return Promise.all(
    COMMANDS.map(async ({ name, words, describe, use }) => {
      const defined = await use(({ flags }) => definedBy(flags));
      return {
        name,
        usage: `plancast ${words}`,
        describe,
        positionals: defined.words.map(documented),
        options: defined.flags.map(documented),
        examples: defined.examples.map(([line, meaning]) => ({
          command: line.replace("$0", "plancast"),
          meaning,
        })),
      };
    }),
  );
}

export function listedGlobalFlags(): readonly DocumentedFlag[] {
  return definedBy(globalFlags).flags.map(documented);
}

function documented({ isSwitch, ...flag }: Flag): DocumentedFlag {
  return { ...flag, takesValue: !isSwitch };
}
