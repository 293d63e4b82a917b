/** When a row is due: an instant from its cells, the defaults and the zones, or the problem that prevents it. */

import { wallMs } from "../model/canonical.ts";
import { type Problem, problem } from "../model/problem.ts";
import { findZone, suggestZone } from "../model/zone.ts";
import type { DateOrder } from "../model/fields.ts";
import type { RowView, Value } from "./row-view.ts";
import type { ClockTime } from "./when/clock-forms.ts";
import type { DateOrderHint } from "./when/date-order.ts";
import type { Day } from "./when/day-forms.ts";
import { type LocalTime, localInstant } from "./when/local-time.ts";
import { readWhen } from "./when/read-when.ts";

const FORMS =
  "Write 2027-03-01 09:30 (a local time), or 2027-03-01T08:30:00Z or 2027-03-01T09:30:00+01:00 (an exact one).";

type Due = { readonly ms: number } | { readonly problem: Problem };

/** How the dates of a calendar are read. */
export interface DateOrders {
  readonly order: DateOrder | undefined;
  readonly hint: DateOrderHint;
}

/** A cell with a day or a time, and its meaning. */
interface WhenCell {
  readonly field: "scheduled_at" | "date" | "time";
  readonly value: Value;
  readonly day: Day | undefined;
  readonly time: ClockTime | undefined;
}

type DueProblem = { readonly problem: Problem };

const WHEN = ["scheduled_at", "date", "time"] as const;

/** The row's instant in ms since the epoch, or its problem. */
export function dueTime(row: RowView, orders: DateOrders): Due {
  const said: WhenCell[] = [];
  for (const field of WHEN) {
    const read = readCell(row, field, orders);
    if (read === undefined) continue;
    if ("problem" in read) return read;
    said.push(read);
  }
  return combineCells(said, row, orders);
}

function readCell(
  row: RowView,
  field: WhenCell["field"],
  { order, hint }: DateOrders,
): WhenCell | DueProblem | undefined {
  const value = row.own(field);
  if (value === undefined) return undefined;
  const when = readWhen(value.text, order);
  if (!("code" in when)) return { field, value, day: when.day, time: when.time };
  const more = when.code === "schedule/ambiguous-date" ? hint.text() : "";
  return withProblem(problem(when.code, when.message + more, value.at()));
}

/** The day and the time, from any cells: each may be in the other's column. */
function combineCells(said: readonly WhenCell[], row: RowView, orders: DateOrders): Due {
  const [first] = said;
  if (first === undefined)
    return withProblem(problem("row/missing-field", `The row has no time. ${FORMS}`, row.at("scheduled_at")));
  const dated = said.find(hasDay);
  if (dated?.day === undefined) {
    return incomplete("The row has a time but no date. Fill in the date.", first);
  }
  const second = said.findLast(hasDay);
  if (second !== undefined && second !== dated) return conflict("date", dated, second);
  const timed = said.find(hasTime);
  // Most rows have only one.
  const times = timed === said.findLast(hasTime) ? [timed] : cellsWithTime(said);
  if (times[0] !== undefined && times[1] !== undefined) return conflict("time", times[0], times[1]);
  const clock = times[0]?.time ?? defaultTime(dated, row, orders);
  return "problem" in clock ? clock : toInstant({ day: dated.day, clock, value: dated.value }, row);
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
  const value = row.value("time");
  if (value === undefined) {
    const message =
      'The row has a date but no time. Fill in the time, or set `defaults: { time: "09:00" }` in plancast.yaml.';
    return incomplete(message, dated);
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
  return withProblem(problem("schedule/incomplete", message, value.at()));
}

function conflict(what: string, { value: one }: WhenCell, { value: other }: WhenCell): DueProblem {
  const message = `The row sets its ${what} twice: "${one.text}" and "${other.text}". Keep one of them.`;
  return withProblem(problem("schedule/conflict", message, other.at()));
}

interface Local {
  readonly day: Day;
  readonly clock: ClockTime;
  /** The cell to show if the time does not exist. */
  readonly value: Value;
}

function toInstant(local: Local, row: RowView): Due {
  const { day, clock, value } = local;
  const wall = wallMs([day.year, day.month, day.day, clock.hour, clock.minute, clock.second]) ?? Number.NaN;
  if (clock.offsetMs !== undefined) return { ms: wall - clock.offsetMs };
  const name = row.value("timezone");
  if (name === undefined) {
    const message = `"${value.text}" has no time zone. Set \`timezone:\` in plancast.yaml, for example to Europe/Paris.`;
    return withProblem(problem("schedule/no-timezone", message, value.at()));
  }
  const zone = findZone(name.text);
  if (zone === undefined) return withProblem(unknownZone(name));
  const found = localInstant(zone, wall);
  return found.kind === "instant"
    ? { ms: found.ms }
    : withProblem(clockChangeProblem(found, wall, local, name.text));
}

/** The problem with an unknown zone name, with the nearest zone. */
function unknownZone(name: Value): Problem {
  const { text } = name;
  const near = suggestZone(text);
  const hint = near === undefined ? "Use an IANA name such as Europe/Paris." : `Did you mean ${near}?`;
  const message = `"${text}" is not a time zone that plancast knows. ${hint}`;
  return problem("schedule/unknown-timezone", message, name.at());
}

function clockChangeProblem(
  found: Exclude<LocalTime, { kind: "instant" }>,
  wall: number,
  { clock, value }: Local,
  zone: string,
): Problem {
  const text = `${new Date(wall).toISOString().slice(0, 10)} ${clockText(clock)}`;
  if (found.kind === "gap") {
    const later = new Date(wall + found.shiftMinutes * 60_000).toISOString().slice(0, 16).replace("T", " ");
    const message =
      `"${text}" does not exist in ${zone}: the clocks go forward by ${found.shiftMinutes} minutes then. ` +
      `Choose another time, for example ${later}.`;
    return problem("schedule/nonexistent-time", message, value.at());
  }
  const [first, second] = found.offsets;
  const iso = text.replace(" ", "T");
  const message =
    `"${text}" happens twice in ${zone}: the clocks go back then. ` +
    `Add the offset: ${iso}${first} for the first, ${iso}${second} for the second, in scheduled_at.`;
  return problem("schedule/ambiguous-time", message, value.at());
}

function clockText({ hour, minute, second }: ClockTime): string {
  const parts = second === 0 ? [hour, minute] : [hour, minute, second];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}
