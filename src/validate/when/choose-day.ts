import type { DateOrder } from "../../calendar/calendar-settings.ts";
import { isExistingDay, sameDay, weekdayOf, type Day, type DayReading } from "./day-forms.ts";
import { ENGLISH_MONTHS, ENGLISH_WEEKDAYS } from "./month-names.ts";
import type { WhenFault } from "./read-when.ts";

const ORDER_NAMES: Readonly<Record<DateOrder, string>> = {
  dmy: "day, month, year",
  mdy: "month, day, year",
  ymd: "year, month, day",
};

/**
 * The one day that a cell means, or why there is none or more than one.
 * @param weekday the day of the week that stands beside it
 * @param order what the project says
 */
export function chooseDay(
  cell: string,
  readings: readonly DayReading[],
  weekday: number | undefined,
  order: DateOrder | undefined,
): Day | WhenFault {
  const possible = readings.filter(isExistingDay);
  const [first] = possible;
  if (first === undefined) return { code: "schedule/format", message: `"${cell}" ${doesNotExist(readings)}` };
  if (order !== undefined && first.orders !== undefined) {
    const day = possible.find(({ orders }) => orders?.includes(order) === true);
    return day === undefined ? otherOrder(cell, order, first) : withWeekday(cell, day, weekday);
  }
  const isCertain = possible.every((each) => sameDay(each, first)) && !isYearFirst(possible);
  return isCertain ? withWeekday(cell, first, weekday) : ambiguous(cell, possible);
}

/** A year of two digits in front is so rare that only the project's word makes it one. */
function isYearFirst(possible: readonly DayReading[]): boolean {
  return possible.every(({ orders }) => orders?.length === 1 && orders[0] === "ymd");
}

function doesNotExist(readings: readonly DayReading[]): string {
  const isShort = readings.some(({ year }) => Number.isNaN(year));
  return isShort
    ? "has a year that could be of two centuries. Write all four digits."
    : "does not exist: there is no such day. Correct it.";
}

function otherOrder(cell: string, order: DateOrder, day: DayReading): WhenFault {
  const message =
    `"${cell}" is no day by \`date_order: ${order}\` (${ORDER_NAMES[order]}); it could be ${dayText(day)}. ` +
    "Write it as 2027-03-01, or correct `date_order:`.";
  return { code: "schedule/date-order", message };
}

function ambiguous(cell: string, possible: readonly DayReading[]): WhenFault {
  const orders = [...new Set(possible.flatMap((each) => each.orders ?? []))];
  const days = possible.filter(
    (each, index) => possible.findIndex((other) => sameDay(each, other)) === index,
  );
  const message =
    `"${cell}" could be ${days.map(dayText).join(" or ")}. ` +
    `Say under \`date_order:\` in the project file which order is meant: ${orders.join(" or ")}.`;
  return { code: "schedule/ambiguous-date", message };
}

function withWeekday(cell: string, day: Day, weekday: number | undefined): Day | WhenFault {
  const actual = weekdayOf(day);
  if (weekday === undefined || weekday === actual) return { year: day.year, month: day.month, day: day.day };
  const [is, said] = [actual, weekday].map((each) => ENGLISH_WEEKDAYS[each - 1]);
  const message = `"${cell}" contradicts itself: ${dayText(day)} is a ${is}, not a ${said}. Correct the day or the date.`;
  return { code: "schedule/weekday", message };
}

function dayText({ year, month, day }: Day): string {
  return `${day} ${ENGLISH_MONTHS[month - 1]} ${year}`;
}
