/** Whether what is asked for could be written at all: looked at before anything is paid for. Pure. */
import { problem, type Problem } from "../calendar/problem.ts";
import type { EditFault } from "../edit/edit.ts";
import { editCalendar, type CalendarFile } from "../edit/edit-calendar.ts";
import type { IdentifyPlatform } from "../edit/place-columns.ts";
import { draftRowEdit } from "./row-edits.ts";
import type { DraftTask } from "./wanted.ts";

export interface WritableTasks {
  /** What there is a place for. */
  readonly wanted: readonly DraftTask[];
  readonly problems: readonly Problem[];
}

/** Writes a stand-in for each, and throws the result away. */
export async function findWritableTasks(
  all: readonly DraftTask[],
  identify: IdentifyPlatform,
): Promise<WritableTasks> {
  const wanted: DraftTask[] = [];
  const problems: Problem[] = [];
  for (const file of new Set(all.map((each) => each.file))) {
    const own = all.filter((each) => each.file === file);
    // One after the other: a calendar may be large.
    // oxlint-disable-next-line no-await-in-loop
    const faults = await faultsIn(file, own, identify);
    const faulty = new Set(faults.map(({ row }) => row));
    wanted.push(...(faulty.has(undefined) ? [] : own.filter(({ row }) => !faulty.has(row))));
    for (const { row, message } of faults) {
      const at = row === undefined ? undefined : file.calendar.rows[row]?.at();
      problems.push(problem("draft/not-written", message, at ?? { file: file.calendar.file }));
    }
  }
  return { wanted, problems };
}

async function faultsIn(
  file: CalendarFile,
  wanted: readonly DraftTask[],
  identify: IdentifyPlatform,
): Promise<readonly EditFault[]> {
  const edits = [...new Set(wanted.map(({ row }) => row))].map((row) => {
    const got = wanted
      .filter((each) => each.row === row)
      .map((each) => ({ wanted: each, value: standIn(each) }));
    return draftRowEdit(file.calendar, row, got, identify).edit;
  });
  return (await editCalendar(file, edits, identify)).faults;
}

function standIn({ kind, platform }: DraftTask): string {
  return kind === "image" ? "picture.png" : `A text for ${platform}`;
}
