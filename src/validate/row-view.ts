/** One row with the defaults that stand behind it, each value with the place it came from. */
import type { Config } from "../calendar/config.ts";
import type { Position } from "../calendar/problem.ts";
import type { Calendar, Cell, Field, RawRow } from "../calendar/row.ts";

/** A value as written, trimmed, and where it stands. */
export interface Value {
  readonly text: string;
  at(): Position;
}

/** The items of a list value. A text cell is one item, still to be split. */
export interface Items {
  readonly items: readonly string[];
  readonly isList: boolean;
  at(item?: number): Position;
}

export class RowView {
  readonly row: RawRow;
  readonly #calendar: Calendar;
  readonly #config: Config;

  constructor(row: RawRow, calendar: Calendar, config: Config) {
    this.row = row;
    this.#calendar = calendar;
    this.#config = config;
  }

  at(field?: Field, item?: number): Position {
    return this.row.at(field, item);
  }

  /** The row's own value, trimmed; undefined when blank. */
  own(field: Field): Value | undefined {
    const cell = this.row.cells[field];
    return cell === undefined ? undefined : asValue(this.row, field, cell);
  }

  /** The row's value, else the file's default, else the project's. */
  value(field: Field): Value | undefined {
    const items = this.items(field);
    return items === undefined ? undefined : { text: items.items.join(" ").trim(), at: () => items.at() };
  }

  /** Like `value`, for fields that may hold a list. */
  items(field: Field): Items | undefined {
    return this.#fromRow(this.row, field) ?? this.#fromFile(field) ?? this.#fromProject(field);
  }

  #fromRow(row: RawRow, field: Field): Items | undefined {
    const cell = row.cells[field];
    if (cell === undefined) return undefined;
    const isList = typeof cell !== "string";
    return { items: isList ? cell : [cell], isList, at: (item) => row.at(field, isList ? item : undefined) };
  }

  #fromFile(field: Field): Items | undefined {
    const { defaults, timezone } = this.#calendar;
    const found = defaults === undefined ? undefined : this.#fromRow(defaults, field);
    if (found !== undefined || field !== "timezone" || timezone === undefined) return found;
    return { items: [timezone.text], isList: false, at: () => timezone.at };
  }

  /** Project values have no place in the calendar, so a problem with one is shown at the row. */
  #fromProject(field: Field): Items | undefined {
    const { defaults } = this.#config;
    const at = (): Position => this.row.at();
    switch (field) {
      case "platforms":
        return listOf(defaults.platforms, at);
      case "time":
        return listOf(defaults.time, at);
      case "timezone":
        return listOf(this.#calendar.settings.timezone, at);
      default:
        return undefined;
    }
  }
}

function listOf(value: string | readonly string[] | undefined, at: () => Position): Items | undefined {
  if (value === undefined) return undefined;
  return { items: typeof value === "string" ? [value] : value, isList: typeof value !== "string", at };
}

function asValue(row: RawRow, field: Field, cell: Cell): Value {
  const text = typeof cell === "string" ? cell : cell.join(" ");
  return { text: text.trim(), at: () => row.at(field) };
}
