/** The pages of docs/ that are written from the definitions that plancast runs by. A test fails when they drift apart. */
import { configSchema } from "./calendar/config.ts";
import { PRESETS } from "./calendar/presets.ts";
import { EXIT_CODES } from "./commands/exit-codes.ts";
import { listedCommands, listedGlobalFlags } from "./commands/listed-commands.ts";
import { projectSchema } from "./json-schemas.ts";
import { commandsMarkdown } from "./report/commands-markdown.ts";
import { presetsMarkdown } from "./report/presets-markdown.ts";
import { problemsReference, type ProblemExamples } from "./report/problems-reference.ts";
import { projectFileMarkdown } from "./report/project-file-markdown.ts";
import { rulesMarkdown } from "./report/rules-markdown.ts";
import { listRules } from "./rules/list-rules.ts";

/**
 * By path below docs/.
 * @param examples what the program says where something is wrong, which only running it can tell
 */
export function referencePages(examples: ProblemExamples): Readonly<Record<string, string>> {
  return {
    "rules.md": rulesMarkdown(listRules(configSchema.parse({}))),
    "presets.md": presetsMarkdown(PRESETS),
    "reference/commands.md": commandsMarkdown({
      commands: listedCommands(),
      globalFlags: listedGlobalFlags(),
      exitCodes: EXIT_CODES,
    }),
    "reference/project-file.md": projectFileMarkdown(projectSchema()),
    "reference/problems.md": problemsReference(examples),
  };
}
