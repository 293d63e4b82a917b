import { defineCommand } from "../shared/command.ts";
import type { Console } from "../shared/console.ts";
import { type GlobalFlags, FORMAT_OPTION } from "../shared/flags.ts";
import { printProblemsJson } from "../shared/print-problems.ts";
import type { ExitCode, Shell } from "../shared/shell.ts";
import type { AiFlags } from "./run.ts";

export const command = defineCommand<AiFlags>({
  flags: (yargs) =>
    yargs
      .positional("action", {
        choices: ["text", "image"] as const,
        demandOption: true,
        describe: "What to make",
      })
      .option("prompt", {
        type: "string",
        requiresArg: true,
        describe: "Needed: what it is to be about, or to show",
      })
      .option("platform", {
        type: "string",
        requiresArg: true,
        describe: "Text: the platform that it is for",
      })
      .option("tone", { type: "string", requiresArg: true, describe: "Text: its tone, such as casual" })
      .option("size", {
        type: "string",
        requiresArg: true,
        describe: "Picture: width and height in pixels, such as 1024x1024",
      })
      .option("out", { type: "string", requiresArg: true, describe: "Picture: the file to save it to" })
      .option("force", { type: "boolean", default: false, describe: "Replace a file that is there" })
      .option("format", FORMAT_OPTION)
      .example(
        '$0 ai text --prompt "Our spring sale" --platform linkedin',
        "Prints the text, and nothing else",
      )
      .example('$0 ai image --prompt "A harbour" --out harbour.png', "Makes the picture and saves it"),
  run: ai,
  printFailed: printProblemsJson,
});

async function ai(flags: GlobalFlags & AiFlags, shell: Shell, console: Console): Promise<ExitCode> {
  const { loadProject } = await import("../shared/project.ts");
  const { makeImage, writeText } = await import("./run.ts");
  const project = await loadProject(flags, shell);
  return flags.action === "text"
    ? writeText(project, flags, shell, console)
    : makeImage(project, flags, shell, console);
}
