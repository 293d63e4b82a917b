import { didYouMean, nearest } from "../../../model/nearest.ts";
import { type Problem, problem } from "../../../model/problem.ts";
import type { Sheet, SheetInfo, Workbook } from "./workbook.ts";

export type ChosenSheet = { readonly name: string; readonly index: number } | { readonly problem: Problem };

/**
 * Finds the sheet that is the calendar: the one named, else the only one that looks like one. Where none does, the
 * only one that holds anything, so that what is wrong with it can be said. Hidden sheets must be named.
 * @param rows so many rows are looked at
 */
export async function chooseSheet(
  file: string,
  workbook: Workbook,
  named: string | undefined,
  rows: number,
  looksLikeCalendar: (sheet: Sheet, name: string) => boolean,
): Promise<ChosenSheet> {
  if (named !== undefined) return findSheet(file, workbook.sheets, named);
  const filled: FoundSheet[] = [];
  for (const [index, { name, hidden }] of workbook.sheets.entries()) {
    if (hidden) continue;
    // One after the other: what is unpacked is counted over all sheets.
    const sheet = await workbook.readSheet(index, rows);
    if (sheet.rows.length > 0) filled.push({ name, index, fits: looksLikeCalendar(sheet, name) });
  }
  const fitting = filled.filter(({ fits }) => fits);
  const [first, second] = fitting.length > 0 ? fitting : filled;
  if (first !== undefined && second === undefined) return first;
  return { problem: unclearSheet(file, workbook.sheets, filled, fitting) };
}

interface FoundSheet {
  readonly name: string;
  readonly index: number;
  readonly fits: boolean;
}

function findSheet(file: string, sheets: readonly SheetInfo[], named: string): ChosenSheet {
  const names = sheets.map(({ name }) => name);
  const exact = names.indexOf(named);
  const index = exact === -1 ? names.findIndex((name) => sameName(name, named)) : exact;
  if (index !== -1) return { name: names[index] ?? named, index };
  const way = didYouMean(nearest(named, names)) || ` It has ${list(names)}.`;
  const message = `The workbook has no sheet \`${named}\`, which \`sheet:\` in plancast.yaml names.${way}`;
  return { problem: problem("sheet/not-found", message, { file }) };
}

function sameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

function unclearSheet(
  file: string,
  all: readonly SheetInfo[],
  filled: readonly FoundSheet[],
  fitting: readonly FoundSheet[],
): Problem {
  if (filled.length === 0) {
    const hidden = all.filter((sheet) => sheet.hidden);
    const way =
      hidden.length === 0 ? "" : ` Hidden sheets (${namesOf(hidden)}) are read only if \`sheet:\` names one.`;
    return problem("calendar/empty", `The workbook's sheets are empty.${way}`, { file });
  }
  const what =
    fitting.length > 0
      ? `Several sheets look like a calendar: ${namesOf(fitting)}.`
      : `None of the sheets looks like a calendar: ${namesOf(filled)}. A calendar has a row that names columns such as content and date.`;
  const message = `${what} Say which one it is in plancast.yaml, for example \`sheet: ${(fitting[0] ?? filled[0])?.name}\`.`;
  return problem("sheet/unclear", message, { file });
}

function namesOf(sheets: readonly { readonly name: string }[]): string {
  return list(sheets.map(({ name }) => name));
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, 10).map((name) => `\`${name}\``);
  return shown.join(", ") + (names.length > shown.length ? ` and ${names.length - shown.length} more` : "");
}
