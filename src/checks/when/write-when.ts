/**
 * Writes another day or time into a cell: in the cell's own form if that form has only numbers, such as `1/3/2036 9:30`
 * or `8:00 pm`; otherwise as ISO. Pure.
 */

import { twoDigits } from "../../model/text.ts";
import type { When } from "./read-when.ts";
import { type ClockTime, type Day, clockText, isoDay, sameDay } from "./written-forms.ts";

interface WhenWriting {
  /** What the cell means. */
  readonly before: When;
  /** What it must mean. It has a day or a time only if the cell has one. */
  readonly after: When;
  /** Reads a cell of this column. */
  readonly read: (cell: string) => When | { readonly code: string };
}

/** The cell with another meaning. Undefined if its column would read neither its form nor ISO as that. */
export function rewriteWhen(cell: string, { before, after, read }: WhenWriting): string | undefined {
  if (isSame(before, after)) return cell;
  return [...inNumbers(cell, before, after), isoText(after)].find((written) => {
    const meaning = read(written);
    return !("code" in meaning) && isSame(meaning, after);
  });
}

function isSame({ day, time }: When, other: When): boolean {
  const hasSameDay =
    day === undefined || other.day === undefined ? day === other.day : sameDay(day, other.day);
  const hasSameTime = (["hour", "minute", "second", "offsetMs"] as const).every(
    (part) => time?.[part] === other.time?.[part],
  );
  return hasSameDay && hasSameTime;
}

/** A day, a time, or both. */
const NUMBERS =
  /^(?:(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4}))?(T|,? |)(?:(\d{1,2})([:.])(\d\d)(:\d\d)?( ?[ap]m)?(Z|[+-]\d\d:?\d\d)?)?$/i;

const ORDERS = [
  ["year", "month", "day"],
  ["day", "month", "year"],
  ["month", "day", "year"],
] as const satisfies (keyof Day)[][];

/** The ways to write it in the form of the cell. Only reading the cell shows which of them is right. */
function inNumbers(cell: string, before: When, after: When): readonly string[] {
  const text = cell.trim();
  const [start = "", end = ""] = text === "" ? [] : cell.split(text);
  const match = NUMBERS.exec(text);
  if (match === null) return [];
  const [, one, mark = "", two = "", three = "", gap = ""] = match;
  const [hour, colon = "", , second, half, offset] = match.slice(6);
  const [from, to] = [before.day, after.day];
  if ((one === undefined) !== (to === undefined) || (hour === undefined) !== (after.time === undefined))
    return [];
  const parts = [one ?? "", two, three];
  const days =
    from === undefined || to === undefined
      ? [""]
      : ORDERS.filter((order) => order.every((part, at) => isPart(parts[at] ?? "", from, part))).map(
          (order) => order.map((part, at) => partText(parts[at] ?? "", to, part, parts)).join(mark),
        );
  const time = after.time === undefined ? "" : likeClock(after.time, { hour, colon, second, half, offset });
  return days.map((day) => start + day + gap + time + end);
}

function isPart(text: string, day: Day, part: keyof Day): boolean {
  if (part === "year" && text.length === 2) return Number(text) === day.year % 100;
  return text.length <= (part === "year" ? 4 : 2) && Number(text) === day[part];
}

/** With a leading zero, unless the cell shows that it has none. */
function partText(own: string, day: Day, part: keyof Day, all: readonly string[]): string {
  if (part === "year") return String(day.year).slice(-own.length);
  return all.some((each) => each.length === 1) ? String(day[part]) : twoDigits(day[part]);
}

type WrittenClock = Readonly<Record<"hour" | "colon" | "second" | "half" | "offset", string | undefined>>;

function likeClock(time: ClockTime, { hour = "", colon = "", second, half, offset }: WrittenClock): string {
  const shown = half === undefined ? time.hour : time.hour % 12 || 12;
  const hasZeros = hour.startsWith("0") || (half === undefined && hour.length > 1);
  const seconds = second === undefined && time.second === 0 ? "" : `:${twoDigits(time.second)}`;
  return [
    hasZeros ? twoDigits(shown) : String(shown),
    colon,
    twoDigits(time.minute),
    seconds,
    half?.replace(/[ap]/i, (letter) => likeCase(letter, time.hour < 12 ? "a" : "p")),
    offset === undefined || time.offsetMs === undefined ? "" : offsetText(time.offsetMs, offset),
  ].join("");
}

function likeCase(letter: string, text: string): string {
  return letter === letter.toUpperCase() ? text.toUpperCase() : text;
}

function offsetText(offsetMs: number, like = "+00:00"): string {
  if (offsetMs === 0 && like.toUpperCase() === "Z") return like;
  const minutes = Math.abs(offsetMs) / 60_000;
  const colon = /^[+-]\d{4}$/.test(like) ? "" : ":";
  return (offsetMs < 0 ? "-" : "+") + twoDigits(Math.floor(minutes / 60)) + colon + twoDigits(minutes % 60);
}

/** `2036-03-01`, `09:30`, `2036-03-01 09:30` or `2036-03-01T09:30+01:00`. */
function isoText({ day, time }: When): string {
  const offset = time?.offsetMs === undefined ? "" : offsetText(time.offsetMs);
  const parts = [
    ...(day === undefined ? [] : [isoDay(day)]),
    ...(time === undefined ? [] : [clockText(time) + offset]),
  ];
  return parts.join(offset === "" ? " " : "T");
}
