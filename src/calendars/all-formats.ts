/** All formats of calendars. To add one, write its folder in `formats/`, and add a line here. */

import { extname } from "node:path";
import { CSV, TSV } from "./formats/csv/csv.ts";
import type { Format } from "./formats/format.ts";
import { MARKDOWN, TWEET } from "./formats/md/md.ts";
import { ODS, XLSX } from "./formats/workbook/workbooks.ts";
import { YAML } from "./formats/yaml/yaml.ts";

export const FORMATS = {
  csv: CSV,
  tsv: TSV,
  yaml: YAML,
  xlsx: XLSX,
  ods: ODS,
  md: MARKDOWN,
  tweet: TWEET,
} as const satisfies Record<string, Format>;

type FormatName = keyof typeof FORMATS;

/** A format in which plancast writes new files. */
export type WriteFormatName = {
  [Name in FormatName]: (typeof FORMATS)[Name] extends { readonly write: unknown } ? Name : never;
}[FormatName];

// A constant object has no other keys.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const NAMES = Object.keys(FORMATS) as readonly FormatName[];

function isWritten(name: FormatName): name is WriteFormatName {
  return "write" in FORMATS[name];
}

/** For a flag that names a format. */
export const WRITE_FORMAT_NAMES: readonly WriteFormatName[] = NAMES.filter(isWritten);

/** The extensions of files that can be read. */
export const EXTENSIONS: readonly string[] = NAMES.flatMap((name) => FORMATS[name].extensions);

/** The default patterns for calendars. */
export const CALENDAR_GLOB = `calendars/**/*.{${EXTENSIONS.join(",")}}`;

/** The format of a file by its name; undefined if plancast cannot read it. */
export function formatOf(file: string): Format | undefined {
  const name = formatName(file);
  return name === undefined ? undefined : FORMATS[name];
}

/** The format in which a file with that name is written; undefined if plancast does not write it. */
export function writeFormatOf(file: string): WriteFormatName | undefined {
  const name = formatName(file);
  return name !== undefined && isWritten(name) ? name : undefined;
}

function formatName(file: string): FormatName | undefined {
  const end = endOf(file);
  return NAMES.find((name) => FORMATS[name].extensions.some((each) => each === end));
}

/** `csv` for `plan.CSV`; empty for a name without an extension. */
export function endOf(file: string): string {
  return extname(file).slice(1).toLowerCase();
}
