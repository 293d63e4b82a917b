/**
 * Reads a calendar of any format, and keeps what it read for a server that reads again at each save. For the name of a
 * file that is not a calendar, suggests a calendar.
 */

import { createHash } from "node:crypto";
import { join, posix } from "node:path";
import { statsOf } from "../disk/place.ts";
import type { TextEncoding } from "../model/fields.ts";
import { type Problem, problem } from "../model/problem.ts";
import type { RawCalendar } from "../model/row.ts";
import { didYouMean, nearest } from "../model/text.ts";
import { EXTENSIONS, endOf, formatOf } from "./all-formats.ts";
import { conflictedCalendar } from "./read/source-text.ts";
import type { Format } from "./formats/format.ts";
import { decodeText } from "./read/text-encoding.ts";
import type { ReadOptions } from "./read/format.ts";
import { otherFormatText, readFileBytes } from "./read/read-file.ts";

const CODES_OF_CALENDARS = { unreadable: "disk/unreadable", tooLarge: "calendar/too-large" } as const;

/**
 * Reads one calendar. `file` is relative to `root`, with `/`. Never throws: faults become problems. A calendar with
 * errors may still hold the rows that could be read.
 * @param contents reads its bytes
 */
export async function readCalendar(
  root: string,
  file: string,
  options: ReadOptions,
  contents: ReadContents = readContents,
): Promise<RawCalendar> {
  const fault = await namingFault(root, file, options.known ?? []);
  if (fault !== undefined) return unreadCalendar(file, fault);
  if (formatOf(file) === undefined) return unreadCalendar(file, unknownFormat(file));
  const read = await readFileBytes(join(root, file), file, CODES_OF_CALENDARS);
  return "problem" in read ? unreadCalendar(file, read.problem) : contents(file, read.bytes, options);
}

export type ReadContents = (file: string, bytes: Uint8Array, options: ReadOptions) => Promise<RawCalendar>;

/** Like `ReadContents`, for bytes in memory. */
export async function readContents(
  file: string,
  bytes: Uint8Array,
  options: ReadOptions,
): Promise<RawCalendar> {
  const format = formatOf(file);
  if (format === undefined) return unreadCalendar(file, unknownFormat(file));
  if (format.holds === "bytes") return format.read(file, bytes, options);
  const other = otherFormatText(bytes, format.isTable ? "table" : "text");
  if (other !== undefined) return unreadCalendar(file, problem("calendar/unknown-format", other, { file }));
  const decoded = decodeText(file, bytes, { code: "calendar/encoding", encoding: options.encoding });
  if ("problem" in decoded) return unreadCalendar(file, decoded.problem);
  const conflicted = conflictedCalendar(file, decoded.text);
  if (conflicted !== undefined) return conflicted;
  // This function must end before the text is read, so that nobody keeps the bytes: a long calendar has many.
  return readText(format, file, decoded, options);
}

async function readText(
  format: Extract<Format, { readonly holds: "text" }>,
  file: string,
  { text, encoding }: { readonly text: string; readonly encoding: TextEncoding },
  options: ReadOptions,
): Promise<RawCalendar> {
  return { ...(await format.read(file, text, options)), encoding };
}

/** The problem of a name without a file. It happens only to names that a person typed. */
async function namingFault(
  root: string,
  file: string,
  known: readonly string[],
): Promise<Problem | undefined> {
  // Without permission to look, reading reports why.
  const found = await statsOf(join(root, file)).catch(() => "unknown" as const);
  if (found === "unknown") return undefined;
  const message =
    found === undefined
      ? "This file does not exist: check the name, and put a name with spaces in quotes."
      : "This is a folder, not a calendar: name a file in it.";
  if (found !== undefined && !found.isDirectory()) return undefined;
  return problem("disk/unreadable", message + suggestCalendar(file, known), { file });
}

/** Formats that spreadsheet programs can save in a readable format. */
const OTHER_WORKBOOKS = new Set(["xls", "xlsm", "xlsb", "xltx", "fods", "numbers"]);

function unknownFormat(file: string): Problem {
  const names = EXTENSIONS.map((name) => `.${name}`);
  const way = OTHER_WORKBOOKS.has(endOf(file))
    ? "Open the workbook and save it as .xlsx"
    : "Save the calendar as one of them";
  const message = `plancast reads ${names.join(", ")} files. ${way}, or exclude it from \`calendars:\`.`;
  return problem("calendar/unknown-format", message, { file });
}

function unreadCalendar(file: string, why: Problem): RawCalendar {
  return { file, rows: [], problems: [why], sourceLine: () => undefined };
}

/** The maximum number of calendars that a message lists. */
const MAX_LISTED = 5;

/**
 * A sentence after a space: the calendar that the name most likely means, otherwise the calendars that exist; nothing
 * without calendars. Paths are relative to the project root, with `/`.
 */
export function suggestCalendar(name: string, found: readonly string[]): string {
  const near = nearest(name, found) ?? nearestName(name, found);
  if (near !== undefined) return didYouMean(near);
  if (found.length === 0) return "";
  const listed = found.slice(0, MAX_LISTED).map((file) => `\`${file}\``);
  const more = found.length - listed.length;
  const all = more > 0 ? `${listed.join(", ")} and ${more} more` : listed.join(", ");
  return found.length === 1 ? ` The project's calendar is ${all}.` : ` The project's calendars are ${all}.`;
}

/** People leave out the folder, and the ending. */
function nearestName(name: string, found: readonly string[]): string | undefined {
  const short = posix.basename(name, posix.extname(name));
  const names = new Map(found.map((file) => [posix.basename(file, posix.extname(file)), file]));
  return names.get(nearest(short, names.keys()) ?? "");
}

interface KnownCalendar {
  readonly version: string;
  readonly calendar: RawCalendar;
}

/** Readings kept of each file: of the saved file, and of an edit that may be saved. */
const VERSIONS = 2;

/** Keeps the calendars that were read, so that a server reads only what has changed. */
export class KnownCalendars {
  /** The last readings of each file, newest first, by its settings. */
  readonly #known = new Map<string, readonly KnownCalendar[]>();

  /** As `readContents`. The last bytes are not read again with the same options. */
  readonly read: ReadContents = async (file, bytes, options) => {
    const { known: _names, ...relevant } = options;
    const key = JSON.stringify([file, relevant]);
    const version = versionOf(bytes);
    const before = this.#known.get(key) ?? [];
    const found = before.find((each) => each.version === version);
    const calendar = found?.calendar ?? (await readContents(file, bytes, options));
    const others = before.filter((each) => each !== found);
    this.#known.set(key, [{ version, calendar }, ...others].slice(0, VERSIONS));
    return calendar;
  };
}

/** Differs whenever the bytes of a calendar differ. */
export function versionOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64url");
}
