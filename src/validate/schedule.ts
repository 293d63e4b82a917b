/** When a row is due: from its cells, the defaults and the zones, or a problem that says why that cannot be told. */
import { isoInstant, wallMs } from "../calendar/canonical.ts";
import { problem, type Problem } from "../calendar/problem.ts";
import type { RowView, Value } from "./row-view.ts";
import { findZone, suggestZone } from "../calendar/zone.ts";
import { localInstant } from "./local-time.ts";

const LOCAL = /^(\d{4})-(\d{1,2})-(\d{1,2})[T ](\d{1,2}):(\d\d)(?::(\d\d))?$/;
const DATE = /^\d{4}-\d{1,2}-\d{1,2}$/;
const TIME = /^\d{1,2}:\d\d(:\d\d)?$/;

const FORMS =
  "Write 2027-03-01 09:30 (a local time), or 2027-03-01T08:30:00Z or 2027-03-01T09:30:00+01:00 (an exact one).";

type Due = { readonly ms: number } | { readonly problem: Problem };

/** The row's instant in ms since the epoch, or the problem with it. */
export function dueTime(row: RowView): Due {
  const whole = row.own("scheduled_at");
  const date = row.own("date");
  const time = row.own("time");
  if (whole !== undefined) {
    const other = date ?? time;
    return other === undefined ? wholeTime(whole, row) : conflict(other);
  }
  if (date === undefined) {
    return time === undefined
      ? { problem: problem("row/missing-field", `The row has no time. ${FORMS}`, row.at("scheduled_at")) }
      : {
          problem: problem(
            "schedule/incomplete",
            "There is a time but no date. Fill in the date.",
            time.at(),
          ),
        };
  }
  return dateAndTime(date, time ?? row.value("time"), row);
}

function conflict(other: Value): Due {
  const message = "The row gives its time twice: in scheduled_at, and in date and time. Keep one of them.";
  return { problem: problem("schedule/conflict", message, other.at()) };
}

function wholeTime(value: Value, row: RowView): Due {
  const exact = isoInstant(value.text, undefined);
  if (exact !== undefined) return { ms: exact };
  if (LOCAL.test(value.text)) return localTime(value.text, value, row);
  if (DATE.test(value.text)) {
    const message = `"${value.text}" has no time of day. ${FORMS}`;
    return { problem: problem("schedule/incomplete", message, value.at()) };
  }
  return unreadable(value);
}

function dateAndTime(date: Value, time: Value | undefined, row: RowView): Due {
  if (!DATE.test(date.text)) {
    const message = `"${date.text}" is not a date that plancast reads. Write it as 2027-03-01.`;
    return { problem: problem("schedule/format", message, date.at()) };
  }
  if (time === undefined) {
    const message = 'There is a date but no time. Fill in the time, or set `defaults: { time: "09:00" }`.';
    return { problem: problem("schedule/incomplete", message, date.at()) };
  }
  if (!TIME.test(time.text)) {
    const message = `"${time.text}" is not a time that plancast reads. Write it as 09:30, by the 24-hour clock.`;
    return { problem: problem("schedule/format", message, time.at()) };
  }
  return localTime(`${date.text} ${time.text}`, date, row);
}

function unreadable(value: Value): Due {
  const message = `"${value.text}" is not a time that plancast reads. ${FORMS}`;
  return { problem: problem("schedule/format", message, value.at()) };
}

function localTime(text: string, value: Value, row: RowView): Due {
  const [, ...parts] = LOCAL.exec(text) ?? [];
  const wall = wallMs(parts.map((part) => Number(part ?? "0")));
  if (wall === undefined) {
    const message = `"${text}" does not exist: there is no such day or time of day.`;
    return { problem: problem("schedule/format", message, value.at()) };
  }
  const name = row.value("timezone");
  if (name === undefined) {
    const message = `"${text}" could be any time zone's. Set \`timezone:\` in the project file, for example Europe/Paris.`;
    return { problem: problem("schedule/no-timezone", message, value.at()) };
  }
  const zone = findZone(name.text);
  if (zone === undefined) return { problem: unknownZone(name.text, name.at()) };
  return inZone(text, wall, value, name.text, localInstant(zone, wall));
}

/** The problem with a name that is no zone, with the nearest zone. */
function unknownZone(name: string, at: Problem | ReturnType<Value["at"]>): Problem {
  const near = suggestZone(name);
  const hint = near === undefined ? "Use an IANA name such as Europe/Paris." : `Did you mean ${near}?`;
  return problem(
    "schedule/unknown-timezone",
    `"${name}" is not a time zone that plancast knows. ${hint}`,
    at,
  );
}

function inZone(
  text: string,
  wall: number,
  value: Value,
  zone: string,
  local: ReturnType<typeof localInstant>,
): Due {
  switch (local.kind) {
    case "instant":
      return { ms: local.ms };
    case "gap": {
      const later = new Date(wall + local.shiftMinutes * 60_000).toISOString().slice(0, 16).replace("T", " ");
      const message =
        `"${text}" does not exist in ${zone}: the clocks go forward by ${local.shiftMinutes} minutes then. ` +
        `Choose another time, for example ${later}.`;
      return { problem: problem("schedule/nonexistent-time", message, value.at()) };
    }
    case "twice": {
      const [first, second] = local.offsets;
      const iso = text.replace(" ", "T");
      const message =
        `"${text}" happens twice in ${zone}: the clocks go back then. ` +
        `Add the offset: ${iso}${first} for the first, ${iso}${second} for the second, in scheduled_at.`;
      return { problem: problem("schedule/ambiguous-time", message, value.at()) };
    }
  }
}
