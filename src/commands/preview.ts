import { onlyFlag, ONLY_OPTION, type OnlyFlag } from "./only-flag.ts";
import { command, NO_NAMES, wholeNumber, type GlobalFlags } from "./command.ts";
import { Failure } from "../calendar/failure.ts";
import type { Console } from "./console.ts";
import type { ExitCode, Shell } from "./shell.ts";

export interface PreviewFlags extends OnlyFlag {
  readonly calendar: string[];
  readonly out: string | undefined;
  readonly offline: boolean;
  readonly serve: boolean;
  readonly port: number | undefined;
}

export const previewCommand = command<PreviewFlags>({
  command: "preview [calendar..]",
  describe: "Show the posts as they will look, as a page to open in a browser",
  flags: (yargs) =>
    yargs
      .positional("calendar", {
        type: "string",
        array: true,
        default: NO_NAMES,
        describe: "Calendars to show; all if none",
      })
      .option("only", ONLY_OPTION)
      .option("out", {
        type: "string",
        requiresArg: true,
        describe: "File to write; preview.html if none",
      })
      .option("offline", {
        type: "boolean",
        default: false,
        describe: "Do not ask the service, so without what a plan would do",
      })
      .option("serve", {
        type: "boolean",
        default: false,
        describe: "Serve the page on this machine, and follow the files as they are saved",
      })
      .option("port", {
        type: "string",
        requiresArg: true,
        coerce: (text: string | undefined) => (text === undefined ? undefined : wholeNumber(text)),
        describe: "Port on 127.0.0.1 for --serve; any that is free if none",
      })
      .example("$0 preview", "Writes preview.html, a file that needs nothing beside it")
      .example("$0 preview --serve", "Shows the page while you edit; it follows each save")
      .example("$0 preview --offline --out march.html --only date=2027-03", "One month, without the service"),
  run: preview,
});

const USUAL_OUT = "preview.html";

async function preview(flags: GlobalFlags & PreviewFlags, shell: Shell, console: Console): Promise<ExitCode> {
  if (flags.serve && flags.out !== undefined)
    throw new Failure("usage/arguments", "--serve writes no file.", "Leave out --out, or --serve.");
  if (!flags.serve && flags.port !== undefined)
    throw new Failure("usage/arguments", "--port is for --serve.", "Add --serve, or leave out --port.");
  if (flags.serve) {
    const { servePreview } = await import("./serve-preview.ts");
    return servePreview(flags, shell, console);
  }
  return writePreview(flags, shell, console);
}

async function writePreview(
  flags: GlobalFlags & PreviewFlags,
  shell: Shell,
  console: Console,
): Promise<ExitCode> {
  const assets = await import("plancast:page");
  const { hasErrors } = await import("../calendar/problem.ts");
  const { embedPictures } = await import("../media/embed-pictures.ts");
  const { previewHtml } = await import("../preview/preview-html.ts");
  const { escapeTerminal, terminalText } = await import("../report/escape-terminal.ts");
  const { plural } = await import("../report/plural.ts");
  const { problemsSummary } = await import("../report/problems-text.ts");
  const { loadProject } = await import("./load-project.ts");
  const { readPreview } = await import("./read-preview.ts");
  const { writeOutput } = await import("./write-output.ts");
  const out = flags.out ?? USUAL_OUT;
  const reading = {
    narrowing: { calendars: flags.calendar, only: onlyFlag(flags.only) },
    offline: flags.offline,
    sourceOf: async (...files: Parameters<typeof embedPictures>) => {
      const embedded = await embedPictures(...files);
      return (sha256: string) => embedded.get(sha256);
    },
  };
  const { data, problems } = await readPreview(await loadProject(flags, shell), reading, {
    flags,
    shell,
    console,
  });
  await writeOutput(out, previewHtml(data, assets, "file"), shell);
  for (const { text } of data.notices) console.note(terminalText([escapeTerminal(text)]));
  if (problems.length > 0)
    console.note(`${problemsSummary(problems)}: the page shows them; so does plancast validate.\n`);
  console.result(`${plural(data.posts.length, "post")} in ${out}. Open it in a browser.\n`);
  return hasErrors(problems) ? 1 : 0;
}
