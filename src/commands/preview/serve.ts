/** `plancast preview --serve`: the page follows the files. Problems are shown in the page, and the server continues. */

import { join } from "node:path";
import * as assets from "plancast:page";
import type { MediaFile } from "../../model/post.ts";
import { placeName } from "../../model/problem.ts";
import { type ServedFile, pictureAddress, startPageServer } from "../../preview/live/server.ts";
import { type NextSave, isRelevantChange, settingsFiles, watchSaves } from "../../preview/live/watch.ts";
import { isBrowserImage, pagePolicy, previewHtml } from "../../preview/preview-html.ts";
import type { PreviewData } from "../../preview/preview-data.ts";
import { problemsSummary } from "../../report/problems/problems-text.ts";
import { READING_CALENDARS, outdatedText } from "../../report/plan/preview-notices.ts";
import { visibleText } from "../../report/text/escape.ts";
import { plural } from "../../report/text/numbers.ts";
import type { Project } from "../../settings/config.ts";
import type { Run } from "../common/command.ts";
import { type ReusedService, connect, reuseService } from "../common/connect.ts";
import { parseOnly } from "../common/flags.ts";
import { loadProject, projectFolder } from "../common/project.ts";
import { reportError } from "../common/report-problems.ts";
import type { ExitCode } from "../common/shell.ts";
import type { PreviewFlags } from "./read.ts";
import { type ReadPreview, readPreview } from "./read.ts";

export async function servePreview(run: Run<PreviewFlags>): Promise<ExitCode> {
  const { flags, shell, console } = run;
  const shown = new PageState();
  const content = {
    page: () => previewHtml(shown.data, assets, "live"),
    data: () => JSON.stringify(shown.data),
    picture: (sha256: string) => shown.picture(sha256),
    policy: pagePolicy(assets, "live"),
  };
  const server = await startPageServer(content, flags.port ?? 0);
  console.result(`${server.url}\n`);
  try {
    const nextSave = await watchSaves(await projectFolder(flags, shell), shell);
    const serving: Serving = { ...run, shown, nextSave, notifyPages: () => server.notify() };
    while (!shell.stop.aborted) {
      await untilSettingsChange(serving);
    }
  } finally {
    await server.close();
  }
  return 0;
}

interface Serving extends Run<PreviewFlags> {
  readonly shown: PageState;
  readonly nextSave: NextSave;
  /** Makes all pages show the current state. */
  readonly notifyPages: () => void;
}

/**
 * Reads again at each relevant save, and reuses recent answers of the service, until plancast.yaml or the lockfile is
 * saved.
 */
async function untilSettingsChange(serving: Serving): Promise<void> {
  const { nextSave, flags, shell } = serving;
  const project = await unlessBroken(() => loadProject(flags, shell), serving);
  if (project === undefined) {
    await nextSave();
    return;
  }
  const service = reuseService(() => connect({ ...serving, project }, "read-only"), shell.clock);
  try {
    while (!shell.stop.aborted) {
      const preview = await unlessBroken(() => readInto(project, service, serving), serving);
      const files = await nextRelevantSave(project, preview, nextSave);
      if (files.some((file) => settingsFiles(project).includes(file))) return;
    }
  } finally {
    await service.forget();
  }
}

/** Waits for relevant saves, or for any if nothing could be read. Returns none when the run must stop. */
async function nextRelevantSave(
  project: Project,
  preview: ReadPreview | undefined,
  nextSave: NextSave,
): Promise<readonly string[]> {
  for (;;) {
    const files = await nextSave();
    const isSetting = files.some((file) => settingsFiles(project).includes(file));
    if (files.length === 0 || isSetting || preview === undefined) return files;
    const { checked, posts } = preview;
    if (await isRelevantChange(files, { calendars: checked.calendars, posts }, project)) return files;
  }
}

/** Returns undefined if reading fails: the page shows that too. */
async function unlessBroken<T>(
  read: () => Promise<T>,
  { shown, notifyPages, shell, console }: Serving,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (shell.stop.aborted) return undefined;
    const problems = reportError(error, console);
    shown.fail(problems.map((each) => `${placeName(each)} ${each.message}`.trim()));
    notifyPages();
    return undefined;
  }
}

async function readInto(project: Project, service: ReusedService, serving: Serving): Promise<ReadPreview> {
  const { shown, notifyPages, flags, shell, console } = serving;
  const reading = {
    narrowing: { calendars: flags.calendar, only: parseOnly(flags.only) },
    offline: flags.offline,
    open: service.open,
    sourceOf: (_root: string, files: readonly MediaFile[]) => sourceAtServer(files),
  };
  const preview = await readPreview(project, reading, shell);
  if (preview.isUnanswered) await service.forget();
  shown.show(project.root, preview);
  notifyPages();
  const { data, problems } = preview;
  console.note(`${plural(data.posts.length, "post")}, ${problemsSummary(problems).toLowerCase()}.\n`);
  return preview;
}

function sourceAtServer(files: readonly MediaFile[]): (sha256: string) => string | undefined {
  const known = new Set(files.filter(isBrowserImage).map(({ sha256 }) => sha256));
  return (sha256) => (known.has(sha256) ? pictureAddress(sha256) : undefined);
}

/** What the page shows now. */
class PageState {
  data: PreviewData = {
    title: "plancast",
    timezone: "UTC",
    madeAt: "",
    today: "",
    notices: [{ kind: "note", text: READING_CALENDARS }],
    platforms: [],
    media: [],
    problems: [],
    posts: [],
  };
  #pictures = new Map<string, ServedFile>();

  show(root: string, { data, files }: ReadPreview): void {
    this.data = data;
    this.#pictures = new Map(
      files
        .filter(isBrowserImage)
        .map(({ sha256, path, mime }) => [sha256, { path: join(root, path), mime }]),
    );
  }

  /** The old content stays, with a note on why it is old. */
  fail(reasons: readonly string[]): void {
    const hasPosts = this.data.posts.length > 0;
    const notices = reasons.map((reason) => ({
      kind: "alert" as const,
      text: visibleText(outdatedText(reason, hasPosts)),
    }));
    this.data = { ...this.data, notices };
  }

  picture(sha256: string): ServedFile | undefined {
    return this.#pictures.get(sha256);
  }
}
