/** `plancast preview --serve`: the page follows the files. What cannot be read is shown in the page, and ends nothing. */
import { join } from "node:path";
import * as assets from "plancast:page";
import { placeName } from "../calendar/place-name.ts";
import type { MediaFile } from "../calendar/post.ts";
import { pictureAddress, startPageServer, type ServedFile } from "../live/page-server.ts";
import { savesIn } from "../live/saves.ts";
import { isShownPicture } from "../media/embed-pictures.ts";
import type { PreviewData } from "../preview/preview-data.ts";
import { pagePolicy, previewHtml } from "../preview/preview-html.ts";
import { plural } from "../report/plural.ts";
import { problemsSummary } from "../report/problems-text.ts";
import { visibleText } from "../report/visible-text.ts";
import type { GlobalFlags } from "./command.ts";
import type { Console } from "./console.ts";
import { explain } from "./explain.ts";
import { loadProject, projectFolder } from "./load-project.ts";
import { onlyFlag } from "./only-flag.ts";
import type { PreviewFlags } from "./preview.ts";
import { readPreview, type ReadPreview, type Surroundings } from "./read-preview.ts";
import type { ExitCode, Shell } from "./shell.ts";

export async function servePreview(
  flags: GlobalFlags & PreviewFlags,
  shell: Shell,
  console: Console,
): Promise<ExitCode> {
  const shown = new Shown();
  const content = {
    page: () => previewHtml(shown.data, assets, "live"),
    data: () => JSON.stringify(shown.data),
    picture: (sha256: string) => shown.picture(sha256),
    policy: pagePolicy(assets, "live"),
  };
  const server = await startPageServer(content, flags.port ?? 0);
  console.result(`${server.url}\n`);
  try {
    const saved = await savesIn(await projectFolder(flags, shell), shell.stop);
    while (!shell.stop.aborted) {
      // oxlint-disable-next-line no-await-in-loop
      await readAgain(shown, { flags, shell, console });
      server.tell();
      // oxlint-disable-next-line no-await-in-loop
      await saved();
    }
  } finally {
    await server.close();
  }
  return 0;
}

type Reading = Surroundings & { readonly flags: PreviewFlags };

/** What cannot be read is told, in the page too. */
async function readAgain(shown: Shown, surroundings: Reading): Promise<void> {
  try {
    await readInto(shown, surroundings);
  } catch (error) {
    if (surroundings.shell.stop.aborted) return;
    const problems = explain(error, surroundings.console);
    shown.fail(problems.map((each) => `${placeName(each)} ${each.message}`.trim()));
  }
}

async function readInto(shown: Shown, { flags, shell, console }: Reading): Promise<void> {
  const project = await loadProject(flags, shell);
  const reading = {
    narrowing: { calendars: flags.calendar, only: onlyFlag(flags.only) },
    offline: flags.offline,
    sourceOf: (_root: string, files: readonly MediaFile[]) => sourceAtServer(files),
  };
  const preview = await readPreview(project, reading, { flags, shell, console });
  shown.show(project.root, preview);
  const { data, problems } = preview;
  console.note(`${plural(data.posts.length, "post")}, ${problemsSummary(problems).toLowerCase()}.\n`);
}

function sourceAtServer(files: readonly MediaFile[]): (sha256: string) => string | undefined {
  const known = new Set(files.filter(isShownPicture).map(({ sha256 }) => sha256));
  return (sha256) => (known.has(sha256) ? pictureAddress(sha256) : undefined);
}

/** What the page shows at the moment. */
class Shown {
  data: PreviewData = {
    title: "plancast",
    timezone: "UTC",
    madeAt: "",
    today: "",
    notices: [{ kind: "note", text: "The calendars are being read." }],
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
        .filter(isShownPicture)
        .map(({ sha256, path, mime }) => [sha256, { path: join(root, path), mime }]),
    );
  }

  /** What was shown stays, under a word on why it is old. */
  fail(reasons: readonly string[]): void {
    const old = this.data.posts.length === 0 ? "" : " What follows is as it was before.";
    const notices = reasons.map((reason) => ({ kind: "alert" as const, text: visibleText(reason) + old }));
    this.data = { ...this.data, notices };
  }

  picture(sha256: string): ServedFile | undefined {
    return this.#pictures.get(sha256);
  }
}
