/** The forms in which people write a time of day, as a table. Each form has exactly one meaning. */

/** A time on the 24-hour clock. The result can be a time that does not exist, such as 24:00. */
export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** A time of day, and its offset from UTC in ms if it has one. */
export interface ClockTime extends TimeOfDay {
  readonly offsetMs?: number;
}

interface ClockForm {
  readonly pattern: RegExp;
  readonly read: (parts: readonly (string | undefined)[]) => ClockTime | undefined;
}

const HALF = "(am|pm)";
/** Words that may follow 20:30 in German, Dutch, French, Spanish and English. */
const OCLOCK = "(?:\\s?(?:uhr|uur|hrs?|hs?))?";

/** Patterns are for text in lower case, tidied, with `am` and `pm` without dots. */
const FORMS: readonly ClockForm[] = [
  {
    // 20:30, 20:30:00, 20:30 Uhr
    pattern: new RegExp(`^(\\d{1,2}):(\\d\\d)(?::(\\d\\d)(?:[.,]\\d{1,9})?)?${OCLOCK}$`),
    read: ([hour, minute, second]) => timeOf(hour, minute, second),
  },
  {
    // 8:30 pm, 8:30:00pm, 8.30 pm, 8 pm, 8pm
    pattern: new RegExp(`^(\\d{1,2})(?:[:.](\\d\\d)(?::(\\d\\d))?)?\\s?${HALF}$`),
    read: ([hour, minute, second, half]) => {
      const twelfth = Number(hour);
      if (twelfth < 1 || twelfth > 12) return undefined;
      return timeOf((twelfth % 12) + (half === "pm" ? 12 : 0), minute, second);
    },
  },
  {
    // 20h30, 20 h 30, 20h, 20h30min
    pattern: /^(\d{1,2})\s?h(?:\s?(\d\d)(?:\s?(?:min|mn|m))?)?$/,
    read: ([hour, minute]) => timeOf(hour, minute),
  },
  {
    // 20u30, as in Flanders
    pattern: /^(\d{1,2})\s?u\s?(\d\d)$/,
    read: ([hour, minute]) => timeOf(hour, minute),
  },
  {
    // 20 Uhr, 20.30 Uhr, 20 Uhr 30
    pattern: /^(\d{1,2})(?:\.(\d\d))?\s?(?:uhr|uur)$/,
    read: ([hour, minute]) => timeOf(hour, minute),
  },
  {
    pattern: /^(\d{1,2})\s?uhr\s?(\d\d)$/,
    read: ([hour, minute]) => timeOf(hour, minute),
  },
  {
    pattern: /^(?:12\s)?noon$/,
    read: () => timeOf(12),
  },
];

/** An exact offset in words: `(GMT+1)`, `UTC`, `UTC-03:30`. `GMT` without a number may mean London, even in summer. */
const ZONE_WORD = /\s?\(?(?:utc|(?:utc|gmt)\s?([+-])(\d{1,2})(?::?(\d\d))?)\)?$/;

/** `Z`, `+01:00`, `-0500`, `+01`. */
const OFFSET = /^(.*?)\s?(z|[+-]\d\d(?::?\d\d)?)$/;

/**
 * The time of day in a text, with its offset; undefined if it has no known form.
 * @param text in lower case, tidied
 */
export function clockTime(text: string): ClockTime | undefined {
  const plain = plainTime(text);
  if (plain !== undefined) return plain;
  const [, time, offset] = OFFSET.exec(withOffset(text)) ?? [];
  if (time === undefined || offset === undefined) return undefined;
  const local = plainTime(time);
  const shift = offsetOf(offset);
  return local === undefined || shift === undefined ? undefined : { ...local, offsetMs: shift };
}

/** The text with the offset of a word for a zone in digits. */
function withOffset(text: string): string {
  const [word, ...parts] = ZONE_WORD.exec(text) ?? [];
  if (word === undefined) return text;
  const [sign = "+", hours = "0", minutes = "00"] = parts;
  return `${text.slice(0, -word.length)}${sign}${hours.padStart(2, "0")}:${minutes}`;
}

function plainTime(text: string): ClockTime | undefined {
  const plain = text.replace(/\s?\b([ap])\.\s?m\.?$|(?<=\d)\s?([ap])\.\s?m\.?$/, "$1$2m");
  for (const { pattern, read } of FORMS) {
    const match = pattern.exec(plain);
    if (match !== null) return read(match.slice(1));
  }
  return undefined;
}

function timeOf(hour?: string | number, minute?: string, second?: string): ClockTime {
  return { hour: Number(hour), minute: Number(minute ?? 0), second: Number(second ?? 0) };
}

function offsetOf(text: string): number | undefined {
  if (text === "z") return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(3).replace(":", "") || "0");
  if (hours > 18 || minutes > 59) return undefined;
  return (text.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/** Whether the time exists on a clock. */
export function isOnClock({ hour, minute, second }: TimeOfDay): boolean {
  return hour < 24 && minute < 60 && second < 60;
}

/** Whether a time with an offset may also be a range: `10:00-12:00`, or `9 - 11`. */
export function couldBeSpan(text: string): boolean {
  return /-\d\d(?::?\d\d)?$/.test(text) && !/:\d\d:\d\d/.test(text) && !ZONE_WORD.test(text);
}

/** `09:30`, with seconds if there are any. */
export function clockText({ hour, minute, second }: ClockTime): string {
  const parts = second === 0 ? [hour, minute] : [hour, minute, second];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}
