/**
 * What plancast proposes for calendars: tables of lines, each with an answer that a person accepts or changes. An answer is
 * settings for plancast.yaml. Nothing here is applied without somebody's answer.
 */

import { isObject } from "../../model/data.ts";
import { foldName } from "../../model/text.ts";
import type { ProjectSettings } from "../../settings/config.ts";

/** An answer to a line. */
export interface Choice {
  /** What a person may type for it: `content`, `ready`. */
  readonly word: string;
  /** The same for people. */
  readonly text: string;
  readonly settings: ProjectSettings;
}

/** Words for choices without a setting: the person changes the calendar, or wants none of the proposed settings. */
export const WORDS_ONLY = ["fix", "above", "none", "header"] as const;

/**
 * How sure plancast is. `certain`: it knows the answer. `note`: nothing shows that it is more than a note for the team.
 * `extra`: nobody has to answer it. `proposed`: a guess. `open`: only the team knows.
 */
type Certainty = "certain" | "note" | "extra" | "proposed" | "open";

/** A column, a value, or another thing to answer. */
export interface ProposalLine {
  /** Where plancast.yaml has the answer: `["columns", "Caption"]`. */
  readonly path: readonly string[];
  readonly name: string;
  /** Some of its cells, or what shows the answer. */
  readonly examples: readonly string[];
  readonly rows?: number;
  readonly certainty: Certainty;
  /** What plancast proposes; undefined for an open line. */
  readonly chosen: Choice | undefined;
  /** The likely answer is first. */
  readonly choices: readonly Choice[];
  /** What to know before answering. */
  readonly question?: string | undefined;
  /** Other answers: what to type, and how to read it. Undefined for a text without a meaning. */
  readonly typed?: TypedAnswer | undefined;
}

export interface TypedAnswer {
  readonly prompt: string;
  readonly read: (text: string) => Choice | undefined;
  /** Why a text has no meaning; undefined if there is nothing special to say. */
  readonly why?: (text: string) => string | undefined;
}

export interface ProposalTable {
  /** Stays the same when the calendars are read again with further answers. */
  readonly id: string;
  readonly title: string;
  /** The titles of its columns. */
  readonly heads: { readonly name: string; readonly examples: string; readonly answer: string };
  readonly lines: readonly ProposalLine[];
  /** What seems wrong about the answers to all lines; undefined if nothing does. */
  readonly doubt?: (lines: readonly ProposalLine[]) => string | undefined;
}

/** The setting at a path; undefined if there is none. An entry of `calendars:` is found by its files. */
export function settingIn(settings: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return settings;
  if (Array.isArray(settings)) {
    const entries: readonly unknown[] = settings;
    return settingIn(
      entries.find((each) => isObject(each) && each["files"] === name),
      rest,
    );
  }
  return isObject(settings) && Object.hasOwn(settings, name) ? settingIn(settings[name], rest) : undefined;
}

/** Settings, plus further ones, which win. Mappings are merged, and so are entries of `calendars:` for the same files. */
export function mergeSettings(under: ProjectSettings, over: ProjectSettings): ProjectSettings {
  const merged = merge(under, over);
  return isObject(merged) ? merged : under;
}

function merge(under: unknown, over: unknown): unknown {
  if (isObject(under) && isObject(over)) {
    const names = [...new Set([...Object.keys(under), ...Object.keys(over)])];
    return Object.fromEntries(
      names.map((name) => [
        name,
        MERGED_LISTS[name]?.(under[name], over[name]) ?? merge(under[name], over[name]),
      ]),
    );
  }
  return over === undefined ? under : over;
}

/** Lists to which an answer adds. Any other list is replaced. */
const MERGED_LISTS: Readonly<Partial<Record<string, (under: unknown, over: unknown) => unknown>>> = {
  calendars: mergeEntries,
  carry: (under, over) =>
    Array.isArray(under) && Array.isArray(over) ? [...new Set([...under, ...over])] : undefined,
};

function filesOf(entry: unknown): unknown {
  return isObject(entry) ? (entry["files"] ?? entry["file"]) : entry;
}

/** An entry with further settings. The copy of a sheet has `file:` in the place of `files:`. */
function withSettings(entry: unknown, { files, ...settings }: Readonly<Record<string, unknown>>): unknown {
  return merge(isObject(entry) ? entry : { files }, settings);
}

function mergeEntries(under: unknown, over: unknown): unknown {
  if (!Array.isArray(under) || !Array.isArray(over)) return over ?? under;
  const [entries, changes]: readonly unknown[][] = [under, over];
  const changed = (entries ?? []).map((entry) => {
    const change = changes?.find((each) => filesOf(each) === filesOf(entry));
    return isObject(change) ? withSettings(entry, change) : entry;
  });
  const known = new Set((entries ?? []).map(filesOf));
  return [...changed, ...(changes ?? []).filter((each) => !known.has(filesOf(each)))];
}

/** Whether plancast.yaml needs the answer: not for a name or a word that plancast has itself. */
export function isWritten({ chosen, certainty, path }: ProposalLine): boolean {
  return certainty !== "certain" || chosen?.word !== foldName(path.at(-1) ?? "");
}

/** The settings of all lines that have an answer. */
export function settingsOfLines(lines: readonly ProposalLine[]): ProjectSettings {
  return lines.reduce<ProjectSettings>(
    (settings, line) =>
      line.chosen === undefined || !isWritten(line)
        ? settings
        : mergeSettings(settings, line.chosen.settings),
    {},
  );
}

/** The choice that a person means by a text. */
export function choiceNamed({ choices, typed }: ProposalLine, text: string): Choice | undefined {
  const said = foldName(text);
  return (
    choices.find(({ word }) => foldName(word) === said) ??
    choices.find((each) => foldName(each.text) === said) ??
    typed?.read(text)
  );
}
