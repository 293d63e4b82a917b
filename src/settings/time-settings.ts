/**
 * The settings for times in plancast.yaml. `slots:` are the weekly times at which rows without a time are published, and in
 * `quiet_hours:` nothing should be. `series:` says how far ahead rows that repeat are planned.
 */

import { z } from "zod";
import { durationMs } from "../model/clock.ts";
import { durationSchema } from "./limits.ts";

const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

/** Weekdays by the words that people write: 1 is Monday. */
const DAY_WORDS: ReadonlyMap<string, readonly number[]> = new Map<string, readonly number[]>([
  ...WEEKDAYS.map((word, index) => [word, [index + 1]] as const),
  ["weekdays", [1, 2, 3, 4, 5]],
  ["weekends", [6, 7]],
  ["daily", [1, 2, 3, 4, 5, 6, 7]],
]);

/** `mon`, `Mon`. Not the flag `i`, which JSON Schema does not have. */
const WORD = `(?:${[...DAY_WORDS.keys()].map((word) => `[${word.charAt(0).toUpperCase()}${word.charAt(0)}]${word.slice(1)}`).join("|")})`;

/** The source of a pattern for days, such as `mon,wed`. */
const DAY_LIST = `${WORD}(?: ?, ?${WORD})*`;

const SLOT = new RegExp(String.raw`^(${DAY_LIST}) +((?:[01]?\d|2[0-3]):[0-5]\d)$`);

const slot = z
  .string()
  .regex(
    SLOT,
    "days and a time, such as `mon,wed 09:30`. The days are mon, tue, wed, thu, fri, sat, sun, weekdays, weekends and daily",
  );

/** The key for networks without slots of their own. */
export const DEFAULT_SLOTS = "default";

export const slotsSchema = z
  .record(z.string(), z.array(slot).min(1))
  .optional()
  .describe(
    'Weekly times for rows without a time, by network: `linkedin: ["mon,wed 09:30"]`. `default` is for all other networks. Each row takes the next free one, in its own time zone.',
  );

export type SlotSettings = NonNullable<z.infer<typeof slotsSchema>>;

/** The weekdays of a list such as `mon,wed` or `weekends`: 1 is Monday. */
function weekdaysIn(list: string): readonly number[] {
  return list.split(",").flatMap((word) => DAY_WORDS.get(word.trim().toLowerCase()) ?? []);
}

/** Times of day of each weekday (1 is Monday), in minutes after midnight, sorted. */
export type WeekSlots = ReadonlyMap<number, readonly number[]>;

/** The times of one network. @param written in the form of the schema */
export function weekSlots(written: readonly string[]): WeekSlots {
  const week = new Map<number, Set<number>>();
  for (const text of written) {
    const [, days = "", time = ""] = SLOT.exec(text) ?? [];
    const [hour = 0, minute = 0] = time.split(":").map(Number);
    for (const day of weekdaysIn(days)) week.set(day, (week.get(day) ?? new Set()).add(hour * 60 + minute));
  }
  return new Map([...week].map(([day, minutes]) => [day, [...minutes].sort((one, other) => one - other)]));
}

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

const DAY_MS = 86_400_000;
/** Services refuse posts that are further ahead. */
const MAX_DAYS = 400;

export const seriesSchema = z.strictObject({
  ahead: durationSchema
    .refine(isUsable, `between 1d and ${MAX_DAYS}d`)
    .default("60d")
    .describe(`How far ahead plancast plans the posts of rows that repeat: between 1d and ${MAX_DAYS}d.`),
  language: z
    .string()
    .refine(isLanguage, "the tag of a language, such as en-GB, en-US or fr")
    .default("en-GB")
    .describe("Language of `{date}` in the texts of rows that repeat, as a tag such as en-US or fr."),
});

function isUsable(text: string): boolean {
  const ms = durationMs(text);
  return ms >= DAY_MS && ms <= MAX_DAYS * DAY_MS;
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf([tag]).length === 1;
  } catch {
    return false;
  }
}
