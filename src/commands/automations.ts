/** `plancast automations`: lists the service's automations, or triggers one. */

import { shellArgument } from "../model/text.ts";
import { Failure } from "../model/failure.ts";
import { triggerDocument, triggerWording } from "../report/outcomes/write-outcome.ts";
import { automationsText } from "../report/status/service-lists.ts";
import { oneLine } from "../report/text/style.ts";
import {
  type FlagsOf,
  type ProjectRun,
  type Run,
  FORMAT_OPTION,
  YES_OPTION,
  actionPositional,
  confirmChange,
  defineCommand,
  defineFlags,
  namePositional,
  rejectName,
  requireName,
  textOption,
} from "./shell/command.ts";
import { withService } from "./project/connect.ts";
import { printProblemsJson } from "./shell/report-problems.ts";
import { openProject } from "./project/project.ts";
import { reportWrite, showRead } from "./project/service-records.ts";
import type { ExitCode } from "./shell/shell.ts";

const FLAGS = defineFlags({
  action: actionPositional(["list", "trigger"]),
  id: namePositional("Id of the automation to trigger"),
  input: textOption("What the automation works on, such as a web address", "TEXT"),
  yes: YES_OPTION,
  format: FORMAT_OPTION,
});

type AutomationsFlags = FlagsOf<typeof FLAGS>;

export const command = defineCommand({
  flags: FLAGS,
  examples: [
    ["automations list", "List automations with their ids"],
    ["automations trigger auto_3 --input https://example.com/new", "Ask, then trigger the automation once"],
  ],
  run: automations,
  printFailed: printProblemsJson,
});

async function automations(run: Run<AutomationsFlags>): Promise<ExitCode> {
  const { flags } = run;
  if (flags.action === "list") {
    rejectName(flags.id, "automations list");
    return listAutomations(await openProject(run));
  }
  const id = requireName(flags.id, "automations trigger", "automation");
  return triggerAutomation(await openProject(run), id);
}

function listAutomations(run: ProjectRun<AutomationsFlags>): Promise<ExitCode> {
  const { console } = run;
  return showRead(run, async (service) => {
    const { items, doubt } = await service.listAutomations();
    const automations = (): object[] => items.map(({ id, name }) => ({ id, name }));
    return {
      document: () => ({ version: 1, whole: doubt === undefined, automations: automations() }),
      text: () => automationsText({ items, doubt }, console.style),
    };
  });
}

async function triggerAutomation(run: ProjectRun<AutomationsFlags>, id: string): Promise<ExitCode> {
  const { flags, shell, console } = run;
  const { input } = flags;
  if (input === undefined || input.trim() === "") {
    throw new Failure(
      "usage/arguments",
      "The automation needs an input.",
      `Run plancast automations trigger ${shellArgument(id)} --input https://…`,
    );
  }
  return withService<ExitCode>(run, "read-write", async ({ service, checkAccounts }) => {
    await checkAccounts();
    const question = oneLine(`Trigger ${id} with ${JSON.stringify(input)}?`, console.errorStyle);
    if (!(await confirmChange(question, run))) return shell.stop.aborted ? 130 : 1;
    const written = await service.triggerAutomation(id, input);
    const triggered = { id, input, written };
    const outcome = triggerDocument(triggered);
    return reportWrite(run, written, { outcome, wording: triggerWording(triggered) });
  });
}
