/** `plancast preview`: writes the posts as a page for a browser, or serves that page while the files change (--serve). */

import { dirname, resolve } from "node:path";
import * as assets from "plancast:page";
import { Failure } from "../../model/failure.ts";
import type { MediaFile } from "../../model/post.ts";
import { hasErrors } from "../../model/problem.ts";
import { embeddedImageUrls, previewHtml, relativeImageUrls } from "../../preview/preview-html.ts";
import { problemsSummary } from "../../report/problems/problems-text.ts";
import { escapeTerminal, terminalText } from "../../report/text/escape.ts";
import { plural } from "../../report/text/numbers.ts";
import { type ProjectRun, type Run, defineCommand } from "../common/command.ts";
import { connect } from "../common/connect.ts";
import {
  ONLY_OPTION,
  calendarsPositional,
  outOption,
  parseOnly,
  portNumber,
  switchOption,
} from "../common/flags.ts";
import { writeGenerated } from "../common/output-file.ts";
import { openProject } from "../common/project.ts";
import type { ExitCode } from "../common/shell.ts";
import { type PreviewFlags, readPreview } from "./read.ts";
import { servePreview } from "./serve.ts";

export const command = defineCommand<PreviewFlags>({
  flags: (yargs) =>
    yargs
      .positional("calendar", calendarsPositional("show"))
      .option("only", ONLY_OPTION)
      .option("out", outOption("File to write (default: preview.html)"))
      .option("offline", switchOption("Do not contact the service. The page then shows no planned changes"))
      .option("serve", switchOption("Open the page at a local address, and update it at each save"))
      .option("port", {
        type: "string",
        requiresArg: true,
        coerce: (text: string | undefined) => (text === undefined ? undefined : portNumber(text)),
        describe: "Port on 127.0.0.1 for --serve (default: any free port)",
      })
      .example("$0 preview", "Write preview.html, a page for any browser")
      .example("$0 preview --serve", "Show the page while you edit")
      .example(
        "$0 preview --offline --out march.html --only date=2027-03",
        "Write a page of one month, without the service",
      ),
  run: preview,
});

async function preview(run: Run<PreviewFlags>): Promise<ExitCode> {
  const { flags } = run;
  if (flags.serve && flags.out !== undefined)
    throw new Failure("usage/arguments", "--serve writes no file.", "Leave out --out, or --serve.");
  if (!flags.serve && flags.port !== undefined)
    throw new Failure("usage/arguments", "--port needs --serve.", "Add --serve, or leave out --port.");
  if (flags.serve) return servePreview(run);
  return writePreview(await openProject(run));
}

const USUAL_OUT = "preview.html";

/** Writes the page as one file. */
async function writePreview(run: ProjectRun<PreviewFlags>): Promise<ExitCode> {
  const { project, flags, shell, console } = run;
  const out = flags.out ?? USUAL_OUT;
  const reading = {
    narrowing: { calendars: flags.calendar, only: parseOnly(flags.only) },
    offline: flags.offline,
    open: () => connect(run, "read-only"),
    sourceOf: async (root: string, files: readonly MediaFile[]) => {
      const embedded = await embeddedImageUrls(root, files);
      const beside = relativeImageUrls(root, dirname(resolve(shell.cwd, out)), files);
      return (sha256: string) => embedded.get(sha256) ?? beside.get(sha256);
    },
  };
  const { data, problems } = await readPreview(project, reading, shell);
  await writeGenerated(out, previewHtml(data, assets, "file"), "page", { project, shell });
  for (const { text } of data.notices) console.note(terminalText([escapeTerminal(text)]));
  if (problems.length > 0)
    console.note(`${problemsSummary(problems)}. See the page, or run plancast validate.\n`);
  console.result(`${plural(data.posts.length, "post")} in ${out}. Open it in a browser.\n`);
  return hasErrors(problems) ? 1 : 0;
}
