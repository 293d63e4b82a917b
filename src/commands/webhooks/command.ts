import { defineCommand } from "../shared/command.ts";
import type { Console } from "../shared/console.ts";
import { type GlobalFlags, FORMAT_OPTION, NO_NAMES } from "../shared/flags.ts";
import { printProblemsJson } from "../shared/print-problems.ts";
import type { ExitCode, Shell } from "../shared/shell.ts";
import type { WebhooksFlags } from "./run.ts";

export const command = defineCommand<WebhooksFlags>({
  flags: (yargs) =>
    yargs
      .positional("action", {
        choices: ["add"] as const,
        demandOption: true,
        describe: "What to do. The service has no way to list or remove them",
      })
      .option("url", {
        type: "string",
        requiresArg: true,
        describe: "Needed: the address, as plancast listen prints it or as the world reaches it",
      })
      .option("event", {
        type: "string",
        array: true,
        nargs: 1,
        default: NO_NAMES,
        describe:
          "Kind of event, such as post.failed; may be given several times. All that are known if none",
      })
      .option("format", FORMAT_OPTION)
      .example(
        "$0 webhooks add --url https://hooks.example.com/events/… --event post.published --event post.failed",
        "Has the service tell what becomes of posts",
      ),
  run: webhooks,
  printFailed: printProblemsJson,
});

async function webhooks(
  flags: GlobalFlags & WebhooksFlags,
  shell: Shell,
  console: Console,
): Promise<ExitCode> {
  const { loadProject } = await import("../shared/project.ts");
  const { addWebhook } = await import("./run.ts");
  return addWebhook(await loadProject(flags, shell), flags, shell, console);
}
