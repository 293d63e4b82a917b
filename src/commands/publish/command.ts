/** `plancast publish`: publishes what is due, from the schedule in the repository. */

import type { Argv } from "yargs";
import { publishDocument, publishText } from "../../report/outcomes/publish-text.ts";
import { type FlagsOf, type ProjectRun, defineCommand } from "../shell/command.ts";
import { type GlobalFlags, FORMAT_OPTION, switchOption } from "../shell/flags.ts";
import { openProject } from "../project/project.ts";
import { printProblemsJson, reportError } from "../shell/report-problems.ts";
import type { ExitCode } from "../shell/shell.ts";
import { publishWith } from "./run.ts";

const defineFlags = (yargs: Argv<GlobalFlags>) =>
  yargs
    .option("dry-run", switchOption("Show what is due, and send nothing"))
    .option("late", {
      type: "string",
      default: "2h",
      requiresArg: true,
      describe: "How long after its time a post may still be published",
      valueName: "TIME",
    })
    .option("format", FORMAT_OPTION)
    .example("$0 publish", "Publish what is due, and push the results")
    .example("$0 publish --dry-run", "Show what is due now");

type PublishFlags = FlagsOf<typeof defineFlags>;

export const command = defineCommand<PublishFlags>({
  flags: defineFlags,
  run: async (run) => publish(await openProject(run)),
  printFailed: printProblemsJson,
});

async function publish(run: ProjectRun<PublishFlags>): Promise<ExitCode> {
  const { project, flags, console } = run;
  const isDryRun = flags["dry-run"];
  const { ran, exit } = await publishWith(run, { late: flags.late, isDryRun });
  if (flags.format === "json") console.json(publishDocument(ran.tasks, isDryRun));
  else console.result(publishText(ran.tasks, project.config.timezone ?? "UTC", console.style));
  if (ran.failure !== undefined) reportError(ran.failure, console);
  return exit;
}
