import { Failure } from "../../model/failure.ts";
import { defineCommand } from "../shared/command.ts";
import type { Console } from "../shared/console.ts";
import { type GlobalFlags, ONLY_OPTION, calendarsPositional, portNumber } from "../shared/flags.ts";
import type { ExitCode, Shell } from "../shared/shell.ts";
import type { PreviewFlags } from "./read.ts";

export const command = defineCommand<PreviewFlags>({
  flags: (yargs) =>
    yargs
      .positional("calendar", calendarsPositional("show"))
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
        coerce: (text: string | undefined) => (text === undefined ? undefined : portNumber(text)),
        describe: "Port on 127.0.0.1 for --serve; any that is free if none",
      })
      .example("$0 preview", "Writes preview.html, a page for any browser")
      .example("$0 preview --serve", "Shows the page while you edit; it follows each save")
      .example("$0 preview --offline --out march.html --only date=2027-03", "One month, without the service"),
  run: preview,
});

async function preview(flags: GlobalFlags & PreviewFlags, shell: Shell, console: Console): Promise<ExitCode> {
  if (flags.serve && flags.out !== undefined)
    throw new Failure("usage/arguments", "--serve writes no file.", "Leave out --out, or --serve.");
  if (!flags.serve && flags.port !== undefined)
    throw new Failure("usage/arguments", "--port is for --serve.", "Add --serve, or leave out --port.");
  if (flags.serve) {
    const { servePreview } = await import("./serve.ts");
    return servePreview(flags, shell, console);
  }
  const { writePreview } = await import("./write.ts");
  return writePreview(flags, shell, console);
}
