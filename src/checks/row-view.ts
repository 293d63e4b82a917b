/** One row with the defaults that stand behind it, each value with the place it came from. */

import type { Position } from "../model/problem.ts";
import type { Cell, RawRow } from "../model/row.ts";
import type { Field } from "../model/fields.ts";
import { tidyName } from "../model/text.ts";
import type { Calendar, CalendarSettings } from "../settings/calendar-settings.ts";

/** A value as it was meant, without blanks that nobody sees, and where it stands. */
export interface Value {
  /** As one text. */
  readonly text: string;
  /** The very text of the cell; items of a list below each other. */
  readonly written: string;
  /** A text cell is one item, still to be split. */
  readonly items: readonly string[];
  readonly isList: boolean;
  at(item?: number): Position;
}

export class RowView {
  readonly row: RawRow;
  readonly #calendar: Calendar;

  constructor(row: RawRow, calendar: Calendar) {
    this.row = row;
    this.#calendar = calendar;
  }

  get settings(): CalendarSettings {
    return this.#calendar.settings;
  }

  /** Another row of the same calendar, or this one as others see it. */
  as(row: RawRow): RowView {
    return new RowView(row, this.#calendar);
  }

  at(field?: Field, item?: number): Position {
    return this.row.at(field, item);
  }

  /** The row's own value; undefined when blank. */
  own(field: Field): Value | undefined {
    return valueOf(this.row, field);
  }

  /** The row's value, else the file's default, else the project's. */
  value(field: Field): Value | undefined {
    return this.own(field) ?? this.#fromFile(field) ?? this.#fromProject(field);
  }

  #fromFile(field: Field): Value | undefined {
    const { defaults, timezone } = this.#calendar;
    const found = defaults === undefined ? undefined : valueOf(defaults, field);
    if (found !== undefined || field !== "timezone" || timezone === undefined) return found;
    const { text, at } = timezone;
    return { text: tidyName(text), written: text, items: [text], isList: false, at: () => at };
  }

  /** Project values have no place in the calendar, so a problem with one is shown at the row. */
  #fromProject(field: Field): Value | undefined {
    const { defaults, timezone } = this.settings;
    switch (field) {
      case "platforms":
        return this.#ofRow(defaults?.platforms);
      case "time":
        return this.#ofRow(defaults?.time);
      case "timezone":
        return this.#ofRow(timezone);
      default:
        return undefined;
    }
  }

  #ofRow(cell: Cell | undefined): Value | undefined {
    return cell === undefined ? undefined : new CellValue(this.row, undefined, cell);
  }
}

function valueOf(row: RawRow, field: Field): Value | undefined {
  const cell = row.cells[field];
  return cell === undefined ? undefined : new CellValue(row, field, cell);
}

/** A class, and not an object with a closure in it: 100,000 rows make a million of these. */
class CellValue implements Value {
  readonly #row: RawRow;
  readonly #field: Field | undefined;
  readonly #cell: Cell;

  /** @param field where the cell stands in the row; undefined where it stands elsewhere */
  constructor(row: RawRow, field: Field | undefined, cell: Cell) {
    this.#row = row;
    this.#field = field;
    this.#cell = cell;
  }

  get isList(): boolean {
    return typeof this.#cell !== "string";
  }

  get items(): readonly string[] {
    return typeof this.#cell === "string" ? [this.#cell] : this.#cell;
  }

  get text(): string {
    return tidyName(typeof this.#cell === "string" ? this.#cell : this.#cell.join(" "));
  }

  get written(): string {
    return typeof this.#cell === "string" ? this.#cell : this.#cell.join("\n");
  }

  at(item?: number): Position {
    return this.#row.at(this.#field, this.isList && this.#field !== undefined ? item : undefined);
  }
}
