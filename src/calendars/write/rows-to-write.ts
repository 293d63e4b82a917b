/**
 * Makes rows independent of their file: what the file around them sets (its zone, its defaults, the order of its dates)
 * goes into the cells. A cell that plancast cannot read stays unchanged.
 */

import { RowView, readStatus } from "../../checks/row-view.ts";
import { PLATFORM_SEPARATOR } from "../../checks/platforms.ts";
import { type DateOrders, dueTime } from "../../checks/schedule.ts";
import { rowForVariant } from "../../checks/variants.ts";
import { DateOrderHint } from "../../checks/when/date-order.ts";
import { localText } from "../../checks/when/local-time.ts";
import { readWhen } from "../../checks/when/read-when.ts";
import { isoInstant, utcTime } from "../../model/canonical.ts";
import { splitMedia } from "../../model/media-address.ts";
import type { Cell, RawRow, RowVariant } from "../../model/row.ts";
import { type Field, type Status, STATUSES, VARIANT_FIELDS } from "../../model/fields.ts";
import { findZone } from "../../model/zone.ts";
import type { Calendar, CalendarSettings } from "../../settings/calendar-settings.ts";
import { type ColumnName, type WrittenRow, sortColumns, variantColumn } from "./written-row.ts";

interface RewriteInput {
  readonly calendar: Calendar;
  /** The settings for reading the written file. */
  readonly target: CalendarSettings;
  /** The path of a media file, relative to the folder of the written file. */
  readonly mediaName: (path: string) => string;
}

/** All rows of a calendar, in their order. */
export function rowsToWrite(rewriting: RewriteInput): readonly WrittenRow[] {
  const { calendar, target } = rewriting;
  const orders = { order: calendar.settings.date_order, hint: new DateOrderHint(calendar) };
  const times = new TimeCells(calendar, target, orders);
  return calendar.rows.map((row) => {
    const view = new RowView(row, calendar);
    const cells = new Map<ColumnName, Cell | undefined>([
      ["id", trimmed(row.cells.id)],
      ...times.ofRow(view),
      [
        "platforms",
        listOf(cellOrDefault(row, calendar, "platforms") ?? lostDefault(rewriting, "platforms"), (text) =>
          text.split(PLATFORM_SEPARATOR),
        ),
      ],
      ["content", textOf(cellOrDefault(row, calendar, "content"))],
      ["media", mediaOf(cellOrDefault(row, calendar, "media"), rewriting)],
      ["status", statusCell(view, calendar.settings, target)],
      ["prompt", textOf(cellOrDefault(row, calendar, "prompt"))],
      ["tone", trimmed(cellOrDefault(row, calendar, "tone"))],
      ["image_prompt", textOf(cellOrDefault(row, calendar, "image_prompt"))],
      ["size", trimmed(cellOrDefault(row, calendar, "size"))],
      ...row.variants.flatMap((variant) => variantCells(view, variant, times, rewriting)),
    ]);
    return withoutBlanks(cells);
  });
}

/** The row's cell, else the file's default. A default from plancast.yaml stays there, unless it would be lost. */
function cellOrDefault(row: RawRow, { defaults }: Calendar, field: Field): Cell | undefined {
  return row.cells[field] ?? defaults?.cells[field];
}

/** A default that plancast.yaml has for the calendar, and not for the written file. */
function lostDefault({ calendar, target }: RewriteInput, field: "platforms"): Cell | undefined {
  const value = calendar.settings.defaults?.[field];
  return String(value) === String(target.defaults?.[field]) ? undefined : value;
}

function variantCells(
  view: RowView,
  variant: RowVariant,
  times: TimeCells,
  rewriting: RewriteInput,
): [ColumnName, Cell | undefined][] {
  const { content, media } = variant.cells;
  const cells = new Map<Field, Cell | undefined>([
    ...times.ofVariant(view.as(rowForVariant(view.row, variant)), variant),
    ["content", textOf(content)],
    ["media", mediaOf(media, rewriting)],
  ]);
  const platform = variant.platform.trim().toLowerCase();
  return VARIANT_FIELDS.map((field) => [variantColumn(field, platform), cells.get(field)]);
}

function withoutBlanks(cells: ReadonlyMap<ColumnName, Cell | undefined>): WrittenRow {
  return new Map(
    sortColumns([...cells.keys()]).flatMap((name): [ColumnName, Cell][] => {
      const cell = cells.get(name);
      return cell === undefined ? [] : [[name, cell]];
    }),
  );
}

/** A list that is present and empty: not even the project's default applies. */
const EMPTY_LIST = ",";

/** The parts of a cell. A cell that is present without any parts is left to the checks. */
function listOf(cell: Cell | undefined, split: (text: string) => readonly string[]): Cell | undefined {
  if (cell === undefined) return undefined;
  const parts = typeof cell === "string" ? split(cell) : cell;
  const filled = parts.map((part) => part.trim()).filter((part) => part !== "");
  if (filled.length > 0) return filled;
  return typeof cell === "string" ? cell : EMPTY_LIST;
}

function mediaOf(cell: Cell | undefined, { mediaName }: RewriteInput): Cell | undefined {
  const parts = listOf(cell, splitMedia);
  return typeof parts === "object" ? parts.map(mediaName) : parts;
}

/** Line ends as they are sent. */
function textOf(cell: Cell | undefined): Cell | undefined {
  return typeof cell === "string" ? cell.replace(/\r\n?/g, "\n") : cell;
}

function trimmed(cell: Cell | undefined): Cell | undefined {
  return typeof cell === "string" ? cell.trim() : cell;
}

/**
 * A row's status in plancast's words; blank if it is not set and the written file gives the same meaning. An unknown
 * one stays as it is.
 * @param source settings for reading the row
 * @param target settings for reading the written file
 */
function statusCell(
  view: RowView,
  source: CalendarSettings,
  target: CalendarSettings,
): string | undefined {
  const value = view.value("status");
  const status = readStatus(value, source.status_values);
  if (typeof status === "object") return value?.text;
  const says = (word: string): Status | undefined => {
    const said = { text: word, at: () => view.at() };
    const read = readStatus(word === "" ? undefined : said, target.status_values);
    return typeof read === "object" ? undefined : read;
  };
  if (value === undefined && says("") === status) return undefined;
  return [status, ...Object.keys(target.status_values), ...STATUSES].find((word) => says(word) === status);
}

type TimeField = "scheduled_at" | "date" | "time" | "timezone";
type Cells = [TimeField, Cell | undefined][];

/**
 * The cells with date and time, in ISO form if they are understood. Local times stay local, with their zone. An exact
 * time stays as it is, because it means the same everywhere.
 */
class TimeCells {
  readonly #calendar: Calendar;
  readonly #target: CalendarSettings;
  readonly #orders: DateOrders;

  /** @param target settings for reading the written file */
  constructor(calendar: Calendar, target: CalendarSettings, orders: DateOrders) {
    this.#calendar = calendar;
    this.#target = target;
    this.#orders = orders;
  }

  ofRow(view: RowView): Cells {
    const { cells } = view.row;
    const zone = view.value("timezone")?.text;
    const timezone = cells.timezone ?? (zone === this.#target.timezone ? undefined : zone);
    const time = cells.time ?? (cells.date === undefined ? undefined : this.#defaultTime());
    const said = this.#timeCells(view, { ...cells, time }, this.#hasTime([cells.date, time]));
    const isExact = said.length === 1 && isoInstant(String(said[0]?.[1]), undefined) !== undefined;
    return [...said, ["timezone", isExact ? cells.timezone : timezone]];
  }

  /** The time for rows without one, unless plancast.yaml gives the written file the same default. */
  #defaultTime(): Cell | undefined {
    const { defaults, settings } = this.#calendar;
    const own = settings.defaults?.time;
    return defaults?.cells.time ?? (own === this.#target.defaults?.time ? undefined : own);
  }

  /** `view` is the row as the platform of the variant sees it. */
  ofVariant(view: RowView, variant: RowVariant): Cells {
    const { scheduled_at, date, time } = variant.cells;
    if ([scheduled_at, date, time].every((cell) => cell === undefined)) return [];
    // Complete, so that the format of the row's own time does not matter.
    return this.#timeCells(view, variant.cells, true);
  }

  /** The given cells with their combined meaning. */
  #timeCells(
    view: RowView,
    cells: Readonly<Partial<Record<Field, Cell | undefined>>>,
    withTime: boolean,
  ): Cells {
    const { scheduled_at: whole, date, time } = cells;
    const asGiven: Cells = [
      ["scheduled_at", whole],
      ["date", date],
      ["time", time],
    ];
    const due = dueTime(view, this.#orders);
    if ("problem" in due) return asGiven;
    if (typeof whole === "string" && isoInstant(whole, undefined) === due.ms)
      return [["scheduled_at", whole.trim()]];
    const zone = findZone(view.value("timezone")?.text ?? "");
    if (zone === undefined) return [["scheduled_at", utcTime(due.ms)]];
    const local = localText(zone, due.ms);
    const [day, clock] = local.split(" ");
    if (whole !== undefined || clock === undefined) return [["scheduled_at", local]];
    return [
      ["date", day],
      ["time", withTime ? clock : undefined],
    ];
  }

  /** Whether the row sets the time, and not the project's default. */
  #hasTime(cells: readonly (Cell | undefined)[]): boolean {
    return cells.some((cell) => {
      const when = typeof cell === "string" ? readWhen(cell, this.#orders.order) : undefined;
      return when !== undefined && !("code" in when) && when.time !== undefined;
    });
  }
}
