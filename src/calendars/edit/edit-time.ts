/** Writes another time into the cells of a row. Pure. */

import type { Cell, RawRow } from "../../model/row.ts";
import { twoDigits } from "../../model/text.ts";
import { type DateOrders, type WhenCell, dueTime, whenCells, whenOf } from "../../checks/schedule.ts";
import type { RowView } from "../../checks/row-view.ts";
import type { ClockTime, Day } from "../../checks/when/written-forms.ts";
import { localInstant, offsetAt } from "../../checks/when/local-time.ts";
import type { When } from "../../checks/when/read-when.ts";
import { rewriteWhen } from "../../checks/when/write-when.ts";

/** A number of days later at the same time of day, by the row's own clock; or a moment, in ms since the epoch. */
export type NewTime = { readonly days: number } | { readonly at: number };

type WhenField = WhenCell["field"];

/** The new cells that change; or why plancast cannot write them, and what to do. */
export type TimeCells = { readonly cells: ReadonlyMap<WhenField, string> } | { readonly message: string };

const DAY_MS = 86_400_000;

/** @param row a row with a time that can be read */
export function timeCells(row: RowView, orders: DateOrders, wanted: NewTime): TimeCells {
  const due = dueTime(row, orders);
  if (!("ms" in due)) return { message: "problems" in due ? (due.problems[0]?.message ?? "") : TAKES_SLOT };
  let fault: string | undefined;
  for (const target of targetsOf(row, orders, due.ms, wanted)) {
    const written = writeCells(row, orders, target);
    if ("message" in written) fault ??= written.message;
    else {
      const after = dueTime(row.as(withCells(row.row, written.cells)), orders);
      if ("problems" in after) fault ??= after.problems[0]?.message;
      else if ("ms" in after && (target.ms === undefined || after.ms === target.ms)) return written;
    }
  }
  return { message: fault ?? "plancast cannot write this time into the row. Change it in the file." };
}

/** Why nobody can move a row that has no time of its own. */
export const TAKES_SLOT =
  "This row takes the next free slot. To move it, fill in its date and time in the file.";

/** A local time to write. */
interface Target {
  readonly day: Day;
  readonly clock: ClockTime;
  readonly isClockNew: boolean;
  /** The moment that it must be; undefined for any. */
  readonly ms: number | undefined;
}

/** The times to try. A written offset follows the clock changes of the row's zone if it is the zone's own. */
function targetsOf(row: RowView, orders: DateOrders, ms: number, wanted: NewTime): Target[] {
  const { timed } = whenCells(row, orders);
  const written = timed?.time?.offsetMs;
  const { zone } = row;
  const now = written ?? (zone === undefined ? 0 : offsetAt(zone, ms));
  const isZones =
    zone !== undefined && offsetAt(zone, ms) === written && !/z\s*$/i.test(timed?.value.text ?? "");
  const offsets = written === undefined ? [undefined] : isZones ? ["zone" as const, written] : [written];
  return offsets.map((offset): Target => {
    const shift = offset === "zone" || offset === undefined ? undefined : offset;
    const at = "at" in wanted ? wanted.at : undefined;
    const wall =
      at === undefined
        ? ms + now + ("days" in wanted ? wanted.days * DAY_MS : 0)
        : at + (shift ?? (zone === undefined ? 0 : offsetAt(zone, at)));
    const local = zone === undefined ? undefined : localInstant(zone, wall);
    const zoneShift = local?.kind === "instant" ? wall - local.ms : written;
    const offsetMs = offset === "zone" ? zoneShift : shift;
    const { day, clock } = partsOf(wall);
    const isClockNew = Math.floor((ms + now) / 1000) % 86_400 !== Math.floor(wall / 1000) % 86_400;
    return { day, clock: { ...clock, ...(offsetMs === undefined ? {} : { offsetMs }) }, isClockNew, ms: at };
  });
}

/** @param wall ms as if it were UTC */
function partsOf(wall: number): { readonly day: Day; readonly clock: ClockTime } {
  const date = new Date(wall);
  return {
    day: { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() },
    clock: { hour: date.getUTCHours(), minute: date.getUTCMinutes(), second: date.getUTCSeconds() },
  };
}

function writeCells(row: RowView, orders: DateOrders, { day, clock, isClockNew }: Target): TimeCells {
  const { cells: said, timed } = whenCells(row, orders);
  const cells = new Map<WhenField, string>();
  for (const { field, value, day: ownDay, time } of said) {
    const isOwn = field === timed?.field || (time !== undefined && !isMidnight(time));
    const after: When = {
      ...(ownDay === undefined ? {} : { day }),
      // Midnight beside a date says nothing.
      ...(time === undefined ? {} : { time: isOwn ? clock : time }),
    };
    const written = rewriteWhen(value.written, {
      before: { ...(ownDay === undefined ? {} : { day: ownDay }), ...(time === undefined ? {} : { time }) },
      after,
      read: (cell) => whenOf(field, cell, orders),
    });
    if (written === undefined) return { message: unwritable(value.text) };
    if (written !== value.written) cells.set(field, written);
  }
  if (timed === undefined && isClockNew)
    cells.set("time", [clock.hour, clock.minute].map(twoDigits).join(":"));
  return { cells };
}

function isMidnight({ hour, minute, second }: ClockTime): boolean {
  return hour + minute + second === 0;
}

function unwritable(text: string): string {
  return `plancast cannot write a new time in the format of "${text}". Change it in the file.`;
}

/** The row with other cells. */
export function withCells(row: RawRow, cells: ReadonlyMap<string, Cell | undefined>): RawRow {
  const { file, sheet, line, variants, others, namesAccounts } = row;
  return {
    file,
    sheet,
    line,
    variants,
    cells: { ...row.cells, ...Object.fromEntries(cells) },
    at: (field, item) => row.at(field, item),
    ...(others === undefined ? {} : { others }),
    ...(namesAccounts === undefined ? {} : { namesAccounts }),
  };
}
