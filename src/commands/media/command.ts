import { defineCommand } from "../shared/command.ts";
import type { Console } from "../shared/console.ts";
import { type GlobalFlags, FORMAT_OPTION, NO_NAMES, rejectNames } from "../shared/flags.ts";
import { printProblemsJson } from "../shared/print-problems.ts";
import type { ExitCode, Shell } from "../shared/shell.ts";
import type { MediaFlags } from "./run.ts";

export const command = defineCommand<MediaFlags>({
  flags: (yargs) =>
    yargs
      .positional("action", {
        choices: ["list", "upload", "prune"] as const,
        demandOption: true,
        describe: "What to do; prune changes the lockfile only",
      })
      .positional("file", {
        type: "string",
        array: true,
        default: NO_NAMES,
        describe: "Files of the project to upload",
      })
      .option("type", {
        type: "string",
        requiresArg: true,
        describe: "List media of this type, such as image",
      })
      .option("format", FORMAT_OPTION)
      .example("$0 media upload media/launch.png", "Uploads it, unless the service has it")
      .example("$0 media prune", "Removes from the lockfile what the service no longer has"),
  run: media,
  printFailed: printProblemsJson,
});

async function media(flags: GlobalFlags & MediaFlags, shell: Shell, console: Console): Promise<ExitCode> {
  const { loadProject } = await import("../shared/project.ts");
  switch (flags.action) {
    case "list": {
      rejectNames(flags.file, "media list");
      const { listMedia } = await import("./run.ts");
      return listMedia(await loadProject(flags, shell), flags, shell, console);
    }
    case "upload": {
      const { uploadFiles } = await import("./run.ts");
      return uploadFiles(await loadProject(flags, shell), flags, shell, console);
    }
    case "prune": {
      rejectNames(flags.file, "media prune");
      const { pruneMedia } = await import("./run.ts");
      return pruneMedia(await loadProject(flags, shell), flags, shell, console);
    }
  }
}
