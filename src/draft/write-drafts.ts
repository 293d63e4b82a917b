/**
 * Writes answers into the rows of calendars: each in its column, and the status of a draft. Before anything is paid for,
 * checks that they could be written.
 */

import { type CalendarFile, editCalendar } from "../calendars/edit/edit-calendar.ts";
import type { EditFault, IdentifyPlatform, RowEdit } from "../calendars/formats/row-edit.ts";
import { type ColumnName, splitColumn, variantColumn } from "../calendars/formats/written-row.ts";
import { readAltCell, readMediaCell } from "../checks/media-cells.ts";
import { RowView } from "../checks/row-view.ts";
import { readStatus } from "../checks/statuses.ts";
import { joinAlt } from "../model/extras.ts";
import type { UndraftedReason } from "../model/plan.ts";
import { type Problem, problem } from "../model/problem.ts";
import { STATUSES } from "../model/fields.ts";
import type { Cell } from "../model/row.ts";
import type { Calendar } from "../settings/calendar-settings.ts";
import type { DraftTask } from "./tasks.ts";

/** The answer for a row: a text, or the name of a picture's file. */
export interface GeneratedValue {
  readonly wanted: DraftTask;
  readonly value: string;
}

/** The edit of a row that contains the answers. */
export interface DraftedRow {
  readonly edit: RowEdit;
  readonly got: readonly GeneratedValue[];
}

/**
 * A row with only one text writes it to `content`: if it is for one platform, or all its platforms get the same text.
 * Otherwise, each platform gets a separate text, so that a missing text is visible.
 * @param got answers for one row
 */
export function draftRowEdit(
  calendar: Calendar,
  row: number,
  got: readonly GeneratedValue[],
  identify: IdentifyPlatform,
): DraftedRow {
  const raw = calendar.rows[row];
  const cells = new Map<ColumnName, Cell>();
  const texts = got.filter(({ wanted }) => wanted.kind === "text");
  const own = new Set(
    raw?.variants.flatMap(({ platform, cells: { content } }) =>
      content === undefined ? [] : identify(platform),
    ),
  );
  const shared = texts.filter(({ wanted }) => !own.has(wanted.platform ?? ""));
  const [first] = shared;
  // While one of them is missing, the content for all must not be another platform's text.
  const isWhole = first?.wanted.platforms.filter((name) => !own.has(name)).length === shared.length;
  const isSame = isWhole && shared.every(({ value }) => value === first?.value);
  for (const each of texts) {
    const isContent = isSame
      ? shared.includes(each)
      : isWhole && each === first && raw?.cells.content !== undefined;
    const name = isContent ? "content" : variantColumn("content", each.wanted.platform ?? "");
    cells.set(name, each.value);
  }
  const picture = got.find(({ wanted }) => wanted.kind === "image");
  if (picture !== undefined) cells.set("media", picture.value);
  const alts = got.filter(({ wanted }) => wanted.kind === "alt");
  if (alts.length > 0) cells.set("alt", altCell(calendar, row, alts));
  // An alt text leaves the status: a draft is not planned, so a scheduled post would be cancelled.
  const status = alts.length < got.length ? draftStatus(calendar, row) : undefined;
  if (status !== undefined) cells.set("status", status);
  return { edit: { row, cells }, got };
}

/** The row's alt texts with the new ones among them. */
function altCell(calendar: Calendar, row: number, got: readonly GeneratedValue[]): Cell {
  const raw = calendar.rows[row];
  if (raw === undefined) throw new Error("The row of an alt text is gone.");
  const view = new RowView(raw, calendar);
  const media = readMediaCell(view).references.length;
  const texts = Array.from({ length: media }, (_, index) => readAltCell(view, media).alt[index] ?? "");
  for (const { wanted, value } of got) texts[wanted.picture?.index ?? 0] = value;
  if (view.own.alt?.isList === true) return texts;
  return media === 1 ? (texts[0] ?? "") : (joinAlt(texts, media) ?? texts.join(" || "));
}

/** The team's word for a draft; undefined if the row already is one. */
function draftStatus(calendar: Calendar, row: number): string | undefined {
  const raw = calendar.rows[row];
  const { status_values: words } = calendar.settings;
  if (raw === undefined || readStatus(new RowView(raw, calendar).values.status, words) === "draft")
    return undefined;
  const known = [...Object.keys(words).filter((word) => word.trim() !== ""), ...STATUSES];
  return known.find((text) => {
    const value = { text, items: [text], isList: false, at: () => raw.at() };
    return readStatus(value, words) === "draft";
  });
}

// Checks whether the results could be written, before anything is paid for. Pure.

interface WritableTasks {
  /** Requests with a place for the result. */
  readonly wanted: readonly DraftTask[];
  readonly problems: readonly Problem[];
}

/** Writes a placeholder for each, and discards the result. */
export async function findWritableTasks(
  all: readonly DraftTask[],
  identify: IdentifyPlatform,
): Promise<WritableTasks> {
  const wanted: DraftTask[] = [];
  const problems: Problem[] = [];
  for (const file of new Set(all.map((each) => each.file))) {
    const own = all.filter((each) => each.file === file);
    // One after the other, because a calendar may be large.
    const faults = await faultsIn(file, own, identify);
    const faulty = new Set(faults.map(({ row }) => row));
    wanted.push(...(faulty.has(undefined) ? [] : own.filter(({ row }) => !faulty.has(row))));
    for (const { row, message } of faults) {
      const at = row === undefined ? undefined : file.calendar.rows[row]?.at();
      problems.push(problem("write/not-written", message, at ?? { file: file.calendar.file }));
    }
  }
  return { wanted, problems };
}

async function faultsIn(
  file: CalendarFile,
  wanted: readonly DraftTask[],
  identify: IdentifyPlatform,
): Promise<readonly EditFault[]> {
  const edits = [...new Set(wanted.map(({ row }) => row))].map((row) => {
    const got = wanted
      .filter((each) => each.row === row)
      .map((each) => ({ wanted: each, value: standIn(each) }));
    return draftRowEdit(file.calendar, row, got, identify).edit;
  });
  return (await editCalendar(file, edits, identify)).faults;
}

function standIn({ kind, platform }: DraftTask): string {
  return kind === "image" ? "picture.png" : `A text for ${platform ?? "a picture"}`;
}

// Writes the answers into one calendar's file, completely or not at all.

/** A cell of a row that was written. */
interface DraftedCell {
  readonly column: ColumnName;
  readonly before: string | undefined;
  readonly after: string;
}

interface WrittenDrafts {
  /** The new cells, by row. */
  readonly written: ReadonlyMap<DraftedRow, readonly DraftedCell[]>;
  readonly failed: ReadonlyMap<DraftedRow, DraftFault>;
}

export interface DraftFault {
  readonly code: "write/not-written" | "write/file-changed";
  readonly reason: UndraftedReason;
}

/** Replaces a calendar's file. Resolves to false if it has changed since it was read. */
export type SaveCalendar = (file: CalendarFile, contents: Uint8Array) => Promise<boolean>;

export async function writeDrafts(
  save: SaveCalendar,
  file: CalendarFile,
  rows: readonly DraftedRow[],
  identify: IdentifyPlatform,
): Promise<WrittenDrafts> {
  const edits = rows.map(({ edit }) => edit);
  const { contents, faults } = await editCalendar(file, edits, identify);
  const failed = new Map(rows.flatMap((row) => faultOf(row, faults)));
  const sound = rows.filter((row) => !failed.has(row));
  if (sound.length > 0 && !(await save(file, contents)))
    return { written: new Map(), failed: new Map(rows.map((row) => [row, CHANGED])) };
  return { written: new Map(sound.map((row) => [row, cellsOf(row, file.calendar, identify)])), failed };
}

const CHANGED: DraftFault = { code: "write/file-changed", reason: { kind: "calendar-changed" } };

function faultOf(row: DraftedRow, faults: readonly EditFault[]): [DraftedRow, DraftFault][] {
  const fault = faults.find((each) => each.row === undefined || each.row === row.edit.row);
  if (fault === undefined) return [];
  return [[row, { code: "write/not-written", reason: { kind: "message", message: fault.message } }]];
}

function cellsOf(
  { edit }: DraftedRow,
  calendar: Calendar,
  identify: IdentifyPlatform,
): readonly DraftedCell[] {
  const row = calendar.rows[edit.row];
  return [...edit.cells].map(([column, after]) => {
    const { field, platform } = splitColumn(column);
    const own = row?.variants.find((each) => identify(each.platform) === platform);
    const cells: Readonly<Partial<Record<string, string | readonly string[]>>> =
      (platform === undefined ? row?.cells : own?.cells) ?? {};
    const before = cells[field];
    return { column, before: before === undefined ? undefined : String(before), after: String(after) };
  });
}
