/**
 * The help of the commands. `--help` prints the overview of all commands, or the help of one. The page
 * docs/reference/commands.md has the help of all of them.
 */

import { escapeTerminal } from "../text/escape.ts";
import { codeCell, markdownTable } from "../text/markdown.ts";
import type { Style } from "../text/style.ts";
import { paragraph, textWidth, wrap } from "../text/wrap.ts";

interface HelpOverview {
  readonly groups: readonly ListedGroup[];
  readonly globalFlags: readonly Flag[];
  readonly exitCodes: readonly Entry[];
}

/** A term and its meaning: a command, a flag or an argument. */
type Entry = readonly [term: string, meaning: string];

const INDENT = "  ";
const GAP = "  ";
/** Columns of the terms' column at most. The meaning of a longer term begins on the next line. */
const MAX_TERM = 24;
/** Columns of the meanings' column at least. */
const MIN_MEANING = 20;

export function overviewHelp({ groups, globalFlags, exitCodes }: HelpOverview, style: Style): string {
  const commands = groups.flatMap((group) => group.commands);
  const width = termWidth(commands.map(({ name }) => name));
  return joinSections([
    paragraph("Content calendars as code: a spreadsheet or YAML in git becomes scheduled posts.", style),
    usageLines("plancast <command> [options]", style),
    ...groups.map(({ title, commands: members }) =>
      titled(
        title,
        entryLines(
          members.map(({ name, describe }) => [name, describe]),
          style,
          width,
        ),
        style,
      ),
    ),
    titled("Common options", flagLines(globalFlags, style), style),
    titled("Exit codes", entryLines(exitCodes, style, width), style),
    [
      ...paragraph("First steps: plancast init, then plancast plan, then plancast apply", style),
      ...paragraph("Help for one command: plancast help plan", style),
      ...paragraph("Documentation: docs/README.md in the plancast package", style),
    ],
  ]);
}

export function commandHelp(command: DocumentedCommand, globalFlags: readonly Flag[], style: Style): string {
  const { describe, usage, positionals, options, examples } = command;
  const width = termWidth(options.map(flagTerm));
  return joinSections([
    paragraph(`${describe}.`, style),
    usageLines(`${usage} [options]`, style),
    titled(
      "Examples",
      exampleLines(
        examples.map((each) => [each.command, each.meaning]),
        style,
      ),
      style,
    ),
    titled(
      "Arguments",
      entryLines(
        positionals.map((each) => [each.name, meaningOf(each)]),
        style,
      ),
      style,
    ),
    ...grouped(options).map(([title, flags]) => titled(title, flagLines(flags, style, width), style)),
    titled("Common options (see plancast help)", shortFlagLines(globalFlags, style), style),
  ]);
}

function joinSections(all: readonly (readonly string[])[]): string {
  const shown = all.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${shown.join("\n\n")}\n`;
}

/** Lines below a title; no lines, no title. */
function titled(title: string, lines: readonly string[], { colors }: Style): readonly string[] {
  return lines.length === 0 ? [] : [colors.bold(title), ...lines];
}

function usageLines(usage: string, { colors }: Style): readonly string[] {
  return [`${colors.bold("Usage:")} ${usage}`];
}

/** Commands are never broken, so that you can copy them: meanings are beside them if all fit, otherwise above them. */
function exampleLines(examples: readonly Entry[], style: Style): readonly string[] {
  const width = Math.max(0, ...examples.map(([line]) => textWidth(line)));
  const fits = ([, meaning]: Entry): boolean =>
    INDENT.length + width + GAP.length + Math.max(MIN_MEANING, textWidth(meaning)) <= style.width;
  if (examples.every(fits)) return entryLines(examples, style, width);
  return examples.flatMap(([line, meaning], index) => [
    ...(index === 0 ? [] : [""]),
    ...paragraph(meaning, style, `${INDENT}# `).map((each) => style.colors.dim(each)),
    `${INDENT}${line}`,
  ]);
}

function termWidth(terms: readonly string[]): number {
  return Math.min(MAX_TERM, Math.max(0, ...terms.map((term) => textWidth(term))));
}

/** Two columns: terms, and meanings wrapped beside them. */
function entryLines(
  entries: readonly Entry[],
  style: Style,
  wanted = termWidth(entries.map(([term]) => term)),
): readonly string[] {
  const width = Math.min(wanted, style.width - INDENT.length - GAP.length - MIN_MEANING);
  const margin = " ".repeat(INDENT.length + width + GAP.length);
  const room = style.width - margin.length;
  return entries.flatMap(([term, meaning]) => {
    const [first = "", ...rest] = wrap([{ text: escapeTerminal(meaning) }], {
      width: room,
      ellipsis: style.marks.ellipsis,
    });
    const head =
      textWidth(term) > width ? [INDENT + term, margin + first] : [INDENT + term.padEnd(width) + GAP + first];
    return [...head, ...rest.map((line) => margin + line)];
  });
}

function flagLines(flags: readonly Flag[], style: Style, width?: number): readonly string[] {
  return entryLines(
    flags.map((flag) => [flagTerm(flag), meaningOf(flag)]),
    style,
    width,
  );
}

/** `-y, --yes`, `--out FILE`. */
function flagTerm({ name, aliases, valueName, isSwitch }: Flag): string {
  const short = aliases.filter((alias) => alias.length === 1).map((alias) => `-${alias}, `);
  return `${short.join("")}--${name}${isSwitch ? "" : ` ${valueName}`}`;
}

/** The flags without their meanings, which the overview has. */
function shortFlagLines(flags: readonly Flag[], style: Style): readonly string[] {
  const names = flags.map((flag) => flagTerm(flag).replace(/^-\w, /, ""));
  return paragraph(names.join(", "), style, INDENT);
}

/** The description, with the values that a flag takes, its default and its other long names. */
function meaningOf({ describe, choices, usual, aliases, isSwitch }: Flag): string {
  const long = aliases.filter((alias) => alias.length > 1).map((alias) => `--${alias}`);
  const facts = [
    ...(choices.length > 0 ? [choices.join(", ")] : []),
    ...(usual !== undefined && !isSwitch ? [`default ${usual}`] : []),
    ...(long.length > 0 ? [`also ${long.join(", ")}`] : []),
  ];
  return facts.length === 0 ? describe : `${describe} (${facts.join("; ")})`;
}

/** With fewer flags, titles would be in the way. */
const MIN_GROUPED = 5;

/** Flags below their titles, in the order of each title's first flag. */
function grouped(flags: readonly Flag[]): readonly (readonly [title: string, flags: readonly Flag[]])[] {
  if (flags.length < MIN_GROUPED) return [["Options", flags]];
  const titles = [...new Set(flags.map(({ group }) => group))];
  return titles.map((title) => [title, flags.filter(({ group }) => group === title)]);
}

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
  /** A flag that can be repeated, or a positional argument that can have several values. */
  readonly isList: boolean;
  readonly isRequired: boolean;
  /** A value must follow the flag. */
  readonly needsValue: boolean;
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
interface ListedGroup {
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
