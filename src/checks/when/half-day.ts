/**
 * Finds times of day that may lack am or pm. Many teams write `9:00`, `12:30`, `3:00` for a day from morning to
 * afternoon, and plancast reads `3:00` as three at night.
 */

import { type Problem, problem } from "../../model/problem.ts";
import type { RawRow } from "../../model/row.ts";
import { rowsText } from "../../model/text.ts";

/** The time at the end of a cell, with nothing that says its half of the day. */
const PLAIN_TIME = /(?:^|[\sT])(\d{1,2})[:.](\d\d)(?::\d\d)?\s*$/;

interface TimedRow {
  readonly row: RawRow;
  readonly field: "scheduled_at" | "time";
  readonly hour: string;
  readonly minute: string;
}

/**
 * One warning for a calendar with times at night, and with others in the morning, but none after 12:59. A zero in front
 * is a sign of the 24-hour clock, except in a workbook, which writes all times so.
 */
export function halfDayProblems(rows: readonly RawRow[]): Problem[] {
  const timed: TimedRow[] = [];
  for (const row of rows) {
    const field = row.cells.time === undefined ? "scheduled_at" : "time";
    const cell = row.cells[field];
    if (typeof cell !== "string" || !cell.includes(":")) continue;
    const [, hour, minute = ""] = PLAIN_TIME.exec(cell) ?? [];
    const isOnDay = hour !== undefined && Number(hour) <= 12;
    const isClear = hour?.startsWith("0") === true && row.at(field).cell === undefined;
    if (!isOnDay || isClear) return [];
    timed.push({ row, field, hour, minute });
  }
  const atNight = timed.filter(({ hour }) => Number(hour) >= 1 && Number(hour) <= 5);
  const [first] = atNight;
  if (first === undefined || !timed.some(({ hour }) => Number(hour) >= 7)) return [];
  const { row, field, hour, minute } = first;
  const message =
    `plancast reads ${hour}:${minute} as a time at night (${rowsText(atNight.length)} with times from 1:00 to 5:59), because nothing says "pm". ` +
    `If you mean the afternoon, write ${Number(hour) + 12}:${minute} or ${Number(hour)}:${minute} pm.`;
  return [problem("schedule/half-day", message, row.at(field))];
}
