/** Whether a calendar that was written into says, read again, what is wanted, and all else as before. */
import { isDeepStrictEqual } from "node:util";
import type { Problem } from "../calendar/problem.ts";
import type { Calendar, Cell, RawRow } from "../calendar/row.ts";
import type { ReadOptions } from "../read/format.ts";
import { readContents } from "../read/read-calendar.ts";
import { splitColumn } from "../write/column-name.ts";
import type { RowEdit } from "./edit.ts";
import type { IdentifyPlatform } from "./place-columns.ts";

interface OriginalCalendar {
  readonly calendar: Calendar;
  readonly options: ReadOptions;
}

/** The rows that say something else than they should, by index; undefined where it is not the same file otherwise. */
export async function findUnexpectedRows(
  { calendar, options }: OriginalCalendar,
  contents: Uint8Array,
  edits: readonly RowEdit[],
  identify: IdentifyPlatform,
): Promise<readonly number[] | undefined> {
  const after = await readContents(calendar.file, contents, options);
  if (after.rows.length !== calendar.rows.length) return undefined;
  const byRow = new Map(edits.map((edit) => [edit.row, edit]));
  const unlike = calendar.rows.flatMap((row, index) => {
    const wanted = rowValues(row, identify);
    for (const [name, text] of byRow.get(index)?.cells ?? []) {
      const { field, platform } = splitColumn(name);
      wanted.set(platform === undefined ? field : `${field}:${identify(platform)}`, text);
    }
    const found = after.rows[index];
    const isAlike =
      found !== undefined && isDeepStrictEqual(sortByName(rowValues(found, identify)), sortByName(wanted));
    return isAlike ? [] : index;
  });
  const isRest = isDeepStrictEqual(codesOf(after.problems), codesOf(calendar.problems));
  return unlike.length > 0 || isRest ? unlike : undefined;
}

/** Each error; of warnings, of which an edit may make one less or more, the kinds. */
function codesOf(problems: readonly Problem[]): readonly string[] {
  const of = (wanted: Problem["severity"]): string[] =>
    problems.flatMap(({ code, severity }) => (severity === wanted ? code : []));
  return [...of("error"), ...new Set(of("warning"))].sort();
}

/** All that a row says, by column. */
function rowValues(row: RawRow, identify: IdentifyPlatform): Map<string, string> {
  return new Map([
    ...Object.entries(row.cells).map(([field, cell]): [string, string] => [field, textOf(cell)]),
    ...row.variants.flatMap(({ platform, cells }) =>
      Object.entries(cells).map(([field, cell]): [string, string] => [
        `${field}:${identify(platform)}`,
        textOf(cell),
      ]),
    ),
  ]);
}

function textOf(cell: Cell): string {
  return String(cell).replace(/\r\n?/g, "\n");
}

function sortByName(said: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
  return [...said].sort(([one], [other]) => (one < other ? -1 : 1));
}
