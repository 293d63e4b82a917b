/** The cells of a record as its row reads them: repaired, without words such as `n/a`, and with dates and times joined. */

import { linkedMedium } from "../../model/address.ts";
import { type DateOrder, type Field, DECISIVE_FIELDS } from "../../model/fields.ts";
import { type Problem, problem } from "../../model/problem.ts";
import { isBlank } from "../../model/text.ts";
import { saysNothing } from "../../settings/languages/languages.ts";
import { isDotted } from "../../checks/when/doubtful-times.ts";
import { type Day, weekdayOf } from "../../checks/when/written-forms.ts";
import { readWhen } from "../../checks/when/read-when.ts";
import { namesDay, weekdayIn } from "../columns/cell-kinds.ts";
import { guardedName, unguarded } from "../columns/formula-guard.ts";
import type { TableSource } from "./format.ts";
import { type Header, isWrittenHeader } from "./table-header.ts";

/** What the columns of a table need. */
export interface CellRepairs {
  readonly header: Header;
  readonly source: TableSource;
  /** The columns whose cells may start with an apostrophe that prevents formulas. */
  readonly guarded: readonly number[];
  /** The columns in which `n/a` means blank. */
  readonly optional: readonly number[];
  /** Fields whose cells are joined from several columns. */
  readonly joined: readonly JoinedField[];
  /** The order of the dates, if the project or the header says it. */
  readonly order: DateOrder | undefined;
}

interface JoinedField {
  readonly field: "date" | "time";
  readonly column: number;
  readonly others: readonly number[];
}

/** Whether a post need not have the field. A text or a network that is `n/a` is an error, because it may still be missing. */
function isOptional(field: Field | undefined): boolean {
  return field !== undefined && !DECISIVE_FIELDS.has(field);
}

/** @param kept columns that filters use */
export function cellRepairs(
  header: Header,
  source: TableSource,
  kept: ReadonlySet<number>,
  order: DateOrder | undefined,
): CellRepairs {
  const { fields, meanings, variants, appended, options } = header.columns;
  const guarded = [...header.names.keys()].filter(
    (column) =>
      guardedName(header.names[column] ?? "") !== undefined &&
      (kept.has(column) || meanings[column]?.kind === "used"),
  );
  // Beside a text for all networks, nobody knows whether `n/a` means that text or no post.
  const hasText = fields.includes("content");
  // plancast writes nothing into a blank cell, and a post needs no key for a blank value.
  const isAsWritten = isWrittenHeader(header.names) || source.hasKeys === true;
  const optional = [
    ...[...fields.keys()].filter((column) => isOptional(fields[column])),
    ...variants.filter(({ field }) => isOptional(field) || (field === "content" && !hasText)),
    ...appended,
    ...options,
  ].map((each) => (typeof each === "number" ? each : each.column));
  const joined = (["date", "time"] as const).flatMap((field): JoinedField[] => {
    const column = fields.indexOf(field);
    const others = appended.filter((each) => each.field === field).map((each) => each.column);
    return column === -1 || (others.length === 0 && !(field === "date" && source.sheet !== undefined))
      ? []
      : [{ field, column, others }];
  });
  return { header, source, guarded, optional: isAsWritten ? [] : optional, joined, order };
}

/** A record's cells, and whether some are joined, so that nobody can write them back. */
export interface RowCells {
  readonly cells: readonly string[];
  readonly isJoined: boolean;
}

/** @param number of the record in the source */
export function rowCells(repairs: CellRepairs, record: readonly string[], number: number): RowCells {
  const { guarded, optional, joined } = repairs;
  let cells =
    guarded.length === 0
      ? record
      : record.map((cell, column) => (guarded.includes(column) ? unguarded(cell) : cell));
  cells = withTimes(repairs, withLinkedMedia(repairs, cells, number));
  if (optional.some((column) => saysNothing(cells[column] ?? "")))
    cells = cells.map((text, column) => (optional.includes(column) && saysNothing(text) ? "" : text));
  let isJoined = false;
  for (const { field, column, others } of joined) {
    const own = cells[column] ?? "";
    const parts = others.map((other) => (cells[other] ?? "").trim()).filter((text) => text !== "");
    const whole = joinedWhen(field, own, parts, repairs);
    if (whole === own) continue;
    cells = cells.with(column, whole);
    isJoined = true;
  }
  return { cells, isJoined };
}

/** A date or a time with its other parts, such as `3` with `March` and `2036`. */
function joinedWhen(
  field: "date" | "time",
  own: string,
  parts: readonly string[],
  { order, source }: Pick<CellRepairs, "source" | "order">,
): string {
  return field === "time" ? joinedTime(own, parts) : joinedDate(own, parts, order, source.sheet);
}

/** The cells with the addresses of media that a cell only links to. */
function withLinkedMedia(
  { header, source }: CellRepairs,
  cells: readonly string[],
  number: number,
): readonly string[] {
  if (source.linkOf === undefined) return cells;
  return cells.map((text, column) => {
    if (header.columns.fields[column] !== "media" || isBlank(text)) return text;
    return linkedMedium(text, source.linkOf?.(number, column)) ?? text;
  });
}

/** The cells with times that lost their format in a workbook. */
function withTimes({ header, source }: CellRepairs, cells: readonly string[]): readonly string[] {
  if (source.timeOf === undefined) return cells;
  return cells.map((text, column) =>
    header.columns.fields[column] === "time" ? (source.timeOf?.(text) ?? text) : text,
  );
}

/** `7:30` with `PM`. A time that says the same itself, such as 19:30, stays. With another half, nobody can read it. */
function joinedTime(own: string, parts: readonly string[]): string {
  if (isBlank(own) || parts.length === 0) return own;
  const half = /^\s*(?:1[3-9]|2[0-3])(?:\D|$)/.test(own) ? "p" : /([ap])\.?\s?m\.?\s*$/i.exec(own)?.[1];
  const isSaid =
    half !== undefined && parts.every((part) => part.toLowerCase().startsWith(half.toLowerCase()));
  return isSaid ? own : [own.trim(), ...parts].join(" ");
}

/** `3`, `3rd`, `3.` */
const BARE_DAY = /^\s*(\d{1,2})(?:st|nd|rd|th|er|[.ºª])?\s*$/i;
/** A cell of the month in a workbook is often its first day. */
const YEAR_AND_MONTH = /^(\d{4})-(\d{1,2})(?:-01)?$/;
const MONTH_AND_YEAR = /^(\d{1,2})[/.-](\d{4})$/;

/** `3` with `March` and `2036`. Any other date stays. @param sheet its name may be `March 2036`, or a part of that */
function joinedDate(own: string, parts: readonly string[], order: DateOrder | undefined, sheet = ""): string {
  const day = BARE_DAY.exec(own)?.[1];
  if (day === undefined) return parts.length === 0 ? own : dayOfWeek(own, parts, order);
  if (parts.length === 0) {
    const whole = dateOf(day, [sheet.trim()]);
    return namesDay(whole) ? whole : own;
  }
  const whole = dateOf(day, parts);
  if (namesDay(whole)) return whole;
  const withSheet = dateOf(day, [...parts, sheet.trim()]);
  return namesDay(withSheet) ? withSheet : whole;
}

const DAY_MS = 86_400_000;

/**
 * `2036-03-03` with `Wednesday`: the day in the week that begins on that date. If the date is in the middle of a week,
 * nobody knows which week it is, and the two words contradict each other.
 */
function dayOfWeek(own: string, parts: readonly string[], order: DateOrder | undefined): string {
  const wanted = parts.map(weekdayIn).find((day) => day !== undefined);
  if (wanted === undefined) return own;
  const start = weekStart(own, order) ?? (order === undefined ? dottedWeekStart(own) : undefined);
  if (start === undefined) return [own, wordFor(parts)].join(" ");
  const { year, month, day } = start;
  const ms = Date.UTC(year, month - 1, day) + ((wanted - weekdayOf(start) + 7) % 7) * DAY_MS;
  return new Date(ms).toISOString().slice(0, 10);
}

/** A Monday or a Sunday. */
function weekStart(text: string, order: DateOrder | undefined): Day | undefined {
  const when = readWhen(text, order);
  if ("code" in when || when.day === undefined || when.time !== undefined) return undefined;
  return [1, 7].includes(weekdayOf(when.day)) ? when.day : undefined;
}

/** With the day first, as people write dates with dots; undefined if a week begins on it with the month first too. */
function dottedWeekStart(text: string): Day | undefined {
  return isDotted(text) && weekStart(text, "mdy") === undefined ? weekStart(text, "dmy") : undefined;
}

/** The part that is a day of the week. */
function wordFor(parts: readonly string[]): string {
  return parts.find((part) => weekdayIn(part) !== undefined) ?? "";
}

function dateOf(day: string, parts: readonly string[]): string {
  const known = parts.flatMap((part) => {
    const [, year = "", month = ""] = YEAR_AND_MONTH.exec(part) ?? [];
    const [, laterMonth = month, laterYear = year] = MONTH_AND_YEAR.exec(part) ?? [];
    return laterMonth === "" ? [part] : [laterMonth, laterYear];
  });
  const year = known.find((part) => /^\d{4}$/.test(part));
  const month = known.find((part) => part !== year) ?? "";
  if (year !== undefined && /^\d{1,2}$/.test(month))
    return [year, month.padStart(2, "0"), day.padStart(2, "0")].join("-");
  return [day, month, ...(year === undefined ? [] : [year])].join(" ");
}

/** A time of a 12-hour clock without am or pm: `7:30`. */
const WITHOUT_HALF = /^\s*(?:0?\d|1[0-2])(?:[:.]\d\d)?\s*$/;

/** The problem of a time whose half of the day has a blank cell. */
export function blankHalfProblems(
  { joined, header, source }: CellRepairs,
  cells: readonly string[],
  number: number,
): Problem[] {
  return joined.flatMap(({ field, column, others }) => {
    const time = cells[column] ?? "";
    if (field !== "time" || !WITHOUT_HALF.test(time)) return [];
    const [half = column] = others;
    const message = `"${time.trim()}" could be in the morning or in the evening, because \`${header.names[half]?.trim() ?? ""}\` is blank in this row. Fill it in, or write the time as 7:30 pm.`;
    return [problem("schedule/format", message, source.at(number, column))];
  });
}
