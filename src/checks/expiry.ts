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
import { type DateOrders, hasNoZone, readWhenCell, toInstant, zoneOf } from "./schedule.ts";
import { clockText } from "./when/written-forms.ts";
import { endOfDay, localText, timeInZone } from "./when/local-time.ts";
import { readWhen } from "./when/read-when.ts";

interface Expiry {
  /** `span`: after the post's time. `day`: the end of that day. `time`: in the row's zone. `exact`: with an offset. */
  readonly form: "never" | "span" | "day" | "time" | "exact";
  /** Since the epoch. Absent for never, and for a row that takes a slot and has a duration. */
  readonly ms?: number;
  /** That duration, in ms. */
  readonly lastsMs?: number;
  /** The order of its date, if nobody says it. */
  readonly assumed: readonly Assumed[];
}

export const NEVER_EXPIRES: Expiry = { form: "never", assumed: [] };

type Faulty = { readonly problems: readonly Problem[] };

/** People write 31 December 9999 for never, and a UTC time has a year of four digits. */
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59);
const SECOND_MS = 1_000;
/** Longest duration, a thousand years. */
const LONGEST_MS = 365_250 * 86_400_000;

/**
 * When a row expires.
 * @param dueMs when it is due, since the epoch; undefined if it takes a slot
 */
export function readExpiry(row: RowView, orders: DateOrders, dueMs: number | undefined): Expiry | Faulty {
  const value = row.values.expires;
  if (value === undefined) return NEVER_EXPIRES;
  const span = spanOf(value);
  if (span !== undefined && couldBeClock(value, row, dueMs)) return unclear(clockOrSpan(value), value);
  if (span !== undefined && dueMs === undefined)
    return { form: "span", lastsMs: Math.max(span, SECOND_MS), assumed: [] };
  const read =
    span === undefined
      ? readTime(value, row, orders)
      : { ms: (dueMs ?? 0) + span, form: "span" as const, assumed: [] };
  if ("problems" in read) return read;
  const ms = Math.min(wholeSeconds(read.ms), LATEST_MS);
  if (dueMs === undefined || ms > dueMs) return { ...read, ms };
  const zone = row.timezone?.text ?? "UTC";
  const repeats = row.row.occurrence !== undefined;
  const message = expiresTooEarlyText(`is due ${shown(dueMs, zone)}`, shown(ms, zone), repeats);
  return { problems: [problem("row/expires", message, value.at())] };
}

/** The date or time at which all posts of a row that repeats expire, in ms since the epoch. Undefined without one. */
export function commonExpiry(row: RowView, orders: DateOrders): number | undefined {
  const value = row.values.expires;
  if (value === undefined || spanOf(value) !== undefined) return undefined;
  const read = readTime(value, row, orders);
  return "problems" in read ? undefined : Math.min(wholeSeconds(read.ms), LATEST_MS);
}

/** Times are sent without fractions of a second. */
function wholeSeconds(ms: number): number {
  return Math.floor(ms / SECOND_MS) * SECOND_MS;
}

function shown(ms: number, zone: string): string {
  return timeInZone(new Date(ms).toISOString(), zone);
}

/** Ms of a duration, such as `2h` or `+3 d`. */
function spanOf({ text }: Value): number | undefined {
  const span = durationOf(text.toLowerCase().replaceAll(/^\+|\s/g, ""));
  return span === undefined ? undefined : Math.min(wholeSeconds(span), LONGEST_MS);
}

function clockOrSpan({ text }: Value): string {
  return `"${text}" could be a time of day or a duration. Write +${text} for the duration, or a date and a time.`;
}

/** `18h` may be six in the evening, unless the post is due later than that. */
function couldBeClock({ text }: Value, row: RowView, dueMs: number | undefined): boolean {
  const when = text.startsWith("+") ? {} : readWhen(text, undefined);
  if ("code" in when || when.time === undefined) return false;
  if (row.zone === undefined || dueMs === undefined) return true;
  const dueClock = localText(row.zone, dueMs).slice("2027-03-01 ".length, "2027-03-01 09:30".length);
  return clockText({ ...when.time, second: 0 }) > dueClock;
}

const OR_DURATION = " You can also write a duration after the time of the row, such as 3d.";

type TimedExpiry = Expiry & { readonly ms: number };

function readTime(value: Value, row: RowView, orders: DateOrders): TimedExpiry | Faulty {
  const said = readWhenCell("scheduled_at", value, orders);
  if ("problem" in said) {
    const { problem: found } = said;
    const more = found.code === "schedule/format" ? OR_DURATION : "";
    return { problems: [{ ...found, message: found.message + more }] };
  }
  const { day, time, order } = said;
  const assumed = order === undefined ? [] : [order];
  if (day === undefined) {
    const message = `"${value.text}" has no date. Write a date, such as 2027-03-01 or 2027-03-01 18:00.`;
    return unclear(message, value);
  }
  if (time === undefined) {
    const zone = zoneOf(row, hasNoZone(value), () => value.at());
    if ("problem" in zone) return { problems: [zone.problem] };
    const midnight = wallMs([day.year, day.month, day.day]) ?? Number.NaN;
    return { ms: endOfDay(zone, midnight), form: "day", assumed };
  }
  const found = toInstant({ day, clock: time, value, exactField: "expires" }, row);
  if ("problem" in found) return { problems: [found.problem] };
  return { ms: found.ms, form: time.offsetMs === undefined ? "time" : "exact", assumed };
}

function unclear(message: string, value: Value): Faulty {
  return { problems: [problem("row/expires", message, value.at())] };
}
