import type { Config } from "../../settings/config.ts";
import { writeCsv } from "./csv.ts";
import type { Write, WrittenRow } from "./written-row.ts";
import { writeXlsx } from "./xlsx.ts";
import { writeYaml } from "./yaml.ts";

interface WriteFormat {
  readonly write: Write;
  /** Ends of file names under which it is read again; the first is the one to give. */
  readonly extensions: readonly [string, ...string[]];
  /** Whether it can be shown in a terminal. */
  readonly isText: boolean;
}

/** How each kind of calendar is written. */
export const WRITE_FORMATS = {
  csv: { write: writeCsv, extensions: ["csv"], isText: true },
  yaml: { write: writeYaml, extensions: ["yaml", "yml"], isText: true },
  xlsx: { write: writeXlsx, extensions: ["xlsx"], isText: false },
} satisfies Record<string, WriteFormat>;

export type WriteFormatName = keyof typeof WRITE_FORMATS;

export const WRITE_FORMAT_NAMES = ["csv", "yaml", "xlsx"] as const satisfies readonly WriteFormatName[];

/** The format in which a file of that name would be read again; undefined when none is. */
export function formatNamed(path: string): WriteFormatName | undefined {
  const end = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  return WRITE_FORMAT_NAMES.find((name) => WRITE_FORMATS[name].extensions.some((each) => each === end));
}

/** Platforms that somebody who adds a row may want: those the project names, then those of the rows. */
export function platformsToOffer(
  { platforms, defaults }: Config,
  rows: readonly WrittenRow[],
): readonly string[] {
  const usual = defaults.platforms ?? [];
  const named = [...(typeof usual === "string" ? [usual] : usual), ...Object.keys(platforms)];
  const used = rows.flatMap((row) => row.get("platforms") ?? []);
  return [...new Set([...named, ...used].map((name) => name.trim().toLowerCase()))];
}
