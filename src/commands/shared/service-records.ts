/** What a command reads of the service and shows, as text or as JSON. */

import { Failure } from "../../model/failure.ts";
import type { Lockfile } from "../../model/lockfile.ts";
import { failureText } from "../../report/problems/failure.ts";
import type { WriteResult } from "../../service/records.ts";
import type { ServiceClient } from "../../service/service-client.ts";
import type { Project } from "../../settings/config.ts";
import { readState } from "../../sync/state/project-state.ts";
import { withService } from "./connect.ts";
import type { Console } from "./console.ts";
import type { GlobalFlags } from "./flags.ts";
import type { ExitCode, Shell } from "./shell.ts";

/** What was read, in both forms; only the one that is asked for is made. */
interface ShownRecord {
  readonly document: () => object;
  readonly text: () => string;
  /** What to do next, after the text. */
  readonly next?: string | undefined;
}

export function showRead(
  project: Project,
  flags: GlobalFlags & { readonly format: "text" | "json" },
  shell: Shell,
  console: Console,
  read: (service: ServiceClient) => Promise<ShownRecord>,
): Promise<ExitCode> {
  return withService<ExitCode>(
    { project, access: "read-only" },
    flags,
    shell,
    console,
    async ({ service }) => {
      const { document, text, next } = await read(service);
      if (flags.format === "json") console.json(document());
      else {
        console.result(text());
        console.next(next);
      }
      return 0;
    },
  );
}

/** Which rows the service's posts are of, as far as the lockfile tells. */

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

/** The exit code of a run of one write. */
export function writeExitCode({ result }: WriteResult<unknown>): ExitCode {
  return ({ done: 0, refused: 1, unknown: 3, not_started: 130 } as const)[result];
}
