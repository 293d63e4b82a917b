/**
 * `plancast fetch`: downloads sheets that are kept elsewhere into their copies in the project, if somebody edited them.
 * Nothing else downloads a calendar, so what people review is what apply reads.
 */

import { type FetchRecord, readFetchRecord, writeFetchRecord } from "../calendars/fetch-record.ts";
import { settingsFor } from "../calendars/select.ts";
import { type RowChange, digestOf, readVersion, rowChanges, whichCounts } from "../calendars/sheet-copy.ts";
import { createWhole, makeFolder, statsAt } from "../disk/files.ts";
import { folderOf } from "../disk/open-folder.ts";
import { placeInProject } from "../disk/place.ts";
import { allowedHosts } from "../media/allowed-hosts.ts";
import { Failure, reasonOf } from "../model/failure.ts";
import { type Problem, hasErrors, problem } from "../model/problem.ts";
import { shellArgument } from "../model/text.ts";
import type { FetchDocument } from "../report/documents/calendars.ts";
import { fetchedText } from "../report/outcomes/fetched.ts";
import { problemDocument } from "../report/problems/problems-json.ts";
import { problemsText } from "../report/problems/problems-text.ts";
import { type SheetCopy, sheetCopies } from "../settings/calendar-settings.ts";
import type { Project } from "../settings/config.ts";
import { sourceOf } from "../sources/all-sources.ts";
import type { SourceAccess } from "../sources/source.ts";
import { withConfirmedHosts } from "./project/media.ts";
import { namedFile, openProject } from "./project/project.ts";
import { sheetBytes, withSources } from "./project/sheets.ts";
import { bytesOf, saveCalendarFile } from "./project/written-files.ts";
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
    const { media } = withConfirmedHosts(run.project, run.shell.env).config;
    const rules = { allows: allowedHosts(media.allow_hosts), timeout: media.timeout };
    return withSources(run, rules, (access) => fetchAll(run, copies, access));
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

/** What became of one sheet. */
interface Outcome {
  readonly copy: SheetCopy;
  readonly state: FetchDocument["calendars"][number]["state"];
  readonly changes: readonly RowChange[];
  readonly problems: readonly Problem[];
  /** The cells of the sheet, if the next fetch compares with them. */
  readonly cells?: string;
}

async function fetchAll(
  run: ProjectRun<Flags>,
  copies: readonly SheetCopy[],
  access: SourceAccess,
): Promise<ExitCode> {
  const { project, flags, console } = run;
  const before = await readFetchRecord(project);
  const outcomes: Outcome[] = [];
  let record = before;
  for (const copy of copies) {
    // One after the other: a sheet may be large, and a service counts requests.
    const outcome = await fetchOne(run, copy, access, record);
    outcomes.push(outcome);
    if (outcome.cells !== undefined) record = record.with(copy, outcome.cells);
  }
  if (!flags.check && record.text() !== before.text()) await writeFetchRecord(project, record);
  const problems = outcomes.flatMap((each) => each.problems);
  if (problems.length > 0 && flags.format !== "json")
    console.alert(`${problemsText(problems, () => undefined, console.errorStyle)}\n`);
  const document: FetchDocument = {
    version: 1,
    calendars: outcomes.map(({ copy, state, changes }) => ({
      file: copy.file,
      source: sourceOf(new URL(copy.from)).name,
      state,
      changes: changes.map(changeDocument),
    })),
    problems: problems.map(problemDocument),
  };
  const isNewer = outcomes.some(({ state }) => state === "new" || state === "changed");
  showResult(run, {
    document,
    text: () => fetchedText(document, flags.check, console.style),
    next: isNewer && !flags.check ? "plancast plan shows what changes on the service." : undefined,
  });
  if (hasErrors(problems)) return 1;
  return flags.check && isNewer ? 2 : 0;
}

function changeDocument(change: RowChange): FetchDocument["calendars"][number]["changes"][number] {
  return change.kind === "changed"
    ? { kind: change.kind, line: change.line, cells: [...change.cells] }
    : { kind: change.kind, line: change.line, text: change.text };
}

async function fetchOne(
  run: ProjectRun<Flags>,
  copy: SheetCopy,
  access: SourceAccess,
  record: FetchRecord,
): Promise<Outcome> {
  const { project, flags } = run;
  const fetched = await sheetBytes(copy, access);
  if ("message" in fetched) return failed(copy, fetched.message);
  const { settings } = settingsFor(project, copy.file);
  const sheet = await readVersion(copy.file, fetched.bytes, settings);
  if (sheet.unreadable !== undefined)
    return failed(copy, `The address gives no calendar for this copy. ${sheet.unreadable.message}`);
  const bytes = await bytesIn(project, copy.file);
  const known = bytes === undefined ? undefined : await readVersion(copy.file, bytes, settings);
  const decided = whichCounts(sheet, known, record.cellsOf(copy), flags.take);
  const outcome = { copy, state: decided, problems: [], cells: digestOf(sheet) };
  const changes = known === undefined ? [] : rowChanges(known, sheet);
  switch (decided) {
    case "new":
    case "changed":
      if (!flags.check) await write(project, copy, bytes, fetched.bytes);
      return { ...outcome, changes };
    case "same":
    case "kept":
      return { ...outcome, changes: [] };
    case "edited":
      return { ...outcome, changes, cells: record.cellsOf(copy) ?? outcome.cells };
    case "conflict":
      return { copy, state: decided, changes, problems: [conflict(copy, changes.length)] };
    default:
      return decided satisfies never;
  }
}

function failed(copy: SheetCopy, message: string): Outcome {
  const { file } = copy;
  return { copy, state: "failed", changes: [], problems: [problem("fetch/source", message, { file })] };
}

function conflict({ file }: SheetCopy, rows: number): Problem {
  const name = shellArgument(file);
  const message =
    `Both the sheet and this file were edited since the last fetch, or they were never fetched: ${rows} rows differ. ` +
    `plancast fetch ${name} --take sheet replaces the file with the sheet. With --take file, the file stays until the sheet changes again.`;
  return problem("fetch/conflict", message, { file });
}

async function bytesIn(project: Project, file: string): Promise<Uint8Array | undefined> {
  const isThere = (await statsAt(await placeInProject(project.root, file))) !== undefined;
  return isThere ? bytesOf(project, file) : undefined;
}

async function write(
  project: Project,
  { file }: SheetCopy,
  before: Uint8Array | undefined,
  contents: Uint8Array,
): Promise<void> {
  const isWritten =
    before === undefined
      ? await writeNew(project, file, contents)
      : await saveCalendarFile(project, { calendar: { file }, bytes: before }, contents, "fetch again.");
  if (isWritten) return;
  throw new Failure(
    "write/file-changed",
    `Somebody changed ${file} during the fetch, so it was not replaced.`,
    "Run plancast fetch again.",
  );
}

async function writeNew({ root }: Project, file: string, contents: Uint8Array): Promise<boolean> {
  const place = await placeInProject(root, file);
  try {
    await makeFolder(folderOf(place));
    return await createWhole(place, contents);
  } catch (error) {
    throw new Failure(
      "disk/not-writable",
      `${file} cannot be written: ${reasonOf(error)}`,
      "Check its folder, its permissions and the free space on the disk.",
    );
  }
}
