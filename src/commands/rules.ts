import { resolve } from "node:path";
import type { RuleList } from "../checks/rules/list-rules.ts";
import { defineCommand } from "./shared/command.ts";
import { type GlobalFlags, formatOption } from "./shared/flags.ts";
import type { Shell } from "./shared/shell.ts";

export const command = defineCommand<{ format: "text" | "json" }>({
  flags: (yargs) =>
    yargs
      .option("format", formatOption("json"))
      .example("$0 rules", "As they are in this project; outside of one, as they are without settings"),
  run: async (flags, shell, console) => {
    const list = await readRules(flags, shell);
    if (flags.format === "json") {
      const { rulesDocument } = await import("../report/reference/rules.ts");
      console.json(rulesDocument(list));
    } else {
      const { rulesText } = await import("../report/reference/rules.ts");
      console.result(rulesText(list, console.style));
    }
    return 0;
  },
  printFailed: async (problems, format, console) => {
    if (format !== "json") return;
    const { rulesDocument } = await import("../report/reference/rules.ts");
    console.json(rulesDocument({ checks: [], networks: [] }, problems));
  },
});

async function readRules({ config }: GlobalFlags, { cwd }: Shell): Promise<RuleList> {
  const { configSchema } = await import("../settings/config.ts");
  const { findProjectFile, readProject } = await import("../calendars/project.ts");
  const { listRules } = await import("../checks/rules/list-rules.ts");
  const path = config === undefined ? await findProjectFile(cwd) : resolve(cwd, config);
  return listRules(path === undefined ? configSchema.parse({}) : (await readProject(path)).config);
}
