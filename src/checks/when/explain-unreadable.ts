/** Explains why a text is not a time to publish, for common mistakes. */

import { monthNamed, weekdayNamed } from "./day-forms.ts";

const DATE_FORM = "Write it as 2027-03-01.";
const WHOLE_FORM = "Write 2027-03-01 09:30.";

const NO_DATE_YET =
  /^(?:tbd|tbc|tba|n\/?a|none|pending|x+|à définir|offen|por definir|a definir|da definire|nnb)[.?!]*$|^[?\-–—.][?\-–—.!]*$/;
const RELATIVE_DAY = /^[td]\s?[+-]\s?\d/;
const NO_FIXED_DAY =
  /(?<!\p{L})(?:now|asap|today|tomorrow|tonight|next|every|daily|weekly|monthly|queue|aujourd'hui|demain|heute|morgen|hoy|mañana|oggi|domani|hoje|amanhã|vandaag)(?!\p{L})/u;
const SERIAL_DAY = /^\d{5}(?:[.,]\d+)?$/;
const SERIAL_TIME = /^0?[.,]\d+$/;
const EPOCH = /^\d{10}(?:\d{3})?$/;
const BARE_NUMBER = /^\d{3,4}$/;
const WEEK_OR_QUARTER = /^(?:kw|cw|wk?|week|woche|semaine|semana|settimana)\.?\s?\d|^\d{4}-?w\d|^q[1-4]\b/;
const DOTTED = /^\d{1,2}\.\d\d$/;
const NUMBERS_WITHOUT_DAY = /^\d{1,2}[-/.]\d{4}$|^\d{4}[-/.]\d{1,2}$/;
const NUMBERS_WITHOUT_YEAR = /^\d{1,2}[-/.]\d{1,2}\.?$/;
const MONTH_WITHOUT_DAY = /^(\p{L}+)\.?,?\s?(?:de\s)?\d{4}$|^\d{4}\s(\p{L}+)$|^(\p{L}+)$/u;
const DAY_BEFORE_MONTH = /^(?:\p{L}+\.?,?\s)?\d{1,2}\p{L}{0,2}\.?\s?(?:of\s|de\s)?(\p{L}+)\.?$/u;
const DAY_AFTER_MONTH = /^(?:\p{L}+\.?,?\s)?(\p{L}+)\.?\s?\d{1,2}(?:st|nd|rd|th|\.)?$/u;
/** 8–14 June, Jun 8-14, 8 to 14 June, 10:00 - 12:00, 9am-11am, 5.1.2027-7.1.2027 */
const SPANS: readonly RegExp[] = [
  /\d\s?(?:am|pm)?(?:\s?[–—]|\s-)\s?\p{L}*\.?\s?\d/u,
  /\d\s(?:to|until|till|bis|au|al|hasta|até|tot|t\/m)\s/,
  /^\p{L}+\.?\s?\d{1,2}-\d{1,2}\b|^\d{1,2}-\d{1,2}\.?\s?\p{L}/u,
  /\d(?::\d\d)?\s?(?:am|pm|h|uhr)?-\d{1,2}(?::\d\d)?\s?(?:am|pm|h|uhr)?$/,
  /\d\D{0,40}(?:→|->)\s?\D{0,40}\d/,
  /^[^/]*\/[^-]*-[^/]*\/|\d{4}\s?-\s?\d{1,2}[./]/,
];
const CLOCK_SOMEWHERE = /\d(?::\d\d|\s?[ap]\.?m)/;
const ENDS_IN_WORDS =
  /[\s\d(](?:[a-z]{2,5}|[a-z]+\/[a-z_]+|(?:utc|gmt)\s?[+-]\s?\d+(?::\d\d)?|[a-z]+ time)\)?$/;

/** The first match counts. */
const REASONS: readonly { readonly fits: (text: string) => boolean; readonly why: string }[] = [
  {
    fits: (text) => NO_DATE_YET.test(text),
    why: "is not a date. Fill in the date, or set the row's status to draft until you know it.",
  },
  {
    fits: (text) => RELATIVE_DAY.test(text),
    why: `depends on another day, and plancast does not know which. ${DATE_FORM}`,
  },
  { fits: (text) => NO_FIXED_DAY.test(text), why: `is not a fixed day and time. ${WHOLE_FORM}` },
  {
    fits: (text) => SERIAL_DAY.test(text),
    why: "is a spreadsheet's number for a day. Format the column as a date, such as 2027-03-01 09:30, and save the file again.",
  },
  {
    fits: (text) => SERIAL_TIME.test(text),
    why: "is a spreadsheet's number for a time of day. Format the column as a time, such as 09:30, and save the file again.",
  },
  { fits: (text) => EPOCH.test(text), why: `is a number of seconds or milliseconds. ${WHOLE_FORM}` },
  {
    fits: (text) => BARE_NUMBER.test(text),
    why: "could be a time or a year. Write a time as 09:30, and a date as 2027-03-01.",
  },
  { fits: (text) => WEEK_OR_QUARTER.test(text), why: `is not a single day. ${DATE_FORM}` },
  {
    fits: (text) => DOTTED.test(text),
    why: "could be a time, or a day without a year. Write a time as 09:30, and a date as 2027-03-01.",
  },
  {
    fits: (text) => weekdayNamed(text) !== undefined && monthNamed(text) === undefined,
    why: `is a day of the week, not a date. ${DATE_FORM}`,
  },
  {
    fits: (text) => NUMBERS_WITHOUT_DAY.test(text) || namesMonth(text, MONTH_WITHOUT_DAY),
    why: `has no day. ${DATE_FORM}`,
  },
  {
    fits: (text) =>
      NUMBERS_WITHOUT_YEAR.test(text) ||
      namesMonth(text, DAY_BEFORE_MONTH) ||
      namesMonth(text, DAY_AFTER_MONTH),
    why: "has no year. Write it as 2027-03-01, with the year.",
  },
  {
    fits: (text) => SPANS.some((pattern) => pattern.test(text)),
    why: "looks like a range, but a post has one time. Write it like 2027-03-01 09:30.",
  },
  {
    fits: (text) => CLOCK_SOMEWHERE.test(text) && ENDS_IN_WORDS.test(text),
    why: "ends with a time zone or a word that plancast does not know. Put an IANA name such as Europe/Paris into a `timezone` column, or write the offset: 2027-03-01T09:30+01:00.",
  },
];

/** The message for a text without any known form. */
const UNKNOWN =
  "is not a date or time that plancast can read. Write 2027-03-01 09:30 (a local time), " +
  "or 2027-03-01T08:30:00Z or 2027-03-01T09:30:00+01:00 (an exact one).";

/**
 * The rest of a sentence that begins with the text: why it cannot be read, and what to write instead.
 * @param text in lower case, tidied
 */
export function explainUnreadable(text: string): string {
  return REASONS.find(({ fits }) => fits(text))?.why ?? UNKNOWN;
}

function namesMonth(text: string, pattern: RegExp): boolean {
  const names = pattern.exec(text)?.slice(1) ?? [];
  return names.some((name) => name !== undefined && monthNamed(name) !== undefined);
}

const TIME_FORM = "Write it as 09:30.";

/** Like `REASONS`, for a text in a column of times. The first match counts. */
const TIME_REASONS: readonly { readonly fits: RegExp; readonly why: string | ((text: string) => string) }[] =
  [
    {
      fits: /^\d{1,2}(?:[:.h]\d\d)?\s?(?:[ap]m|uhr|h)?\s?(?:-|–|—|to|bis|à|a)\s?\d{1,2}(?:[:.h]\d\d)?\s?(?:[ap]m|uhr|h)?$/,
      why: `looks like a range, but a post has one time. ${TIME_FORM}`,
    },
    {
      fits: /^(?:0?[1-9]|1[01])$/,
      why: (text) =>
        `could be in the morning or in the evening. Write it as ${text.padStart(2, "0")}:00, or ${Number(text) + 12}:00 for the evening.`,
    },
    {
      fits: /^(?:00?|1[2-9]|2[0-3])$/,
      why: (text) => `has no minutes. Write it as ${text.padStart(2, "0")}:00.`,
    },
    {
      fits: /^(?!0[.,])\d{1,2}[.,]\d$/,
      why: `has one digit for the minutes, so they are not clear. ${TIME_FORM}`,
    },
    { fits: /^\d{3,4}$/, why: `has no sign between hours and minutes. ${TIME_FORM}` },
    {
      fits: /\d(?::\d\d|\s?[ap]m).{0,80}\p{L}/u,
      why: "ends with a time zone or a word that plancast does not know. Put the zone into a `timezone` column, such as Europe/Paris, and only the time here, as in 09:30.",
    },
    { fits: /^(?!0?[.,])\d{1,2}(?:[.,]\d{2,})?$|^[^\d]+$/, why: `is not a time of day. ${TIME_FORM}` },
  ];

/** What to write instead of a text in a column of times; undefined if it is more than a time. @param text in lower case, tidied */
export function explainUnreadableTime(text: string): string | undefined {
  if (NO_DATE_YET.test(text))
    return "is not a time of day. Fill in the time, or set the row's status to draft until you know it.";
  const why = TIME_REASONS.find(({ fits }) => fits.test(text))?.why;
  return typeof why === "function" ? why(text) : why;
}
