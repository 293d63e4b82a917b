import { defineCommand } from "../shared/command.ts";
import type { Console } from "../shared/console.ts";
import { type GlobalFlags, formatOption } from "../shared/flags.ts";
import type { ExitCode, Shell } from "../shared/shell.ts";
import type { PullFlags } from "./run.ts";

export const command = defineCommand<PullFlags>({
  flags: (yargs) =>
    yargs
      .option("out", {
        type: "string",
        requiresArg: true,
        describe: "Calendar to write; calendars/pulled.yaml if none",
      })
      .option("to", {
        choices: ["csv", "yaml", "xlsx"] as const,
        requiresArg: true,
        describe: "Format to write; else by the name that --out gives",
      })
      .option("all", {
        type: "boolean",
        default: false,
        describe: "Also posts that this project owns and whose row is gone",
      })
      .option("adopt", {
        type: "boolean",
        default: false,
        describe: "Take the posts over into the lockfile, too",
      })
      .option("yes", {
        alias: ["y", "auto-approve"],
        type: "boolean",
        default: false,
        describe: "Do not ask before adopting",
      })
      .option("format", formatOption("json"))
      .example("$0 pull --adopt", "Moves an account into git: calendar and lockfile")
      .example("$0 pull --out calendars/autumn.csv", "Writes the calendar only"),
  run: pull,
  printFailed: async (problems, format, console) => {
    if (format !== "json") return;
    const { pulledDocument } = await import("../../report/outcomes/calendar-files.ts");
    console.json(pulledDocument(undefined, problems));
  },
});

async function pull(flags: GlobalFlags & PullFlags, shell: Shell, console: Console): Promise<ExitCode> {
  const { pullCalendar } = await import("./run.ts");
  const { loadProject } = await import("../shared/project.ts");
  const project = await loadProject(flags, shell);
  if (!flags.adopt) return pullCalendar(project, flags, shell, console);
  const { acquireRunLock, withoutWaiting: atOnce } = await import("../../sync/state/run-lock.ts");
  const lock = await acquireRunLock(project.root, atOnce("pull --adopt", shell));
  try {
    return await pullCalendar(project, flags, shell, console);
  } finally {
    await lock.release();
  }
}
