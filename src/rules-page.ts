import { configSchema } from "./calendar/config.ts";
import { rulesMarkdown } from "./report/rules-markdown.ts";
import { listRules } from "./rules/list-rules.ts";

/** docs/rules.md, from the definitions that checks run by. */
export function rulesPage(): string {
  return rulesMarkdown(listRules(configSchema.parse({})));
}
