/** One row with the defaults that apply to it: each value with its place, and the zone of its local times. */

import type { IANAZone } from "luxon";
import type { Field } from "../model/fields.ts";
import type { Position } from "../model/problem.ts";
import type { Cell, RawRow } from "../model/row.ts";
import { tidyName } from "../model/text.ts";
import type { Calendar, CalendarSettings } from "../settings/calendar-settings.ts";
import { findZone } from "./when/local-time.ts";
import { placeNamed, usesAbbreviation, zoneNamed } from "./when/zone-names.ts";

/** A trimmed value, and its place. */
export interface Value {
  /** The value as one text, in canonical form if it is a name, a time or the like. */
  readonly text: string;
  /** The exact text of the cell; items of a list on separate lines. */
  readonly written: string;
  /** A text cell is one item that still needs splitting. */
  readonly items: readonly string[];
  readonly isList: boolean;
  at(item?: number): Position;
}

/** The values of a row; a blank one is absent. */
export type Values = { readonly [F in Field]?: Value | undefined };

export class RowView {
  readonly row: RawRow;
  readonly settings: CalendarSettings;
  /** The row's id, in NFC; undefined if it has none. */
  readonly id: string | undefined;
  readonly own: Values;
  /** The row's values, otherwise the file's defaults, otherwise the project's. */
  readonly values: Omit<Values, "timezone">;
  /** The name of the zone of the row's local times, in IANA form if it is known. */
  readonly timezone: Value | undefined;
  /** That zone; undefined if it is unknown, or there is none. */
  readonly zone: IANAZone | undefined;
  readonly #calendar: Calendar;

  constructor(row: RawRow, calendar: Calendar) {
    this.row = row;
    this.settings = calendar.settings;
    this.#calendar = calendar;
    this.own = valuesOf(row);
    this.id = this.own.id?.text.normalize("NFC");
    this.values = withDefaults(this.own, row, calendar);
    const shared = sharedZone(row, calendar);
    this.timezone = namedZone(this.own.timezone ?? shared, shared);
    this.zone = this.timezone === undefined ? undefined : findZone(this.timezone.text);
  }

  /** Another row of the same calendar, or this row with the values for other platforms. */
  as(row: RawRow): RowView {
    return new RowView(row, this.#calendar);
  }

  at(field?: Field, item?: number): Position {
    return this.row.at(field, item);
  }

  /** The zone that a header names, if it is the row's. */
  get headerZone(): { readonly name: string; readonly header: string } | undefined {
    const { defaults, timezone, notes } = this.#calendar;
    const isNearer = timezone ?? this.own.timezone ?? defaults?.cells.timezone;
    return isNearer === undefined ? notes?.zone : undefined;
  }
}

function valuesOf(row: RawRow): Values {
  const values: { [F in Field]?: Value } = {};
  // TypeScript returns the keys of a literal type as strings.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  for (const field of Object.keys(row.cells) as Field[]) {
    const cell = row.cells[field];
    if (cell !== undefined) values[field] = new CellValue(row, field, cell);
  }
  return values;
}

function withDefaults(own: Values, row: RawRow, { settings, defaults }: Calendar): Values {
  if (defaults === undefined && settings.defaults === undefined) return own;
  const known: Values = defaults === undefined ? own : { ...valuesOf(defaults), ...own };
  return {
    ...known,
    platforms: known.platforms ?? ofProject(row, settings.defaults?.platforms),
    time: known.time ?? ofProject(row, settings.defaults?.time),
  };
}

/** Project values have no place in the calendar, so their problems are shown at the row. */
function ofProject(row: RawRow, cell: Cell | undefined): Value | undefined {
  return cell === undefined ? undefined : new CellValue(row, undefined, cell);
}

/** The zone that the file or the project has for all rows. */
function sharedZone(row: RawRow, { settings, defaults, timezone, notes }: Calendar): Value | undefined {
  const ofDefaults = defaults?.cells.timezone;
  if (defaults !== undefined && ofDefaults !== undefined)
    return new CellValue(defaults, "timezone", ofDefaults);
  if (timezone !== undefined) return textValue(timezone.text, () => timezone.at);
  const header = notes?.zone;
  return header === undefined ? ofProject(row, settings.timezone) : textValue(header.name, () => header.at);
}

/**
 * A zone that is written in another way. An abbreviation such as EST may also be a fixed offset, so it counts only if
 * the file or the project has a zone that fits it.
 */
function namedZone(value: Value | undefined, shared: Value | undefined): Value | undefined {
  if (value === undefined || findZone(value.text) !== undefined) return value;
  const named = zoneNamed(value.text) ?? placeNamed(value.text);
  if (named === undefined) return value;
  if (named.kind === "exact") return textValue(named.zone, (item) => value.at(item));
  return shared !== undefined && named.kind === "abbreviation" && usesAbbreviation(shared.text, named)
    ? textValue(shared.text, (item) => value.at(item))
    : value;
}

/** A value that is not, or not only, a cell's. */
export function textValue(written: string, at: Value["at"]): Value {
  return { text: tidyName(written), written, items: [written], isList: false, at };
}

/** Fields that are published or sent as they are written. The others hold names, times and the like. */
const TEXTS: ReadonlySet<Field> = new Set([
  "content",
  "alt",
  "pool",
  "thread",
  "thread_alt",
  "first_comment",
  "prompt",
  "image_prompt",
]);

/** A class instead of an object with closures, because 100,000 rows create a million of these. */
class CellValue implements Value {
  readonly text: string;
  readonly written: string;
  readonly items: readonly string[];
  readonly isList: boolean;
  readonly #row: RawRow;
  readonly #field: Field | undefined;

  /** @param field the cell's field in the row; undefined if the value comes from elsewhere */
  constructor(row: RawRow, field: Field | undefined, cell: Cell) {
    const isText = typeof cell === "string";
    const text = isText ? cell : cell.join(" ");
    this.text = field !== undefined && TEXTS.has(field) ? text : tidyName(text);
    this.written = isText ? cell : cell.join("\n");
    this.items = isText ? [cell] : cell;
    this.isList = !isText;
    this.#row = row;
    this.#field = field;
  }

  at(item?: number): Position {
    return this.#row.at(this.#field, this.isList && this.#field !== undefined ? item : undefined);
  }
}
