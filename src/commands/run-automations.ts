/** `automations list` and `automations trigger`. */
import type { Project } from "../calendar/config.ts";
import { Failure } from "../calendar/failure.ts";
import { automationsText } from "../report/account-lists.ts";
import { oneLine } from "../report/style.ts";
import { triggerDocument, triggerWording } from "../report/trigger-outcome.ts";
import { writeOutcomeText } from "../report/write-outcome.ts";
import { confirmChange } from "./ask-first.ts";
import type { AutomationsFlags } from "./automations.ts";
import type { GlobalFlags } from "./command.ts";
import type { Console } from "./console.ts";
import type { ExitCode, Shell } from "./shell.ts";
import { showRead } from "./show-read.ts";
import { withService } from "./with-service.ts";
import { writeExitCode } from "./written-exit.ts";

type Flags = GlobalFlags & AutomationsFlags;

export function listAutomations(
  project: Project,
  flags: Flags,
  shell: Shell,
  console: Console,
): Promise<ExitCode> {
  return showRead(project, flags, shell, console, async (service) => {
    const { items, doubt } = await service.listAutomations();
    const automations = (): object[] => items.map(({ id, name }) => ({ id, name }));
    return {
      document: () => ({ version: 1, whole: doubt === undefined, automations: automations() }),
      text: () => automationsText({ items, doubt }, console.style),
    };
  });
}

export async function triggerAutomation(
  project: Project,
  id: string,
  flags: Flags,
  shell: Shell,
  console: Console,
): Promise<ExitCode> {
  const { input } = flags;
  if (input === undefined || input.trim() === "") {
    throw new Failure(
      "usage/arguments",
      "It is not said what the automation is to work on.",
      `Say it: plancast automations trigger ${id} --input https://…`,
    );
  }
  return withService<ExitCode>(
    { project, access: "read-write" },
    flags,
    shell,
    console,
    async ({ service }) => {
      const question = oneLine(`Trigger ${id} with ${JSON.stringify(input)}?`, console.errorStyle);
      if (!(await confirmChange(question, flags, shell, console))) return shell.stop.aborted ? 130 : 1;
      const written = await service.triggerAutomation(id, input);
      if (flags.format === "json")
        console.json({ version: 1, outcome: triggerDocument({ id, input, written }) });
      else console.result(writeOutcomeText(written, triggerWording({ id, input, written }), console.style));
      return writeExitCode(written);
    },
  );
}
