/**
 * Files that git could not merge, so that they have the content of one side: workbooks, and files whose merge driver
 * failed. These files do not show that the other side is missing.
 */

import { join } from "node:path";
import { readRegular } from "./files.ts";
import { askGit, blobId, findRepository } from "./git.ts";
import { stat } from "./machine.ts";
import { placeInProject } from "./place.ts";

/** What git keeps in its folder while a merge, rebase, cherry-pick, revert or stash has conflicts. */
const TRACES = [
  "AUTO_MERGE",
  "MERGE_HEAD",
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
  "rebase-merge",
  "rebase-apply",
];

/** One version of a file in the index: the mode, the id of its content, the stage and the path. */
const ENTRY = /^\d+ ([0-9a-f]{40}|[0-9a-f]{64}) [123]\t([^]*)$/;

/**
 * The project's files that are in conflict and have exactly the content of one side. Empty without git. git runs only
 * while something is unfinished. Reads no other file in conflict: it may be a link to an endless device.
 * @param folder absolute
 * @param files relative to it, with `/`
 */
export async function oneSidedFiles(
  folder: string,
  files: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const repository = await findRepository(folder);
  if (repository === undefined) return NONE;
  const { gitFolder } = repository;
  const traces = await Promise.all(TRACES.map((name) => stat(join(gitFolder, name)).catch(() => undefined)));
  if (traces.every((found) => found === undefined)) return NONE;
  const ran = await askGit(["ls-files", "--unmerged", "-z", "--", "."], folder, repository);
  const sides = new Map<string, string[]>();
  for (const entry of ran?.code === 0 ? ran.stdout.split("\0") : []) {
    const [, id, path] = ENTRY.exec(entry) ?? [];
    if (id !== undefined && path !== undefined && files.has(path))
      sides.set(path, [...(sides.get(path) ?? []), id]);
  }
  const found = await Promise.all(
    [...sides].map(async ([path, ids]) => ((await isOneOf(ids, folder, path)) ? [path] : [])),
  );
  return new Set(found.flat());
}

const NONE: ReadonlySet<string> = new Set();

/** @param ids of git's blobs, all made with the same hash */
async function isOneOf(ids: readonly string[], folder: string, path: string): Promise<boolean> {
  const bytes = await placeInProject(folder, path)
    .then(readRegular)
    .catch(() => undefined);
  if (bytes === undefined) return false;
  return ids.includes(blobId(bytes, ids[0]));
}
