/** docs/reference/commands.md: what --help of each command says, on one page. */

import { codeCell, markdownTable } from "../text/markdown.ts";

export interface DocumentedFlag {
  readonly name: string;
  readonly aliases: readonly string[];
  /** The values that it takes; none where it takes any. */
  readonly choices: readonly string[];
  readonly takesValue: boolean;
  readonly isList: boolean;
  /** Its value where it is not given; undefined where it has none then. */
  readonly usual: string | undefined;
  readonly describe: string;
}

export interface DocumentedCommand {
  readonly name: string;
  /** With its positional arguments: `plancast plan [calendar..]`. */
  readonly usage: string;
  readonly describe: string;
  readonly positionals: readonly DocumentedFlag[];
  readonly options: readonly DocumentedFlag[];
  readonly examples: readonly { readonly command: string; readonly meaning: string }[];
}

interface CommandReference {
  readonly commands: readonly DocumentedCommand[];
  readonly globalFlags: readonly DocumentedFlag[];
  readonly exitCodes: Readonly<Record<string, { readonly meaning: string }>>;
}

const INTRODUCTION = `<!-- Written by \`npm run docs\` from src/commands. Do not edit. -->

# Commands

\`plancast COMMAND --help\` says the same in the terminal. What stands in \`[ ]\` may be left out; \`..\` stands for several.
`;

export function commandsMarkdown({ commands, globalFlags, exitCodes }: CommandReference): string {
  const overview = commands.map(({ name, describe }) => [`[\`${name}\`](#${name})`, describe]);
  return [
    INTRODUCTION,
    markdownTable(["command", "what it does"], overview),
    ...commands.map(section),
    "## Flags of every command\n",
    flagTable(globalFlags),
    "`--help` (`-h`) shows a command's help, `--version` (`-v`) the version.\n",
    "## Exit codes\n",
    markdownTable(
      ["code", "meaning"],
      Object.entries(exitCodes).map(([code, { meaning }]) => [code, meaning]),
    ),
  ].join("\n");
}

function section({ name, usage, describe, positionals, options, examples }: DocumentedCommand): string {
  const parts = [`## ${name}\n`, `${describe}.\n`, `\`\`\`text\n${usage}\n\`\`\`\n`];
  if (positionals.length > 0) {
    const rows = positionals.map((each) => [codeCell(each.name), valueText(each), each.describe]);
    parts.push(markdownTable(["argument", "value", "what it is"], rows));
  }
  if (options.length > 0) parts.push(flagTable(options));
  if (examples.length > 0) {
    const rows = examples.map(({ command, meaning }) => [codeCell(command), meaning]);
    parts.push(markdownTable(["example", "what it does"], rows));
  }
  return parts.join("\n");
}

function flagTable(flags: readonly DocumentedFlag[]): string {
  const rows = flags.map((flag) => [flagText(flag), valueText(flag), flag.describe]);
  return markdownTable(["flag", "value", "what it does"], rows);
}

function flagText({ name, aliases }: DocumentedFlag): string {
  return [name, ...aliases].map((each) => codeCell(`${each.length === 1 ? "-" : "--"}${each}`)).join(" ");
}

function valueText({ choices, takesValue, isList, usual }: DocumentedFlag): string {
  const values = choices.map((choice) => (choice === usual ? `**${codeCell(choice)}**` : codeCell(choice)));
  if (values.length > 0) return `one of ${values.join(", ")}`;
  const kind = takesValue ? `text${isList ? ", several" : ""}` : "";
  return usual === undefined ? kind : `${kind}; else ${codeCell(usual)}`.replace(/^; /, "");
}
