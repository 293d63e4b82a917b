/** Names of media files for a calendar that lies in another folder. */
import { realpath } from "node:fs/promises";
import { posix } from "node:path";
import { tidyPath } from "../calendar/tidy-text.ts";
import pLimit from "p-limit";
import { findMedia } from "./find-media.ts";

/** Files looked at at once. */
const OPEN_FILES = 8;

/**
 * Gives, for each path as a calendar in one folder names it, the path under which one in another folder finds the same
 * file. A path that leads to no file stays as it is.
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
  // What is named from the project root is found from everywhere.
  if ("path" in again && again.absolutePath === found.absolutePath) return path;
  return posix.relative(folders.to, found.path);
}
