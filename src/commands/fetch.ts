/**
 * `plancast fetch`: downloads sheets that are kept elsewhere into their copies in the project, if somebody edited them.
 * Nothing else downloads a calendar, so what people review is what apply reads.
 */

import { readFetchRecord, writeFetchRecord } from "../calendars/fetch-record.ts";
import { Failure } from "../model/failure.ts";
import { hasErrors } from "../model/problem.ts";
import { fetchedText } from "../report/outcomes/fetched.ts";
import { problemsText } from "../report/problems/problems-text.ts";
import { type SheetCopy, sheetCopies } from "../settings/calendar-settings.ts";
import type { Project } from "../settings/config.ts";
import type { SourceAccess } from "../sources/source.ts";
import { fetchDocument, fetchSheets, isNewer, writeCopy } from "./project/fetch-sheets.ts";
import { namedFile, openProject } from "./project/project.ts";
import { withProjectSources } from "./project/sheets.ts";
import {
  type FlagsOf,
  type ProjectRun,
  FORMAT_OPTION,
  defineCommand,
  defineFlags,
  namesPositional,
  switchOption,
} from "./shell/command.ts";
import { showResult } from "./shell/result.ts";
import type { ExitCode } from "./shell/shell.ts";

const FLAGS = defineFlags({
  calendar: namesPositional("Copies to fetch (default: all entries with `from:`)"),
  check: switchOption("Write nothing, and exit with 2 if a sheet is newer than its copy"),
  take: {
    choices: ["sheet", "file"],
    requiresArg: true,
    describe: "If both were edited: take the sheet, or keep the file",
    valueName: "SIDE",
  },
  format: FORMAT_OPTION,
});

type Flags = FlagsOf<typeof FLAGS>;

export const command = defineCommand({
  flags: FLAGS,
  examples: [
    ["fetch", "Download every sheet that somebody has edited"],
    ["fetch --check", "Only say whether a sheet is newer"],
    ["fetch calendars/march.xlsx --take sheet", "Take the sheet, although the file was edited too"],
  ],
  run: async (given) => {
    const run = await openProject(given);
    const copies = chosenCopies(run.project, run.flags.calendar, run.shell.cwd);
    return withProjectSources(run, (access) => fetchAll(run, copies, access));
  },
});

/** The named copies, or all. Throws a Failure if there are none. */
function chosenCopies(project: Project, names: readonly string[], cwd: string): readonly SheetCopy[] {
  const all = sheetCopies(project.config.calendars);
  const example =
    "calendars: [{ file: calendars/plan.xlsx, from: https://docs.google.com/spreadsheets/d/… }]";
  if (all.length === 0)
    throw new Failure(
      "calendar/none-found",
      `No calendar in ${project.file} has \`from:\`, so there is nothing to fetch.`,
      `Name the address of a sheet: ${example}`,
    );
  const named = names.map((name) => namedFile(project, name, cwd).name);
  const stranger = named.find((name) => !all.some(({ file }) => file === name));
  if (stranger !== undefined)
    throw new Failure(
      "calendar/not-in-project",
      `${stranger} is not the copy of a sheet.`,
      `The copies are ${all.map(({ file }) => file).join(", ")}.`,
    );
  return named.length === 0 ? all : all.filter(({ file }) => named.includes(file));
}

async function fetchAll(
  run: ProjectRun<Flags>,
  copies: readonly SheetCopy[],
  access: SourceAccess,
): Promise<ExitCode> {
  const { project, flags, console } = run;
  const before = await readFetchRecord(project);
  const { sheets, record } = await fetchSheets(project, copies, flags.take, access, before);
  const newer = sheets.filter(isNewer);
  if (!flags.check) {
    for (const sheet of newer) await writeCopy(project, sheet);
    if (record.text() !== before.text()) await writeFetchRecord(project, record);
  }
  const problems = sheets.flatMap((each) => each.problems);
  if (problems.length > 0 && flags.format !== "json")
    console.alert(`${problemsText(problems, () => undefined, console.errorStyle)}\n`);
  const document = fetchDocument(sheets);
  showResult(run, {
    document,
    text: () => fetchedText(document, flags.check, console.style),
    next: newer.length > 0 && !flags.check ? "plancast plan shows what changes on the service." : undefined,
  });
  if (hasErrors(problems)) return 1;
  return flags.check && newer.length > 0 ? 2 : 0;
}
