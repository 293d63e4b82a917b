/** Calendars for tests that edit them. */

import { type CalendarFile, editCalendar } from "../../src/calendars/edit/edit-calendar.ts";
import type { EditResult } from "../../src/calendars/formats/row-edit.ts";
import { ZipParts } from "../../src/calendars/formats/workbook/zip.ts";
import { readContents } from "../../src/calendars/read-calendar.ts";
import type { ColumnName } from "../../src/calendars/formats/written-row.ts";
import { type CalendarSettings, settingsOf } from "../../src/settings/calendar-settings.ts";
import type { Config } from "../../src/settings/config.ts";
import { configSchema } from "../../src/calendars/check-project.ts";

/** New content by row. */
export type Edits = Readonly<Record<number, Readonly<Partial<Record<ColumnName, string>>>>>;

const CONFIG: Config = configSchema.parse({});

export async function calendarFile(
  file: string,
  contents: string | Uint8Array,
  settings: Partial<CalendarSettings> = {},
): Promise<CalendarFile> {
  const bytes = typeof contents === "string" ? Buffer.from(contents) : contents;
  const options = { ...settingsOf(CONFIG, []), ...settings };
  return { calendar: { ...(await readContents(file, bytes, options)), settings: options }, bytes, options };
}

export async function edit(
  file: string,
  contents: string | Uint8Array,
  edits: Edits,
  settings: Partial<CalendarSettings> = {},
): Promise<EditResult<Buffer>> {
  const read = await calendarFile(file, contents, settings);
  const rows = Object.entries(edits).map(([row, cells]) => ({ row: Number(row), cells: cellsOf(cells) }));
  const edited = await editCalendar(read, rows, identify);
  return { ...edited, contents: Buffer.from(edited.contents) };
}

/** The text after edits that must all succeed. */
export async function editedText(...args: Parameters<typeof edit>): Promise<string> {
  const { contents, faults } = await edit(...args);
  if (faults.length > 0) throw new Error(JSON.stringify(faults));
  return contents.toString("utf8");
}

function identify(platform: string): string {
  const typed = platform.toLowerCase();
  return typed === "x" ? "twitter" : typed;
}

function cellsOf(cells: Readonly<Partial<Record<ColumnName, string>>>): Map<ColumnName, string> {
  // Keys of a literal type are strings to TypeScript.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return new Map(Object.entries(cells) as [ColumnName, string][]);
}

/** The parts of a workbook, unpacked. */
export async function partsOf(bytes: Uint8Array): Promise<Record<string, string>> {
  const zip = await ZipParts.open(bytes);
  const found: Record<string, string> = {};
  for (const name of zip.names()) {
    const pieces: Uint8Array[] = [];
    for await (const piece of zip.read(name)) pieces.push(piece);
    found[name] = Buffer.concat(pieces).toString("utf8");
  }
  return found;
}
