/**
 * When a row's post expires: from then on, it must not be published. The cell has a date, a date with a time, or a
 * duration after the post's own time. Pure.
 */

import { wallMs } from "../model/canonical.ts";
import { durationOf } from "../model/clock.ts";
import { type Problem, problem } from "../model/problem.ts";
import type { Assumed } from "../model/row.ts";
import { expiresTooEarlyText } from "../problems/plan-texts.ts";
import type { RowView, Value } from "./row-view.ts";
import { type DateOrders, type DueProblem, readValue, toInstant, zoneOf } from "./schedule.ts";
import { endOfDay, findZone, localText, timeInZone } from "./when/local-time.ts";
import { readWhen } from "./when/read-when.ts";

interface Expiry {
  /** Since the epoch. */
  readonly ms: number;
  /** `span`: after the post's time. `day`: the end of that day. `time`: in the row's zone. `exact`: with an offset. */
  readonly form: "span" | "day" | "time" | "exact";
  /** The order of its date, if nobody says it. */
  readonly assumed: readonly Assumed[];
}

/** People write 31 December 9999 for never, and a UTC time has a year of four digits. */
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59);

/**
 * When a row expires; undefined if it says nothing.
 * @param dueMs when it is due, since the epoch; undefined if it takes a slot
 */
export function readExpiry(
  row: RowView,
  orders: DateOrders,
  dueMs: number | undefined,
): Expiry | { readonly problems: readonly Problem[] } | undefined {
  const value = row.value("expires");
  if (value === undefined) return undefined;
  const span = spanOf(value);
  const read = span === undefined ? readTime(value, row, orders) : afterDue(span, value, row, dueMs);
  if ("problem" in read) return { problems: [read.problem] };
  // Times are sent without fractions of a second.
  const ms = Math.floor(Math.min(read.ms, LATEST_MS) / 1000) * 1000;
  if (dueMs === undefined || ms > dueMs) return { ...read, ms };
  const zone = row.value("timezone")?.text ?? "UTC";
  const message = expiresTooEarlyText(`is due ${shown(dueMs, zone)}`, shown(ms, zone));
  return { problems: [problem("row/expires-too-early", message, value.at())] };
}

function shown(ms: number, zone: string): string {
  return timeInZone(new Date(ms).toISOString(), zone);
}

/** Ms of a duration, such as `2h` or `+3 d`. */
function spanOf({ text }: Value): number | undefined {
  return durationOf(text.toLowerCase().replaceAll(/^\+|\s/g, ""));
}

function afterDue(span: number, value: Value, row: RowView, dueMs: number | undefined): Expiry | DueProblem {
  const { text } = value;
  if (dueMs === undefined) {
    const message = `"${text}" counts from the time of the row, but the row takes a slot. Write a date, such as 2027-03-01.`;
    return unclear(message, value);
  }
  if (!text.startsWith("+") && couldBeClock(text, row, dueMs)) {
    const message = `"${text}" could be a time of day or a duration. Write +${text} for the duration, or a date and a time.`;
    return unclear(message, value);
  }
  return { ms: dueMs + span, form: "span", assumed: [] };
}

/** `18h` may be six in the evening. It cannot be if the post is due later than that. */
function couldBeClock(text: string, row: RowView, dueMs: number): boolean {
  const when = readWhen(text, undefined);
  if ("code" in when || when.time === undefined) return false;
  const zone = findZone(row.value("timezone")?.text ?? "UTC");
  const { hour, minute } = when.time;
  const clock = [hour, minute].map((part) => String(part).padStart(2, "0")).join(":");
  return (
    zone === undefined ||
    clock > localText(zone, dueMs).slice("2027-03-01 ".length, "2027-03-01 09:30".length)
  );
}

const OR_DURATION = " You can also write a duration after the time of the row, such as 3d.";

function readTime(value: Value, row: RowView, orders: DateOrders): Expiry | DueProblem {
  const said = readValue("scheduled_at", value, orders);
  if ("problem" in said) {
    const { code, message } = said.problem;
    return code === "schedule/format"
      ? { problem: { ...said.problem, message: message + OR_DURATION } }
      : said;
  }
  const { day, time, order } = said;
  const assumed = order === undefined ? [] : [order];
  if (day === undefined)
    return unclear(
      `"${value.text}" has no date. Write a date, such as 2027-03-01 or 2027-03-01 18:00.`,
      value,
    );
  if (time === undefined) {
    const zone = zoneOf(value, row);
    if ("problem" in zone) return zone;
    const midnight = wallMs([day.year, day.month, day.day]) ?? Number.NaN;
    return { ms: endOfDay(zone, midnight), form: "day", assumed };
  }
  const found = toInstant({ day, clock: time, value, exactField: "expires" }, row);
  if ("problem" in found) return found;
  return { ms: found.ms, form: time.offsetMs === undefined ? "time" : "exact", assumed };
}

function unclear(message: string, value: Value): DueProblem {
  return { problem: problem("row/expires-unclear", message, value.at()) };
}
