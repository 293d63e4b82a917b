/** Reads `repeat`: plain words such as `weekly until 2027-06-30`, or a rule of iCalendar (RRULE, RFC 5545). Pure. */

import { wallMs } from "../../model/canonical.ts";
import { clipped } from "../../model/text.ts";
import { yesOrNo } from "../../settings/languages/languages.ts";

/** A rule for the days of a series. The end is separate from the rule, because it depends on the row's time. */
export interface RepeatRule {
  /** In the form of iCalendar, without COUNT and UNTIL. */
  readonly rule: string;
  /** How many posts there are at most. */
  readonly count?: number | undefined;
  /** The last time: ms of a local time as if it were UTC, or ms since the epoch. */
  readonly until?: { readonly wall: number } | { readonly utc: number } | undefined;
  /** For plain words that name no day, such as `monthly`: every month or year must have the row's own day. */
  readonly isOnDayOfStart?: true;
}

/** What is wrong with a rule, and what to write. */
export interface RuleFault {
  readonly message: string;
}

/** What the cell of a row that does not repeat may say. */
const NOT_REPEATED = /^(?:none|never|once|false|—)$/i;

export function isRepeated(text: string): boolean {
  return text !== "" && !NOT_REPEATED.test(text) && yesOrNo(text) !== false;
}

const REPEAT_FORMS =
  "Write `daily`, `weekdays`, `weekly`, `every 2 weeks on mon, thu`, `monthly on 1st monday`, `monthly on last day` or `yearly`, perhaps with `until 2027-06-30` or `x 6`. An RRULE such as FREQ=WEEKLY;BYDAY=MO also works.";

const DAY_MS = 86_400_000;

/** Longer than any real rule, in UTF-16 units. */
const MAX_LENGTH = 300;

/**
 * @param text the trimmed cell
 * @param readDay the day that a text means, as ms of its midnight as if it were UTC; undefined if it is not a day
 */
export function readRepeat(
  text: string,
  readDay: (text: string) => number | undefined,
): RepeatRule | RuleFault {
  if (text.length > MAX_LENGTH)
    return { message: `The rule has more than ${MAX_LENGTH} characters. ${REPEAT_FORMS}` };
  return /(?:^|[;:])\s*freq\s*=/i.test(text) ? readRrule(text) : readWords(text, readDay);
}

// Plain words.

const WEEKDAYS: readonly (readonly [code: string, names: RegExp])[] = [
  ["MO", /^mon(?:days?)?$/],
  ["TU", /^tue(?:s|s?days?)?$/],
  ["WE", /^wed(?:s|nesdays?)?$/],
  ["TH", /^thu(?:r|rs|rsdays?)?$/],
  ["FR", /^fri(?:days?)?$/],
  ["SA", /^sat(?:urdays?)?$/],
  ["SU", /^sun(?:days?)?$/],
];
const ORDINALS = ["1st|first", "2nd|second", "3rd|third", "4th|fourth", "5th|fifth", "last"];
const UNITS = { day: "DAILY", week: "WEEKLY", month: "MONTHLY", year: "YEARLY" } as const;
const ADVERBS = { daily: "day", weekly: "week", monthly: "month", yearly: "year", annually: "year" } as const;
const WORKDAYS = "MO,TU,WE,TH,FR";

const END = /^(.*?),?\s+(?:(?:until|till)\s+(.+)|[x×]\s*([1-9]\d{0,3})|([1-9]\d{0,3})\s+times)$/;
const HEAD =
  /^(?:(daily|weekly|monthly|yearly|annually)|every\s+(?:(other|\d{1,3}|2nd|second)\s+)?(day|week|month|year)s?|(?:every\s+)?(weekdays?|weekends?))(?:\s+(?:on\s+)?(.+))?$/;

/** Plain words in their usual form: lower case, with single spaces. */
function tidied(written: string): string {
  return written.toLowerCase().replaceAll(/\s+/g, " ").trim();
}

function readWords(written: string, readDay: (text: string) => number | undefined): RepeatRule | RuleFault {
  const text = tidied(written);
  const [, head = text, untilText, times, counted] = END.exec(text) ?? [];
  const found = readHead(head);
  if (found === undefined)
    return { message: `plancast cannot read "${clipped(written)}" as a rule. ${REPEAT_FORMS}` };
  if ("message" in found) return found;
  if (untilText === undefined) return { ...found, count: countOf(times ?? counted) };
  const day = readDay(untilText);
  if (day === undefined)
    return { message: `"${clipped(untilText)}" is not a day. Write \`until 2027-06-30\`.` };
  return { ...found, until: endOfDay(day) };
}

function endOfDay(day: number): NonNullable<RepeatRule["until"]> {
  return { wall: day + DAY_MS - 1 };
}

/** The rule with its last day in ISO form, for a calendar in which dates may have another order. */
export function repeatText(text: string, readDay: (text: string) => number | undefined): string {
  if (text.length > MAX_LENGTH) return text;
  const [, head, untilText] = END.exec(tidied(text)) ?? [];
  const day = untilText === undefined ? undefined : readDay(untilText);
  return head === undefined || day === undefined
    ? text
    : `${head} until ${new Date(day).toISOString().slice(0, 10)}`;
}

function countOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

function readHead(head: string): RepeatRule | RuleFault | undefined {
  const [, adverb, step, unitWord, group, on] = HEAD.exec(head) ?? [];
  if (group !== undefined)
    return on === undefined
      ? { rule: `FREQ=WEEKLY;BYDAY=${group.startsWith("weekday") ? WORKDAYS : "SA,SU"}` }
      : undefined;
  const unit = unitWord ?? (adverb === undefined ? undefined : wordIn(ADVERBS, adverb));
  const freq = unit === undefined ? undefined : wordIn(UNITS, unit);
  if (freq === undefined) {
    // `every monday`, `every mon and thu`
    const [, list] = /^every\s+(.+)$/.exec(head) ?? [];
    const days = list === undefined ? undefined : weekdaysIn(list);
    return days === undefined ? undefined : { rule: `FREQ=WEEKLY;BYDAY=${days}` };
  }
  const interval = step === undefined ? 1 : /^\d+$/.test(step) ? Number(step) : 2;
  if (interval === 0) return undefined;
  const rule = interval === 1 ? `FREQ=${freq}` : `FREQ=${freq};INTERVAL=${interval}`;
  if (on === undefined) {
    const isOnDay = freq === "MONTHLY" || freq === "YEARLY";
    return { rule, ...(isOnDay ? { isOnDayOfStart: true } : {}) };
  }
  if (freq === "WEEKLY") {
    const days = on.startsWith("weekday") ? WORKDAYS : weekdaysIn(on);
    return days === undefined ? undefined : { rule: `${rule};BYDAY=${days}` };
  }
  return freq === "MONTHLY" ? readMonthly(rule, on) : undefined;
}

function wordIn<Value>(table: Readonly<Record<string, Value>>, word: string): Value | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}

/** `1st monday`, `last friday`, `15th`, `day 15`, `last day`, or several of one kind. */
function readMonthly(rule: string, on: string): RepeatRule | undefined {
  const items = itemsIn(on.replace(/^the\s+/, ""));
  const days = items.map(dayOfMonth);
  if (days.every((day) => day !== undefined)) return { rule: `${rule};BYMONTHDAY=${days.join(",")}` };
  const weekdays = items.map(weekdayOfMonth);
  if (weekdays.every((day) => day !== undefined)) return { rule: `${rule};BYDAY=${weekdays.join(",")}` };
  return undefined;
}

function dayOfMonth(item: string): number | undefined {
  if (/^(?:the )?last day$/.test(item)) return -1;
  const [, digits] = /^(?:the |day )?(\d{1,2})(?:st|nd|rd|th)?$/.exec(item) ?? [];
  const day = Number(digits ?? Number.NaN);
  return day >= 1 && day <= 31 ? day : undefined;
}

function weekdayOfMonth(item: string): string | undefined {
  const [, ordinal = "", name = ""] = /^(?:the )?(\S+) (\S+)$/.exec(item) ?? [];
  const place = ORDINALS.findIndex((each) => each.split("|").includes(ordinal));
  const code = weekdayCode(name);
  if (place === -1 || code === undefined) return undefined;
  return `${ORDINALS[place] === "last" ? -1 : place + 1}${code}`;
}

function weekdaysIn(list: string): string | undefined {
  const codes = itemsIn(list).map(weekdayCode);
  return codes.every((code) => code !== undefined) ? [...new Set(codes)].join(",") : undefined;
}

function weekdayCode(name: string): string | undefined {
  return WEEKDAYS.find(([, names]) => names.test(name))?.[0];
}

function itemsIn(list: string): string[] {
  return list.split(/\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*/).map((item) => item.trim());
}

// iCalendar.

/** Parts that plancast reads, each with its form. The time of day is the row's. */
const PARTS: Readonly<Record<string, RegExp>> = {
  FREQ: /^(?:DAILY|WEEKLY|MONTHLY|YEARLY)$/,
  INTERVAL: /^[1-9]\d{0,2}$/,
  COUNT: /^[1-9]\d{0,3}$/,
  UNTIL: /^\d{8}(?:T\d{6}Z?)?$/,
  WKST: /^(?:MO|TU|WE|TH|FR|SA|SU)$/,
  BYDAY: /^(?:[+-]?[1-5])?(?:MO|TU|WE|TH|FR|SA|SU)(?:,(?:[+-]?[1-5])?(?:MO|TU|WE|TH|FR|SA|SU))*$/,
  BYMONTHDAY: /^-?(?:[1-9]|[12]\d|3[01])(?:,-?(?:[1-9]|[12]\d|3[01]))*$/,
  BYMONTH: /^(?:[1-9]|1[0-2])(?:,(?:[1-9]|1[0-2]))*$/,
  // Two positions may be one day, which the library then gives twice.
  BYSETPOS: /^-?[1-9]\d?$/,
};

/**
 * The parts that a frequency can have, besides the parts of every rule. Tests compare the days of each with a
 * calendar.
 */
const PARTS_OF: Readonly<Record<string, readonly string[]>> = {
  DAILY: [],
  WEEKLY: ["BYDAY"],
  MONTHLY: ["BYDAY", "BYMONTHDAY", "BYSETPOS"],
  YEARLY: ["BYDAY", "BYMONTHDAY", "BYMONTH"],
};
const OF_ALL = ["FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST"];

function readRrule(written: string): RepeatRule | RuleFault {
  const text = written
    .replaceAll(/\s+/g, "")
    .toUpperCase()
    .replace(/^RRULE:/, "")
    .replace(/;$/, "");
  const parts = new Map<string, string>();
  for (const part of text.split(";")) {
    const [name = "", value = "", ...more] = part.split("=");
    const form = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
    if (form === undefined || more.length > 0 || !form.test(value) || parts.has(name))
      return refused(written, `"${clipped(part)}"`);
    parts.set(name, value);
  }
  const freq = parts.get("FREQ") ?? "";
  const allowed = [...OF_ALL, ...(PARTS_OF[freq] ?? [])];
  const other = [...parts.keys()].find((name) => !allowed.includes(name));
  if (other !== undefined) return refused(written, `${other} with FREQ=${freq}`);
  const days = parts.get("BYDAY") ?? "";
  if (/\d/.test(days) && (freq === "WEEKLY" || (freq === "YEARLY" && !parts.has("BYMONTH"))))
    return refused(written, `BYDAY=${days} with FREQ=${freq}`);
  const rule = [...parts].filter(([name]) => name !== "COUNT" && name !== "UNTIL");
  const until = untilOf(parts.get("UNTIL"));
  if (until !== undefined && Number.isNaN(Object.values(until)[0]))
    return refused(written, `"UNTIL=${parts.get("UNTIL") ?? ""}"`);
  const isUnclear =
    (parts.has("COUNT") && parts.has("UNTIL")) ||
    (parts.has("BYSETPOS") && !parts.has("BYDAY")) ||
    (freq === "YEARLY" && days !== "" && !parts.has("BYMONTH"));
  if (isUnclear) return refused(written, "this combination of parts");
  return {
    rule: rule.map(([name, value]) => `${name}=${value}`).join(";"),
    count: countOf(parts.get("COUNT")),
    until,
  };
}

function refused(written: string, what: string): RuleFault {
  const message = `plancast does not support ${what} in the rule "${clipped(written)}". It reads FREQ (DAILY, WEEKLY, MONTHLY, YEARLY), INTERVAL, COUNT or UNTIL, BYDAY (with YEARLY: also BYMONTH), BYMONTHDAY, BYMONTH with YEARLY, BYSETPOS with MONTHLY, and WKST. The time of day is the row's.`;
  return { message };
}

/** NaN for a day or time that does not exist. */
function untilOf(text: string | undefined): RepeatRule["until"] {
  const [, year, month, day, hour, minute, second, zone] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/.exec(text ?? "") ?? [];
  if (year === undefined) return undefined;
  const isDay = hour === undefined;
  const ms = wallMs([year, month, day, hour ?? 0, minute ?? 0, second ?? 0].map(Number)) ?? Number.NaN;
  if (isDay) return endOfDay(ms);
  return zone === "Z" ? { utc: ms } : { wall: ms };
}
