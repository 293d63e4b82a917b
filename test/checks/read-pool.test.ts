/** The spacing of a pool, in the languages of rules. */
import { expect, test } from "vitest";
import { spacingDays } from "../../src/checks/read-pool.ts";

test.each([
  ["10", 10],
  ["10d", 10],
  ["2 weeks", 14],
  ["1 Tag", 1],
  ["10 Tage", 10],
  ["2 Wochen", 14],
  ["1 Woche", 7],
  ["10 jours", 10],
  ["2 semaines", 14],
  ["10 días", 10],
  ["2 semanas", 14],
  ["10 dias", 10],
  ["10 giorni", 10],
  ["2 settimane", 14],
  ["10 dagen", 10],
  ["2 weken", 14],
  ["10 dni", 10],
  ["2 tygodnie", 14],
  ["5 tygodni", 35],
  ["10 أيام", 10],
  ["3 أسابيع", 21],
  ["10日", 10],
  ["2週間", 14],
])("%s", (text, days) => {
  expect(spacingDays(text)).toBe(days);
});

test.each(["0", "367", "2 Monate", "two weeks", "10 x", "", "1. Woche bis morgen"])(
  "%s is not a spacing",
  (text) => {
    expect(spacingDays(text)).toBeUndefined();
  },
);
