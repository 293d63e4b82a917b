/** Puts what came into one calendar's file, whole or not at all. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Failure, reasonOf } from "../calendar/failure.ts";
import type { Calendar } from "../calendar/row.ts";
import type { EditFault } from "../edit/edit.ts";
import { editCalendar, type CalendarFile } from "../edit/edit-calendar.ts";
import type { IdentifyPlatform } from "../edit/place-columns.ts";
import { STATE_FOLDER } from "../state/project-state.ts";
import { writeAtomic } from "../state/write-atomic.ts";
import { splitColumn, type ColumnName } from "../write/column-name.ts";
import type { DraftedRow } from "./row-edits.ts";

/** A cell of a row that was written. */
interface DraftedCell {
  readonly column: ColumnName;
  readonly before: string | undefined;
  readonly after: string;
}

export interface WrittenDrafts {
  /** By row, the cells that are new. */
  readonly written: ReadonlyMap<DraftedRow, readonly DraftedCell[]>;
  readonly failed: ReadonlyMap<DraftedRow, DraftFault>;
}

interface DraftFault {
  readonly code: "draft/not-written" | "draft/file-changed";
  readonly message: string;
}

/** Throws a Failure where the disk cannot be written. */
export async function writeDrafts(
  root: string,
  file: CalendarFile,
  rows: readonly DraftedRow[],
  identify: IdentifyPlatform,
): Promise<WrittenDrafts> {
  const edits = rows.map(({ edit }) => edit);
  const { contents, faults } = await editCalendar(file, edits, identify);
  const failed = new Map(rows.flatMap((row) => faultOf(row, faults)));
  const sound = rows.filter((row) => !failed.has(row));
  if (sound.length > 0 && !(await replace(root, file, contents)))
    return { written: new Map(), failed: new Map(rows.map((row) => [row, CHANGED])) };
  return { written: new Map(sound.map((row) => [row, cellsOf(row, file.calendar, identify)])), failed };
}

const CHANGED: DraftFault = {
  code: "draft/file-changed",
  message:
    "The calendar was changed while the service was asked, so nothing was written into it. Run again: the answers are kept and cost nothing more.",
};

function faultOf(row: DraftedRow, faults: readonly EditFault[]): [DraftedRow, DraftFault][] {
  const fault = faults.find((each) => each.row === undefined || each.row === row.edit.row);
  return fault === undefined ? [] : [[row, { code: "draft/not-written", message: fault.message }]];
}

/** False where the file is not what it was when it was read. */
async function replace(
  root: string,
  { calendar, bytes }: CalendarFile,
  contents: Uint8Array,
): Promise<boolean> {
  const path = join(root, calendar.file);
  try {
    const now = await readFile(path).catch(() => undefined);
    if (now?.equals(bytes) !== true) return false;
    if (!now.equals(contents)) await writeAtomic(path, contents, join(root, STATE_FOLDER));
    return true;
  } catch (error) {
    throw new Failure(
      "disk/not-writable",
      `${calendar.file} cannot be written: ${reasonOf(error)}`,
      "Mend its permissions, or free some space, and run again: the answers are kept and cost nothing more.",
    );
  }
}

function cellsOf(
  { edit }: DraftedRow,
  calendar: Calendar,
  identify: IdentifyPlatform,
): readonly DraftedCell[] {
  const row = calendar.rows[edit.row];
  return [...edit.cells].map(([column, after]) => {
    const { field, platform } = splitColumn(column);
    const own = row?.variants.find((each) => identify(each.platform) === platform);
    const cells: Readonly<Partial<Record<string, string | readonly string[]>>> =
      (platform === undefined ? row?.cells : own?.cells) ?? {};
    const before = cells[field];
    return { column, before: before === undefined ? undefined : String(before), after };
  });
}
