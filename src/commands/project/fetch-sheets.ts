/** Fetches sheets into their copies: what each fetch finds, and the only place that writes a copy. */

import type { FetchRecord } from "../../calendars/fetch-record.ts";
import { settingsFor } from "../../calendars/select.ts";
import {
  type RowChange,
  digestOf,
  readVersion,
  rowChanges,
  whichCounts,
} from "../../calendars/sheet-copy.ts";
import { createWhole, makeFolder, statsAt } from "../../disk/files.ts";
import { folderOf } from "../../disk/open-folder.ts";
import { placeInProject } from "../../disk/place.ts";
import { Failure, reasonOf } from "../../model/failure.ts";
import { type Problem, problem } from "../../model/problem.ts";
import { shellArgument } from "../../model/text.ts";
import type { FetchDocument } from "../../report/documents/calendars.ts";
import { problemDocument } from "../../report/problems/problems-json.ts";
import type { SheetCopy } from "../../settings/calendar-settings.ts";
import type { Project } from "../../settings/config.ts";
import { sourceOf } from "../../sources/all-sources.ts";
import type { SourceAccess } from "../../sources/source.ts";
import { sheetBytes } from "./sheets.ts";
import { bytesOf, saveCalendarFile } from "./written-files.ts";

/** What became of one sheet. */
export interface FetchedSheet {
  readonly copy: SheetCopy;
  readonly state: FetchDocument["calendars"][number]["state"];
  readonly changes: readonly RowChange[];
  readonly problems: readonly Problem[];
  /** The cells of the sheet, if the next fetch compares with them. */
  readonly cells?: string | undefined;
  /** The sheet as it is now; undefined if it cannot be had. */
  readonly contents?: Uint8Array;
  /** Its copy in the project; undefined if there is none. */
  readonly before?: Uint8Array | undefined;
}

/** Whether the copy gets the contents of the sheet. */
export function isNewer({ state }: FetchedSheet): boolean {
  return state === "new" || state === "changed";
}

interface FetchedSheets {
  readonly sheets: readonly FetchedSheet[];
  /** With what this fetch found. */
  readonly record: FetchRecord;
}

/** Downloads sheets and compares them with their copies. Writes nothing. @param take the side that somebody chose */
export async function fetchSheets(
  project: Project,
  copies: readonly SheetCopy[],
  take: "sheet" | "file" | undefined,
  access: SourceAccess,
  before: FetchRecord,
): Promise<FetchedSheets> {
  const sheets: FetchedSheet[] = [];
  let record = before;
  for (const copy of copies) {
    // One after the other: a sheet may be large, and a service counts requests.
    const sheet = await fetchOne(project, copy, take, access, record);
    sheets.push(sheet);
    if (sheet.cells !== undefined) record = record.with(copy, sheet.cells);
  }
  return { sheets, record };
}

async function fetchOne(
  project: Project,
  copy: SheetCopy,
  take: "sheet" | "file" | undefined,
  access: SourceAccess,
  record: FetchRecord,
): Promise<FetchedSheet> {
  const fetched = await sheetBytes(copy, access);
  if ("message" in fetched) return failed(copy, fetched.message);
  const { bytes: contents } = fetched;
  const { settings } = settingsFor(project, copy.file);
  const sheet = await readVersion(copy.file, contents, settings);
  if (sheet.unreadable !== undefined)
    return failed(copy, `The address gives no calendar for this copy. ${sheet.unreadable.message}`);
  const before = await bytesIn(project, copy.file);
  const known = before === undefined ? undefined : await readVersion(copy.file, before, settings);
  const state = whichCounts(sheet, known, record.cellsOf(copy), take);
  const changes = known === undefined ? [] : rowChanges(known, sheet);
  const outcome = { copy, state, changes, problems: [], cells: digestOf(sheet), contents, before };
  switch (state) {
    case "new":
    case "changed":
      return outcome;
    case "same":
    case "kept":
      return { ...outcome, changes: [] };
    case "edited":
      return { ...outcome, cells: record.cellsOf(copy) ?? outcome.cells };
    case "conflict":
      return { ...outcome, cells: undefined, problems: [conflict(copy, changes.length)] };
    default:
      return state satisfies never;
  }
}

function failed(copy: SheetCopy, message: string): FetchedSheet {
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

/** Writes the sheet into its copy. Throws a Failure, also if somebody changed the copy meanwhile. */
export async function writeCopy(
  project: Project,
  { copy: { file }, before, contents }: FetchedSheet,
): Promise<void> {
  if (contents === undefined) return;
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

export function fetchDocument(sheets: readonly FetchedSheet[]): FetchDocument {
  return {
    version: 1,
    calendars: sheets.map(({ copy, state, changes }) => ({
      file: copy.file,
      source: sourceOf(new URL(copy.from)).name,
      state,
      changes: changes.map(changeDocument),
    })),
    problems: sheets.flatMap((each) => each.problems).map(problemDocument),
  };
}

function changeDocument(change: RowChange): FetchDocument["calendars"][number]["changes"][number] {
  return change.kind === "changed"
    ? { kind: change.kind, line: change.line, cells: [...change.cells] }
    : { kind: change.kind, line: change.line, text: change.text };
}
