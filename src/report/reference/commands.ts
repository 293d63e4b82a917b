/** docs/reference/commands.md: the help of all commands on one page. */

import { codeCell, markdownTable } from "../text/markdown.ts";

/** A flag, or a positional argument. */
export interface Flag {
  readonly name: string;
  readonly describe: string;
  /** Other names, without dashes. */
  readonly aliases: readonly string[];
  /** The only values; empty if any text is possible. */
  readonly choices: readonly string[];
  /** The title for this flag in the help. */
  readonly group: string;
  /** Placeholder for the value in the help: `FILE`. */
  readonly valueName: string;
  /** Takes no value. */
  readonly isSwitch: boolean;
  /** A flag: repeatable. A positional argument: several are possible. */
  readonly isList: boolean;
  /** The default value as text; undefined if there is none. */
  readonly usual: string | undefined;
}

export interface DocumentedCommand {
  readonly name: string;
  /** With its positional arguments: `plancast plan [calendar...]`. */
  readonly usage: string;
  readonly describe: string;
  readonly positionals: readonly Flag[];
  readonly options: readonly Flag[];
  readonly examples: readonly { readonly command: string; readonly meaning: string }[];
}

/** Commands below a title, in the order of the help. */
export interface ListedGroup {
  readonly title: string;
  readonly commands: readonly Pick<DocumentedCommand, "name" | "describe">[];
}

interface CommandReference {
  readonly groups: readonly ListedGroup[];
  readonly commands: readonly DocumentedCommand[];
  readonly globalFlags: readonly Flag[];
  readonly exitCodes: Readonly<Record<string, { readonly meaning: string }>>;
}

const INTRODUCTION = `<!-- Written by \`npm run docs\` from src/commands. Do not edit. -->

# Commands

\`plancast help COMMAND\` and \`plancast COMMAND --help\` show the same in the terminal. You can leave out what is in \`[ ]\`. \`...\`
means that you can give several.
`;

export function commandsMarkdown({ groups, commands, globalFlags, exitCodes }: CommandReference): string {
  const overview = groups.flatMap(({ title, commands: members }) =>
    members.map(({ name, describe }) => [title, `[\`${name}\`](#${name})`, describe]),
  );
  return [
    INTRODUCTION,
    markdownTable(["for", "command", "what it does"], overview),
    ...commands.map(section),
    "## Flags of every command\n",
    flagTable(globalFlags),
    "`--help` (`-h`) shows a command's help, `--version` (`-v`) the version of plancast.\n",
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

function flagTable(flags: readonly Flag[]): string {
  const rows = flags.map((flag) => [flagText(flag), valueText(flag), flag.describe]);
  return markdownTable(["flag", "value", "what it does"], rows);
}

function flagText({ name, aliases }: Flag): string {
  return [name, ...aliases].map((each) => codeCell(`${each.length === 1 ? "-" : "--"}${each}`)).join(" ");
}

function valueText({ choices, valueName, isSwitch, isList, usual }: Flag): string {
  const values = choices.map((choice) => (choice === usual ? `**${codeCell(choice)}**` : codeCell(choice)));
  if (values.length > 0) return `one of ${values.join(", ")}`;
  const kind = isSwitch ? "" : `${codeCell(valueName)}${isList ? ", several" : ""}`;
  return usual === undefined ? kind : `${kind}; default ${codeCell(usual)}`.replace(/^; /, "");
}
