import { relative, sep } from "node:path";
import { terminalText } from "../../report/text/escape.ts";
import { advice } from "../../report/text/wrap.ts";
import { defineCommand } from "../shared/command.ts";
import type { Console } from "../shared/console.ts";
import type { GlobalFlags } from "../shared/flags.ts";
import type { ExitCode, Shell } from "../shared/shell.ts";

export interface InitFlags {
  readonly timezone: string | undefined;
  readonly template: "csv" | "xlsx";
}

/** The repository whose action.yml is the GitHub Action. */
const ACTION = "plancast/plancast";

export const command = defineCommand<InitFlags>({
  flags: (yargs) =>
    yargs
      .option("timezone", {
        type: "string",
        requiresArg: true,
        describe: "IANA zone of the team, e.g. Europe/Paris; this machine's if none",
      })
      .option("template", {
        choices: ["csv", "xlsx"] as const,
        default: "csv" as const,
        requiresArg: true,
        describe: "Sample calendar: text, or a workbook with drop-downs",
      })
      .example("$0 init", "Writes plancast.yaml, a sample calendar, a picture and a workflow")
      .example("$0 init --template xlsx", "The same, for people who work in a spreadsheet"),
  run: init,
});

async function init(
  { timezone, template }: GlobalFlags & InitFlags,
  shell: Shell,
  console: Console,
): Promise<ExitCode> {
  const { filesToWrite } = await import("./files.ts");
  const { nextSteps } = await import("./files.ts");
  const { findRepository } = await import("../../github/find-repository.ts");
  const { readIfExists: readIfThere, writeNewFiles: writeNew } = await import("./run.ts");
  const { findZone } = await import("../../model/zone.ts");
  const { Failure } = await import("../../model/failure.ts");
  const { VERSION } = await import("../../version.ts");
  const zone = timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (findZone(zone) === undefined) {
    throw new Failure(
      "schedule/unknown-timezone",
      `"${zone}" is not a time zone.`,
      "Name one like Europe/Paris with --timezone.",
    );
  }
  const repository = await findRepository(shell.cwd);
  const branch = repository?.branch;
  const folder = repository === undefined ? "" : relative(repository.root, shell.cwd).split(sep).join("/");
  const files = filesToWrite({
    today: new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(shell.clock.now()),
    timezone: zone,
    action: `${ACTION}@v${VERSION}`,
    branch,
    folder,
    template,
    gitignore: await readIfThere(shell.cwd, ".gitignore"),
  });
  await writeNew(shell.cwd, files);
  for (const { path } of files) console.note(`wrote ${path}\n`);
  for (const step of nextSteps({ branch, folder }))
    console.note(terminalText(advice(step, console.errorStyle)));
  return 0;
}
