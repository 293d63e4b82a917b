/** Completion: what can follow at the cursor. People wait after the Tab key, so slow modules load only when needed. */

import { dirname, join, relative, sep } from "node:path";
import type { Flag } from "../report/reference/help.ts";
import { COMMANDS } from "./all-commands.ts";
import { type ShellName, SHELLS } from "./completion.ts";
import { type Usage, commonFlags, isNamed, namedCommand, usageOf } from "./usage.ts";

interface Candidate {
  readonly value: string;
  readonly describe: string;
}

/**
 * Candidates in the shell's form, one per line; empty if the shell should offer files.
 * @param words those after `plancast` up to the cursor; the last may be empty
 */
export async function complete([shell, ...words]: readonly string[], cwd: string): Promise<string> {
  const name = SHELLS.find((each) => each === shell) ?? "bash";
  const found = await candidates(words, cwd);
  return found.map((each) => `${candidateLine(name, each)}\n`).join("");
}

function candidateLine(shell: ShellName, { value, describe }: Candidate): string {
  if (shell === "bash") return value;
  if (describe === "") return shell === "zsh" ? escapeColons(value) : value;
  return shell === "zsh" ? `${escapeColons(value)}:${describe}` : `${value}\t${describe}`;
}

function escapeColons(text: string): string {
  return text.replaceAll(/[\\:]/g, String.raw`\$&`);
}

async function candidates(given: readonly string[], cwd: string): Promise<readonly Candidate[]> {
  const words = given.flatMap(splitAtEquals);
  // Bash passes the `=` of `--format=json` as a separate word.
  const current = words.at(-1) === "=" ? "" : (words.at(-1) ?? "");
  const before = words.slice(0, -1).filter((word) => word !== "=");
  const command = namedCommand(before);
  const usage = command === undefined ? { flags: commonFlags(), words: [] } : usageOf(await command.load());
  const valued = usage.flags.find((flag) => !flag.isSwitch && isNamed(flag, before.at(-1)));
  const joined = given.at(-1)?.startsWith("--") === true && given.at(-1)?.includes("=") === true;
  if (valued !== undefined) {
    const values = await valuesOf(valued, before, cwd);
    return matching(values, current).map((each) =>
      joined ? { ...each, value: `${before.at(-1)}=${each.value}` } : each,
    );
  }
  if (current.startsWith("-")) return matching(unusedFlags(usage.flags, before), current);
  if (command === undefined) {
    const names = COMMANDS.map(({ name, describe }) => ({ value: name, describe }));
    return matching([...names, { value: "help", describe: "Show the help of a command" }], current);
  }
  const word = wordAt(usage, before.slice(before.indexOf(command.name) + 1));
  if (word === undefined) return current === "" ? unusedFlags(usage.flags, before) : [];
  return matching(await valuesOf(word, before, cwd), current);
}

/** Splits `--format=json` into two words. */
function splitAtEquals(word: string): readonly string[] {
  const [, name, value] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? [];
  if (name !== undefined && value !== undefined) return [name, value];
  return [word];
}

function unusedFlags(flags: readonly Flag[], before: readonly string[]): readonly Candidate[] {
  return flags
    .filter((flag) => flag.isList || !before.some((word) => isNamed(flag, word)))
    .flatMap(({ name, describe }) => [
      { value: `--${name}`, describe },
      ...(name === "color" ? [{ value: "--no-color", describe: "No colours" }] : []),
    ]);
}

/** The positional argument at this place. If the last argument is a list, it applies to all further places. */
function wordAt({ flags, words }: Usage, before: readonly string[]): Flag | undefined {
  const isValue = (index: number): boolean =>
    flags.some((flag) => !flag.isSwitch && isNamed(flag, before[index - 1]));
  const count = before.filter((word, index) => !word.startsWith("-") && !isValue(index)).length;
  return words[count] ?? (words.at(-1)?.isList === true ? words.at(-1) : undefined);
}

/** Empty if any file is possible, or nothing is known. */
async function valuesOf(
  { name, choices }: Flag,
  before: readonly string[],
  cwd: string,
): Promise<readonly Candidate[]> {
  if (choices.length > 0) return choices.map(plain);
  if (name === "calendar") return (await calendars(before, cwd)).map(plain);
  if (name === "timezone") return Intl.supportedValuesOf("timeZone").map(plain);
  if (name !== "preset") return [];
  const { PRESETS } = await import("../settings/presets/presets.ts");
  return Object.entries(PRESETS).map(([value, { title }]) => ({ value, describe: title }));
}

function plain(value: string): Candidate {
  return { value, describe: "" };
}

/** Paths of the project's calendars from the current folder; empty if there is no project, or a broken one. */
async function calendars(before: readonly string[], cwd: string): Promise<readonly string[]> {
  const { findProjectFile, readProject } = await import("../calendars/project.ts");
  const { findCalendars } = await import("../calendars/find.ts");
  try {
    const named = before[before.indexOf("--config") + 1];
    const path =
      before.includes("--config") && named !== undefined ? join(cwd, named) : await findProjectFile(cwd);
    if (path === undefined) return [];
    const { root, config } = await readProject(path);
    const { files } = await findCalendars(dirname(path), config.calendars);
    return files.map((file) => relative(cwd, join(root, file)).split(sep).join("/"));
  } catch {
    return [];
  }
}

/** Names with line breaks are left out. */
function matching(all: readonly Candidate[], current: string): readonly Candidate[] {
  return all.filter(({ value }) => value.startsWith(current) && !/\p{Cc}/u.test(value));
}
