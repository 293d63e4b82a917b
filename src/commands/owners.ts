/** Which rows the service's posts are of, as far as the lockfile tells. */
import type { Project } from "../calendar/config.ts";
import { Failure } from "../calendar/failure.ts";
import type { Lockfile } from "../calendar/lockfile.ts";
import { failureText } from "../report/failure-text.ts";
import { readState } from "../state/project-state.ts";
import type { Console } from "./console.ts";

/** For commands that only show: a lockfile that cannot be used is told, and the posts are shown without their rows. */
export async function readLockfileIfPossible(
  project: Project,
  origin: string,
  console: Console,
): Promise<Lockfile | undefined> {
  try {
    return (await readState(project, origin)).lockfile;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.alert(failureText(error, console.errorStyle, console).replace(/^(\S*)error/, "$1note"));
    return undefined;
  }
}
