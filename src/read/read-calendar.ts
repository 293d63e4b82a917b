import { extname, join } from "node:path";
import { problem, type Problem } from "../calendar/problem.ts";
import type { RawCalendar } from "../calendar/row.ts";
import type { Read, ReadOptions } from "./format.ts";
import { FORMATS } from "./formats.ts";
import { readTextFile } from "./read-text-file.ts";

const CODES_OF_CALENDARS = {
  unreadable: "calendar/unreadable",
  tooLarge: "calendar/too-large",
  encoding: "calendar/encoding",
} as const;

/**
 * Reads one calendar. `file` is relative to `root`, with `/`. Whatever is wrong with it becomes a problem: this
 * never throws. A calendar with an error among its problems may still hold the rows that were understood.
 */
export async function readCalendar(root: string, file: string, options: ReadOptions): Promise<RawCalendar> {
  const read = formatOf(file);
  if (read === undefined) return unread(file, unknownFormat(file));
  const decoded = await readTextFile(join(root, file), file, CODES_OF_CALENDARS);
  return "problem" in decoded ? unread(file, decoded.problem) : read(file, decoded.text, options);
}

function formatOf(file: string): Read | undefined {
  const extension = extname(file).slice(1).toLowerCase();
  return new Map<string, Read>(Object.entries(FORMATS)).get(extension);
}

function unknownFormat(file: string): Problem {
  const names = Object.keys(FORMATS).map((name) => `.${name}`);
  const message = `Plancast reads ${names.join(", ")} files. Save the calendar as one of them, or leave it out of \`calendars:\`.`;
  return problem("calendar/unknown-format", message, { file });
}

function unread(file: string, why: Problem): RawCalendar {
  return { file, rows: [], problems: [why], sourceLine: () => undefined };
}
