/** The days of a rule that repeats, by a library for RFC 5545. It gets only days, so zones and clocks do not matter. */

import type { DaysOfRule } from "../checks/series/occurrences.ts";

/** Rows often share a rule and a start, and the library needs some time for each day. More are forgotten. */
const MAX_KNOWN = 500;

/** The calendar repeats after 400 years, also its weekdays. In ms. */
const CYCLE_MS = 146_097 * 86_400_000;
const LAST_YEAR_MS = Date.parse("9999-01-01");

/**
 * If a rule gives no day, the library looks up to the year 9999. So it gets the rule near that year, where that takes
 * little time.
 */
function shiftFor(until: string): number {
  return Math.max(0, Math.floor((LAST_YEAR_MS - Date.parse(until)) / CYCLE_MS)) * CYCLE_MS;
}

/** Loads the library, which most projects do not need. */
export async function loadDaysOfRule(): Promise<DaysOfRule> {
  const { default: library } = await import("rrule");
  const { RRule } = library;
  const known = new Map<string, { readonly days: readonly string[]; readonly isWhole: boolean }>();
  return (rule, { start, until }, visit) => {
    const mark = [rule, start, until].join(" ");
    const { days: before, isWhole } = known.get(mark) ?? { days: [], isWhole: false };
    if (!before.every((day) => visit(day)) || isWhole) return;
    const days: string[] = [];
    let isStopped = false;
    const shift = shiftFor(until);
    const later = (day: string): Date => new Date(Date.parse(day) + shift);
    const options = { ...RRule.parseString(rule), dtstart: later(start), until: later(until) };
    // Without its cache, which would keep every day.
    new RRule(options, true).all((each) => {
      const day = new Date(each.getTime() - shift).toISOString().slice(0, 10);
      days.push(day);
      isStopped = days.length > before.length && !visit(day);
      return !isStopped;
    });
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(mark, { days, isWhole: !isStopped });
  };
}
