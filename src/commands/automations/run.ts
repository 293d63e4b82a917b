/** `automations list` and `automations trigger`. */

import { Failure } from "../../model/failure.ts";
import { triggerDocument, triggerWording, writeOutcomeText } from "../../report/outcomes/write-outcome.ts";
import { automationsText } from "../../report/status/service-lists.ts";
import { oneLine } from "../../report/text/style.ts";
import type { Project } from "../../settings/config.ts";
import { withService } from "../shared/connect.ts";
import { type Console, confirmChange } from "../shared/console.ts";
import type { GlobalFlags } from "../shared/flags.ts";
import { showRead, writeExitCode } from "../shared/service-records.ts";
import type { ExitCode, Shell } from "../shared/shell.ts";

export interface AutomationsFlags {
  readonly action: "list" | "trigger";
  readonly id: string[];
  readonly input: string | undefined;
  readonly yes: boolean;
  readonly format: "text" | "json";
}

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
