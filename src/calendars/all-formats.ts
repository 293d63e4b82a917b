/** Which formats calendars are written in, and how. */

import type { Config } from "../settings/config.ts";
import type { Write, WriteOutput, WrittenRow } from "./formats/written-row.ts";

interface WriteFormat {
  readonly write: (...args: Parameters<Write>) => Promise<WriteOutput>;
  /** Extensions of readable files; the first is the default. */
  readonly extensions: readonly [string, ...string[]];
  /** Whether it can be shown in a terminal. */
  readonly isText: boolean;
  /** Whether a file holds one post, and never more. */
  readonly isOnePost: boolean;
}

/** The writer for each kind of calendar. To add one, write its file and add a line here. Writers load on demand. */
export const WRITE_FORMATS = {
  csv: {
    write: async (rows) => (await import("./formats/csv/write-csv.ts")).writeCsv(rows),
    extensions: ["csv"],
    isText: true,
    isOnePost: false,
  },
  yaml: {
    write: async (rows) => (await import("./formats/yaml/write-yaml.ts")).writeYaml(rows),
    extensions: ["yaml", "yml"],
    isText: true,
    isOnePost: false,
  },
  xlsx: {
    write: async (rows, options) =>
      (await import("./formats/workbook/write-xlsx.ts")).writeXlsx(rows, options),
    extensions: ["xlsx"],
    isText: false,
    isOnePost: false,
  },
  md: {
    write: async (rows) => (await import("./formats/md/write-post-file.ts")).writePostFile(rows),
    extensions: ["md"],
    isText: true,
    isOnePost: true,
  },
} satisfies Record<string, WriteFormat>;

export type WriteFormatName = keyof typeof WRITE_FORMATS;

/** For a flag that names a format. */
// A constant object has no other keys.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const WRITE_FORMAT_NAMES = Object.keys(WRITE_FORMATS) as readonly WriteFormatName[];

/** The format in which a file with that name would be read; undefined if there is none. */
export function formatNamed(path: string): WriteFormatName | undefined {
  const end = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  return WRITE_FORMAT_NAMES.find((name) => WRITE_FORMATS[name].extensions.some((each) => each === end));
}

/** Platforms to offer for new rows: the platforms that the project names, then the platforms of the rows. */
export function platformsToOffer(
  { platforms, defaults }: Config,
  rows: readonly WrittenRow[],
): readonly string[] {
  const usual = defaults.platforms ?? [];
  const named = [...(typeof usual === "string" ? [usual] : usual), ...Object.keys(platforms)];
  const used = rows.flatMap((row) => row.get("platforms") ?? []);
  return [...new Set([...named, ...used].map((name) => name.trim().toLowerCase()))];
}
