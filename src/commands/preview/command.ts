/** `plancast preview`: writes the posts as a page for a browser, or serves that page while the files change (--serve). */

import { dirname, join, resolve } from "node:path";
import * as assets from "plancast:page";
import { countRows } from "../../calendars/count-rows.ts";
import { Failure } from "../../model/failure.ts";
import type { MediaFile } from "../../model/post.ts";
import { hasErrors } from "../../model/problem.ts";
import { embeddedImageUrls, relativeMediaUrls } from "../../preview/page-media.ts";
import { previewHtml } from "../../preview/preview-html.ts";
import { countsText } from "../../report/problems/counts-text.ts";
import { problemsSummary } from "../../report/problems/problems-text.ts";
import { escapeTerminal, terminalText } from "../../report/text/escape.ts";
import { type ProjectRun, type Run, defineCommand } from "../shell/command.ts";
import { connect } from "../project/connect.ts";
import {
  ONLY_OPTION,
  calendarsPositional,
  outOption,
  parseOnly,
  portNumber,
  switchOption,
} from "../shell/flags.ts";
import { writeGenerated } from "../project/output-file.ts";
import { openProject } from "../project/project.ts";
import { showCalendarProblems } from "../shell/report-problems.ts";
import type { ExitCode } from "../shell/shell.ts";
import { NOW_OPTION } from "../shell/trial-time.ts";
import { type PreviewFlags, readPreview } from "./read.ts";
import { CLIENT_OUT, writeClientPage } from "./client.ts";
import { servePreview } from "./serve.ts";

const USUAL_OUT = "preview.html";

export const command = defineCommand<PreviewFlags>({
  flags: (yargs) =>
    yargs
      .positional("calendar", calendarsPositional("show"))
      .option("only", ONLY_OPTION)
      .option("now", NOW_OPTION)
      .option("out", outOption("File to write (default: preview.html; client.html for a client)"))
      .option("offline", switchOption("Do not contact the service. The page then shows no planned changes"))
      .option(
        "for-client",
        switchOption("Make a page on which a client approves the posts of a month, without the service"),
      )
      .option("serve", switchOption("Open the page at a local address, and update it at each save"))
      .option("read-only", switchOption("With --serve: posts cannot be edited on the page"))
      .option("port", {
        type: "string",
        requiresArg: true,
        coerce: (text: string | undefined) => (text === undefined ? undefined : portNumber(text)),
        describe: "Port on 127.0.0.1 for --serve (default: any free port)",
      })
      .example("$0 preview", "Write preview.html, a page for any browser")
      .example("$0 preview --serve", "Show the page while you edit, and edit posts on it")
      .example(
        "$0 preview --for-client --only date=2027-03",
        "Write client.html, on which your client approves the posts of March",
      ),
  run: preview,
  forAll: {
    single: ["calendar", "out", "serve", "read-only", "port"],
    flagsFor: (folder, flags) => ({ out: join(folder, flags["for-client"] ? CLIENT_OUT : USUAL_OUT) }),
  },
});

async function preview(run: Run<PreviewFlags>): Promise<ExitCode> {
  const { flags } = run;
  if (flags.serve && flags.out !== undefined)
    throw new Failure("usage/arguments", "--serve does not write a file.", "Leave out --out, or --serve.");
  if (!flags.serve && flags.port !== undefined)
    throw new Failure("usage/arguments", "--port needs --serve.", "Add --serve, or leave out --port.");
  if (!flags.serve && flags["read-only"])
    throw new Failure(
      "usage/arguments",
      "--read-only needs --serve.",
      "Add --serve, or leave out --read-only: other pages cannot be edited.",
    );
  if (flags.serve && flags["for-client"])
    throw new Failure(
      "usage/arguments",
      "--serve cannot make a page for a client.",
      "Leave out --serve, and send your client the file.",
    );
  if (flags.serve) return servePreview(run);
  if (flags["for-client"]) return writeClientPage(await openProject(run));
  return writePreview(await openProject(run));
}

/** Writes the page as one file. */
async function writePreview(run: ProjectRun<PreviewFlags>): Promise<ExitCode> {
  const { project, flags, shell, console } = run;
  const out = flags.out ?? USUAL_OUT;
  const reading = {
    narrowing: { calendars: flags.calendar, only: parseOnly(flags.only) },
    offline: flags.offline,
    asksForPast: true,
    now: flags.now,
    open: () => connect(run, "read-only"),
    sourceOf: async (root: string, files: readonly MediaFile[]) => {
      const embedded = await embeddedImageUrls(root, files);
      const beside = relativeMediaUrls(root, dirname(resolve(shell.cwd, out)), files);
      return (sha256: string) => embedded.get(sha256) ?? beside.get(sha256);
    },
  };
  const { data, problems, checked } = await readPreview(project, reading, shell);
  await writeGenerated(out, previewHtml(data, assets, "file"), "page", { project, shell });
  for (const { text } of data.notices) console.note(terminalText([escapeTerminal(text)]));
  // A page without posts helps nobody to find out why.
  if (data.posts.length === 0 && hasErrors(problems)) showCalendarProblems(problems, [], console);
  else if (problems.length > 0)
    console.note(`${problemsSummary(problems)}. See the page, or run plancast validate.\n`);
  const counts = countsText(countRows(checked, problems));
  console.result(`Wrote ${out}: ${counts}. Open it in a browser.\n`);
  return hasErrors(problems) ? 1 : 0;
}
