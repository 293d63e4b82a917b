import { defineCommand } from "../shared/command.ts";
import type { Console } from "../shared/console.ts";
import { type GlobalFlags, formatOption } from "../shared/flags.ts";
import type { ExitCode, Shell } from "../shared/shell.ts";
import type { ResolveFlags } from "./run.ts";

export const command = defineCommand<ResolveFlags>({
  flags: (yargs) =>
    yargs
      .positional("key", { type: "string", describe: "The post: its id, or its key as resolve lists it" })
      .option("exists", {
        type: "string",
        requiresArg: true,
        describe: "It exists on the service as this post id",
      })
      .option("absent", {
        type: "boolean",
        default: false,
        describe: "It does not exist; the next apply creates it",
      })
      .option("look-again", { type: "boolean", default: false, describe: "Look at the service's list now" })
      .option("format", formatOption("json"))
      .check(({ key, exists, absent }) => {
        if (key !== undefined || (exists === undefined && !absent)) return true;
        return `${absent ? "--absent" : "--exists"} is about one post: name its key as well.`;
      })
      .example("$0 resolve", "Lists what is in doubt")
      .example("$0 resolve launch --exists post_81f", "The post launch exists as post_81f")
      .example("$0 resolve launch --absent", "The post launch was never made")
      .example("$0 resolve --look-again", "Looks for all of them on the service"),
  run: resolve,
  printFailed: async (_problems, format, console) => {
    const { pendingCreatesDocument: attemptsDocument } =
      await import("../../report/outcomes/pending-creates.ts");
    if (format === "json") console.json(attemptsDocument({}));
  },
});

async function resolve(flags: GlobalFlags & ResolveFlags, shell: Shell, console: Console): Promise<ExitCode> {
  const { acquireRunLock, withoutWaiting: atOnce } = await import("../../sync/state/run-lock.ts");
  const { resolveAttempts } = await import("./run.ts");
  const { loadProject } = await import("../shared/project.ts");
  const project = await loadProject(flags, shell);
  const isReading = flags.exists === undefined && !flags.absent && !flags["look-again"];
  if (isReading) return resolveAttempts(project, flags, shell, console);
  const lock = await acquireRunLock(project.root, atOnce("resolve", shell));
  try {
    return await resolveAttempts(project, flags, shell, console);
  } finally {
    await lock.release();
  }
}
