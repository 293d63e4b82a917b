/** Which kinds of calendars can be edited cell by cell, and how. */

import { shellArgument } from "../../model/text.ts";
import type { Calendar } from "../../settings/calendar-settings.ts";
import { endOf } from "../read-calendar.ts";
import { type EditResult, type IdentifyPlatform, type RowEdit, SEVERAL_SHEETS } from "./row-edit.ts";

/** Writes new cells into the content of a calendar; every other character stays. */
type Edit<Contents> = (
  contents: Contents,
  calendar: Calendar,
  edits: readonly RowEdit[],
  identify: IdentifyPlatform,
) => EditResult<Contents> | Promise<EditResult<Contents>>;

/** How to edit a kind of calendar: as text or as bytes. Otherwise, the reason why it cannot be edited. */
export type EditFormat =
  | {
      readonly text: Edit<string>;
      /** Why single rows of a text cannot change, by index. */
      readonly sharedRows?: (text: string) => Promise<ReadonlyMap<number, string>>;
    }
  | { readonly bytes: Edit<Uint8Array> }
  | { readonly refusal: (file: string) => string };

const CSV: EditFormat = {
  text: async (...args) => (await import("./csv.ts")).editCsv(...args),
};

const YAML: EditFormat = {
  text: async (text, { settings }, ...rest) =>
    (await import("./yaml.ts")).editYaml(text, settings.columns, ...rest),
  sharedRows: async (text) => (await import("./yaml-posts.ts")).sharedPosts(text),
};

const XLSX: EditFormat = {
  bytes: async (...args) => (await import("./xlsx.ts")).editXlsx(...args),
};

const ODS: EditFormat = {
  refusal: (file) => {
    const command = `plancast convert ${shellArgument(file)} --to xlsx --out ${shellArgument(file.replace(/ods$/i, "xlsx"))}`;
    return `plancast does not write into ODS files. Convert it with \`${command}\` and remove the ODS file, or write the cells by hand.`;
  },
};

const POST_FILE: EditFormat = {
  text: async (...args) => (await import("./post-file.ts")).editPostFile(...args),
};

/** Keyed by file extension. To add one, write its file and add a line here. */
const EDIT_FORMATS = new Map<string, EditFormat>([
  ["csv", CSV],
  ["tsv", CSV],
  ["yaml", YAML],
  ["yml", YAML],
  ["xlsx", XLSX],
  ["ods", ODS],
  ["md", POST_FILE],
  ["tweet", POST_FILE],
]);

/** Why no cell of a calendar can be edited; undefined if that depends on the cell. */
export function editRefusal({ file, table }: Pick<Calendar, "file" | "table">): string | undefined {
  const format = EDIT_FORMATS.get(endOf(file));
  if (format !== undefined && "refusal" in format) return format.refusal(file);
  return table?.sheet?.all === undefined ? undefined : SEVERAL_SHEETS;
}

/** How to edit a calendar that was read. */
export function editFormatOf({ file }: Pick<Calendar, "file">): EditFormat {
  const format = EDIT_FORMATS.get(endOf(file));
  if (format === undefined) throw new Error(`No way to edit ${file}.`);
  return format;
}
