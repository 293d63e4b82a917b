import { isoInstant, utcTime } from "../calendar/canonical.ts";
import type { CalendarSettings } from "../calendar/calendar-settings.ts";
import type { Calendar, Cell, Field, RowVariant } from "../calendar/row.ts";
import { findZone } from "../calendar/zone.ts";
import { localText } from "../validate/local-time.ts";
import type { RowView } from "../validate/row-view.ts";
import { dueTime, type DateOrders } from "../validate/schedule.ts";
import { readWhen } from "../validate/when/read-when.ts";

type TimeField = "scheduled_at" | "date" | "time" | "timezone";
type Cells = [TimeField, Cell | undefined][];

/**
 * The cells that say when, in ISO form where they are understood: local times stay local, with the zone that they are
 * meant in. An exact time is kept as it is: it means the same everywhere.
 */
export class TimeCells {
  readonly #calendar: Calendar;
  readonly #target: CalendarSettings;
  readonly #orders: DateOrders;

  /** @param target how the file that is written will be read */
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

  /** The time of rows without one, unless the file that is written has the same from the project file. */
  #defaultTime(): Cell | undefined {
    const { defaults, settings } = this.#calendar;
    const own = settings.defaults?.time;
    return defaults?.cells.time ?? (own === this.#target.defaults?.time ? undefined : own);
  }

  /** `view` is the row as the platform of the variant sees it. */
  ofVariant(view: RowView, variant: RowVariant): Cells {
    const { scheduled_at, date, time } = variant.cells;
    if ([scheduled_at, date, time].every((cell) => cell === undefined)) return [];
    // Whole, so that it is no matter how the row's own time is written.
    return this.#timeCells(view, variant.cells, true);
  }

  /** The cells that are given, with what they say together. */
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

  /** Whether the time is said by the row, and not by the project's default. */
  #hasTime(cells: readonly (Cell | undefined)[]): boolean {
    return cells.some((cell) => {
      const when = typeof cell === "string" ? readWhen(cell, this.#orders.order) : undefined;
      return when !== undefined && !("code" in when) && when.time !== undefined;
    });
  }
}
