/** `quiet_hours:` of plancast.yaml: times of day at which nothing should be published. */

import { z } from "zod";
import { DAY_LIST, weekdaysIn } from "./slot-settings.ts";

const clock = (what: string) =>
  z
    .string()
    .regex(/^(?:[01]?\d|2[0-3]):[0-5]\d$/, "a time in the 24-hour clock, such as 22:00")
    .describe(what);

const span = z.strictObject({
  from: clock("The minute at which the quiet hours begin, in the time zone of the row."),
  to: clock(
    "The minute at which the quiet hours end. If it is earlier than `from`, or the same, they end on the next day.",
  ),
  days: z
    .string()
    .regex(new RegExp(`^${DAY_LIST}$`), "days such as `sat,sun` or `weekends`")
    .optional()
    .describe("Days on which the quiet hours begin, such as `sat,sun` or `weekends`. Default: daily."),
  networks: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe("Networks to which these quiet hours apply. Default: all."),
});

export const quietHoursSchema = z
  .union([span, z.array(span).min(1)])
  .optional()
  .describe(
    'Hours in which no post should be published, such as `{ from: "22:00", to: "07:00" }`, or a list of these. Slots skip them. If a post is due in them anyway, the rule `row/quiet-hours` reports it.',
  );

/** Quiet hours in minutes after midnight. */
export interface QuietSpan {
  readonly from: number;
  /** Larger than 1440 if they end on the next day. */
  readonly to: number;
  /** Weekdays on which they begin: 1 is Monday. */
  readonly days: ReadonlySet<number>;
  /** Absent for all networks. */
  readonly networks?: readonly string[];
  /** The hours as people write them: `22:00–07:00`. */
  readonly text: string;
}

const DAY_MINUTES = 1_440;

/** @param given in the form of the schema */
export function quietSpans(given: z.infer<typeof quietHoursSchema>): readonly QuietSpan[] {
  const spans = given === undefined ? [] : Array.isArray(given) ? given : [given];
  return spans.map(({ from, to, days = "daily", networks }) => {
    const [start, end] = [minutesOf(from), minutesOf(to)];
    return {
      from: start,
      to: end > start ? end : end + DAY_MINUTES,
      days: new Set(weekdaysIn(days)),
      ...(networks === undefined ? {} : { networks }),
      text: `${from}–${to}`,
    };
  });
}

function minutesOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return hour * 60 + minute;
}
