/**
 * Finds the file for a path in a row, which must be inside the project. Suggests similar names for a path without a
 * file.
 */

import { readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, posix, relative, resolve, sep } from "node:path";
import pLimit from "p-limit";
import { foldName, tidyName, tidyPath } from "../model/text.ts";
import type { MediaFault } from "./media-fault.ts";

export interface FoundFile {
  /** Links resolved. */
  readonly absolutePath: string;
  /** As looked up, relative to the project root, with `/`. */
  readonly path: string;
  readonly bytes: number;
}

/**
 * Looks the path up from the calendar's folder, then from the project root.
 * @param root absolute, links resolved
 * @param folder the calendar's folder, relative to the root
 */
export async function findMedia(root: string, folder: string, path: string): Promise<FoundFile | MediaFault> {
  const tried = [...new Set([posix.join(folder, path), posix.normalize(path)])];
  if (isAbsolute(path) || /^[A-Za-z]:\//.test(path)) return absolute(path);
  if (tried.every(isOutside)) return outside(path);
  for (const candidate of tried.filter((each) => !isOutside(each)).flatMap(spellings)) {
    // The second place counts only if the first has no file.
    const found = await findAt(root, candidate, path);
    if (found !== undefined) return found;
  }
  const message = `There is no file "${path}": plancast looked for ${tried.filter((each) => !isOutside(each)).join(" and ")} in the project.`;
  return { code: "media/missing", message };
}

function isOutside(path: string): boolean {
  return path === ".." || path.startsWith("../");
}

/** It would be another file, or none, on another machine. */
function absolute(path: string): MediaFault {
  const message = `"${path}" is an absolute path, which works only on this machine. Write the path from the calendar to the file.`;
  return { code: "media/outside-project", message };
}

function outside(path: string): MediaFault {
  const message = `"${path}" is outside the project. Copy the file into the project, and write the path from the calendar to the file.`;
  return { code: "media/outside-project", message };
}

async function findAt(
  root: string,
  candidate: string,
  path: string,
): Promise<FoundFile | MediaFault | undefined> {
  const real = await realOf(root, candidate);
  if (real === undefined) return undefined;
  if (typeof real !== "string") return real;
  const inRoot = relative(root, real);
  if (inRoot === ".." || inRoot.startsWith(`..${sep}`) || isAbsolute(inRoot)) {
    const message = `"${path}" is a link to a file outside the project. Copy the file itself into the project.`;
    return { code: "media/outside-project", message };
  }
  const found = await stat(real);
  if (!found.isFile())
    return {
      code: "media/not-a-file",
      message: `"${path}" is not a file. Name the picture or video itself.`,
    };
  if (found.size === 0)
    return { code: "media/empty", message: `"${path}" is empty. Export the picture or video again.` };
  return { absolutePath: real, path: candidate, bytes: found.size };
}

/**
 * macOS stores names decomposed, other systems composed. For people, both names look the same. So do names with
 * non-breaking spaces or invisible characters, which spreadsheets add.
 */
function spellings(path: string): string[] {
  const written = [path, path.normalize("NFC"), path.normalize("NFD")];
  return [...new Set([...written, ...written.map(tidyName)])];
}

/** The path with its links resolved; undefined if nothing is there. */
async function realOf(root: string, candidate: string): Promise<string | MediaFault | undefined> {
  try {
    return await realpath(resolve(root, candidate));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG") return undefined;
    return { code: "media/unreadable", message: `plancast cannot open "${candidate}": ${String(error)}` };
  }
}

export class SimilarFiles {
  readonly #root: string;
  readonly #folders = new Map<string, Promise<readonly string[]>>();

  /** @param root absolute, links resolved */
  constructor(root: string) {
    this.#root = root;
  }

  /** The path as a calendar in that folder would write it; undefined if no similar file exists. */
  async of(folder: string, path: string): Promise<string | undefined> {
    const beside = await this.#walk(posix.join(folder, path));
    return beside === undefined ? this.#walk(posix.normalize(path)) : posix.relative(folder, beside);
  }

  /** @param path relative to the root */
  async #walk(path: string): Promise<string | undefined> {
    let found = "";
    const steps = path.split("/");
    for (const [index, step] of steps.entries()) {
      // Each folder depends on its parent.
      const name = similarName(step, await this.#namesIn(found), index === steps.length - 1);
      if (name === undefined) return undefined;
      found = posix.join(found, name);
    }
    return found;
  }

  #namesIn(folder: string): Promise<readonly string[]> {
    // A folder that cannot be listed gives no suggestions.
    const names = this.#folders.get(folder) ?? readdir(join(this.#root, folder)).catch(() => []);
    this.#folders.set(folder, names);
    return names;
  }
}

/** Another number or word means another picture. Only differences that people overlook count as similar. */
function similarName(step: string, names: readonly string[], isFile: boolean): string | undefined {
  if (step === ".." || names.includes(step)) return step === ".." ? undefined : step;
  return (
    names.find((name) => foldName(name) === foldName(step)) ??
    (isFile ? names.find((name) => stem(name) === stem(step)) : undefined)
  );
}

/** A file's name without its extension, in the form for comparing. */
function stem(name: string): string {
  return foldName(name.slice(0, name.length - posix.extname(name).length));
}

/** Files checked at the same time. */
const OPEN_FILES = 8;

/**
 * Maps each path in a calendar of one folder to the path of the same file for a calendar in another folder. A path
 * without a file stays as it is.
 * @param folders relative to the project root, with `/`
 */
export async function relocateMediaPaths(
  root: string,
  folders: { readonly from: string; readonly to: string },
  paths: readonly string[],
): Promise<(path: string) => string> {
  if (folders.from === folders.to) return (path) => path;
  const realRoot = await realpath(root);
  const limit = pLimit(OPEN_FILES);
  const renamed = await Promise.all(
    paths.map((path) => limit(async () => [path, await newName(realRoot, folders, path)] as const)),
  );
  const names = new Map(renamed);
  return (path) => names.get(tidyPath(path).replaceAll("\\", "/")) ?? path;
}

async function newName(
  root: string,
  folders: { readonly from: string; readonly to: string },
  path: string,
): Promise<string> {
  const found = await findMedia(root, folders.from, path);
  if (!("path" in found)) return path;
  const again = await findMedia(root, folders.to, path);
  // Paths from the project root work from everywhere.
  if ("path" in again && again.absolutePath === found.absolutePath) return path;
  return posix.relative(folders.to, found.path);
}
