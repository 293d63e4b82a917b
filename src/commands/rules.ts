/**
 * `plancast rules`: lists the checks and the networks' limits with this project's settings, or the defaults outside a
 * project.
 */

import { configSchema } from "../calendars/check-project.ts";
import { readProject } from "../calendars/project.ts";
import { type RuleList, listRules } from "../checks/rules/check-posts.ts";
import { rulesDocument, rulesText } from "../report/reference/rules.ts";
import { type GlobalFlags, defineCommand, formatOption } from "./shell/command.ts";
import { printFailedJson } from "./shell/report-problems.ts";
import { findProject } from "./project/project.ts";
import type { Shell } from "./shell/shell.ts";

export const command = defineCommand({
  flags: { format: formatOption("json") },
  examples: [["rules", "List the rules with the settings of this project"]],
  run: async ({ flags, shell, console }) => {
    const list = await readRules(flags, shell);
    if (flags.format === "json") {
      console.json(rulesDocument(list));
    } else {
      console.result(rulesText(list, console.style));
    }
    return 0;
  },
  printFailed: printFailedJson((problems) => rulesDocument({ rules: [], networks: [] }, problems)),
});

async function readRules(flags: GlobalFlags, shell: Shell): Promise<RuleList> {
  const path = await findProject(flags, shell);
  return listRules(path === undefined ? configSchema.parse({}) : (await readProject(path)).config);
}
