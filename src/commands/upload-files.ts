/** `media upload`: files of the project to the service, remembered in the lockfile as apply remembers them. */
import { realpath } from "node:fs/promises";
import { relative, sep } from "node:path";
import { Uploads } from "../apply/upload-media.ts";
import { utcTime } from "../calendar/canonical.ts";
import type { Project } from "../calendar/config.ts";
import { Failure } from "../calendar/failure.ts";
import type { MediaFile } from "../calendar/post.ts";
import { problem, type Problem } from "../calendar/problem.ts";
import { readMediaFileAt } from "../media/resolve-media.ts";
import { openAddresses } from "../open-addresses.ts";
import { problemsText } from "../report/problems-text.ts";
import { uploadedDocument, uploadedText, type UploadedFile } from "../report/uploaded.ts";
import { OpenState, readState } from "../state/project-state.ts";
import type { GlobalFlags } from "./command.ts";
import type { Console } from "./console.ts";
import { withRunLock } from "./locked.ts";
import type { MediaFlags } from "./media.ts";
import { printProblemsJson } from "./remote-flags.ts";
import type { ExitCode, Shell } from "./shell.ts";

type Flags = GlobalFlags & MediaFlags;

export async function uploadFiles(
  project: Project,
  flags: Flags,
  shell: Shell,
  console: Console,
): Promise<ExitCode> {
  if (flags.file.length === 0)
    throw new Failure("usage/arguments", "No file is named.", "Say which: plancast media upload FILE.");
  const looked = await inspectFiles(flags.file, project, shell);
  const problems = looked.flatMap((each) => ("severity" in each ? [each] : []));
  if (problems.length > 0) {
    console.alert(`${problemsText(problems, () => undefined, console.errorStyle)}\n`);
    await printProblemsJson(problems, flags.format, console);
    return 1;
  }
  const files = looked.flatMap((each) => ("kind" in each ? [each] : []));
  const uploaded = await upload(project, files, flags, shell, console);
  if (flags.format === "json") console.json(uploadedDocument(uploaded));
  else {
    console.result(uploadedText(uploaded, console.style));
    if (uploaded.some(({ written, isKnown }) => written.result === "done" && !isKnown))
      console.next(`commit ${project.config.lockfile}: it says which files the service has.`);
  }
  return uploadExitCode(uploaded, shell);
}

/** Files that can be uploaded, each once, and what is wrong with the others. */
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
    // oxlint-disable-next-line no-await-in-loop
    const file = await readMediaFileAt(root, folder, name);
    if ("code" in file) found.set(name, problem(file.code, file.message));
    else found.set(file.sha256, file);
  }
  return [...found.values()];
}

async function upload(
  project: Project,
  files: readonly MediaFile[],
  flags: Flags,
  shell: Shell,
  console: Console,
): Promise<readonly UploadedFile[]> {
  return withRunLock(
    project,
    { command: "media upload", access: "read-write" },
    flags,
    shell,
    console,
    async ({ service }) => {
      const { lockfile, journal } = await readState(project, service.origin);
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
            if (ids.result !== "done") return { path, sha256, written: ids, isKnown: false };
            const [id = ""] = ids.ids;
            return { path, sha256, written: { result: "done", value: id }, isKnown: known.has(sha256) };
          }),
        );
      } finally {
        await state.close();
      }
    },
  );
}

/** Whether the service has the file already, under an id that may be sent. */
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
