/** The commands as data, for the reference: what each tells yargs, written down instead of parsed by. */

import type { Argv, Options, PositionalOptions } from "yargs";
import { COMMANDS } from "../commands/all-commands.ts";
import { type Command, nameOf } from "../commands/shared/command.ts";
import { type GlobalFlags, globalFlags } from "../commands/shared/flags.ts";
import type { DocumentedCommand, DocumentedFlag } from "../report/reference/commands.ts";

interface Definitions {
  readonly positionals: DocumentedFlag[];
  readonly options: DocumentedFlag[];
  readonly examples: { readonly command: string; readonly meaning: string }[];
}

export function listedCommands(): readonly DocumentedCommand[] {
  return COMMANDS.map(({ use }) => use(listedCommand));
}

export function listedGlobalFlags(): readonly DocumentedFlag[] {
  const { definitions, yargs } = recorder<object>();
  globalFlags(yargs);
  return definitions.options;
}

function listedCommand<Flags>({ command, describe, flags }: Command<Flags>): DocumentedCommand {
  const { definitions, yargs } = recorder<GlobalFlags>();
  flags(yargs);
  return { name: nameOf(command), usage: `plancast ${command}`, describe, ...definitions };
}

/** Answers to yargs' methods and keeps what they are told. Those that say nothing of a flag are passed over. */
function recorder<Flags>(): { readonly definitions: Definitions; readonly yargs: Argv<Flags> } {
  const definitions: Definitions = { positionals: [], options: [], examples: [] };
  const methods = {
    positional: (name: string, given: PositionalOptions) =>
      void definitions.positionals.push(listedFlag(name, given)),
    option: (name: string, given: Options) => void definitions.options.push(listedFlag(name, given)),
    example: (command: string, meaning: string) =>
      void definitions.examples.push({ command: command.replace("$0", "plancast"), meaning }),
  };
  const yargs: unknown = new Proxy(methods, {
    get: (known, name) =>
      function record(...given: unknown[]) {
        const method: unknown = Reflect.get(known, name);
        if (typeof method === "function") Reflect.apply(method, undefined, given);
        return yargs;
      },
  });
  // Commands call it as yargs; nothing of it is ever parsed by.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { definitions, yargs: yargs as Argv<Flags> };
}

function listedFlag(name: string, given: Options | PositionalOptions): DocumentedFlag {
  const { alias = [], choices, default: usual, describe, type, array } = given;
  const values = (choices ?? []).map(String);
  return {
    name,
    aliases: [alias].flat(),
    choices: values,
    takesValue: type !== "boolean",
    isList: array === true,
    usual: usualText(usual),
    describe: describe || "",
  };
}

/** What holds where nothing is said; undefined where that is nothing. */
function usualText(usual: unknown): string | undefined {
  return typeof usual === "string" || typeof usual === "number" ? String(usual) : undefined;
}
