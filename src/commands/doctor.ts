/** `plancast doctor`: checks project, key, service and saved state, and shows findings with advice. Changes nothing. */

import type { Argv } from "yargs";
import { runChecks } from "../doctor/checks/run-checks.ts";
import { examine } from "../doctor/examine.ts";
import type { Facts } from "../doctor/check.ts";
import { findingsDocument, findingsText } from "../doctor/findings-text.ts";
import { waitText } from "../report/outcomes/progress.ts";
import { openService } from "../service/connect/open-service.ts";
import { NODE_VERSIONS } from "../version.ts";
import { type FlagsOf, type Run, defineCommand } from "./shell/command.ts";
import { serviceOptions } from "./project/connect.ts";
import { type GlobalFlags, FORMAT_OPTION } from "./shell/flags.ts";
import { printProblemsJson } from "./shell/report-problems.ts";
import { loadProject } from "./project/project.ts";
import type { ExitCode } from "./shell/shell.ts";

const defineFlags = (yargs: Argv<GlobalFlags>) =>
  yargs
    .option("format", FORMAT_OPTION)
    .example("$0 doctor", "Check everything; exit with 1 if you must do something");

type DoctorFlags = FlagsOf<typeof defineFlags>;

export const command = defineCommand<DoctorFlags>({
  flags: defineFlags,
  run: doctor,
  printFailed: printProblemsJson,
});

async function doctor(run: Run<DoctorFlags>): Promise<ExitCode> {
  const { flags, shell, console } = run;
  const { env, clock, cwd, stop, nodeVersion } = shell;
  const facts = await examine({
    open: (asked) => openService({ ...serviceOptions(run), access: "read-only", ...asked }),
    readProject: () => loadProject(flags, shell),
    env,
    clock,
    cwd,
    stop,
    node: { version: nodeVersion, wanted: NODE_VERSIONS },
    // There may be no project with a time zone.
    onWait: (wait) => console.note(`${waitText(wait, "UTC")}.\n`),
  });
  if (shell.stop.aborted) {
    console.alert("Interrupted.\n");
    return 130;
  }
  const findings = runChecks(facts);
  if (flags.format === "json") console.json(findingsDocument(findings, requestsOf(facts)));
  else console.result(findingsText(findings, console.style));
  return findings.some(({ state }) => state === "problem") ? 1 : 0;
}

function requestsOf({ service }: Facts): number {
  return service === undefined ? 0 : service.exchanges.length + service.otherExchanges.length;
}
