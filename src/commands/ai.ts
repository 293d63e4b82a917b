import { command, type GlobalFlags } from "./command.ts";
import type { Console } from "./console.ts";
import { FORMAT_OPTION, printProblemsJson } from "./remote-flags.ts";
import type { ExitCode, Shell } from "./shell.ts";

export interface AiFlags {
  readonly action: "text" | "image";
  readonly prompt: string | undefined;
  readonly platform: string | undefined;
  readonly tone: string | undefined;
  readonly size: string | undefined;
  readonly out: string | undefined;
  readonly force: boolean;
  readonly format: "text" | "json";
}

export const aiCommand = command<AiFlags>({
  command: "ai <action>",
  describe: "Have the service write one text, or make one picture",
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
  const { loadProject } = await import("./load-project.ts");
  const { makeImage, writeText } = await import("./ask-ai.ts");
  const project = await loadProject(flags, shell);
  return flags.action === "text"
    ? writeText(project, flags, shell, console)
    : makeImage(project, flags, shell, console);
}
