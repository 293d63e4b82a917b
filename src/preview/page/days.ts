/**
 * Days as `YYYY-MM-DD`, months as `YYYY-MM`. All calculations are in UTC, so that the reader's clock changes do not
 * matter.
 */

const DAY_MS = 86_400_000;
export const DAYS_A_WEEK = 7;

function dateOf(day: string): Date {
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

export function monthOf(day: string): string {
  return day.slice(0, 7);
}

export function lastDayOf(month: string): string {
  return plusDays(`${plusMonths(month, 1)}-01`, -1);
}

/** The Monday on or before a day. */
export function mondayOf(day: string): string {
  return plusDays(day, -((dateOf(day).getUTCDay() + 6) % 7));
}

export function isMonth(text: string): boolean {
  return /^[1-9]\d{3}-(?:0[1-9]|1[0-2])$/.test(text);
}

const format = (options: Intl.DateTimeFormatOptions): ((day: string) => string) => {
  const formatter = new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" });
  return (day) => formatter.format(dateOf(day));
};

/** `Monday 1 March 2027` */
export const fullDay = format({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
/** `Mon` */
export const shortWeekday = format({ weekday: "short" });
/** `Monday` */
export const longWeekday = format({ weekday: "long" });
const monthName = format({ month: "long", year: "numeric" });

/** `March 2027` */
export function monthTitle(month: string): string {
  return monthName(`${month}-01`);
}

/** The reader's current day in a zone; `otherwise` if the browser does not know the zone. */
export function todayIn(timezone: string, otherwise: string): string {
  try {
    const parts = new Intl.DateTimeFormat("en-CA", { timeZone: timezone, dateStyle: "short" }).format(
      new Date(),
    );
    return /^\d{4}-\d\d-\d\d$/.test(parts) ? parts : otherwise;
  } catch {
    return otherwise;
  }
}
