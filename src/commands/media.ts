/**
 * `plancast media`: lists the service's media library, uploads files of the project, or removes from the lockfile what
 * the service no longer has.
 */

import { realpath } from "node:fs/promises";
import { relative, sep } from "node:path";
import { mediaPlaces, readMediaFileAt } from "../media/resolve-media.ts";
import { utcTime } from "../model/canonical.ts";
import { Failure } from "../model/failure.ts";
import type { CachedMedia } from "../model/lockfile.ts";
import type { MediaFile } from "../model/post.ts";
import { type Problem, problem } from "../model/problem.ts";
import {
  type UploadedFile,
  prunedDocument,
  prunedText,
  uploadedDocument,
  uploadedText,
} from "../report/outcomes/write-outcome.ts";
import { inWords } from "../report/outcomes/apply.ts";
import { type ServiceMedia, mediaText } from "../report/status/service-lists.ts";
import { incompleteList } from "../service/answers/results.ts";
import type { ReadFullService } from "../service/service.ts";
import type { Project } from "../settings/config.ts";
import { Uploads } from "../sync/apply/upload-media.ts";
import { type PruneResult, pruneMediaCache } from "../sync/plan/next-lockfile.ts";
import { openAddresses } from "../sync/state/media-caches.ts";
import { OpenState, readState } from "../sync/state/project-state.ts";
import {
  type FlagsOf,
  type ProjectRun,
  type Run,
  FORMAT_OPTION,
  actionPositional,
  defineCommand,
  defineFlags,
  namesPositional,
  rejectNames,
  textOption,
} from "./shell/command.ts";
import { withRunLock } from "./project/connect.ts";
import { alertProblems, printProblemsJson } from "./shell/report-problems.ts";
import { openProject } from "./project/project.ts";
import { readLockfileIfPossible, saveLockfile, showRead } from "./project/service-records.ts";
import type { ExitCode, Shell } from "./shell/shell.ts";

const FLAGS = defineFlags({
  action: actionPositional(
    ["list", "upload", "prune"],
    "List or upload files, or remove unused ones from the lockfile (prune)",
  ),
  file: namesPositional("Files of the project to upload"),
  type: textOption("List only media of this type, such as image"),
  format: FORMAT_OPTION,
});

type MediaFlags = FlagsOf<typeof FLAGS>;

export const command = defineCommand({
  flags: FLAGS,
  examples: [
    ["media upload media/launch.png", "Upload the file, unless the service already has it"],
    ["media prune", "Forget media that was deleted on the service"],
  ],
  run: media,
  printFailed: printProblemsJson,
});

async function media(run: Run<MediaFlags>): Promise<ExitCode> {
  const { flags } = run;
  switch (flags.action) {
    case "list": {
      rejectNames(flags.file, "media list");
      return listMedia(await openProject(run));
    }
    case "upload": {
      return uploadFiles(await openProject(run));
    }
    case "prune": {
      rejectNames(flags.file, "media prune");
      return pruneMedia(await openProject(run));
    }
  }
}

/** `media list`: each item, with the project's file that was uploaded. */
function listMedia(run: ProjectRun<MediaFlags>): Promise<ExitCode> {
  const { flags, console } = run;
  return showRead(run, async (service) => {
    const { items, doubt } = await service.listMedia(flags.type);
    const lockfile = await readLockfileIfPossible(run, service.origin);
    const cached = Object.values(lockfile?.media ?? {});
    const paths = new Map(
      cached.flatMap(({ id, also = [], path }) => [id, ...also].map((each) => [each, path])),
    );
    const media = items.map((each): ServiceMedia => ({ ...each, path: paths.get(each.id) }));
    const isAll = doubt === undefined && flags.type === undefined;
    const shown = (): object[] => media.map(({ id, type, url, path }) => ({ id, type, url, path }));
    return {
      document: () => ({ version: 1, whole: doubt === undefined, media: shown() }),
      text: () => mediaText({ items: media, doubt }, console.style),
      next: afterMedia(media, isAll ? cached : []),
    };
  });
}

/** @param cached the lockfile's entries if the list shows all media, otherwise none */
function afterMedia(media: readonly ServiceMedia[], cached: readonly CachedMedia[]): string | undefined {
  const listed = new Set(media.map(({ id }) => id));
  if (cached.some(({ id }) => !listed.has(id)))
    return "plancast media prune removes files that are not in this list from the lockfile.";
  if (media.length === 0) return undefined;
  return "to use a file again, name its id in a row's media. plancast recognises a file by its content.";
}

/** `media upload`: records the files in the lockfile, as apply does. */
async function uploadFiles(run: ProjectRun<MediaFlags>): Promise<ExitCode> {
  const { project, flags, shell, console } = run;
  if (flags.file.length === 0)
    throw new Failure("usage/arguments", "No file is given.", "Run plancast media upload FILE.");
  const looked = await inspectFiles(flags.file, project, shell);
  const problems = looked.flatMap((each) => ("severity" in each ? [each] : []));
  if (problems.length > 0) {
    alertProblems(problems, [], console);
    await printProblemsJson(problems, flags.format, console);
    return 1;
  }
  const files = looked.flatMap((each) => ("kind" in each ? [each] : []));
  const uploaded = await upload(run, files);
  if (flags.format === "json") console.json(uploadedDocument(uploaded));
  else {
    console.result(uploadedText(uploaded, console.style));
    if (uploaded.some(({ written, isKnown }) => written.result === "done" && !isKnown))
      console.next(`commit ${project.config.lockfile}: it records which files the service has.`);
  }
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
  run: ProjectRun<MediaFlags>,
  files: readonly MediaFile[],
): Promise<readonly UploadedFile[]> {
  const { project, shell } = run;
  return withRunLock(
    run,
    { command: "media upload", access: "read-write" },
    async ({ service, checkAccounts }) => {
      const { lockfile, journal } = await readState(project, service.origin);
      await checkAccounts();
      const state = await OpenState.open(project, lockfile, journal, utcTime(shell.clock.now()));
      try {
        const uploads = new Uploads(service, state, project.root, openAddresses(project, shell.clock));
        await uploads.forgetMissing(files);
        const known = new Set(
          files.filter(({ sha256 }) => isKept(state, sha256)).map(({ sha256 }) => sha256),
        );
        return await Promise.all(
          files.map(async (file): Promise<UploadedFile> => {
            const { path, sha256 } = file;
            const ids = await uploads.idsOf([file]);
            if (ids.result !== "done") return { path, sha256, written: inWords(ids), isKnown: false };
            const [id = ""] = ids.value;
            return { path, sha256, written: { result: "done", value: id }, isKnown: known.has(sha256) };
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

function uploadExitCode(uploaded: readonly UploadedFile[], { stop }: Shell): ExitCode {
  const ends = new Set(uploaded.map(({ written }) => written.result));
  if (stop.aborted || ends.has("not_started")) return 130;
  if (ends.has("unknown")) return 3;
  return ends.has("refused") ? 1 : 0;
}

/** `media prune`: changes only the lockfile; sends nothing. */
function pruneMedia(run: ProjectRun<MediaFlags>): Promise<ExitCode> {
  const { project, flags, shell, console } = run;
  return withRunLock(
    run,
    { command: "media prune", access: "read-only" },
    async ({ service }): Promise<ExitCode> => {
      const state = await readState(project, service.origin);
      const forgotten = await forget(state.lockfile, service);
      await saveLockfile(project, forgotten.lockfile, { read: state, service, clock: shell.clock });
      if (flags.format === "json") console.json(prunedDocument(forgotten));
      else {
        console.result(prunedText(forgotten, project.config.lockfile, console.style));
        if (forgotten.pruned.length > 0) console.next(`commit ${project.config.lockfile}.`);
      }
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
