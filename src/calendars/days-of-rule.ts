/** The days of a rule that repeats, by the library for iCalendar. Only plain dates are used, so clocks do not matter. */

import type { DaysOfRule } from "../checks/series/occurrences.ts";

/** Loads the library, which most projects do not need. */
export async function loadDaysOfRule(): Promise<DaysOfRule> {
  const { default: ical } = await import("ical.js");
  return function* daysOfRule(rule, start) {
    const [year, month, day] = start.split("-").map(Number);
    const first = ical.Time.fromData({ year, month, day, isDate: true });
    const iterator = ical.Recur.fromString(rule).iterator(first);
    for (let each = nextOf(iterator); each; each = nextOf(iterator)) {
      const date = new Date(Date.UTC(each.year, each.month - 1, each.day));
      yield date.toISOString().slice(0, 10);
    }
  };
}

/** The library throws if a rule gives no day at all, such as the first Monday that is a 15th. */
function nextOf<Day>(iterator: { next: () => Day }): Day | undefined {
  try {
    return iterator.next();
  } catch {
    return undefined;
  }
}
