/** Short texts for the date and time of a cell, for use in tests. */

import { readWhen } from "../../../src/checks/when/read-when.ts";
import type { DateOrder } from "../../../src/model/fields.ts";

/** `2027-03-01 09:30:00 +60` (offset in minutes), a part of it, or the code (or message) of the problem. */
export function whenText(text: string, order?: DateOrder, why: "code" | "message" = "code"): string {
  const when = readWhen(text, order);
  if ("code" in when) return when[why];
  const { day, time } = when;
  const parts = [
    ...(day === undefined ? [] : [`${day.year}-${two(day.month)}-${two(day.day)}`]),
    ...(time === undefined ? [] : [[time.hour, time.minute, time.second].map(two).join(":")]),
  ];
  if (time?.offsetMs !== undefined) parts.push(`${time.offsetMs < 0 ? "" : "+"}${time.offsetMs / 60_000}`);
  return parts.join(" ");
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
