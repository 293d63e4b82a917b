/**
 * The project on disk: finds and reads plancast.yaml with the files that it extends, and reads the lockfile as far as
 * that needs no service.
 */

import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { readRegular } from "../disk/files.ts";
import { findRepository } from "../disk/git.ts";
import { realpath, stat } from "../disk/machine.ts";
import { type Place, isWithin, placeInProject } from "../disk/place.ts";
import { openStateFolder } from "../disk/state-folder.ts";
import { isObject } from "../model/data.ts";
import { Failure, ProjectProblems } from "../model/failure.ts";
import { type Lockfile, checkLockfile } from "../model/lockfile.ts";
import { type Position, type Problem, hasErrors, problem } from "../model/problem.ts";
import { foldName } from "../model/text.ts";
import type { Project } from "../settings/config.ts";
import { type SettingsPlaces, checkConfig, configSchema, configShapeProblems } from "./check-project.ts";
import { SourceText, inFileOrder } from "./read/source-text.ts";
import { type DecodeResult, readTextFile } from "./read/text-encoding.ts";
import { YamlDocument, kindOf, valueAt } from "./formats/yaml/document.ts";

/** Name of plancast.yaml. Its folder is the project root. */
export const PROJECT_FILE = "plancast.yaml";

const CODES_OF_PROJECT = {
  unreadable: "disk/unreadable",
  tooLarge: "disk/unreadable",
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
    text: decoded.text,
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
  return { problem: problem("disk/outside", message, { file }) };
}

/** The text of plancast.yaml, or what prevents reading it. */
function readProjectText(absolute: string): Promise<DecodeResult> {
  const options = { code: "disk/unreadable", encoding: "unicode" } as const;
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
  const places = new MergedPlaces(files);
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

// `extends:` of plancast.yaml. A checkout names these files, so they must be YAML files of the repository, and no link
// leads to them.

/** plancast.yaml, or a file that it extends. */
interface SettingsFile {
  readonly source: SourceText;
  readonly document: YamlDocument;
  /** The settings in it. A key without a value counts as absent: people comment out the values under it. */
  readonly value: unknown;
}

/** @param file relative to the project root, with `/` */
function parseSettings(file: string, text: string): SettingsFile {
  const source = new SourceText(file, text);
  const document = new YamlDocument(source, { schema: "core", keyName: (key) => key });
  return { source, document, value: withoutNulls(document.value) };
}

function withoutNulls(value: unknown): unknown {
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(entries.map(([key, each]) => [key, withoutNulls(each)]));
}

/** The files that plancast.yaml extends, the nearest first, and the problem that ended the search, if any. */
interface ExtendedFiles {
  readonly files: readonly SettingsFile[];
  readonly problem?: Problem;
  /** The file that could not be read, if it may be read at all. Relative to the project root, with `/`. */
  readonly unread?: string | undefined;
}

/** A limit that no real project reaches. */
const MAX_FILES = 10;
/** Larger than any settings, in bytes. */
const MAX_BYTES = 1_048_576;

/** Reads the files that plancast.yaml extends. @param root of the project, absolute */
async function readExtended(root: string, own: SettingsFile): Promise<ExtendedFiles> {
  const files: SettingsFile[] = [];
  let holder = own;
  for (;;) {
    const named = valueAt(holder.value, ["extends"]);
    if (named === undefined) return { files };
    const at = holder.document.at(["extends"]);
    const seen = [own, ...files].map(({ source }) => source.file);
    const next = await readNext(root, { named, holder: holder.source.file, at, seen });
    if ("problem" in next) return { files, ...next };
    files.push(next);
    holder = next;
    const isSettings = next.value === undefined || next.value === null || isObject(next.value);
    if (isSettings) continue;
    const message = `${next.source.file} must be a mapping, but it is ${kindOf(next.value)}.`;
    return { files, problem: problem("project/invalid", message, next.document.at([])) };
  }
}

/** A value of `extends:`. */
interface Named {
  readonly named: unknown;
  /** The file with this value, relative to the project root. */
  readonly holder: string;
  readonly at: Position;
  /** The files that were read before. */
  readonly seen: readonly string[];
}

type Refused = Pick<Required<ExtendedFiles>, "problem"> & Pick<ExtendedFiles, "unread">;

async function readNext(root: string, { named, holder, at, seen }: Named): Promise<SettingsFile | Refused> {
  const refuse = (message: string): Refused => ({ problem: problem("project/extends", message, at) });
  const fault = nameFault(named);
  if (fault !== undefined || typeof named !== "string") return refuse(`\`extends\` ${fault}.`);
  // The same file always has the same name, also as `../acme/base.yaml` in the folder acme.
  const file = relative(root, join(root, dirname(holder), named.replaceAll("\\", "/"))).replaceAll(sep, "/");
  if (seen.includes(file)) return refuse(`\`extends\` leads back to ${file}. Remove one of the two lines.`);
  if (seen.length > MAX_FILES)
    return refuse(`More than ${MAX_FILES} files extend each other. Merge some of them.`);
  const place = await placeOf(root, file);
  if (typeof place === "string") return refuse(`\`extends\` ${place}`);
  const found = await stat(place.path).catch(() => undefined);
  if (found?.isFile() === true && found.size > MAX_BYTES) return refuse(`${file} is larger than 1 MB.`);
  const codes = { unreadable: "project/extends", tooLarge: "project/extends" } as const;
  const read = await readTextFile(place.path, file, codes, {
    code: "disk/unreadable",
    encoding: "unicode",
  });
  if (!("problem" in read)) return parseSettings(file, read.text);
  // A fault in the text has its own place.
  return read.problem.line === undefined
    ? { ...refuse(`\`extends\` names ${file}. ${read.problem.message}`), unread: file }
    : { problem: read.problem, unread: file };
}

/** What is wrong with the name, as the end of a sentence; undefined if it may be used. */
function nameFault(named: unknown): string | undefined {
  if (typeof named !== "string") return `must be the path of one file, but it is ${kindOf(named)}`;
  if (/^[/\\~]|^[A-Za-z]:|\p{Cc}/u.test(named))
    return "must be a path relative to this file, such as ../agency.yaml";
  // Other files may contain secrets, and messages about these files would show them.
  return /[^/\\]\.ya?ml$/i.test(named) ? undefined : "must name a file that ends in .yaml or .yml";
}

/** The place of a file in the repository, or why it must not be read. Without a repository, it must be in the project. */
async function placeOf(root: string, file: string): Promise<Place | string> {
  const folder = await realpath(root);
  const repository = (await findRepository(folder))?.root;
  const limit = repository ?? folder;
  try {
    return await placeInProject(limit, relative(limit, join(folder, file)));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === "disk/linked") return `names ${file}. ${error.message} ${error.hint ?? ""}`;
    return repository === undefined
      ? `names ${file}, which is outside the project. To share settings between projects, put them into one git repository.`
      : `names ${file}, which is outside the repository, or in a folder of git or plancast. Name a file in the repository.`;
  }
}

/** Mappings whose keys are the same if they differ only in case, spaces, `-` and `_`. */
const FOLDED: readonly string[] = ["columns", "status_values"];

/**
 * The settings of all files together. Nearer files win: mappings are merged, and everything else is replaced.
 * @param files the nearest first
 */
function mergeSettingsFiles(files: readonly SettingsFile[]): unknown {
  return files.map(({ value }) => value).reduce((over, under) => mergeValues(over, under, undefined));
}

/** @param key of the two values; undefined for the whole files */
function mergeValues(over: unknown, under: unknown, key: string | undefined): unknown {
  if (over === undefined || over === null) return under;
  if (!isObject(over) || !isObject(under)) return over;
  const nameOf = (each: string): string =>
    key !== undefined && FOLDED.includes(key) ? foldName(each) : each;
  const names = new Set(Object.keys(over).map(nameOf));
  const left = Object.entries(under).filter(([each]) => !names.has(nameOf(each)));
  const own = Object.entries(over).map(([each, value]) => {
    const below = Object.hasOwn(under, each) ? under[each] : undefined;
    return [each, below === undefined ? value : mergeValues(value, below, each)] as const;
  });
  return Object.fromEntries([...left, ...own]);
}

/** Finds the places of settings in several files, as `mergeSettingsFiles` merges them. */
class MergedPlaces implements SettingsPlaces {
  readonly #files: readonly SettingsFile[];

  /** @param files the nearest first; at least one */
  constructor(files: readonly SettingsFile[]) {
    this.#files = files;
  }

  at(path: readonly PropertyKey[]): Position {
    return this.#documentWith(path).at(path);
  }

  keyAt(path: readonly PropertyKey[], key: string): Position {
    return this.#documentWith([...path, key]).keyAt(path, key);
  }

  /** The document from which the value at a path comes. */
  #documentWith(path: readonly PropertyKey[]): YamlDocument {
    const filled = this.#files.filter(({ value }) => value !== undefined && value !== null);
    let holding: readonly Pick<SettingsFile, "document" | "value">[] =
      filled.length > 0 ? filled : this.#files;
    for (const step of path) {
      // A value that is not a mapping replaces everything below it.
      if (!isObject(holding[0]?.value)) break;
      const next = holding.flatMap(({ document, value }) =>
        isObject(value) && Object.hasOwn(value, step) ? [{ document, value: valueAt(value, [step]) }] : [],
      );
      if (next.length === 0) break;
      holding = next;
    }
    const [nearest] = holding;
    if (nearest === undefined) throw new Error("There is no settings file.");
    return nearest.document;
  }
}

/** What counts of the lockfile before the service is asked. Undefined like `readUsableLockfile`. */
export async function readCountedLockfile(project: Project): Promise<Lockfile | undefined> {
  const lockfile = await readUsableLockfile(project);
  return lockfile === undefined ? undefined : ((await project.counted?.(lockfile)) ?? lockfile);
}

/**
 * The lockfile, whichever service it belongs to. Undefined if it is missing or cannot be used: code that needs all of it
 * reports the reason.
 */
export async function readUsableLockfile({ root, config }: Project): Promise<Lockfile | undefined> {
  try {
    const bytes = await readRegular(await placeInProject(root, config.lockfile));
    return checkLockfile(JSON.parse(bytes.toString("utf8"))).data;
  } catch {
    return undefined;
  }
}
