/** Keys that lead through the days of a month. */
import { DAYS_A_WEEK, lastDayOf, mondayOf, monthOf, plusDays, plusMonths } from "./days.ts";

export function hasModifier({ ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  return ctrlKey || altKey || metaKey;
}

/** Where a key leads while nothing has the focus: Page Up and Page Down to another month, arrows to the day itself. */
export function dayByFreeKey(key: string, day: string): string | undefined {
  if (key.startsWith("Arrow")) return day;
  return key.startsWith("Page") ? dayByKey(key, day) : undefined;
}

/** Where a key leads from a day; undefined for keys that lead nowhere. */
export function dayByKey(key: string, day: string): string | undefined {
  const inMonth = (other: string): string => {
    const last = lastDayOf(other);
    const same = `${other}-${day.slice(-2)}`;
    return same < last ? same : last;
  };
  switch (key) {
    case "ArrowLeft":
      return plusDays(day, -1);
    case "ArrowRight":
      return plusDays(day, 1);
    case "ArrowUp":
      return plusDays(day, -DAYS_A_WEEK);
    case "ArrowDown":
      return plusDays(day, DAYS_A_WEEK);
    case "Home":
      return mondayOf(day);
    case "End":
      return plusDays(mondayOf(day), DAYS_A_WEEK - 1);
    case "PageUp":
      return inMonth(plusMonths(monthOf(day), -1));
    case "PageDown":
      return inMonth(plusMonths(monthOf(day), 1));
    default:
      return undefined;
  }
}
