import type { RawCalendar } from "../calendar/row.ts";
import { readDelimited } from "./csv.ts";
import type { ReadOptions } from "./format.ts";

/** Reads tab-separated text. Quotes work as in CSV: that is how spreadsheets write cells with line ends. */
export function readTsv(file: string, text: string, options: ReadOptions): RawCalendar {
  return readDelimited(file, text, 0, { value: "\t", isExplicit: true }, options);
}
