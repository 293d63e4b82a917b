/** One row with the defaults that apply to it, each value with its place. Also reads the cell for media. */

import { canonicalExtras } from "../model/canonical.ts";
import { splitAlt } from "../model/extras.ts";
import type { Field } from "../model/fields.ts";
import { displayAddress, isAddress, isFilePage, readAddress, splitMedia } from "../model/address.ts";
import type { MediaReference } from "../model/post.ts";
import { type Position, type Problem, problem } from "../model/problem.ts";
import type { Cell, RawRow } from "../model/row.ts";
import { tidyName, tidyPath } from "../model/text.ts";
import type { Calendar, CalendarSettings } from "../settings/calendar-settings.ts";
import { findZone } from "./when/local-time.ts";
import { usesAbbreviation, zoneNamed } from "./when/zone-names.ts";

/** A trimmed value, and its place. */
export interface Value {
  /** The value as one text. */
  readonly text: string;
  /** The exact text of the cell; items of a list on separate lines. */
  readonly written: string;
  /** A text cell is one item that still needs splitting. */
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

  /** Another row of the same calendar, or this row with the values for other platforms. */
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

  /** The row's value, otherwise the file's default, otherwise the project's. A zone has its IANA name if it is known. */
  value(field: Field): Value | undefined {
    const found = this.own(field) ?? this.#shared(field);
    return field === "timezone" && found !== undefined ? this.#zone(found) : found;
  }

  #shared(field: Field): Value | undefined {
    return this.#fromFile(field) ?? this.#fromProject(field);
  }

  /**
   * A zone that is written in another way. An abbreviation such as EST may also be a fixed offset, so it counts only if
   * the file or the project has a zone that fits it.
   */
  #zone(value: Value): Value {
    if (findZone(value.text) !== undefined) return value;
    const named = zoneNamed(value.text);
    const shared = this.#shared("timezone")?.text ?? "";
    if (named === undefined || (named.kind === "abbreviation" && !usesAbbreviation(shared, named)))
      return value;
    const text = named.kind === "exact" ? named.zone : shared;
    return { ...textValue(text, value.written), at: (item) => value.at(item) };
  }

  /** The zone that a header names, if it is the row's. */
  headerZone(): { readonly name: string; readonly header: string } | undefined {
    const { defaults, timezone, table } = this.#calendar;
    if (table?.zone === undefined || timezone !== undefined || this.own("timezone") !== undefined)
      return undefined;
    return defaults?.cells.timezone === undefined ? table.zone : undefined;
  }

  #fromFile(field: Field): Value | undefined {
    const { defaults, timezone, table } = this.#calendar;
    const found = defaults === undefined ? undefined : valueOf(defaults, field);
    if (found !== undefined || field !== "timezone") return found;
    const zone =
      timezone ?? (table?.zone === undefined ? undefined : { text: table.zone.name, at: table.zone.at });
    if (zone === undefined) return undefined;
    const { text, at } = zone;
    return { ...textValue(tidyName(text), text), at: () => at };
  }

  /** Project values have no place in the calendar, so their problems are shown at the row. */
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

function textValue(text: string, written: string): Omit<Value, "at"> {
  return { text, written, items: [written], isList: false };
}

function valueOf(row: RawRow, field: Field): Value | undefined {
  const cell = row.cells[field];
  return cell === undefined ? undefined : new CellValue(row, field, cell);
}

/** A class instead of an object with closures, because 100,000 rows create a million of these. */
class CellValue implements Value {
  readonly #row: RawRow;
  readonly #field: Field | undefined;
  readonly #cell: Cell;
  #text: string | undefined;

  /** @param field the cell's field in the row; undefined if the value comes from elsewhere */
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
    return (this.#text ??= tidyName(typeof this.#cell === "string" ? this.#cell : this.#cell.join(" ")));
  }

  get written(): string {
    return typeof this.#cell === "string" ? this.#cell : this.#cell.join("\n");
  }

  at(item?: number): Position {
    return this.#row.at(this.#field, this.isList && this.#field !== undefined ? item : undefined);
  }
}

/** The form `media_<id>` of the service's interface. A value with a dot would be a file name. */
const MEDIA_ID = /^media_[A-Za-z0-9_-]+$/;
const URL_FORM = /^[a-z][a-z0-9+.-]*:\/\//i;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

interface MediaCell {
  readonly references: readonly MediaReference[];
  readonly problems: readonly Problem[];
}

const NO_MEDIA: MediaCell = { references: [], problems: [] };

/** The row's media in their order, and the faults in how they are written. */
export function readMediaCell(row: RowView): MediaCell {
  const cell = row.value("media");
  if (cell === undefined) return NO_MEDIA;
  const references: MediaReference[] = [];
  const problems: Problem[] = [];
  for (const [index, item] of cell.items.entries()) {
    for (const part of cell.isList ? [item] : splitMedia(item)) {
      const text = tidyPath(part);
      if (text === "") continue;
      const read = toReference(text);
      if ("kind" in read) references.push(read);
      else problems.push(problem(read.code, read.message, cell.at(index)));
    }
  }
  return { references, problems };
}

/** The row's alt texts in canonical form, and the place of the first alt text without a medium. */
export function readAltCell(
  row: RowView,
  media: number,
): { readonly alt: readonly string[]; readonly surplus: Position | undefined } {
  const cell = row.value("alt");
  if (cell === undefined) return NO_ALT;
  const { alt = [] } = canonicalExtras({ alt: cell.isList ? cell.items : splitAlt(cell.written, media) });
  return { alt, surplus: alt.length > media ? cell.at(media) : undefined };
}

const NO_ALT = { alt: [], surplus: undefined } as const;

/** The path of the cover of the row's video. */
export function readCoverCell(row: RowView): {
  readonly path?: string;
  readonly problems: readonly Problem[];
} {
  const cell = row.value("cover");
  if (cell === undefined) return NO_COVER;
  const reference = toReference(tidyPath(cell.text));
  if ("kind" in reference && reference.kind === "file") return { path: reference.path, problems: [] };
  const message =
    "The cover must be a picture in the project, not an address or an id. Name its file, or clear the cell.";
  return { problems: [problem("media/cover", message, cell.at())] };
}

const NO_COVER = { problems: [] } as const;

type MediaCellFault = { readonly code: "media/url" | "media/path"; readonly message: string };

function toReference(text: string): MediaReference | MediaCellFault {
  if (MEDIA_ID.test(text)) return { kind: "id", id: text };
  if (URL_FORM.test(text)) return toUrlReference(text);
  if (CONTROL.test(text)) {
    return { code: "media/path", message: "The path contains invisible characters. Type it again." };
  }
  return { kind: "file", path: text.replaceAll("\\", "/") };
}

function toUrlReference(text: string): MediaReference | MediaCellFault {
  if (isFilePage(text)) {
    const message = `"${displayAddress(text)}" is a page that shows a file, and not the file itself. Download the file, put it next to the calendar and name its path.`;
    return { code: "media/url", message };
  }
  const read = isAddress(text) ? readAddress(text) : { wrong: "not-http" as const };
  if ("url" in read) return { kind: "url", ...read };
  const wrong = {
    "not-http": "is not an http or https address",
    "not-readable": "is not a valid http or https address",
    user: "contains a user name or password, which nobody else should see",
  };
  const way = "Use an address that anybody can open, or put the file next to the calendar and name its path.";
  return { code: "media/url", message: `"${displayAddress(text)}" ${wrong[read.wrong]}. ${way}` };
}
