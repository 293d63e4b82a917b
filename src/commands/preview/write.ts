/** `plancast preview` without --serve: the page as one file. */

import { dirname, resolve } from "node:path";
import * as assets from "plancast:page";
import type { MediaFile } from "../../model/post.ts";
import { hasErrors } from "../../model/problem.ts";
import { embeddedImageUrls, relativeImageUrls } from "../../preview/page-pictures.ts";
import { previewHtml } from "../../preview/preview-html.ts";
import { problemsSummary } from "../../report/problems/problems-text.ts";
import { escapeTerminal, terminalText } from "../../report/text/escape.ts";
import { plural } from "../../report/text/numbers.ts";
import { connect } from "../shared/connect.ts";
import type { Console } from "../shared/console.ts";
import { type GlobalFlags, parseOnly } from "../shared/flags.ts";
import { writeGenerated } from "../shared/output-file.ts";
import { loadProject } from "../shared/project.ts";
import type { ExitCode, Shell } from "../shared/shell.ts";
import type { PreviewFlags } from "./read.ts";
import { readPreview } from "./read.ts";

const USUAL_OUT = "preview.html";

export async function writePreview(
  flags: GlobalFlags & PreviewFlags,
  shell: Shell,
  console: Console,
): Promise<ExitCode> {
  const out = flags.out ?? USUAL_OUT;
  const project = await loadProject(flags, shell);
  const reading = {
    narrowing: { calendars: flags.calendar, only: parseOnly(flags.only) },
    offline: flags.offline,
    open: () => connect({ project, access: "read-only" }, flags, shell, console),
    sourceOf: async (root: string, files: readonly MediaFile[]) => {
      const embedded = await embeddedImageUrls(root, files);
      const beside = relativeImageUrls(root, dirname(resolve(shell.cwd, out)), files);
      return (sha256: string) => embedded.get(sha256) ?? beside.get(sha256);
    },
  };
  const { data, problems } = await readPreview(project, reading, shell);
  await writeGenerated(out, previewHtml(data, assets, "file"), "page", shell);
  for (const { text } of data.notices) console.note(terminalText([escapeTerminal(text)]));
  if (problems.length > 0)
    console.note(`${problemsSummary(problems)}: the page shows them; so does plancast validate.\n`);
  console.result(`${plural(data.posts.length, "post")} in ${out}. Open it in a browser.\n`);
  return hasErrors(problems) ? 1 : 0;
}
