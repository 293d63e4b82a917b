/** The time zone and the order of dates that the header of a table says, or why they contradict `plancast.yaml`. */

import { type ColumnMeaning, type HeaderNotes, yamlKey } from "../../model/columns.ts";
import { shownZone } from "../../checks/when/local-time.ts";
import { type Position, type Problem, problem } from "../../model/problem.ts";
import { TIME_FIELDS } from "../../model/fields.ts";
import { type HeaderZone, formatInHeader, zoneInHeader, zonesOf } from "../columns/header-notes.ts";
import { isSameZone, usesAbbreviation, zoneAtOffset } from "../../checks/when/zone-names.ts";
import type { ReadOptions, TableSource } from "./format.ts";
import { columnKeys } from "./table-columns.ts";
import type { Header } from "./table-header.ts";

export interface HeaderTimes extends HeaderNotes {
  readonly problems: readonly Problem[];
  /** Columns whose header says pm, as in `Time (PM)`. */
  readonly evening: readonly number[];
}

/** A column with a note in its header. */
interface Noted<T> {
  readonly column: number;
  readonly name: string;
  readonly note: T;
}

export function headerTimes(header: Header, source: TableSource, options: ReadOptions): HeaderTimes {
  if (!header.isNamed) return { problems: [], evening: [] };
  const zone = zoneOf(header, source, options);
  const order = orderOf(header, source, options);
  return {
    ...("zone" in zone ? { zone: zone.zone } : {}),
    ...("dateOrder" in order ? { dateOrder: order.dateOrder } : {}),
    problems: [...zone.problems, ...order.problems],
    evening: notesOf(header, ["time"], saysPm).map(({ column }) => column),
  };
}

/** `Time (PM)`. `AM/PM` says nothing. */
function saysPm(name: string): true | undefined {
  const halves = name.match(/(?<![\p{L}.])[ap]\.?m\.?(?!\p{L})/giu) ?? [];
  return halves.length > 0 && halves.every((each) => /^p/i.test(each)) ? true : undefined;
}

/** A time before noon without am or pm: `7:30`. */
const MORNING = /^\s*(?:0?\d|1[01])(?:[:.h]\d\d)?\s*$/i;

/** The problems of cells that would be in the morning although their header says pm. */
export function eveningProblems(
  { evening }: HeaderTimes,
  header: Header,
  source: TableSource,
  cells: readonly string[],
  record: number,
): Problem[] {
  return evening
    .filter((column) => MORNING.test(cells[column] ?? ""))
    .map((column) => {
      const time = (cells[column] ?? "").trim();
      const message = `"${time}" would be in the morning, but the header \`${header.names[column]?.trim() ?? ""}\` says pm. Write am or pm after the time, as in 7:30 pm, or correct the header.`;
      return problem("schedule/format", message, source.at(record, column));
    });
}

const DATES = ["scheduled_at", "date"];

function notesOf<T>(
  { names, columns }: Header,
  fields: readonly string[],
  read: (name: string) => T | undefined,
): Noted<T>[] {
  return names.flatMap((name, column) => {
    const note = isOneOf(columns.meanings[column], fields) ? read(name) : undefined;
    return note === undefined ? [] : [{ column, name: name.trim(), note }];
  });
}

function isOneOf(meaning: ColumnMeaning | undefined, fields: readonly string[]): boolean {
  return meaning?.kind === "used" && fields.includes(meaning.as.field);
}

/**
 * The zone in the header counts if it is exact: it is nearer to the times than `timezone:`. An abbreviation such as EST
 * or a country with several zones counts only with a `timezone:` that fits it. For everything else, `columns:` must say
 * that `timezone:` is right.
 */
function zoneOf(
  header: Header,
  source: TableSource,
  { timezone }: ReadOptions,
): Pick<HeaderTimes, "zone" | "problems"> {
  const noted = notesOf(header, TIME_FIELDS, zoneInHeader).filter((each) => isAboutZone(header, each));
  const [first] = noted;
  if (first === undefined) return { problems: [] };
  const at = source.at(header.record, first.column);
  const other = noted.find(({ note }) => !sayTheSame(note, first.note));
  if (other !== undefined) {
    const message = `\`${first.name}\` and \`${other.name}\` name two time zones. Correct one of them.`;
    return { problems: [problem("csv/header-zone", message, at)] };
  }
  const { note, name } = first;
  if (note.kind === "exact") {
    const zone = { name: note.zone, header: name, at };
    if (timezone === undefined || isSameZone(timezone, note.zone)) return { zone, problems: [] };
    const message =
      `\`${name}\` says ${note.text}, so plancast reads the times of this file in ${shownZone(note.zone)}, not in ${shownZone(timezone)}. ` +
      `If the header is wrong, correct it. If it is right, set ${zoneLine(note.zone)} for this file in plancast.yaml.`;
    return { zone, problems: [problem("csv/zone-in-header", message, at)] };
  }
  if (timezone !== undefined && fits(timezone, note)) return { problems: [] };
  if (header.columns.fields.includes("timezone")) return { problems: [] };
  return { problems: [unclearZone(header, first, timezone, at)] };
}

/** A name in brackets beside a date is rarely a zone. What `columns:` says about a column is not in doubt. */
function isAboutZone({ columns }: Header, { column, note }: Noted<HeaderZone>): boolean {
  if (note.kind === "exact" || note.kind === "abbreviation") return true;
  const meaning = columns.meanings[column];
  if (meaning?.kind !== "used" || meaning.as.field === "date") return false;
  return note.kind === "country" || (meaning.evidence.by !== "project" && meaning.evidence.by !== "position");
}

function sayTheSame(one: HeaderZone, other: HeaderZone): boolean {
  if (one.kind === "unknown" || other.kind === "unknown") return one.text === other.text;
  const zones = zonesOf(other);
  return zonesOf(one).some((zone) => zones.some((each) => isSameZone(zone, each)));
}

function fits(timezone: string, note: HeaderZone): boolean {
  if (note.kind === "abbreviation") return usesAbbreviation(timezone, note);
  return note.kind === "country" && note.zones.some((zone) => isSameZone(zone, timezone));
}

/** A line of settings for a zone. */
function zoneLine(zone: string): string {
  const shown = shownZone(zone);
  return `\`timezone: ${zone}\`${shown === zone ? "" : ` (${shown})`}`;
}

/** Zones that a message lists. */
const MAX_ZONES = 6;

function unclearZone(
  header: Header,
  { column, name, note }: Noted<HeaderZone>,
  timezone: string | undefined,
  at: Position,
): Problem {
  const now = timezone === undefined ? "`timezone:` is not set" : `\`timezone:\` is ${shownZone(timezone)}`;
  const zones = [...zonesOf(note), ...fixedOffset(note)];
  const list = zones.slice(0, MAX_ZONES).map(zoneLine).join(", or ");
  const field = header.columns.fields[column] ?? "time";
  // A zone that fits is enough for an abbreviation or a country.
  const confirmed =
    note.kind === "several" || note.kind === "unknown"
      ? `, and confirm the column with \`columns: { ${yamlKey(columnKeys(header)(column))}: ${field} }\``
      : "";
  const message =
    `\`${name}\` says ${note.text}, which is not one exact time zone, and ${now}. ` +
    `Set the zone of its times for this file in plancast.yaml, such as ${list || zoneLine("Europe/Paris")}${confirmed}.`;
  return problem("csv/header-zone", message, at);
}

/** The second way for an abbreviation: the same offset all year. */
function fixedOffset(note: HeaderZone): readonly string[] {
  if (note.kind !== "abbreviation") return [];
  const { standard, summer } = note.family;
  const fixed = zoneAtOffset(note.isSummer ? summer : standard);
  return standard === summer || fixed === undefined ? [] : [fixed];
}

/** The order in the header counts, unless `date_order:` sets another order. */
function orderOf(
  header: Header,
  source: TableSource,
  { date_order }: ReadOptions,
): Pick<HeaderTimes, "dateOrder" | "problems"> {
  const noted = notesOf(header, DATES, formatInHeader);
  const unclear = date_order === undefined ? noted.find(({ note }) => note.order === undefined) : undefined;
  if (unclear !== undefined)
    return { problems: [unclearOrder(unclear, source.at(header.record, unclear.column))] };
  // With the year first, all dates that people write have one meaning or need `date_order:`.
  const [first, ...others] = noted.flatMap(({ note, ...each }) =>
    note.order === undefined || note.order === "ymd" ? [] : [{ ...each, order: note.order }],
  );
  if (first === undefined) return { problems: [] };
  const at = source.at(header.record, first.column);
  const { name, order } = first;
  const other = others.find((each) => each.order !== order);
  if (other === undefined && (date_order === undefined || date_order === order))
    return { dateOrder: { order, header: name }, problems: [] };
  const message =
    other === undefined
      ? `\`${name}\` says ${order}, but \`date_order:\` is ${date_order ?? ""}. Correct the header, or set \`date_order: ${order}\` for this file in plancast.yaml.`
      : `\`${name}\` and \`${other.name}\` give different orders of dates. Correct one of them, or exclude it with \`columns: { ${yamlKey(other.name)}: ignore }\`.`;
  return { problems: [problem("schedule/date-order", message, at)] };
}

function unclearOrder({ name, note }: Noted<{ readonly text: string }>, at: Position): Problem {
  const message =
    `\`${name}\` says the format ${note.text}, which plancast does not know. Write the dates as 2027-03-01, ` +
    "or set `date_order:` for this file in plancast.yaml to the order of its dates: dmy, mdy or ymd.";
  return problem("schedule/date-order", message, at);
}
