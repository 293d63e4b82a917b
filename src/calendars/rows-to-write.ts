/**
 * Makes rows independent of their file: what the file around them sets (its zone, its defaults, the order of its dates)
 * goes into the cells. A cell that plancast cannot read stays unchanged.
 */

import { readExpiry } from "../checks/expiry.ts";
import { RowView } from "../checks/row-view.ts";
import { postTypeNamed } from "../settings/post-types.ts";
import { readStatus } from "../checks/statuses.ts";
import { PLATFORM_SEPARATOR, platformsByText } from "../checks/platforms.ts";
import { type DateOrders, dateOrdersOf, dueTime, whenOf } from "../checks/schedule.ts";
import { dayReader } from "../checks/check-series.ts";
import { repeatText } from "../checks/series/repeat-words.ts";
import { exceptionsText, readExceptions } from "../checks/series/occurrences.ts";
import { rowForVariant } from "../checks/variants.ts";
import { localText } from "../checks/when/local-time.ts";
import { isoInstant, utcTime } from "../model/canonical.ts";
import {
  joinThread,
  splitAlt,
  splitByText,
  splitChoices,
  splitThread,
  trimmedTexts,
} from "../model/extras.ts";
import { joinFiles, splitFiles, splitMedia } from "../model/address.ts";
import { type Cell, type RawRow, type RowVariant, cellText } from "../model/row.ts";
import {
  type Field,
  type StatusReading,
  type VariantField,
  RESULT_PARTS,
  STATUSES,
  VARIANT_FIELDS,
  fieldNamed,
  resultField,
} from "../model/fields.ts";
import { getOwn } from "../model/lockfile.ts";
import { filterColumns } from "../model/row-filter.ts";
import { foldName, isBlank, tidyPath } from "../model/text.ts";
import { mediaOptions, withOptionMedia } from "../model/options/catalogue.ts";
import type { Calendar, CalendarSettings } from "../settings/calendar-settings.ts";
import type { Config } from "../settings/config.ts";
import {
  type ColumnName,
  type TableColumn,
  type WrittenRow,
  keptColumn,
  optionColumn,
  sortColumns,
  variantColumn,
} from "./formats/written-row.ts";

interface RewriteInput {
  readonly calendar: Calendar;
  /** The settings for reading the written file. */
  readonly target: CalendarSettings;
  /** Columns without a use that are written too. */
  readonly kept?: readonly string[];
  /** The path of a media file, relative to the folder of the written file. */
  readonly mediaName: (path: string) => string;
}

/** All rows of a calendar, in their order. */
export function rowsToWrite(rewriting: RewriteInput): readonly WrittenRow[] {
  const { calendar, target } = rewriting;
  const orders = dateOrdersOf(calendar);
  const times = new TimeCells(calendar, target, orders);
  const kept = filterNames(rewriting);
  return calendar.rows.map((row) => {
    const view = new RowView(row, calendar);
    const cellOf = (field: Field): Cell | undefined => cellOrDefault(row, calendar, field);
    const wordsOf = (field: Field): [Field, Cell | undefined] => [
      field,
      cellText(cellOf(field)).trim() || undefined,
    ];
    const cells = new Map<TableColumn, Cell | undefined>([
      ["id", trimmed(row.cells.id)],
      ...times.ofRow(view),
      ["repeat", repeatCell(view, orders)],
      ["except", exceptCell(view, orders)],
      ["pool", threadOf(row.cells.pool)],
      ["spacing", trimmed(row.cells.spacing)],
      ["platforms", listOf(platformsCell(view, rewriting), (text) => text.split(PLATFORM_SEPARATOR), true)],
      ...textCells(cellOf, rewriting),
      ["poll", listOf(cellOf("poll"), splitChoices)],
      ...optionCells(row, rewriting),
      ...WORDS.map(wordsOf),
      ["status", statusCell(view, calendar.settings, target)],
      ["type", typeCell(row, rewriting)],
      ["prompt", textOf(cellOf("prompt"))],
      ["image_prompt", textOf(cellOf("image_prompt"))],
      ...RESULT_PARTS.map(resultField).map((field): [TableColumn, Cell | undefined] => [
        field,
        textOf(row.cells[field]),
      ]),
      ...row.variants.flatMap((variant) => variantCells(view, variant, times, rewriting)),
      ...kept.map((name): [TableColumn, Cell | undefined] => [keptColumn(name), otherCell(row, name)]),
    ]);
    return withoutBlanks(cells);
  });
}

/** Fields whose value is short, on one line. */
const WORDS = ["reply_to", "quote", "poll_length", "poll_multiple", "campaign", "tone", "size"] as const;

/** The texts of a row, or of its part for one platform, with their media. @param others media if it has none */
function textCells(
  cellOf: (field: VariantField) => Cell | undefined,
  rewriting: RewriteInput,
  others?: Cell,
): [VariantField, Cell | undefined][] {
  const media = mediaOf(cellOf("media"), rewriting);
  return [
    ["content", textOf(cellOf("content"))],
    ["media", media],
    ["alt", altOf(cellOf("alt"), media ?? others)],
    ["thread", threadOf(cellOf("thread"))],
    ["thread_media", threadMediaOf(cellOf("thread_media"), rewriting)],
    ["thread_alt", byTextOf(cellOf("thread_alt"))],
    ["first_comment", textOf(cellOf("first_comment"))],
  ];
}

/** Each option in a column of its own. What names no option stays as it is, and the checks report it. */
function optionCells(
  { cells: { options = [] } }: RawRow,
  { mediaName }: RewriteInput,
): [TableColumn, Cell][] {
  const given = typeof options === "string" ? options.split("\n") : options;
  const texts = withOptionMedia(
    given,
    mediaOptions(given).map(({ value }) => mediaName(value.trim())),
  );
  const columns = texts.map(optionColumn);
  return columns.every((each) => each !== undefined)
    ? columns.map(([name, value]) => [name, value])
    : [["options", texts]];
}

/** The row's cell, otherwise the file's default. A default from plancast.yaml stays there, unless it would be lost. */
function cellOrDefault(row: RawRow, { defaults }: Calendar, field: Field): Cell | undefined {
  return row.cells[field] ?? defaults?.cells[field];
}

/** The rule, with its last day in ISO form. */
function repeatCell(view: RowView, orders: DateOrders): Cell | undefined {
  const text = view.own.repeat?.text ?? "";
  return text === "" ? undefined : repeatText(text, dayReader(orders));
}

/** The exceptions with dates in ISO form, if they are understood. */
function exceptCell(view: RowView, orders: DateOrders): Cell | undefined {
  const own = view.own.except;
  if (own === undefined) return undefined;
  const { exceptions, faults } = readExceptions(own.items, (text) => whenOf("scheduled_at", text, orders));
  if (faults.length > 0) return textOf(own.written.trim());
  // Signs between exceptions that are not there, such as a lone `;`, say nothing.
  return exceptionsText(exceptions) || undefined;
}

/** The row's networks. A row that goes to the networks that it has a text for uses no default. */
function platformsCell(view: RowView, rewriting: RewriteInput): Cell | undefined {
  if (platformsByText(view) !== undefined) return undefined;
  return cellOrDefault(view.row, rewriting.calendar, "platforms") ?? lostDefault(rewriting, "platforms");
}

/** A default that plancast.yaml has for the calendar, and not for the written file. */
function lostDefault({ calendar, target }: RewriteInput, field: "platforms"): Cell | undefined {
  const value = calendar.settings.defaults?.[field];
  return String(value) === String(target.defaults?.[field]) ? undefined : value;
}

/** The columns that `only:` asks for, as it names them, and the columns without a use. A field has its own column. */
function filterNames({ calendar, target, kept = [] }: RewriteInput): readonly string[] {
  const filters = [target.only ?? {}, calendar.settings.only ?? {}];
  const wanted = [...new Set(filterColumns(filters))].filter((name) => fieldNamed(name) === undefined);
  const labels = filters.flatMap(Object.keys);
  const filtered = wanted.map((name) => labels.find((label) => foldName(label) === name) ?? name);
  return [...filtered, ...kept.filter((name) => !wanted.includes(foldName(name)))];
}

function otherCell({ others = {} }: RawRow, name: string): string | undefined {
  const text = getOwn(others, foldName(name));
  return text === undefined || isBlank(text) ? undefined : text;
}

function variantCells(
  view: RowView,
  variant: RowVariant,
  times: TimeCells,
  rewriting: RewriteInput,
): [ColumnName, Cell | undefined][] {
  const shared = mediaOf(cellOrDefault(view.row, rewriting.calendar, "media"), rewriting);
  const cells = new Map<Field, Cell | undefined>([
    ...times.ofVariant(view.as(rowForVariant(view.row, variant)), variant),
    ...textCells((field) => variant.cells[field], rewriting, shared),
    ["status", variant.cells.status],
  ]);
  const platform = variant.platform.trim().toLowerCase();
  return VARIANT_FIELDS.map((field) => [variantColumn(field, platform), cells.get(field)]);
}

function withoutBlanks(cells: ReadonlyMap<TableColumn, Cell | undefined>): WrittenRow {
  return new Map(
    sortColumns([...cells.keys()]).flatMap((name): [TableColumn, Cell][] => {
      const cell = cells.get(name);
      return cell === undefined ? [] : [[name, cell]];
    }),
  );
}

/** A list that is present and empty: not even the project's default applies. */
const EMPTY_LIST = ",";

/** The parts of a cell; with `isSplitFurther`, an item of a list may have several. A cell that is present without any parts is left to the checks. */
function listOf(
  cell: Cell | undefined,
  split: (text: string) => readonly string[],
  isSplitFurther = false,
): Cell | undefined {
  if (cell === undefined) return undefined;
  const parts = typeof cell === "string" ? split(cell) : isSplitFurther ? cell.flatMap(split) : cell;
  const filled = parts.map((part) => part.trim()).filter((part) => part !== "");
  if (filled.length > 0) return filled;
  return typeof cell === "string" ? cell : EMPTY_LIST;
}

function mediaOf(cell: Cell | undefined, { mediaName }: RewriteInput): Cell | undefined {
  const parts = listOf(cell, splitMedia);
  return typeof parts === "object" ? parts.map(mediaName) : parts;
}

/**
 * The alt texts: one text for one medium, otherwise a list. A cell with more texts than media stays as it is, and the
 * checks report it.
 */
function altOf(cell: Cell | undefined, media: Cell | undefined): Cell | undefined {
  if (cell === undefined) return undefined;
  const count = typeof media === "object" ? media.length : 0;
  const texts = trimmedTexts(typeof cell === "string" ? splitAlt(cell, count) : cell).map(withUnixLines);
  if (texts.length === 0) return undefined;
  const isOne = count < 2 && texts.length === 1;
  if (typeof cell === "string") return isOne || texts.length > count ? textOf(cell) : texts;
  return isOne ? texts[0] : texts;
}

/** The texts of a thread as a list, without blank space at their ends; one text stays as it is. */
function threadOf(cell: Cell | undefined): Cell | undefined {
  if (cell === undefined) return undefined;
  const texts =
    typeof cell === "string"
      ? splitThread(cell)
      : cell.map((text) => withUnixLines(text).trimEnd()).filter((text) => !isBlank(text));
  const [only, ...rest] = texts;
  if (only === undefined) return undefined;
  return rest.length === 0 && joinThread(texts) !== undefined ? only : texts;
}

/** The files of each text of a thread. */
function threadMediaOf(cell: Cell | undefined, { mediaName }: RewriteInput): Cell | undefined {
  const texts = byTextOf(cell);
  if (typeof texts !== "object") return texts;
  return texts.map((text) =>
    joinFiles(
      splitFiles(text)
        .map(tidyPath)
        .filter((name) => name !== "")
        .map(mediaName),
    ),
  );
}

/** What a cell says for each text of a thread, as a list. */
function byTextOf(cell: Cell | undefined): Cell | undefined {
  if (cell === undefined) return undefined;
  const texts = trimmedTexts(
    typeof cell === "string" ? splitByText(withUnixLines(cell)) : cell.map(withUnixLines),
  );
  return texts.length === 0 ? undefined : texts;
}

/** Line ends as they are sent. */
function textOf(cell: Cell | undefined): Cell | undefined {
  return typeof cell === "string" ? withUnixLines(cell) : cell;
}

function withUnixLines(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

function trimmed(cell: Cell | undefined): Cell | undefined {
  return typeof cell === "string" ? cell.trim() : cell;
}

/**
 * A row's status in plancast's words; blank if it is not set and the written file gives the same meaning. An unknown
 * name stays as it is.
 * @param source settings for reading the row
 * @param target settings for reading the written file
 */
function statusCell(view: RowView, source: CalendarSettings, target: CalendarSettings): string | undefined {
  const value = view.values.status;
  const status = readStatus(value, source.status_values);
  if (status === "unknown") return value?.text;
  const says = (word: string): StatusReading =>
    readStatus(word === "" ? undefined : { text: word }, target.status_values);
  if (value === undefined && says("") === status) return undefined;
  return [status, ...Object.keys(target.status_values), ...STATUSES].find((word) => says(word) === status);
}

/**
 * A row's type in plancast's words, or as it is written if `only:` asks for it. A type whose rows are left out has given
 * the row its status.
 */
function typeCell(row: RawRow, { calendar, target }: RewriteInput): Cell | undefined {
  const { type } = row.cells;
  const filtered = [...filterColumns([target.only ?? {}, calendar.settings.only ?? {}])];
  const name = filtered.find((each) => fieldNamed(each) === "type");
  if (name !== undefined) return otherCell(row, name) ?? trimmed(type);
  if (typeof type !== "string") return type;
  if (type !== "skip" && type !== "draft") return postTypeNamed(type) ?? type.trim();
  // Beside words of the project's own, a blank type would be unclear.
  return Object.keys(target.values ?? {}).some((key) => fieldNamed(key) === "type") ? "post" : undefined;
}

type TimeField = "scheduled_at" | "date" | "time" | "timezone" | "expires";
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
    const zone = view.timezone?.text;
    const hasOwnZone = cells.timezone !== undefined;
    const timezone = !hasOwnZone && zone === this.#target.timezone ? undefined : zone;
    const time = cells.time ?? (cells.date === undefined ? undefined : this.#defaultTime());
    const said = this.#timeCells(view, { ...cells, time }, this.#hasTime({ date: cells.date, time }));
    const isExact = said.length === 1 && isoInstant(String(said[0]?.[1]), undefined) !== undefined;
    const expires = this.#expiry(view);
    const needsZone = !isExact || expires !== undefined;
    return [...said, ["timezone", needsZone || hasOwnZone ? timezone : undefined], ["expires", expires]];
  }

  /** When the row expires, in ISO form if it is a date, and otherwise as it is written. */
  #expiry(view: RowView): string | undefined {
    const value = view.values.expires;
    if (value === undefined) return undefined;
    const due = dueTime(view, this.#orders);
    const read = readExpiry(view, this.#orders, "ms" in due ? due.ms : undefined);
    const { zone } = view;
    if ("problems" in read || read.ms === undefined || read.form === "span") return value.text;
    if (read.form === "exact" && isoInstant(value.text, undefined) !== undefined) return value.text;
    if (zone === undefined) return utcTime(read.ms);
    return read.form === "day"
      ? localText(zone, read.ms - 1).slice(0, "2027-03-01".length)
      : localText(zone, read.ms);
  }

  /** The time for rows that have no time, unless plancast.yaml gives the written file the same default. */
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

  /** The given cells as one value. */
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
    if (!("ms" in due)) return asGiven;
    if (typeof whole === "string" && isoInstant(whole, undefined) === due.ms)
      return [["scheduled_at", whole.trim()]];
    const { zone } = view;
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
  #hasTime(cells: Readonly<Record<"date" | "time", Cell | undefined>>): boolean {
    return (["date", "time"] as const).some((field) => {
      const cell = cells[field];
      const when = typeof cell === "string" ? whenOf(field, cell, this.#orders) : undefined;
      return when !== undefined && !("code" in when) && when.time !== undefined;
    });
  }
}

/** Platforms to offer for new rows: the platforms that the project names, then the platforms of the rows. */
export function platformsToOffer(
  { platforms, defaults }: Config,
  rows: readonly WrittenRow[],
): readonly string[] {
  const usual = defaults.platforms ?? [];
  const named = [...(typeof usual === "string" ? [usual] : usual), ...Object.keys(platforms)];
  const used = rows.flatMap((row) => row.get("platforms") ?? []);
  return [...new Set([...named, ...used].map((name) => name.trim().toLowerCase()))];
}
