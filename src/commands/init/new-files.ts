/** Writes new files, and replaces none. */

import { createWhole, folderOf, makeFolder, readRegular, statsAt, writeAtomic } from "../../disk/files.ts";
import { type Place, placeInProject } from "../../disk/place.ts";
import { Failure, errorCode, reasonOf } from "../../model/failure.ts";
import type { FileToWrite } from "./files.ts";

export const PROJECT_FILE = "plancast.yaml";

/** The text of a file; empty if it does not exist. */
export async function readIfExists(root: string, path: string): Promise<string> {
  try {
    return (await readRegular(await placeInProject(root, path))).toString("utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return "";
    throw error instanceof Failure ? error : notWritable(path, error);
  }
}

/** Writes all files or none: stops before the first if another one exists. After a start over, most are there. */
export async function writeNewFiles(root: string, files: readonly FileToWrite[]): Promise<void> {
  const places = new Map<FileToWrite, Place>();
  for (const file of files) {
    const place = await placeInProject(root, file.path);
    const isThere = !file.extendsExisting && (await statsAt(place)) !== undefined;
    if (isThere && (file.path === PROJECT_FILE || !(await holds(place, file.contents))))
      throw alreadyExists(file.path);
    if (!isThere) places.set(file, place);
  }
  for (const [{ path, contents, extendsExisting }, place] of places) {
    try {
      await makeFolder(folderOf(place));
      if (extendsExisting) await writeAtomic(place, contents);
      else if (!(await createWhole(place, contents))) throw alreadyExists(path);
    } catch (error) {
      throw error instanceof Failure ? error : notWritable(path, error);
    }
  }
}

async function holds(place: Place, contents: string | Uint8Array): Promise<boolean> {
  try {
    return (await readRegular(place)).equals(Buffer.from(contents));
  } catch {
    return false;
  }
}

function alreadyExists(path: string): Failure {
  return new Failure(
    "project/exists",
    `${path} already exists, and init does not overwrite files.`,
    "Run it in an empty folder, or move the file away.",
  );
}

function notWritable(path: string, error: unknown): Failure {
  const why = reasonOf(error);
  return new Failure(
    "disk/not-writable",
    `${path} cannot be written: ${why}`,
    "Check the folder's permissions.",
  );
}
