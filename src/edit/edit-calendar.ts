/**
 * New cells in a calendar's file, where everything else stays byte for byte. What comes out is read again before it
 * goes anywhere, and must say what was asked for and nothing else.
 */
import { isDeepStrictEqual } from "node:util";
import { hasErrors, type Problem } from "../calendar/problem.ts";
import type { Calendar, Cell, RawRow } from "../calendar/row.ts";
import { decodeText } from "../read/decode-text.ts";
import type { ReadOptions } from "../read/format.ts";
import { readContents } from "../read/read-calendar.ts";
import { splitColumn } from "../write/column-name.ts";
import { editCsv } from "./csv.ts";
import type { Edited, EditFault, RowEdit } from "./edit.ts";
import { FileEncoder } from "./encode-text.ts";
import type { Identify } from "./place-columns.ts";
import { editYaml } from "./yaml.ts";

/** A calendar with the bytes that it was read from, and how. */
export interface CalendarFile {
  readonly calendar: Calendar;
  readonly bytes: Uint8Array;
  readonly options: ReadOptions;
}

/**
 * The file with the rows' new cells. Of a row with a fault nothing is written.
 * @param file of a calendar that was read without errors
 * @param identify gives the identifier of a platform that a column or key names
 */
export async function editCalendar(
  file: CalendarFile,
  edits: readonly RowEdit[],
  identify: Identify,
): Promise<Edited<Uint8Array>> {
  const unwritable = edits.flatMap(unwritableIn);
  const writable = without(edits, unwritable);
  const edited = await editKind(file, writable, identify);
  const faults = [...unwritable, ...edited.faults];
  if (edited.faults.some(({ row }) => row === undefined)) return { contents: file.bytes, faults };
  const written = without(writable, edited.faults);
  if (await saysSo(file, edited.contents, written, identify)) return { contents: edited.contents, faults };
  const failed = written.map(({ row }) => ({ row, message: NOT_SAID }));
  return { contents: file.bytes, faults: [...faults, ...failed] };
}

const NOT_SAID =
  "The file is written in a way in which this cannot be added without changing something else. Add it by hand.";

const NO_TEXT = "The text holds characters that no file can hold. Ask for another one.";

function unwritableIn({ row, cells }: RowEdit): EditFault[] {
  // oxlint-disable-next-line no-control-regex
  return [...cells.values()].some((text) => /[\u0000-\u0008\u000b-\u001f]|\p{Surrogate}/u.test(text))
    ? [{ row, message: NO_TEXT }]
    : [];
}

function without(edits: readonly RowEdit[], faults: readonly EditFault[]): readonly RowEdit[] {
  const faulty = new Set(faults.map(({ row }) => row));
  return faulty.has(undefined) ? [] : edits.filter(({ row }) => !faulty.has(row));
}

async function editKind(
  file: CalendarFile,
  edits: readonly RowEdit[],
  identify: Identify,
): Promise<Edited<Uint8Array>> {
  const { calendar, bytes } = file;
  if (calendar.encoding !== undefined) return editText(file, calendar.encoding, edits, identify);
  if (/\.ods$/i.test(calendar.file))
    return { contents: bytes, faults: [{ row: undefined, message: NO_ODS }] };
  const { editXlsx } = await import("./xlsx.ts");
  return editXlsx(bytes, calendar, edits, identify);
}

const NO_ODS =
  "Plancast does not write into ODS files. Convert the calendar: `plancast convert FILE.ods --to xlsx --out FILE.xlsx`, or fill in the texts by hand.";

function editText(
  { calendar, bytes, options }: CalendarFile,
  encoding: NonNullable<Calendar["encoding"]>,
  edits: readonly RowEdit[],
  identify: Identify,
): Edited<Uint8Array> {
  const decoded = decodeText(calendar.file, bytes, { code: "calendar/encoding", encoding: options.encoding });
  const encoder = new FileEncoder(encoding, bytes);
  if ("problem" in decoded || !Buffer.from(encoder.encode(decoded.text)).equals(bytes))
    return { contents: bytes, faults: [{ row: undefined, message: NOT_SAID }] };
  const missing = edits.flatMap(({ row, cells }): EditFault[] => {
    const character = [...cells.values()]
      .map((text) => encoder.missing(text))
      .find((each) => each !== undefined);
    if (character === undefined) return [];
    const message = `The text holds "${character}", which ${encoding.name} has no place for. Save the file as UTF-8 (in Excel: “CSV UTF-8”), and run again: the text is kept and costs nothing more.`;
    return [{ row, message }];
  });
  const sound = without(edits, missing);
  const { table } = calendar;
  const edited =
    table === undefined
      ? editYaml(decoded.text, sound, identify)
      : editCsv(decoded.text, { ...calendar, table }, sound, identify);
  return { contents: encoder.encode(edited.contents), faults: [...missing, ...edited.faults] };
}

/** Whether the file, read again, says what is wanted, and all else as before. */
async function saysSo(
  { calendar, options }: CalendarFile,
  contents: Uint8Array,
  edits: readonly RowEdit[],
  identify: Identify,
): Promise<boolean> {
  const after = await readContents(calendar.file, contents, options);
  if (hasErrors(after.problems) || after.rows.length !== calendar.rows.length) return false;
  if (!isDeepStrictEqual(warnings(after.problems), warnings(calendar.problems))) return false;
  const byRow = new Map(edits.map((edit) => [edit.row, edit]));
  return calendar.rows.every((row, index) => {
    const wanted = saidBy(row, identify);
    for (const [name, text] of byRow.get(index)?.cells ?? []) {
      const { field, platform } = splitColumn(name);
      wanted.set(platform === undefined ? field : `${field}:${identify(platform)}`, text);
    }
    const found = after.rows[index];
    return found !== undefined && isDeepStrictEqual(sorted(saidBy(found, identify)), sorted(wanted));
  });
}

function warnings(problems: readonly Problem[]): readonly string[] {
  return [...new Set(problems.map(({ code }) => code))].sort();
}

/** All that a row says, by column. */
function saidBy(row: RawRow, identify: Identify): Map<string, string> {
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

function sorted(said: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
  return [...said].sort(([one], [other]) => (one < other ? -1 : 1));
}
