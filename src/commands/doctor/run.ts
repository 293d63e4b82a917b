/** Gathers what `doctor` judges. */

import { examine } from "../../doctor/examine.ts";
import type { Facts } from "../../doctor/facts.ts";
import { waitText } from "../../report/outcomes/progress.ts";
import { openService } from "../../service/connect/open-service.ts";
import { NODE_VERSIONS } from "../../version.ts";
import type { GlobalFlags } from "../shared/command.ts";
import { serviceOptions } from "../shared/connect.ts";
import type { Console } from "../shared/console.ts";
import { loadProject } from "../shared/project.ts";
import type { Shell } from "../shared/shell.ts";

export function examineProject(flags: GlobalFlags, shell: Shell, console: Console): Promise<Facts> {
  const { env, clock, cwd, stop, nodeVersion } = shell;
  return examine({
    readProject: () => loadProject(flags, shell),
    open: (asked) => openService({ ...serviceOptions(flags, shell, console), access: "read-only", ...asked }),
    env,
    clock,
    cwd,
    stop,
    node: { version: nodeVersion, wanted: NODE_VERSIONS },
    // There may be no project that says a time zone.
    onWait: (wait) => console.note(`${waitText(wait, "UTC")}.\n`),
  });
}
