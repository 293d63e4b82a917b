/** From the path that a row names to the file that is meant, which must lie inside the project. */
import { realpath, stat } from "node:fs/promises";
import { isAbsolute, posix, relative, resolve, sep } from "node:path";
import { tidyName } from "../calendar/tidy-text.ts";
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
    // The second place counts only when the first is empty.
    // oxlint-disable-next-line no-await-in-loop
    const found = await findAt(root, candidate, path);
    if (found !== undefined) return found;
  }
  const message = `There is no file "${path}": looked for ${tried.filter((each) => !isOutside(each)).join(" and ")} in the project.`;
  return { code: "media/missing", message };
}

function isOutside(path: string): boolean {
  return path === ".." || path.startsWith("../");
}

/** It would mean another file, or none, on the next machine. */
function absolute(path: string): MediaFault {
  const message = `"${path}" is an absolute path, which only this machine knows. Name the file by its path from the calendar.`;
  return { code: "media/outside-project", message };
}

function outside(path: string): MediaFault {
  const message = `"${path}" is outside the project. Copy the file into the project and name it by its path from the calendar.`;
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
 * macOS writes names decomposed, other systems composed; both are the same name to whoever typed it. So is one with
 * blanks that do not break, or characters that nobody sees, which spreadsheets put there.
 */
function spellings(path: string): string[] {
  const written = [path, path.normalize("NFC"), path.normalize("NFD")];
  return [...new Set([...written, ...written.map(tidyName)])];
}

/** The path with its links resolved; undefined where there is nothing. */
async function realOf(root: string, candidate: string): Promise<string | MediaFault | undefined> {
  try {
    return await realpath(resolve(root, candidate));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG") return undefined;
    return { code: "media/unreadable", message: `"${candidate}" cannot be looked at: ${String(error)}` };
  }
}
