/** The days of a rule that repeats, by a library for RFC 5545. It gets only days, so zones and clocks do not matter. */

import type { DaysOfRule } from "../checks/series/occurrences.ts";

/** Loads the library, which most projects do not need. */
export async function loadDaysOfRule(): Promise<DaysOfRule> {
  const { default: library } = await import("rrule");
  const { RRule } = library;
  return (rule, { start, until }, visit) => {
    const options = { ...RRule.parseString(rule), dtstart: new Date(start), until: new Date(until) };
    // Without its cache, which would keep every day.
    new RRule(options, true).all((day) => visit(day.toISOString().slice(0, 10)));
  };
}
