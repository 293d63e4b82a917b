/** Gathers what `doctor` judges. */

import { examine } from "../../doctor/examine.ts";
import type { Facts } from "../../doctor/facts.ts";
import { waitText } from "../../report/outcomes/progress.ts";
import { NODE_VERSIONS } from "../../version.ts";
import { serviceOptions } from "../shared/connect.ts";
import type { Console } from "../shared/console.ts";
import type { GlobalFlags } from "../shared/flags.ts";
import { loadProject } from "../shared/project.ts";
import type { Shell } from "../shared/shell.ts";

export function examineProject(flags: GlobalFlags, shell: Shell, console: Console): Promise<Facts> {
  return examine({
    ...serviceOptions(flags, shell, console),
    readProject: () => loadProject(flags, shell),
    cwd: shell.cwd,
    node: { version: shell.nodeVersion, wanted: NODE_VERSIONS },
    // There may be no project that says a time zone.
    onWait: (wait) => console.note(`${waitText(wait, "UTC")}.\n`),
  });
}
