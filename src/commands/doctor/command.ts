import type { Facts } from "../../doctor/facts.ts";
import { type GlobalFlags, command } from "../shared/command.ts";
import type { Console } from "../shared/console.ts";
import { FORMAT_OPTION, printProblemsJson } from "../shared/flags.ts";
import type { ExitCode, Shell } from "../shared/shell.ts";

interface DoctorFlags {
  readonly format: "text" | "json";
}

export const doctorCommand = command<DoctorFlags>({
  command: "doctor",
  describe: "Look at project, key, service and what runs have left; say what is well and what to do",
  flags: (yargs) =>
    yargs
      .option("format", FORMAT_OPTION)
      .example("$0 doctor", "Changes nothing, anywhere; exit code 1 when something must be done"),
  run: doctor,
  printFailed: printProblemsJson,
});

function requestsOf({ service }: Facts): number {
  return service === undefined ? 0 : service.exchanges.length + service.otherExchanges.length;
}

async function doctor(flags: GlobalFlags & DoctorFlags, shell: Shell, console: Console): Promise<ExitCode> {
  const { examineProject } = await import("./run.ts");
  const { runChecks } = await import("../../doctor/checks/run-checks.ts");
  const { findingsDocument, findingsText } = await import("../../doctor/findings-text.ts");
  const facts = await examineProject(flags, shell, console);
  if (shell.stop.aborted) {
    console.alert("Interrupted.\n");
    return 130;
  }
  const findings = runChecks(facts);
  if (flags.format === "json") console.json(findingsDocument(findings, requestsOf(facts)));
  else console.result(findingsText(findings, console.style));
  return findings.some(({ state }) => state === "problem") ? 1 : 0;
}
