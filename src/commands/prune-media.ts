/** `media prune`: the lockfile forgets media that the service no longer has. Nothing is sent. */
import { utcTime } from "../calendar/canonical.ts";
import type { Project } from "../calendar/config.ts";
import { Failure } from "../calendar/failure.ts";
import { pruneMediaCache, type PruneResult } from "../plan/forget-media.ts";
import { prunedDocument, prunedText } from "../report/pruned.ts";
import { incompleteList } from "../service/not-whole.ts";
import type { ReadService } from "../service/service.ts";
import { OpenState, readState } from "../state/project-state.ts";
import type { GlobalFlags } from "./command.ts";
import type { Console } from "./console.ts";
import { withRunLock } from "./locked.ts";
import type { MediaFlags } from "./media.ts";
import type { ExitCode, Shell } from "./shell.ts";

export function pruneMedia(
  project: Project,
  flags: GlobalFlags & MediaFlags,
  shell: Shell,
  console: Console,
): Promise<ExitCode> {
  return withRunLock(
    project,
    { command: "media prune", access: "read-only" },
    flags,
    shell,
    console,
    async ({ service }): Promise<ExitCode> => {
      const state = await readState(project, service.origin);
      const forgotten = await forget(state.lockfile, service);
      if (OpenState.differs(forgotten.lockfile, state)) {
        const now = utcTime(shell.clock.now());
        const writing = await OpenState.open(project, forgotten.lockfile, state.journal, now);
        await writing.close();
      }
      if (flags.format === "json") console.json(prunedDocument(forgotten));
      else {
        console.result(prunedText(forgotten, project.config.lockfile, console.style));
        if (forgotten.pruned.length > 0) console.next(`commit ${project.config.lockfile}.`);
      }
      return 0;
    },
  );
}

async function forget(lockfile: PruneResult["lockfile"], service: ReadService): Promise<PruneResult> {
  if (Object.keys(lockfile.media).length === 0) return { lockfile, pruned: [], inUse: 0 };
  const [library, scheduled] = [await service.listMedia(), await service.listScheduled()];
  if (library.doubt !== undefined)
    throw incompleteList("GET /v1/media", library.doubt.why, library.doubt.hint);
  const ids = new Set(library.items.map(({ id }) => id));
  const forgotten = pruneMediaCache({ lockfile, library: ids, posts: scheduled.posts });
  if (forgotten !== undefined) return forgotten;
  throw new Failure(
    "media/not-pruned",
    "The service does not tell which media its scheduled posts hold, so it is not known which entries are still needed. Nothing was changed.",
    "Run it again when no post of this project is scheduled; the entries do no harm until then.",
  );
}
