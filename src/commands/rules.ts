/**
 * `plancast rules`: lists the checks and the networks' limits with this project's settings, or the defaults outside a
 * project.
 */

import { configSchema } from "../calendars/check-project.ts";
import { readProject } from "../calendars/project.ts";
import { type RuleList, listRules } from "../checks/rules/check-posts.ts";
import { rulesDocument, rulesText } from "../report/reference/rules.ts";
import { type GlobalFlags, defineCommand, FORMAT_OPTION } from "./shell/command.ts";
import { findProject } from "./project/project.ts";
import { showResult } from "./shell/result.ts";
import type { Shell } from "./shell/shell.ts";

export const command = defineCommand({
  flags: { format: FORMAT_OPTION },
  examples: [["rules", "List the rules with the settings of this project"]],
  run: async (run) => {
    const list = await readRules(run.flags, run.shell);
    showResult(run, { document: rulesDocument(list), text: () => rulesText(list, run.console.style) });
    return 0;
  },
});

async function readRules(flags: GlobalFlags, shell: Shell): Promise<RuleList> {
  const path = await findProject(flags, shell);
  return listRules(path === undefined ? configSchema.parse({}) : (await readProject(path)).config);
}
