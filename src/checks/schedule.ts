/** When a row is due: an instant from its cells, the defaults and the zones, or the problem that prevents it. */

import type { IANAZone } from "luxon";
import { wallMs } from "../model/canonical.ts";
import { type Position, type Problem, type Question, problem } from "../model/problem.ts";
import type { Assumed } from "../model/row.ts";
import { type LocalTime, localInstant, suggestZone } from "./when/local-time.ts";
import { type DateOrder, TIME_FIELDS } from "../model/fields.ts";
import { tidyName } from "../model/text.ts";
import { type RowView, type Value, textValue } from "./row-view.ts";
import { type ClockTime, type Day, LAST_YEAR, clockText, isoDay } from "./when/written-forms.ts";
import { presetNamed } from "../settings/presets/presets.ts";
import type { Calendar } from "../settings/calendar-settings.ts";
import { DateOrderHint, isDotted, withoutWeekday } from "./when/doubtful-times.ts";
import { explainUnreadableTime, readWhen } from "./when/read-when.ts";
import { offsetOf, usesAbbreviation, zoneNamed } from "./when/zone-names.ts";

const FORMS =
  "Write 2027-03-01 09:30 (a local time), or 2027-03-01T08:30:00Z or 2027-03-01T09:30:00+01:00 (an exact one).";

interface DueAt {
  /** Since the epoch. */
  readonly ms: number;
  /** Defaults for what the row does not say. Absent if the row says everything. */
  readonly assumed?: readonly Assumed[];
}

/** A row that takes a free slot: the next one, or one on its day (`2027-03-01`). */
interface DueInSlot {
  readonly slot: { readonly day?: string };
  readonly assumed?: readonly Assumed[];
}

/** The row's instant, its request for a slot, or everything that prevents both. */
export type Due = DueAt | DueInSlot | { readonly problems: readonly Problem[] };

/** How the dates of a calendar are read. */
export interface DateOrders {
  readonly order: DateOrder | undefined;
  readonly hint: DateOrderHint;
  /** What sets the order, if plancast.yaml does not: a sentence after a space, or nothing. */
  readonly source: string;
  /** Like `source`, with the name of the header or the preset. Absent if plancast.yaml sets the order. */
  readonly from?: { readonly from: "header" | "preset"; readonly name: string };
  /** Cells that were read before, by column: the rows of a long calendar share days and times. */
  readonly known: Readonly<Record<WhenCell["field"], Map<string, ReadCell>>>;
}

/** Different cells of a column that are kept. */
const MAX_KNOWN = 10_000;

/** The order of `date_order:`, of the preset or of the header. */
export function dateOrdersOf(calendar: Calendar): DateOrders {
  const { date_order, preset } = calendar.settings;
  const header = calendar.notes?.dateOrder;
  const isPresets = date_order !== undefined && presetNamed(preset)?.settings.date_order === date_order;
  const source = isPresets
    ? ` The preset ${preset} sets this order. Your \`date_order:\` has priority over it.`
    : date_order === undefined && header !== undefined
      ? ` The header \`${header.header}\` gives this order.`
      : "";
  const from = isPresets
    ? { from: "preset" as const, name: preset ?? "" }
    : { from: "header" as const, name: header?.header ?? "" };
  const order = date_order ?? header?.order;
  const known = { scheduled_at: new Map(), date: new Map(), time: new Map() };
  return { order, hint: new DateOrderHint(calendar), source, ...(source === "" ? {} : { from }), known };
}

/** What a cell with a day or a time means. */
interface ReadCell {
  readonly day: Day | undefined;
  readonly time: ClockTime | undefined;
  /** The order of the date, if it could have another one and plancast.yaml does not set it. */
  readonly order?: Assumed | undefined;
  /** Whether it asks for the next free slot. */
  readonly isNext?: boolean | undefined;
}

/** A cell with a day or a time, and its meaning. */
export interface WhenCell extends ReadCell {
  readonly field: "scheduled_at" | "date" | "time";
  readonly value: Value;
}

export type DueProblem = { readonly problem: Problem };

type Instant = DueAt | DueInSlot | DueProblem;

/** What the cells of a row say about its time. */
export interface RowTimes {
  readonly cells: readonly WhenCell[];
  /** The cell with the time of day, if there is one. */
  readonly timed: WhenCell | undefined;
  /** Of the cells that cannot be read. */
  readonly problems: readonly Problem[];
}

export function whenCells(row: RowView, orders: DateOrders): RowTimes {
  const cells: WhenCell[] = [];
  const problems: Problem[] = [];
  for (const field of TIME_FIELDS) {
    const read = readCell(row, field, orders);
    if (read === undefined) continue;
    if ("problem" in read) problems.push(read.problem);
    else cells.push(read);
  }
  return { cells, timed: cellsWithTime(cells)[0], problems };
}

/**
 * When a row is due. All its faulty cells are reported at once.
 * @param takesSlot whether the row takes a slot of `slots:` if it has no time
 */
export function dueTime(
  row: RowView,
  orders: DateOrders,
  takesSlot = false,
  times: RowTimes = whenCells(row, orders),
): Due {
  const { cells } = times;
  const problems = [...times.problems];
  if (problems.length === 0) {
    const due = inSlot(cells, row, takesSlot) ?? combineCells(cells, row, orders);
    if (!("problem" in due)) return due;
    problems.push(due.problem);
  }
  const { timezone } = row;
  const isZoneReported = problems.some(({ code }) => code === "schedule/unknown-timezone");
  if (timezone !== undefined && row.zone === undefined && !isZoneReported)
    problems.push(unknownZone(timezone));
  return { problems };
}

function readCell(
  row: RowView,
  field: WhenCell["field"],
  orders: DateOrders,
): WhenCell | DueProblem | undefined {
  const value = row.own[field];
  if (value === undefined) return undefined;
  const known = orders.known[field];
  const before = known.get(value.written);
  if (before !== undefined) return { field, value, ...before };
  const read: WhenCell | DueProblem = NEXT.test(value.text)
    ? { field, value, day: undefined, time: undefined, isNext: true }
    : notTooLate(readWhenCell(field, value, orders));
  const local = "problem" in read ? withoutZone(value, row) : undefined;
  if (local !== undefined) return notTooLate(readWhenCell(field, local, orders));
  if (!("problem" in read) && !value.isList && known.size < MAX_KNOWN) {
    const { day, time, order, isNext } = read;
    known.set(value.written, { day, time, order, isNext });
  }
  return read;
}

function notTooLate(read: WhenCell | DueProblem): WhenCell | DueProblem {
  if ("problem" in read || read.day === undefined || read.day.year <= LAST_YEAR) return read;
  const message = `"${read.value.text}" has a year that is too late, or of another calendar. Write the year like 2036.`;
  return withProblem(problem("schedule/format", message, read.value.at()));
}

/** A time, and a zone after it: `9:00 AM ET`. */
const BEFORE_ZONE = /^(.*\d(?:\s?(?:h|uhr|uur|[ap]\.?m\.?))?)\s?\(?([a-z]{2,5}(?:\/[a-z]{2,5})?)\)?$/i;

/** The value without an abbreviation of the row's own zone; undefined if it has none. */
function withoutZone(value: Value, row: RowView): Value | undefined {
  const [, text = "", zone = ""] = BEFORE_ZONE.exec(value.text) ?? [];
  const own = row.timezone?.text;
  const named = zone === "" ? undefined : zoneNamed(zone);
  if (named?.kind !== "abbreviation" || own === undefined || !usesAbbreviation(own, named)) return undefined;
  return textValue(text, (item) => value.at(item));
}

/** The day and the time of a value, read as those of a column. */
export function readWhenCell(
  field: WhenCell["field"],
  value: Value,
  orders: DateOrders,
): WhenCell | DueProblem {
  const { hint, source } = orders;
  const when = whenOf(field, value.text, orders);
  if (!("code" in when))
    return { field, value, day: when.day, time: when.time, order: assumedOrder(field, value.text, orders) };
  if (when.code === "schedule/ambiguous-date") {
    const likely = hint.order();
    const questions: Question[] = [
      { topic: "date-order", text: value.text.trim(), ...(likely === undefined ? {} : { likely }) },
    ];
    return withProblem({ ...problem(when.code, when.message + hint.text(), value.at()), questions });
  }
  const more = when.code === "schedule/date-order" ? source : "";
  const text = tidyName(value.text);
  const why =
    field === "time" && when.code === "schedule/format"
      ? explainUnreadableTime(text.toLowerCase())
      : undefined;
  const message = why === undefined ? when.message + more : `"${text}" ${why}`;
  return withProblem(problem(when.code, message, value.at()));
}

/** Reads a cell of a column as `readWhen` does, with what the column shows about it. */
export function whenOf(
  field: WhenCell["field"],
  cell: string,
  { order, hint }: DateOrders,
): ReturnType<typeof readWhen> {
  const text = field === "time" ? withColon(cell) : cell;
  return readWhen(text, order ?? (isDotted(text) && !hint.hasOtherOrder() ? "dmy" : undefined));
}

/** The order that decides what a date means, unless plancast.yaml sets it, or the date has no other meaning. */
function assumedOrder(
  field: WhenCell["field"],
  cell: string,
  { order, from }: DateOrders,
): Assumed | undefined {
  if (
    field === "time" ||
    (order !== undefined && from === undefined) ||
    !NUMERIC_DATE.test(withoutWeekday(cell))
  )
    return undefined;
  const bare = readWhen(cell, undefined);
  if (!("code" in bare) || bare.code !== "schedule/ambiguous-date") return undefined;
  if (order !== undefined && from !== undefined) return { what: "date_order", value: order, ...from };
  return { what: "date_order", value: "dmy", from: "dots", name: "" };
}

/** Only dates that consist of numbers can have several orders, and most of them begin with the year. */
const NUMERIC_DATE = /^\s*\d{1,2}\D/;

/**
 * In a column of times, `9.30` is a time. A number below 1, such as 0.35, may be a spreadsheet's part of a day, so it
 * stays as it is.
 */
function withColon(text: string): string {
  return /^\s*(?:[1-9]|[01]\d|2[0-3])\.[0-5]\d\s*$/.test(text) ? text.replace(".", ":") : text;
}

/** Says in a cell that the row takes the next free slot. */
const NEXT = /^next(?: (?:free )?slot)?$/i;

/** What a row without a time asks for: carry has filled its cells by now, and `defaults.time` comes later. */
function inSlot(
  said: readonly WhenCell[],
  row: RowView,
  takesSlot: boolean,
): DueInSlot | DueProblem | undefined {
  const next = said.find(({ isNext }) => isNext === true);
  if (next !== undefined && !takesSlot) {
    const message = `"${next.value.text}" takes the next free slot, but \`slots:\` in plancast.yaml has no times for the row's networks. Add times, for example \`slots: { default: ["weekdays 10:00"] }\`, or write a date and a time.`;
    return withProblem(problem("schedule/no-free-slot", message, next.value.at()));
  }
  if (!takesSlot) return undefined;
  const timed = cellsWithTime(said)[0];
  if (timed !== undefined && next === undefined) return undefined;
  if (timed !== undefined && next !== undefined) return conflict("time", timed, next);
  const dated = said.find(hasDay);
  const second = said.findLast(hasDay);
  if (dated !== undefined && second !== undefined && second !== dated) return conflict("date", dated, second);
  const zone = zoneOf(row, "Slots are local times.", () => row.at("scheduled_at"));
  if ("problem" in zone) return zone;
  const { day } = dated ?? {};
  return {
    slot: day === undefined ? {} : { day: isoDay(day) },
    ...(dated?.order === undefined ? {} : { assumed: [dated.order] }),
  };
}

/** The day and the time, from any cells: each may be in the other's column. */
function combineCells(said: readonly WhenCell[], row: RowView, orders: DateOrders): Instant {
  const [first] = said;
  if (first === undefined) {
    const found = problem(
      "row/missing-field",
      `The row has no date and no time. ${FORMS}`,
      row.at("scheduled_at"),
    );
    return withProblem({ ...found, questions: [{ topic: "date" }] });
  }
  const dated = said.find(hasDay);
  if (dated?.day === undefined) {
    const { problem: found } = incomplete("The row has a time but no date. Fill in the date.", first);
    return withProblem({ ...found, questions: [{ topic: "date" }] });
  }
  const second = said.findLast(hasDay);
  if (second !== undefined && second !== dated) return conflict("date", dated, second);
  const timed = said.find(hasTime);
  // Most rows have only one.
  const times = timed === said.findLast(hasTime) ? [timed] : cellsWithTime(said);
  if (times[0] !== undefined && times[1] !== undefined) return conflict("time", times[0], times[1]);
  const own = times[0]?.time;
  const clock = own ?? defaultTime(dated, row, orders);
  if ("problem" in clock) return clock;
  const due = toInstant({ day: dated.day, clock, value: dated.value, exactField: "scheduled_at" }, row);
  if ("problem" in due) return due;
  const assumed: Assumed[] = [];
  if (own === undefined) assumed.push({ what: "time", value: row.values.time?.text ?? "", from: "defaults" });
  const zone = clock.offsetMs === undefined ? row.headerZone : undefined;
  if (zone !== undefined)
    assumed.push({ what: "timezone", value: zone.name, from: "header", name: zone.header });
  if (dated.order !== undefined) assumed.push(dated.order);
  return assumed.length === 0 ? due : { ...due, assumed };
}

function hasDay({ day }: WhenCell): boolean {
  return day !== undefined;
}

function hasTime({ time }: WhenCell): boolean {
  return time !== undefined;
}

/**
 * The cells with a time, if there are several. Midnight beside a date does not count, because spreadsheets add it to
 * dates.
 */
function cellsWithTime(said: readonly WhenCell[]): readonly WhenCell[] {
  const times = said.filter(hasTime);
  const own = times.find(({ field }) => field === "time");
  if (own === undefined) return times;
  return times.filter((each) => each === own || !(each.field === "date" && isRepeated(each.time, own.time)));
}

function isRepeated(time: ClockTime | undefined, own: ClockTime | undefined): boolean {
  if (time === undefined || time.offsetMs !== undefined) return false;
  const isMidnight = time.hour + time.minute + time.second === 0;
  return (
    isMidnight || (own !== undefined && own.offsetMs === undefined && clockText(time) === clockText(own))
  );
}

/** The time of a row that has only a day. `scheduled_at` must have both. */
function defaultTime(dated: WhenCell, row: RowView, { order }: DateOrders): ClockTime | DueProblem {
  if (dated.field === "scheduled_at") {
    return incomplete(`"${dated.value.text}" has no time of day. ${FORMS}`, dated);
  }
  const value = row.values.time;
  if (value === undefined) {
    const message =
      'The row has a date but no time. Fill in the time, or set `defaults: { time: "09:00" }` in plancast.yaml.';
    const { problem: found } = incomplete(message, dated);
    return withProblem({ ...found, questions: [{ topic: "time" }] });
  }
  const when = readWhen(value.text, order);
  if ("code" in when) return withProblem(problem(when.code, when.message, value.at()));
  if (when.time !== undefined && when.day === undefined) return when.time;
  return withProblem(
    problem("schedule/format", `"${value.text}" is not a time of day. Write 09:30.`, value.at()),
  );
}

function withProblem(found: Problem): DueProblem {
  return { problem: found };
}

function incomplete(message: string, { value }: WhenCell): DueProblem {
  return withProblem(problem("row/missing-field", message, value.at()));
}

function conflict(what: string, { value: one }: WhenCell, { value: other }: WhenCell): DueProblem {
  const message = `The row sets its ${what} twice: "${one.text}" and "${other.text}". Keep one of them.`;
  return withProblem(problem("row/value-twice", message, other.at()));
}

interface Local {
  readonly day: Day;
  readonly clock: ClockTime;
  /** The cell to show if the time does not exist. */
  readonly value: Value;
  /** The field that can hold an offset. */
  readonly exactField: "scheduled_at" | "expires";
}

/** The instant of a local time in the row's zone, or of an exact time. */
export function toInstant(local: Local, row: RowView): { readonly ms: number } | DueProblem {
  const { day, clock, value, exactField } = local;
  const wall = wallMs([day.year, day.month, day.day, clock.hour, clock.minute, clock.second]) ?? Number.NaN;
  if (clock.offsetMs !== undefined) return { ms: wall - clock.offsetMs };
  const zone = zoneOf(row, hasNoZone(value), () => value.at());
  if ("problem" in zone) return zone;
  const found = localInstant(zone, wall);
  if (found.kind === "instant") return { ms: found.ms };
  // A series continues when the clocks change. A time that the clocks skip moves to later, and of two equal times,
  // the first counts.
  if (row.row.occurrence !== undefined && exactField === "scheduled_at")
    return { ms: found.kind === "twice" ? found.ms : afterGap(zone, wall, found.shiftMinutes) };
  return withProblem(clockChangeProblem(found, wall, local, zone.name));
}

export function hasNoZone({ text }: Value): string {
  return `"${text}" has no time zone.`;
}

/**
 * The zone of a row's local times, or the problem that there is none.
 * @param why what needs one, as a sentence
 * @param at the place for this sentence
 */
export function zoneOf(row: RowView, why: string, at: () => Position): IANAZone | DueProblem {
  const { timezone } = row;
  if (timezone !== undefined) return row.zone ?? withProblem(unknownZone(timezone));
  const message = `${why} Set \`timezone:\` in plancast.yaml, for example to Europe/Paris.`;
  return withProblem(problem("schedule/no-timezone", message, at()));
}

/** The instant of a local time (ms as if it were UTC) that the clocks skip, as if they had not changed yet. */
function afterGap(zone: IANAZone, wall: number, shiftMinutes: number): number {
  const later = localInstant(zone, wall + shiftMinutes * 60_000);
  return later.kind === "gap" ? wall : later.ms;
}

/** The problem with an unknown zone name, with the nearest zone. */
function unknownZone(name: Value): Problem {
  const { text } = name;
  const named = zoneNamed(text);
  if (named?.kind === "abbreviation") {
    const { example } = named.family;
    const message = `"${text}" may be the time in a place such as ${example}, or a fixed offset. Write ${example}, or ${offsetOf(named)} for the offset. If all rows are in ${example}, set \`timezone: ${example}\` for this file in plancast.yaml.`;
    return problem("schedule/unknown-timezone", message, name.at());
  }
  const near = suggestZone(text);
  const hint = near === undefined ? "Use an IANA name such as Europe/Paris." : `Did you mean ${near}?`;
  const message = `"${text}" is not a time zone that plancast knows. ${hint}`;
  return problem("schedule/unknown-timezone", message, name.at());
}

function clockChangeProblem(
  found: Exclude<LocalTime, { kind: "instant" }>,
  wall: number,
  { clock, value, exactField }: Local,
  zone: string,
): Problem {
  const text = `${new Date(wall).toISOString().slice(0, 10)} ${clockText(clock)}`;
  if (found.kind === "gap") {
    const later = new Date(wall + found.shiftMinutes * 60_000).toISOString().slice(0, 16).replace("T", " ");
    const message =
      `"${text}" does not exist in ${zone}: the clocks go forward by ${found.shiftMinutes} minutes then. ` +
      `Choose another time, for example ${later}.`;
    return problem("schedule/clock-change", message, value.at());
  }
  const [first, second] = found.offsets;
  const iso = text.replace(" ", "T");
  const message =
    `"${text}" happens twice in ${zone}: the clocks go back then. ` +
    `Add the offset: ${iso}${first} for the first, ${iso}${second} for the second, in ${exactField}.`;
  return problem("schedule/clock-change", message, value.at());
}
