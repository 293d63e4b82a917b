/** What a command takes, as data: for completion and for "did you mean", which both must not wait for yargs. */
import type { Argv, Options } from "yargs";
import { globalFlags, type Command, type GlobalFlags } from "./command.ts";

/** A flag, or a word of the command line by its place. */
export interface Flag {
  readonly name: string;
  readonly describe: string;
  /** Other names, without dashes. */
  readonly aliases: readonly string[];
  /** The only values; none where any will do. */
  readonly choices: readonly string[];
  /** Takes no value. */
  readonly isSwitch: boolean;
  /** May be given several times; a word of the command line: may be several. */
  readonly isList: boolean;
}

export interface Usage {
  /** With those of every command. */
  readonly flags: readonly Flag[];
  /** In their order. */
  readonly words: readonly Flag[];
  /** Command lines, which begin with `$0`, each with what it does. */
  readonly examples: readonly (readonly [string, string])[];
}

/** What every command takes, `--help` included. */
export function commonFlags(): readonly Flag[] {
  const { parser, calls } = recorder();
  globalFlags(parser);
  return [
    ...calls.flatMap(flagsFrom("option")),
    flag("help", { type: "boolean", alias: "h", describe: "Show help" }),
    flag("version", { type: "boolean", alias: "v", describe: "Show version number" }),
  ];
}

export function usageOf<Flags>(given: Command<Flags>): Usage {
  const { parser, calls } = recorder();
  given.flags(parser);
  return {
    flags: [...calls.flatMap(flagsFrom("option")), ...commonFlags()],
    words: calls.flatMap(flagsFrom("positional")),
    examples: calls.flatMap(({ method, name, more }) =>
      method === "example" && typeof more === "string" ? [[name, more] as const] : [],
    ),
  };
}

/** A call of the parser, as commands write them. */
interface Call {
  readonly method: string;
  /** Of a flag; or an example's command line. */
  readonly name: string;
  /** What is said of it. */
  readonly more: Options | string;
}

/** A parser that only writes down what it is told. */
function recorder(): { readonly parser: Argv<GlobalFlags>; readonly calls: readonly Call[] } {
  const calls: Call[] = [];
  const told = (method: string) => (name: string, more: Options | string) => {
    calls.push({ method, name, more });
    return parser;
  };
  // It stands for the whole of yargs, of which it needs to know nothing.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const parser = new Proxy({}, { get: (_target, method) => told(String(method)) }) as Argv<GlobalFlags>;
  return { parser, calls };
}

function flagsFrom(wanted: "option" | "positional"): (call: Call) => Flag[] {
  return ({ method, name, more }) =>
    method === wanted && typeof more !== "string" ? [flag(name, more)] : [];
}

function flag(name: string, { type, describe, alias = [], choices = [], array }: Options): Flag {
  return {
    name,
    describe: typeof describe === "string" ? describe : "",
    aliases: typeof alias === "string" ? [alias] : alias,
    choices: choices.map(String),
    isSwitch: type === "boolean",
    isList: array === true,
  };
}
