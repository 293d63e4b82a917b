/** `plancast media upload` and `prune`: uploads files of the project, or removes from the lockfile what the service no longer has. */

import { relative, sep } from "node:path";
import { realpath } from "../../disk/machine.ts";
import { mediaPlaces, readMediaFileAt } from "../../media/resolve-media.ts";
import { utcTime } from "../../model/canonical.ts";
import { Failure } from "../../model/failure.ts";
import type { MediaFile } from "../../model/post.ts";
import { type Problem, problem } from "../../model/problem.ts";
import type { UploadDocument } from "../../report/documents/service.ts";
import { prunedText, uploadedText, writeOutcomeDocument } from "../../report/outcomes/write-outcome.ts";
import { inWords } from "../../report/outcomes/apply.ts";
import { incompleteList } from "../../service/answers/results.ts";
import type { ReadFullService } from "../../service/service.ts";
import type { Project } from "../../settings/config.ts";
import { Uploads } from "../../sync/apply/upload-media.ts";
import { type PruneResult, pruneMediaCache } from "../../sync/plan/next-lockfile.ts";
import { openAddresses } from "../../sync/state/media-caches.ts";
import { OpenState, readState } from "../../sync/state/project-state.ts";
import type { FormatFlag, ProjectRun } from "../shell/command.ts";
import { withRunLock } from "../project/connect.ts";
import { showResult } from "../shell/result.ts";
import { refuseCalendars } from "../shell/report-problems.ts";
import { saveLockfile } from "../project/service-records.ts";
import type { ExitCode, Shell } from "../shell/shell.ts";

/** `media upload`: records the files in the lockfile, as apply does. */
export async function uploadFiles(run: ProjectRun<FormatFlag>, names: readonly string[]): Promise<ExitCode> {
  const { project, shell, console } = run;
  const looked = await inspectFiles(names, project, shell);
  const problems = looked.flatMap((each) => ("severity" in each ? [each] : []));
  if (problems.length > 0) return refuseCalendars(problems, [], run);
  const files = looked.flatMap((each) => ("kind" in each ? [each] : []));
  const uploaded = await upload(run, files);
  const isNew = uploaded.some((each) => each.uploaded);
  showResult(run, {
    document: { version: 1, outcomes: uploaded },
    text: () => uploadedText(uploaded, console.style),
    next: isNew ? `commit ${project.config.lockfile}: it records which files the service has.` : undefined,
  });
  return uploadExitCode(uploaded, shell);
}

/** Distinct files that can be uploaded, and the faults of the others. */
async function inspectFiles(
  names: readonly string[],
  project: Project,
  { cwd }: Shell,
): Promise<readonly (MediaFile | Problem)[]> {
  const root = await realpath(project.root);
  const folder = relative(root, await realpath(cwd))
    .split(sep)
    .join("/");
  const found = new Map<string, MediaFile | Problem>();
  for (const name of names) {
    const file = await readMediaFileAt({ ...mediaPlaces(project), root }, folder, name);
    if ("code" in file) found.set(name, problem(file.code, file.message));
    else found.set(file.sha256, file);
  }
  return [...found.values()];
}

async function upload(
  run: ProjectRun<FormatFlag>,
  files: readonly MediaFile[],
): Promise<readonly UploadDocument[]> {
  const { project, shell } = run;
  return withRunLock(
    run,
    { command: "media upload", access: "read-write" },
    async ({ service, checkAccounts }) => {
      const read = await readState(project, service.origin);
      const { lockfile } = read;
      await checkAccounts();
      const state = await OpenState.open(project, lockfile, read, utcTime(shell.clock.now()));
      try {
        const uploads = new Uploads(service, state, project.root, openAddresses(project, shell.clock));
        await uploads.forgetMissing(files);
        const known = new Set(
          files.filter(({ sha256 }) => isKept(state, sha256)).map(({ sha256 }) => sha256),
        );
        return await Promise.all(
          files.map(async (file): Promise<UploadDocument> => {
            const { path, sha256 } = file;
            const ids = await uploads.idsOf([file]);
            if (ids.result !== "done") return { path, sha256, ...writeOutcomeDocument(inWords(ids)) };
            const [id = ""] = ids.value;
            return { path, sha256, status: "done", media_id: id, uploaded: !known.has(sha256) };
          }),
        );
      } finally {
        await state.close();
      }
    },
  );
}

/** Whether the service already has the file, with an id that may be sent. */
function isKept({ lockfile }: OpenState, sha256: string): boolean {
  const kept = lockfile.media[sha256];
  return kept !== undefined && kept.assumed !== true;
}

function uploadExitCode(uploaded: readonly UploadDocument[], { stop }: Shell): ExitCode {
  const ends = new Set(uploaded.map(({ status }) => status));
  if (stop.aborted || ends.has("not_started")) return 130;
  if (ends.has("unknown")) return 3;
  return ends.has("failed") ? 1 : 0;
}

/** `media prune`: changes only the lockfile; sends nothing. */
export function pruneMedia(run: ProjectRun<FormatFlag>): Promise<ExitCode> {
  const { project, shell, console } = run;
  return withRunLock(
    run,
    { command: "media prune", access: "read-only" },
    async ({ service }): Promise<ExitCode> => {
      const state = await readState(project, service.origin);
      const forgotten = await forget(state.lockfile, service);
      await saveLockfile(project, forgotten.lockfile, { read: state, service, clock: shell.clock });
      const { pruned, inUse } = forgotten;
      const document = { version: 1, summary: { pruned: pruned.length, in_use: inUse }, pruned } as const;
      showResult(run, {
        document,
        text: () => prunedText(document, project.config.lockfile, console.style),
        next: pruned.length > 0 ? `commit ${project.config.lockfile}.` : undefined,
      });
      return 0;
    },
  );
}

async function forget(lockfile: PruneResult["lockfile"], service: ReadFullService): Promise<PruneResult> {
  if (Object.keys(lockfile.media).length === 0) return { lockfile, pruned: [], inUse: 0 };
  const [library, scheduled] = [await service.listMedia(), await service.listScheduled()];
  if (library.doubt !== undefined)
    throw incompleteList("GET /v1/media", library.doubt.why, library.doubt.hint);
  const ids = new Set(library.items.map(({ id }) => id));
  const forgotten = pruneMediaCache({ lockfile, library: ids, posts: scheduled.posts });
  if (forgotten !== undefined) return forgotten;
  throw new Failure(
    "media/not-pruned",
    "The service does not show the media of its scheduled posts, so plancast cannot know which entries they need. Nothing was changed.",
    "Run it again when no post of this project is scheduled. Until then, the entries do no harm.",
  );
}
