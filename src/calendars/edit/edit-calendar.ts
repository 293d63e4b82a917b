/**
 * Writes new cells into a calendar's file; everything else stays byte for byte the same. The result is read again
 * before it is saved, and must have exactly the requested content.
 */

import { isDeepStrictEqual } from "node:util";
import type { Problem } from "../../model/problem.ts";
import type { Cell, RawRow } from "../../model/row.ts";
import { compareText, isBlank, shellArgument } from "../../model/text.ts";
import type { Calendar } from "../../settings/calendar-settings.ts";

import { type WriteFormatName, endOf, formatOf } from "../all-formats.ts";
import type { Format } from "../formats/format.ts";
import { type ReadContents, readContents } from "../read-calendar.ts";
import type { ReadOptions } from "../read/format.ts";
import { decodeText, encodeText, lackingCharacter } from "../read/text-encoding.ts";
import { statusInSwitch } from "../read/yes-or-no.ts";
import { type ColumnName, splitColumn, switchedStatus } from "../formats/written-row.ts";
import { CELL_CHARACTERS } from "../formats/workbook/write-xlsx.ts";
import {
  type EditFault,
  type EditResult,
  type IdentifyPlatform,
  type RowEdit,
  RUN_AGAIN,
  SEVERAL_SHEETS,
} from "../formats/row-edit.ts";

/** A calendar with its original bytes, and the settings for reading it. */
export interface CalendarFile {
  readonly calendar: Calendar;
  readonly bytes: Uint8Array;
  readonly options: ReadOptions;
  /** How to read the result, for a caller that keeps what it reads. */
  readonly read?: ReadContents;
}

/**
 * The file with the rows' new cells. A row with a fault stays as it is; the others are written.
 * @param file of a calendar without errors, except in rows that were left out
 * @param identify returns the identifier of the platform that a column or key names
 */
export async function editCalendar(
  file: CalendarFile,
  edits: readonly RowEdit[],
  identify: IdentifyPlatform,
): Promise<EditResult<Uint8Array>> {
  const unusable = edits.flatMap((edit) => unusableTexts(file, edit));
  const first = await tryEdits(file, withoutFaulty(edits, unusable), identify);
  const faults = [...unusable, ...first.faults];
  if (first.unlike.length === 0) return { contents: first.contents, faults: sortFaults(faults) };
  const unlike = new Set(first.unlike);
  const others = first.written.filter(({ row }) => !unlike.has(row));
  const second = await tryEdits(file, others, identify);
  // If the others change something else, too, no row is written.
  const left = second.unlike.length === 0 ? second : { contents: file.bytes, faults: refuse(others) };
  const refused = refuse(first.written.filter(({ row }) => unlike.has(row)));
  return { contents: left.contents, faults: sortFaults([...faults, ...refused, ...left.faults]) };
}

function refuse(edits: readonly RowEdit[]): readonly EditFault[] {
  return edits.map(({ row }) => ({ row, message: CANNOT_ADD }));
}

/** The fault of a cell that cannot have this content without changing others. */
export const CANNOT_ADD =
  "plancast cannot add this to the row without changing something else. Add it by hand.";

/** Faults of the file before faults of its rows. */
function sortFaults(faults: readonly EditFault[]): readonly EditFault[] {
  return [...faults].sort((one, other) => (one.row ?? -1) - (other.row ?? -1));
}

function unusableTexts({ calendar }: CalendarFile, { row, cells }: RowEdit): EditFault[] {
  const why = [...cells.values()]
    .flat()
    .map((text) => unusableTextReason(calendar, text))
    .find((each) => each !== undefined);
  return why === undefined ? [] : [{ row, message: why }];
}

interface Attempt extends EditResult<Uint8Array> {
  /** Edits without a fault. */
  readonly written: readonly RowEdit[];
  /** The rows whose content would differ from the request. Without any, the contents are right. */
  readonly unlike: readonly number[];
}

async function tryEdits(
  file: CalendarFile,
  edits: readonly RowEdit[],
  identify: IdentifyPlatform,
): Promise<Attempt> {
  const { contents, faults } = await editFile(file, edits, identify);
  const written = withoutFaulty(edits, faults);
  const unlike = written.length === 0 ? [] : await findUnexpectedRows(file, contents, written, identify);
  return { contents: written.length === 0 ? file.bytes : contents, faults, written, unlike };
}

function withoutFaulty(edits: readonly RowEdit[], faults: readonly EditFault[]): readonly RowEdit[] {
  const faulty = new Set(faults.map(({ row }) => row));
  return faulty.has(undefined) ? [] : edits.filter(({ row }) => !faulty.has(row));
}

async function editFile(
  file: CalendarFile,
  edits: readonly RowEdit[],
  identify: IdentifyPlatform,
): Promise<EditResult<Uint8Array>> {
  const { calendar, bytes } = file;
  const refusal = editRefusal(calendar);
  const format = formatOf(calendar.file);
  if (refusal !== undefined || format?.edit === undefined)
    return { contents: bytes, faults: [{ row: undefined, message: refusal ?? "" }] };
  return format.holds === "bytes"
    ? format.edit(bytes, calendar, edits, identify)
    : editText(file, format.edit, edits, identify);
}

/** Why no cell of a calendar can be edited, and what to do; undefined if that depends on the cell. */
export function editRefusal({ file, table }: Pick<Calendar, "file" | "table">): string | undefined {
  const format = formatOf(file);
  if (format?.edit !== undefined) return table?.sheet?.all === undefined ? undefined : SEVERAL_SHEETS;
  const end = endOf(file);
  const other: WriteFormatName = format?.isTable === false ? "yaml" : "xlsx";
  const out = `${file.slice(0, -end.length)}${other}`;
  const command = `plancast convert ${shellArgument(file)} --to ${other} --out ${shellArgument(out)}`;
  return `plancast does not write into ${end.toUpperCase()} files. Convert it with \`${command}\` and remove the ${end.toUpperCase()} file, or write the cells by hand.`;
}

async function editText(
  { calendar, bytes, options }: CalendarFile,
  edit: NonNullable<Extract<Format, { readonly holds: "text" }>["edit"]>,
  edits: readonly RowEdit[],
  identify: IdentifyPlatform,
): Promise<EditResult<Uint8Array>> {
  const decoded = decodeText(calendar.file, bytes, { code: "calendar/encoding", encoding: options.encoding });
  if ("problem" in decoded)
    return { contents: bytes, faults: [{ row: undefined, message: decoded.problem.message }] };
  const { text, encoding } = decoded;
  const lacking = edits.flatMap(({ row, cells }): EditFault[] => {
    const character = lackingCharacter([...cells.values()].flat().join(""), encoding);
    if (character === undefined) return [];
    const message = `The text contains "${character}", which ${encoding.name} cannot write. Save the file as UTF-8 (in Excel: “CSV UTF-8”), and ${RUN_AGAIN}`;
    return [{ row, message }];
  });
  const { contents, faults } = await edit(text, calendar, withoutFaulty(edits, lacking), identify);
  return { contents: encodeText(contents, encoding, bytes), faults: [...lacking, ...faults] };
}

// Whether the edited calendar, read again, has the requested content and is otherwise unchanged.

/** The indexes of rows whose content differs from the request: all of the edited ones if the rest of the file differs. */
async function findUnexpectedRows(
  { calendar, options, read = readContents }: Pick<CalendarFile, "calendar" | "options" | "read">,
  contents: Uint8Array,
  edits: readonly RowEdit[],
  identify: IdentifyPlatform,
): Promise<readonly number[]> {
  const after = await read(calendar.file, contents, options);
  if (after.rows.length !== calendar.rows.length) return edits.map(({ row }) => row);
  const byRow = new Map(edits.map((edit) => [edit.row, edit]));
  const unlike = calendar.rows.flatMap((row, index) => {
    const edit = byRow.get(index);
    const found = after.rows[index];
    if (edit === undefined && found !== undefined && isSameRow(row, found)) return [];
    const wanted = rowValues(row, identify);
    for (const [name, cell] of edit?.cells ?? []) {
      const { mark, text } = wantedValue(name, textOf(cell), identify);
      if (isBlank(text)) wanted.delete(mark);
      else wanted.set(mark, text);
    }
    const isAlike =
      found !== undefined && isDeepStrictEqual(sortByName(rowValues(found, identify)), sortByName(wanted));
    return isAlike ? [] : index;
  });
  const isRest = isDeepStrictEqual(codesOf(after.problems), codesOf(calendar.problems));
  return unlike.length > 0 || isRest ? unlike : edits.map(({ row }) => row);
}

/** Whether two rows have the same cells. Most rows do, and comparing values takes longer. */
function isSameRow(one: RawRow, other: RawRow): boolean {
  return (
    isDeepStrictEqual(one.cells, other.cells) && one.variants.length === 0 && other.variants.length === 0
  );
}

/** The value that a cell gives its row. */
function wantedValue(
  name: ColumnName,
  text: string,
  identify: IdentifyPlatform,
): { readonly mark: string; readonly text: string } {
  const value = switchedStatus(name);
  if (value !== undefined) return { mark: "status", text: statusInSwitch(value, text) ?? "" };
  const { field, platform } = splitColumn(name);
  return { mark: platform === undefined ? field : `${field}:${identify(platform)}`, text };
}

/** All errors, but only the codes of warnings, because an edit may add or remove a warning. */
function codesOf(problems: readonly Problem[]): readonly string[] {
  const of = (wanted: Problem["severity"]): string[] =>
    problems.flatMap(({ code, severity }) => (severity === wanted ? code : []));
  return [...of("error"), ...new Set(of("warning"))].sort();
}

/** The whole content of a row, by column. */
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
  return [...said].sort(([one], [other]) => compareText(one, other));
}

/** What is wrong with a text for a cell of the calendar; undefined if nothing is. */
export function unusableTextReason(
  { encoding }: Pick<Calendar, "encoding">,
  text: string,
): string | undefined {
  const [control] = CONTROL.exec(text) ?? [];
  if (control !== undefined)
    return `The text contains a control character (${unicodeName(control)}), which does not belong in a post.`;
  const [half] = /\p{Surrogate}/u.exec(text) ?? [];
  if (half !== undefined) return `The text contains half of a character (${unicodeName(half)}).`;
  const isInWorkbook = encoding === undefined;
  if (!isInWorkbook || text.length <= CELL_CHARACTERS) return undefined;
  return `The text has ${text.length} characters, but a cell of a workbook can hold only ${CELL_CHARACTERS}.`;
}

/** Control characters other than a tab and line ends. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/;

/** For example `U+001B`. */
function unicodeName(sign: string): string {
  return `U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}
