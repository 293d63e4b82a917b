/** Finds and reads plancast.yaml. */

import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { isWithin } from "../disk/place.ts";
import { openStateFolder } from "../disk/state-folder.ts";
import { ProjectProblems } from "../model/failure.ts";
import { type Problem, hasErrors, problem } from "../model/problem.ts";
import type { Project } from "../settings/config.ts";
import { checkConfig, configSchema, configShapeProblems } from "./check-project.ts";
import {
  type SettingsFile,
  SettingsPlaces,
  mergeSettingsFiles,
  parseSettings,
  readExtended,
} from "./extended-settings.ts";
import { readTextFile } from "./read/read-file.ts";
import { inFileOrder } from "./read/source-text.ts";
import type { DecodeResult } from "./read/text-encoding.ts";

/** Name of plancast.yaml. Its folder is the project root. */
export const PROJECT_FILE = "plancast.yaml";

const CODES_OF_PROJECT = {
  unreadable: "project/unreadable",
  tooLarge: "project/unreadable",
} as const;

/** Absolute path of plancast.yaml in a folder or the nearest parent; undefined if there is none. */
export async function findProjectFile(startFolder: string): Promise<string | undefined> {
  const path = join(resolve(startFolder), PROJECT_FILE);
  if (await isFile(path)) return path;
  const above = dirname(resolve(startFolder));
  return above === resolve(startFolder) ? undefined : findProjectFile(above);
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

/**
 * Reads plancast.yaml and the files that it extends. Throws ProjectProblems with all faults if it cannot be used.
 */
export async function readProject(path: string): Promise<Project> {
  const absolute = resolve(path);
  const file = basename(absolute);
  const decoded = (await leadsOutside(absolute)) ? outside(file) : await readProjectText(absolute);
  if ("problem" in decoded) throw new ProjectProblems([decoded.problem], () => undefined);
  const root = dirname(absolute);
  const own = parseSettings(file, decoded.text);
  const extended = await readExtended(root, own);
  const files = [own, ...extended.files];
  if (extended.problem !== undefined)
    throw toProjectProblems([extended.problem, ...syntaxOf(files)], files, extended.unread);
  return {
    root,
    file,
    config: configOf(files),
    extended: extended.files.map(({ source }) => ({ file: source.file, text: source.text })),
    state: await openStateFolder(root),
  };
}

/** Whether a file is a link out of its folder. */
async function leadsOutside(path: string): Promise<boolean> {
  const folder = await realpath(dirname(path)).catch(() => undefined);
  const real = await realpath(path).catch(() => undefined);
  return folder !== undefined && real !== undefined && !isWithin(folder, real);
}

function outside(file: string): { readonly problem: Problem } {
  const message = "This is a link to a file outside the project. Replace it with the file itself.";
  return { problem: problem("project/unreadable", message, { file }) };
}

/** The text of plancast.yaml, or what prevents reading it. */
function readProjectText(absolute: string): Promise<DecodeResult> {
  const options = { code: "project/unreadable", encoding: "unicode" } as const;
  return readTextFile(absolute, basename(absolute), CODES_OF_PROJECT, options);
}

/**
 * Parses the text of plancast.yaml. Pure. Throws ProjectProblems.
 * @param extended the texts of the files that it extends, the nearest first
 */
export function parseProject(
  file: string,
  text: string,
  extended: NonNullable<Project["extended"]> = [],
): Project["config"] {
  return configOf([{ file, text }, ...extended].map((each) => parseSettings(each.file, each.text)));
}

/** The settings of plancast.yaml and the files that it extends. Throws ProjectProblems. */
function configOf(files: readonly SettingsFile[]): Project["config"] {
  const problems = syntaxOf(files);
  if (hasErrors(problems)) throw toProjectProblems(problems, files);
  const places = new SettingsPlaces(files);
  const value = mergeSettingsFiles(files) ?? {};
  const result = configSchema.safeParse(value);
  problems.push(...(result.success ? checkConfig(places, result.data) : configShapeProblems(places, value)));
  if (!result.success || hasErrors(problems)) throw toProjectProblems(problems, files);
  return result.data;
}

function syntaxOf(files: readonly SettingsFile[]): Problem[] {
  return files.flatMap(({ document }) => document.problems);
}

/** @param unread a file that could not be read */
function toProjectProblems(
  problems: readonly Problem[],
  files: readonly SettingsFile[],
  unread?: string,
): ProjectProblems {
  const sources = new Map(files.map(({ source }) => [source.file, source]));
  const names = new Set([...sources.keys(), ...problems.map(({ file }) => file)]);
  const inOrder = [...names].flatMap((name) => inFileOrder(problems.filter(({ file }) => file === name)));
  const line: ProjectProblems["sourceLine"] = (file, number) =>
    withoutSecret(sources.get(file)?.line(number));
  return new ProjectProblems(inOrder, line, [...sources.keys(), ...(unread === undefined ? [] : [unread])]);
}

/** The name of a variable is not secret; anything else after `key_env:` may be a key in the wrong place. */
const NAMES_VARIABLE = /^\s*key_env["']?\s*:\s*["']?[A-Z][A-Z0-9_]{0,99}["']?\s*$/;

/**
 * A line that is safe to show, without anything that looks like a key, and without what precedes the host of an
 * address.
 */
function withoutSecret(line: string | undefined): string | undefined {
  if (line !== undefined && NAMES_VARIABLE.test(line)) return line;
  return line
    ?.replace(/((?:key|token|secret|password)\w{0,40}["']?\s*:\s*)\S.*/i, "$1••••")
    .replaceAll(/\S+/g, withoutUser);
}

/** A word without the text between `://` and `@`. */
function withoutUser(word: string): string {
  const parts = word.split("@");
  const last = parts.pop() ?? "";
  return [...parts.map((part) => part.replace(/:\/\/.*/, "://••••")), last].join("@");
}
