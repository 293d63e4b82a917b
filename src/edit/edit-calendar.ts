/**
 * New cells in a calendar's file, where everything else stays byte for byte. What comes out is read again before it
 * goes anywhere, and must say what was asked for and nothing else.
 */
import type { Calendar } from "../calendar/row.ts";
import { decodeText } from "../read/decode-text.ts";
import type { ReadOptions } from "../read/format.ts";
import { editCsv } from "./csv.ts";
import { RUN_AGAIN, type Edited, type EditFault, type RowEdit } from "./edit.ts";
import { FileEncoder } from "./encode-text.ts";
import type { Identify } from "./place-columns.ts";
import { rowsUnlike } from "./rows-unlike.ts";
import { whyUnusable } from "./unusable-text.ts";
import { sharedPosts } from "./yaml-posts.ts";
import { editYaml } from "./yaml.ts";

/** A calendar with the bytes that it was read from, and how. */
export interface CalendarFile {
  readonly calendar: Calendar;
  readonly bytes: Uint8Array;
  readonly options: ReadOptions;
}

/**
 * The file with the rows' new cells. Of a row with a fault nothing is written, and the others are written all the same.
 * @param file of a calendar whose errors, if it has any, are those of rows that were left out
 * @param identify gives the identifier of a platform that a column or key names
 */
export async function editCalendar(
  file: CalendarFile,
  edits: readonly RowEdit[],
  identify: Identify,
): Promise<Edited<Uint8Array>> {
  const unusable = edits.flatMap((edit) => unusableIn(file, edit));
  const whole = await attempt(file, without(edits, unusable), identify);
  if (whole.isSound) return { contents: whole.contents, faults: inOrder([...unusable, ...whole.faults]) };
  const shared = sharedIn(file);
  const possible = await possibleAmong(file, whole.written, shared, identify);
  const rows = new Set(possible.map(({ row }) => row));
  const impossible = whole.written.filter(({ row }) => !rows.has(row));
  const { contents, faults } = await attempt(file, possible, identify);
  const said = impossible.map(({ row }) => ({ row, message: shared.get(row) ?? NOT_SAID }));
  return { contents, faults: inOrder([...unusable, ...whole.faults, ...faults, ...said]) };
}

const NOT_SAID =
  "The row is written in a way in which this cannot be added without changing something else. Add it by hand.";

function sharedIn({ calendar, bytes, options }: CalendarFile): ReadonlyMap<number, string> {
  if (calendar.table !== undefined) return new Map();
  const decoded = decodeText(calendar.file, bytes, { code: "calendar/encoding", encoding: options.encoding });
  return "text" in decoded ? sharedPosts(decoded.text) : new Map();
}

/** Those of the file before those of its rows. */
function inOrder(faults: readonly EditFault[]): readonly EditFault[] {
  return [...faults].sort((one, other) => (one.row ?? -1) - (other.row ?? -1));
}

function unusableIn({ calendar }: CalendarFile, { row, cells }: RowEdit): EditFault[] {
  const why = [...cells.values()]
    .map((text) => whyUnusable(calendar, text))
    .find((each) => each !== undefined);
  return why === undefined ? [] : [{ row, message: why }];
}

interface Attempt extends Edited<Uint8Array> {
  /** Those without a fault. */
  readonly written: readonly RowEdit[];
  /** The file says what was asked for, and nothing else. */
  readonly isSound: boolean;
  /** The rows that would say something else than they should. */
  readonly unlike: readonly number[];
}

async function attempt(file: CalendarFile, edits: readonly RowEdit[], identify: Identify): Promise<Attempt> {
  const { contents, faults } = await editKind(file, edits, identify);
  if (faults.some(({ row }) => row === undefined))
    return { contents: file.bytes, faults, written: [], isSound: true, unlike: [] };
  const written = without(edits, faults);
  const unlike = await rowsUnlike(file, contents, written, identify);
  const isSound = unlike?.length === 0;
  return { contents: isSound ? contents : file.bytes, faults, written, isSound, unlike: unlike ?? [] };
}

/** The edits that can be made together. Those that are likely to be at fault are left out first: tries take long. */
async function possibleAmong(
  file: CalendarFile,
  edits: readonly RowEdit[],
  shared: ReadonlyMap<number, string>,
  identify: Identify,
): Promise<readonly RowEdit[]> {
  const alone = edits.filter(({ row }) => !shared.has(row));
  const tried = await attempt(file, alone, identify);
  if (tried.isSound) return alone;
  const unlike = new Set(tried.unlike);
  const alike = alone.filter(({ row }) => !unlike.has(row));
  const { isSound } = await attempt(file, alike, identify);
  return isSound ? alike : possibleOf(file, edits, [], identify);
}

/** The same by halves, so that few that cannot be made are found soon among many. `made`: those that can. */
async function possibleOf(
  file: CalendarFile,
  edits: readonly RowEdit[],
  made: readonly RowEdit[],
  identify: Identify,
): Promise<readonly RowEdit[]> {
  const all = [...edits, ...made];
  if ((await attempt(file, all, identify)).isSound) return all;
  if (edits.length === 1) return made;
  const middle = edits.length >> 1;
  const first = await possibleOf(file, edits.slice(0, middle), made, identify);
  return possibleOf(file, edits.slice(middle), first, identify);
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
    return { contents: bytes, faults: [{ row: undefined, message: noOds(calendar.file) }] };
  const { editXlsx } = await import("./xlsx.ts");
  return editXlsx(bytes, calendar, edits, identify);
}

const NOT_DECODED =
  "The file holds bytes that its encoding has no characters for. Save it as UTF-8 (in Excel: “CSV UTF-8”), and run again.";

function noOds(file: string): string {
  const command = `plancast convert ${JSON.stringify(file)} --to xlsx --out ${JSON.stringify(file.replace(/ods$/i, "xlsx"))}`;
  return `Plancast does not write into ODS files. Make a workbook of it and remove the ODS file: \`${command}\`; or fill in the texts by hand.`;
}

function editText(
  { calendar, bytes, options }: CalendarFile,
  encoding: NonNullable<Calendar["encoding"]>,
  edits: readonly RowEdit[],
  identify: Identify,
): Edited<Uint8Array> {
  const decoded = decodeText(calendar.file, bytes, { code: "calendar/encoding", encoding: options.encoding });
  const encoder = new FileEncoder(encoding, bytes);
  if ("problem" in decoded || !Buffer.from(encoder.encode(decoded.text)).equals(bytes))
    return { contents: bytes, faults: [{ row: undefined, message: NOT_DECODED }] };
  const missing = edits.flatMap(({ row, cells }): EditFault[] => {
    const character = [...cells.values()]
      .map((text) => encoder.missing(text))
      .find((each) => each !== undefined);
    if (character === undefined) return [];
    const message = `The text holds "${character}", which ${encoding.name} has no place for. Save the file as UTF-8 (in Excel: “CSV UTF-8”), and ${RUN_AGAIN}`;
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
