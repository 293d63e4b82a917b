/** `plancast preview --serve`: the page follows the files. Problems are shown in the page, and the server continues. */

import { join } from "node:path";
import * as assets from "plancast:page";
import { countRows } from "../../calendars/row-groups.ts";
import { versionOf } from "../../calendars/read-calendar.ts";
import { readFile } from "../../disk/machine.ts";
import type { MediaFile } from "../../model/post.ts";
import { placeName } from "../../model/problem.ts";
import { type ServedFile, LiveData, mediaUrl, startPageServer } from "../../preview/live/server.ts";
import { type Saves, settingsFiles, watchSaves } from "../../preview/live/watch.ts";
import { isBrowserMedia } from "../../preview/page-media.ts";
import { pagePolicy, previewHtml } from "../../preview/preview-html.ts";
import { type EditRequest, type PreviewData, EDIT_TOKEN_NAME } from "../../preview/preview-data.ts";
import { KnownMeters } from "../../preview/preview-post.ts";
import { countsText, problemsSummary } from "../../report/problems/problems-text.ts";
import { READING_CALENDARS, outdatedText } from "../../report/plan/decisions.ts";
import { visibleText } from "../../report/text/escape.ts";
import { ProjectProblems } from "../../model/failure.ts";
import type { Project } from "../../settings/config.ts";
import { type Run, parseOnly } from "../shell/command.ts";
import type { OpenedService } from "../../service/connect/open-service.ts";
import { type ReusedService, reuseService } from "../../service/connect/reused-answers.ts";
import { connect } from "../project/connect.ts";
import { trialClock } from "../shell/trial-time.ts";
import { loadProject, projectFolder } from "../project/project.ts";
import { reportError } from "../shell/report-problems.ts";
import type { ExitCode } from "../shell/shell.ts";
import { CalendarEditor } from "./edit.ts";
import { type PreviewFlags, type ReadPreview, readPreview } from "./read.ts";

export async function servePreview(run: Run<PreviewFlags>): Promise<ExitCode> {
  const { flags, shell, console } = run;
  const shown = new PageState();
  let saves: Saves | undefined;
  const editor = flags["read-only"] ? undefined : new CalendarEditor((file) => saves?.report(file));
  const content = {
    page: () => previewHtml(shown.data, assets, "live"),
    data: (since: string | undefined) => shown.json(since),
    media: (sha256: string) => shown.mediaFile(sha256),
    policy: pagePolicy(assets, "live"),
    editing: editor && { token: editor.token, answer: (request: EditRequest) => editor.answer(request) },
  };
  const server = await startPageServer(content, flags.port ?? 0);
  // Browsers do not send this part of an address. So only the page, and the person who reads this line, know the token.
  console.result(`${server.url}${editor === undefined ? "" : `#${EDIT_TOKEN_NAME}=${editor.token}`}\n`);
  try {
    saves = await watchSaves(await projectFolder(flags, shell), shell);
    const serving: Serving = { ...run, shown, editor, saves, notifyPages: () => server.notify() };
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
  /** Absent if posts cannot be edited. */
  readonly editor: CalendarEditor | undefined;
  readonly saves: Saves;
  /** Makes all pages show the current state. */
  readonly notifyPages: () => void;
}

/**
 * Reads again at each save, and reuses recent answers of the service, until plancast.yaml or the lockfile is
 * saved.
 */
async function untilSettingsChange(serving: Serving): Promise<void> {
  const { saves, flags, shell } = serving;
  const project = await unlessBroken(() => loadProject(flags, shell), serving);
  if (project === undefined) {
    await saves.next();
    return;
  }
  await saves.alsoWatch(settingsFiles(project));
  const service = reuseService(() => connect({ ...serving, project }, "read-only"), shell.clock);
  const meters = new KnownMeters();
  try {
    while (!shell.stop.aborted) {
      const preview = await unlessBroken(() => readInto(project, { service, meters }, serving), serving);
      const files = await nextSave(project.root, preview, saves);
      if (files.some((file) => settingsFiles(project).includes(file))) return;
    }
  } finally {
    await service.forget();
  }
}

/** Waits for saves that the page does not show yet. Returns none when the run must stop. */
async function nextSave(
  root: string,
  preview: ReadPreview | undefined,
  saves: Saves,
): Promise<readonly string[]> {
  for (;;) {
    const files = await saves.next();
    // If nothing could be read, or the service did not answer, any save tries again.
    if (files.length === 0 || preview === undefined || preview.isUnanswered) return files;
    const areShown = await Promise.all(files.map((file) => isShown(file, preview.data, root)));
    if (areShown.includes(false)) return files;
  }
}

/** Whether the page already shows a saved file, such as after an edit on the page. */
async function isShown(file: string, { editing = [] }: PreviewData, root: string): Promise<boolean> {
  const version = editing.find(({ name }) => name === file)?.version;
  if (version === undefined) return false;
  const bytes = await readFile(join(root, file)).catch(() => undefined);
  return bytes !== undefined && versionOf(bytes) === version;
}

/** Returns undefined if reading fails: the page shows that too. */
async function unlessBroken<T>(
  read: () => Promise<T>,
  { shown, editor, saves, notifyPages, shell, console }: Serving,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (shell.stop.aborted) return undefined;
    const problems = reportError(error, console);
    editor?.show(undefined);
    shown.fail(problems.map((each) => `${placeName(each)} ${each.message}`.trim()));
    notifyPages();
    if (error instanceof ProjectProblems) await saves.alsoWatch(error.files);
    return undefined;
  }
}

/** What lasts from one reading to the next. */
interface Lasting {
  readonly service: ReusedService<OpenedService>;
  readonly meters: KnownMeters;
}

async function readInto(
  project: Project,
  { service, meters }: Lasting,
  serving: Serving,
): Promise<ReadPreview> {
  const { shown, editor, notifyPages, flags, shell, console } = serving;
  const only = parseOnly(flags.only);
  const reading = {
    narrowing: { calendars: flags.calendar, only },
    editable: editor?.calendars,
    offline: flags.offline,
    asksForPast: false,
    now: flags.now,
    meters,
    open: service.open,
    sourceOf: (_root: string, files: readonly MediaFile[]) => sourceAtServer(files),
  };
  const preview = await readPreview(project, reading, shell);
  if (preview.isUnanswered) await service.forget();
  shown.show(project.root, preview);
  const clock = flags.now === undefined ? shell.clock : trialClock(flags.now, project, shell.clock);
  editor?.show({ project, calendars: preview.checked.calendars, only, data: preview.data, clock });
  notifyPages();
  const { problems, checked } = preview;
  console.note(`${countsText(countRows(checked, problems))}; ${problemsSummary(problems).toLowerCase()}.\n`);
  return preview;
}

function sourceAtServer(files: readonly MediaFile[]): (sha256: string) => string | undefined {
  const known = new Set(files.filter(isBrowserMedia).map(({ sha256 }) => sha256));
  return (sha256) => (known.has(sha256) ? mediaUrl(sha256) : undefined);
}

/** What the page shows now. */
class PageState {
  readonly #live = new LiveData({
    title: "plancast",
    timezone: "UTC",
    madeAt: "",
    today: "",
    notices: [{ kind: "note", text: READING_CALENDARS }],
    platforms: [],
    media: [],
    problems: [],
    posts: [],
  });
  #media = new Map<string, ServedFile>();

  get data(): PreviewData {
    return this.#live.data;
  }

  json(since: string | undefined): string | undefined {
    return this.#live.json(since);
  }

  show(root: string, { data, files }: ReadPreview): void {
    this.#live.set(data);
    this.#media = new Map(
      files
        .filter(isBrowserMedia)
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
    this.#live.set({ ...this.data, notices });
  }

  mediaFile(sha256: string): ServedFile | undefined {
    return this.#media.get(sha256);
  }
}
