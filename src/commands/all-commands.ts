/** Every command, in the order of --help and of the reference. What parses, and what describes, goes by this list. */
import { applyCommand } from "./apply.ts";
import { columnsCommand } from "./columns.ts";
import type { Command } from "./command.ts";
import { convertCommand } from "./convert.ts";
import { initCommand } from "./init.ts";
import { mediaCommand } from "./media.ts";
import { planCommand } from "./plan.ts";
import { platformsCommand } from "./platforms.ts";
import { postsCommand } from "./posts.ts";
import { pullCommand } from "./pull.ts";
import { resolveCommand } from "./resolve.ts";
import { rulesCommand } from "./rules.ts";
import { serveCommand } from "./serve.ts";
import { validateCommand } from "./validate.ts";

/** Shows each command to `visit`, which takes one of any flags. */
export function forEachCommand(visit: <Flags>(given: Command<Flags>) => void): void {
  visit(initCommand);
  visit(validateCommand);
  visit(planCommand);
  visit(applyCommand);
  visit(columnsCommand);
  visit(convertCommand);
  visit(pullCommand);
  visit(resolveCommand);
  visit(postsCommand);
  visit(mediaCommand);
  visit(platformsCommand);
  visit(rulesCommand);
  visit(serveCommand);
}
