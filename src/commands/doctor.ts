/** `plancast doctor`: checks project, key, service and saved state, and shows findings with advice. Changes nothing. */

import type { Facts, CheckFinding, FindingState } from "../doctor/check.ts";
import { runChecks } from "../doctor/checks/run-checks.ts";
import { examine } from "../doctor/examine.ts";
import { groupBy } from "../model/data.ts";
import { waitText } from "../report/outcomes/progress.ts";
import { escapeTerminal, terminalText } from "../report/text/escape.ts";
import { plural } from "../report/text/numbers.ts";
import type { Style } from "../report/text/style.ts";
import { paragraph } from "../report/text/wrap.ts";
import { openService } from "../service/connect/open-service.ts";
import { NODE_VERSIONS } from "../model/version.ts";
import { serviceOptions } from "./project/connect.ts";
import { loadProject } from "./project/project.ts";
import type { FindingsDocument } from "../report/documents/project.ts";
import { type FlagsOf, type Run, FORMAT_OPTION, defineCommand, defineFlags } from "./shell/command.ts";
import { showResult } from "./shell/result.ts";
import type { ExitCode } from "./shell/shell.ts";

const FLAGS = defineFlags({ format: FORMAT_OPTION });

type DoctorFlags = FlagsOf<typeof FLAGS>;

export const command = defineCommand({
  flags: FLAGS,
  examples: [["doctor", "Check everything; exit with 1 if you must do something"]],
  run: doctor,
  forAll: { single: [] },
});

async function doctor(run: Run<DoctorFlags>): Promise<ExitCode> {
  const { flags, shell, console } = run;
  const { env, clock, cwd, stop, node } = shell;
  const facts = await examine({
    open: (asked) => openService({ ...serviceOptions(run), access: "read-only", ...asked }),
    readProject: () => loadProject(flags, shell),
    env,
    clock,
    cwd,
    stop,
    node: { ...node, wanted: NODE_VERSIONS },
    // There may be no project with a time zone.
    onWait: (wait) => console.note(`${waitText(wait, "UTC")}.\n`),
  });
  if (shell.stop.aborted) {
    console.alert("Interrupted.\n");
    return 130;
  }
  const findings = runChecks(facts);
  const document = findingsDocument(findings, requestsOf(facts));
  showResult(run, { document, text: () => findingsText(document, console.style) });
  return findings.some(({ state }) => state === "problem") ? 1 : 0;
}

function requestsOf({ service }: Facts): number {
  return service === undefined ? 0 : service.exchanges.length;
}

const WORDS: Readonly<Record<FindingState, string>> = {
  ok: "ok",
  warning: "warning",
  problem: "to do",
  skipped: "skipped",
};

export function findingsText({ checks, summary }: FindingsDocument, style: Style): string {
  const seen = checks.filter(({ state }) => state !== "skipped");
  const width = Math.max(...seen.map(({ name }) => name.length));
  return terminalText([
    ...seen.flatMap((each) => findingLines(each, width, style)),
    ...skippedLines(checks, style),
    "",
    summaryLine(summary, style),
  ]);
}

/** Checks that could not run, by reason. */
function skippedLines(findings: FindingsDocument["checks"], style: Style): string[] {
  const skipped = groupBy(
    findings.filter(({ state }) => state === "skipped"),
    ({ message }) => message,
  );
  const indent = `${WORDS.skipped}  `;
  return [...skipped].flatMap(([message, those]) =>
    paragraph(
      `${those.map(({ name }) => name).join(", ")}: ${message}`,
      style,
      " ".repeat(indent.length),
    ).map((line, index) => style.colors.dim(index === 0 ? indent + line.trimStart() : line)),
  );
}

function findingLines(
  { name, state, message, advice, snippet }: FindingsDocument["checks"][number],
  width: number,
  style: Style,
): string[] {
  const head = `${WORDS[state].padEnd(WORDS.skipped.length)}  ${name.padEnd(width)}  `;
  const indent = " ".repeat(head.length);
  const painted = `${painter(state, style)(WORDS[state])}${head.slice(WORDS[state].length)}`;
  const said = paragraph(message, style, indent);
  const arrow = `${style.marks.arrow} `;
  const hung = advice === undefined ? [] : paragraph(advice, style, indent + " ".repeat(arrow.length));
  return [
    ...said.map((line, index) => (index === 0 ? painted + line.replace(indent, "") : line)),
    ...hung.map((line, index) => (index === 0 ? indent + arrow + line.trimStart() : line)),
    ...snippetLines(snippet),
  ];
}

/** Neither wrapped nor indented, so that people can copy it. */
function snippetLines(snippet: string | undefined): string[] {
  if (snippet === undefined) return [];
  return ["", ...snippet.trimEnd().split("\n").map(escapeTerminal), ""];
}

function painter(state: FindingState, { colors }: Style): (text: string) => string {
  switch (state) {
    case "ok":
      return colors.green;
    case "warning":
      return colors.yellow;
    case "problem":
      return colors.red;
    case "skipped":
      return colors.dim;
  }
}

function summaryLine(
  { problem: problems, warning: warnings }: FindingsDocument["summary"],
  { colors }: Style,
): string {
  const noted = warnings === 0 ? "" : `, ${plural(warnings, "warning")}`;
  if (problems > 0) return colors.bold(`${plural(problems, "thing")} to do${noted}.`);
  return warnings === 0 ? "No problems found." : `No problems${noted}.`;
}

export function findingsDocument(findings: readonly CheckFinding[], requests: number): FindingsDocument {
  const count = (state: FindingState): number => findings.filter((each) => each.state === state).length;
  return {
    version: 1,
    summary: {
      ok: count("ok"),
      warning: count("warning"),
      problem: count("problem"),
      skipped: count("skipped"),
    },
    checks: findings,
    requests,
  };
}
