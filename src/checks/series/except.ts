/** Reads `except`: single days of a series that are left out or moved. Pure. */

import { clipped } from "../../model/text.ts";
import { type ClockTime, clockText } from "../when/clock-forms.ts";
import { isoDay } from "../when/day-forms.ts";
import type { When } from "../when/read-when.ts";

/** An exception. Days are `2027-12-24`. */
export interface Exception {
  readonly day: string;
  /** Where the post goes. Absent if it is left out. */
  readonly to?: { readonly day: string; readonly time?: ClockTime };
  /** The text as written, for messages. */
  readonly text: string;
  /** Index of the item in a list. */
  readonly item: number;
}

export interface ExceptFault {
  readonly message: string;
  readonly item: number;
}

/** Reads a date, perhaps with a time, as in the row's own cells. */
export type ReadWhen = (text: string) => When | { readonly code: string; readonly message: string };

const MOVE = "To move a post, write 2027-12-24 -> 2027-12-27.";
const FORMS = "Write 2027-12-24 to leave out a post, or 2027-12-24 -> 2027-12-27 10:00 to move it.";

/** More are a mistake. */
const MAX_EXCEPTIONS = 1_000;

/** Between two exceptions: not the comma in `Dec 24, 2027`. */
const SEPARATOR = /[\n;]|,(?!\s*\d{4}(?![-/.\d]))/;

/** @param items the cell, or the items of a list */
export function readExceptions(
  items: readonly string[],
  read: ReadWhen,
): { readonly exceptions: readonly Exception[]; readonly faults: readonly ExceptFault[] } {
  const written = items.flatMap((text, item) =>
    text.split(SEPARATOR).flatMap((part) => (part.trim() === "" ? [] : [{ text: part.trim(), item }])),
  );
  if (written.length > MAX_EXCEPTIONS) {
    const message = `The row has ${written.length} exceptions, but at most ${MAX_EXCEPTIONS} are allowed. End the series, and begin a new one.`;
    return { exceptions: [], faults: [{ message, item: 0 }] };
  }
  const exceptions = new Map<string, Exception>();
  const faults: ExceptFault[] = [];
  for (const { text, item } of written) {
    const found = readOne(text, item, read);
    if ("message" in found) faults.push(found);
    else if (exceptions.has(found.day)) {
      const message = `The exceptions name ${found.day} twice. Keep one of them.`;
      faults.push({ message, item });
    } else exceptions.set(found.day, found);
  }
  return { exceptions: [...exceptions.values()], faults };
}

function readOne(text: string, item: number, read: ReadWhen): Exception | ExceptFault {
  const [from = "", to, ...more] = text.split(/[-–—=]?>|→/).map((part) => part.trim());
  const shown = clipped(text);
  const fault = (why: string): ExceptFault => ({ message: `"${shown}" ${why}`, item });
  if (more.length > 0) return fault(`is not an exception. ${FORMS}`);
  const [day, target] = [read(from), to === undefined ? undefined : read(to)];
  for (const each of [day, target])
    if (each !== undefined && "code" in each)
      return { message: to === undefined ? `${each.message} ${MOVE}` : each.message, item };
  if (!("day" in day) || day.day === undefined || !isMidnight(day.time))
    return fault(`must begin with a day without a time. ${FORMS}`);
  const found = { day: isoDay(day.day), text: shown, item };
  if (target === undefined) return found;
  if (!("day" in target) || target.day === undefined || target.time?.offsetMs !== undefined)
    return fault(`must name the new day, perhaps with a local time. ${FORMS}`);
  const { time } = target;
  return { ...found, to: { day: isoDay(target.day), ...(time === undefined ? {} : { time }) } };
}

/** Spreadsheets add midnight to days. */
function isMidnight(time: ClockTime | undefined): boolean {
  return time === undefined || (time.offsetMs === undefined && time.hour + time.minute + time.second === 0);
}

/** The exceptions in their usual form, for a calendar in which dates may have another order. */
export function exceptionsText(exceptions: readonly Exception[]): string {
  return exceptions
    .map(({ day, to }) =>
      to === undefined ? day : `${day} -> ${to.day}${to.time === undefined ? "" : ` ${clockText(to.time)}`}`,
    )
    .join(", ");
}
