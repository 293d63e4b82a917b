/** `slots:` of plancast.yaml: the weekly times at which rows without a time are published. */

import { z } from "zod";

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
export const DAY_LIST = `${WORD}(?: ?, ?${WORD})*`;

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
export function weekdaysIn(list: string): readonly number[] {
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
