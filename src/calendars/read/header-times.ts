/** The time zone and the order of dates that the header of a table says, or why they contradict `plancast.yaml`. */

import { type ColumnMeaning, type UnderstoodTable, yamlKey } from "../../model/columns.ts";
import { type Problem, type Question, problem } from "../../model/problem.ts";
import { type HeaderZone, orderInHeader, usesAbbreviation, zoneAtOffset, zoneInHeader } from "../columns/header-notes.ts";
import type { ReadOptions, TableSource } from "./format.ts";
import type { Header } from "./table-header.ts";

interface HeaderTimes extends Pick<UnderstoodTable, "zone" | "dateOrder"> {
  readonly problems: readonly Problem[];
}

/** A column with a note in its header. */
interface Noted<T> {
  readonly column: number;
  readonly name: string;
  readonly note: T;
}

export function headerTimes(header: Header, source: TableSource, options: ReadOptions): HeaderTimes {
  if (!header.isNamed) return { problems: [] };
  const zone = zoneOf(header, source, options);
  const order = orderOf(header, source, options);
  return {
    ...("zone" in zone ? { zone: zone.zone } : {}),
    ...("dateOrder" in order ? { dateOrder: order.dateOrder } : {}),
    problems: [...zone.problems, ...order.problems],
  };
}

const TIMES = ["scheduled_at", "date", "time"];
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
 * counts only with a `timezone:` that uses it, because in summer it may mean two things.
 */
function zoneOf(
  header: Header,
  source: TableSource,
  { timezone }: ReadOptions,
): Pick<HeaderTimes, "zone" | "problems"> {
  const noted = notesOf(header, TIMES, zoneInHeader);
  const [first] = noted;
  if (first === undefined) return { problems: [] };
  const at = source.at(header.record, first.column);
  const other = noted.find(({ note }) => noteText(note) !== noteText(first.note));
  if (other !== undefined) {
    const message = `\`${first.name}\` and \`${other.name}\` name two time zones. Correct one of them.`;
    return { problems: [problem("csv/header-zone", message, at)] };
  }
  const { note, name } = first;
  if (note.kind === "exact") {
    const zone = { name: note.zone, header: name, at };
    if (timezone === undefined || timezone.toLowerCase() === note.zone.toLowerCase()) return { zone, problems: [] };
    const message =
      `\`${name}\` says ${note.text}, so plancast reads the times of this file in ${note.zone}, not in ${timezone}. ` +
      `If the header is wrong, correct it. If it is right, set \`timezone: ${note.zone}\` for this file in plancast.yaml.`;
    const questions: Question[] = [{ topic: "zone", header: note.text, zones: [note.zone] }];
    return { zone, problems: [{ ...problem("csv/zone-in-header", message, at), questions }] };
  }
  if (timezone !== undefined && usesAbbreviation(timezone, note)) return { problems: [] };
  if (header.columns.fields.includes("timezone")) return { problems: [] };
  const zones = [note.family.example, ...(timezone === undefined ? [] : [timezone])];
  const questions: Question[] = [{ topic: "zone", header: note.text, zones }];
  return { problems: [{ ...problem("csv/header-zone", unclearZone(name, note, timezone), at), questions }] };
}

function noteText(note: HeaderZone): string {
  return note.kind === "exact" ? note.zone : note.family.example;
}

function unclearZone(
  name: string,
  { text, family, isSummer }: HeaderZone & { kind: "abbreviation" },
  timezone: string | undefined,
): string {
  const now = timezone === undefined ? "`timezone:` is not set" : `\`timezone:\` is ${timezone}`;
  const { standard, summer, example } = family;
  const fixed = zoneAtOffset(isSummer ? summer : standard);
  const always =
    standard === summer || fixed === undefined
      ? ""
      : `, or \`timezone: ${fixed}\` if its times have the same offset all year`;
  return (
    `\`${name}\` says ${text}, but ${now}. ` +
    `Set \`timezone: ${example}\` for this file in plancast.yaml${always}, or correct the header.`
  );
}

/** The order in the header counts, unless `date_order:` sets another order. */
function orderOf(
  header: Header,
  source: TableSource,
  { date_order }: ReadOptions,
): Pick<HeaderTimes, "dateOrder" | "problems"> {
  const noted = notesOf(header, DATES, orderInHeader);
  const [first] = noted;
  if (first === undefined) return { problems: [] };
  const at = source.at(header.record, first.column);
  const { name, note: order } = first;
  const other = noted.find(({ note }) => note !== order);
  if (other === undefined && (date_order === undefined || date_order === order))
    return { dateOrder: { order, header: name }, problems: [] };
  const message =
    other === undefined
      ? `\`${name}\` says ${order}, but \`date_order:\` is ${date_order ?? ""}. Correct the header, or set \`date_order: ${order}\` for this file in plancast.yaml.`
      : `\`${name}\` and \`${other.name}\` say two orders of dates. Correct one of them, or exclude it with \`columns: { ${yamlKey(other.name)}: ignore }\`.`;
  return { problems: [problem("csv/header-order", message, at)] };
}
