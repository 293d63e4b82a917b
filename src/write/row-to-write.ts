/**
 * Rows as read become rows that say all they mean by themselves: what the file around them said (its zone, its
 * defaults, the order of its dates) goes into the cells. A cell that cannot be understood stays as it is.
 */
import { type CalendarSettings } from "../calendar/calendar-settings.ts";
import { splitMedia } from "../calendar/split-media.ts";
import {
  VARIANT_FIELDS,
  type Calendar,
  type Cell,
  type Field,
  type RawRow,
  type RowVariant,
} from "../calendar/row.ts";
import { DateOrderHint } from "../validate/date-order-hint.ts";
import { PLATFORM_SEPARATOR } from "../validate/platforms.ts";
import { RowView } from "../validate/row-view.ts";
import { rowForVariant } from "../validate/variants.ts";
import { variantColumn, type ColumnName } from "./column-name.ts";
import type { WrittenRow } from "./format.ts";
import { statusCell } from "./status-cell.ts";
import { sortColumns } from "./table-cells.ts";
import { TimeCells } from "./time-cells.ts";

export interface RewriteInput {
  readonly calendar: Calendar;
  /** How the file that is written will be read. */
  readonly target: CalendarSettings;
  /** The name of a file of media, seen from the folder of the file that is written. */
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

/** The row's cell, else the file's default. What the project file says instead stays there, unless it is lost. */
function cellOrDefault(row: RawRow, { defaults }: Calendar, field: Field): Cell | undefined {
  return row.cells[field] ?? defaults?.cells[field];
}

/** A default that the project file has for the calendar, and not for the file that is written. */
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

/** What a list says that is there, and empty: not even the project's default is meant. */
const EMPTY_LIST = ",";

/** The parts of a cell. One that has none, although it is there, is left for whoever checks it. */
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
