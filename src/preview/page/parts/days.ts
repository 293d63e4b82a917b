/**
 * Days as `YYYY-MM-DD`, months as `YYYY-MM`, and what a locale says about weeks and clocks. All calculations are in UTC,
 * so that the reader's clock changes do not matter. Pure.
 */

const DAY_MS = 86_400_000;
const DAYS_A_WEEK = 7;

/** Midnight in UTC. */
export function dateOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}

export function plusDays(day: string, days: number): string {
  return new Date(dateOf(day).getTime() + days * DAY_MS).toISOString().slice(0, 10);
}

export function plusMonths(month: string, months: number): string {
  const date = dateOf(`${month}-01`);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 7);
}

/** The same day of another month, or that month's last. */
export function inOtherMonth(day: string, months: number): string {
  const month = plusMonths(monthOf(day), months);
  const [same, last] = [`${month}-${day.slice(-2)}`, lastDayOf(month)];
  return same < last ? same : last;
}

export function monthOf(day: string): string {
  return day.slice(0, 7);
}

function lastDayOf(month: string): string {
  return plusDays(`${plusMonths(month, 1)}-01`, -1);
}

/** The days of a week. @param day any of them @param start the day with which weeks begin */
export function weekOf(day: string, start: Weekday): string[] {
  const first = plusDays(day, -((dateOf(day).getUTCDay() - start + 2 * DAYS_A_WEEK) % DAYS_A_WEEK));
  return Array.from({ length: DAYS_A_WEEK }, (_, index) => plusDays(first, index));
}

/** The weeks that a month touches. */
export function weeksOf(month: string, start: Weekday): string[][] {
  const weeks: string[][] = [];
  const last = lastDayOf(month);
  for (let week = weekOf(`${month}-01`, start); (week[0] ?? "") <= last;) {
    weeks.push(week);
    week = weekOf(plusDays(week[0] ?? "", DAYS_A_WEEK), start);
  }
  return weeks;
}

export function isDay(text: string): boolean {
  if (!/^[1-9]\d{3}-\d\d-\d\d$/.test(text)) return false;
  const time = dateOf(text).getTime();
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

// What a locale says. The page's words are English in any case.

/** Days of the week as ISO counts them: 1 is Monday, 7 is Sunday. */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7;

interface WeekInfo {
  readonly firstDay?: number;
}

/** Browsers have it as a method or as a property; some have neither. */
interface WithWeekInfo {
  readonly getWeekInfo?: () => WeekInfo;
  readonly weekInfo?: WeekInfo;
}

/** The day with which a week begins; Monday if the browser does not know. @param locale such as `en-US` */
export function firstWeekday(locale: string): Weekday {
  try {
    const known: Intl.Locale & WithWeekInfo = new Intl.Locale(locale);
    const { firstDay } = known.getWeekInfo?.() ?? known.weekInfo ?? {};
    return firstDay === 7 || firstDay === 6 || firstDay === 5 ? firstDay : 1;
  } catch {
    return 1;
  }
}

/** Whether the locale counts hours up to 12. */
export function hasTwelveHours(locale: string): boolean {
  try {
    const { hourCycle } = new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions();
    return hourCycle === "h12" || hourCycle === "h11";
  } catch {
    return false;
  }
}

/** The reader's variety of English, otherwise British English. */
export function englishOf(languages: readonly string[]): string {
  return languages.find((each) => /^en-[A-Z]{2}$/.test(each)) ?? "en-GB";
}

/** @param clock `HH:mm`, with seconds if there are any @returns it, or `9:00 am` */
export function shownClock(clock: string, isTwelveHours: boolean): string {
  const [, hours = "", rest = ""] = /^(\d\d)(:\d\d(?::\d\d)?)$/.exec(clock) ?? [];
  if (!isTwelveHours || hours === "") return clock;
  const hour = Number(hours);
  return `${hour % 12 === 0 ? 12 : hour % 12}${rest} ${hour < 12 ? "am" : "pm"}`;
}
