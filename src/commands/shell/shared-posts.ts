/** Finds posts that the lockfiles of several projects name. Each project could replace or cancel them. */

import { readProject } from "../../calendars/project.ts";
import { readUsableLockfile } from "../../calendars/usable-lockfile.ts";
import { Failure, ProjectProblems } from "../../model/failure.ts";
import { type Lockfile, ownersIn } from "../../model/lockfile.ts";

/** A post that two projects name. */
export interface SharedPost {
  readonly postId: string;
  /** Absolute path of the other project's plancast.yaml. */
  readonly other: string;
}

/**
 * For each plancast.yaml: a post of its lockfile that another project has, too, if there is one.
 * @param files absolute paths of every plancast.yaml
 */
export async function findSharedPosts(files: readonly string[]): Promise<ReadonlyMap<string, SharedPost>> {
  const shared = new Map<string, SharedPost>();
  const first = new Map<string, string>();
  for (const file of files) {
    for (const [postId, mark] of await postsOf(file)) {
      const other = first.get(mark);
      if (other === undefined) first.set(mark, file);
      else if (other !== file) {
        if (!shared.has(other)) shared.set(other, { postId, other: file });
        if (!shared.has(file)) shared.set(file, { postId, other });
      }
    }
  }
  return shared;
}

/** Ids, each with a mark that is equal for the same post. Empty if the project is broken: its own run says why. */
async function postsOf(file: string): Promise<readonly (readonly [id: string, mark: string])[]> {
  const lockfile = await lockfileOf(file);
  // Only a server has the posts of several projects. Each project has its own embedded service and its own schedule.
  if (lockfile === undefined || !/^https?:/.test(lockfile.origin)) return [];
  return [...ownersIn(lockfile).keys()].map((id) => [id, JSON.stringify([lockfile.origin, id])] as const);
}

async function lockfileOf(file: string): Promise<Lockfile | undefined> {
  try {
    return await readUsableLockfile(await readProject(file));
  } catch (error) {
    if (error instanceof Failure || error instanceof ProjectProblems) return undefined;
    throw error;
  }
}
