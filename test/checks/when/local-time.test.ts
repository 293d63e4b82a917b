import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  findZone,
  localInstant,
  localText,
  suggestZone,
  zoneMeant,
} from "../../../src/checks/when/local-time.ts";
import { isoInstant } from "../../../src/model/canonical.ts";
import { manyRuns } from "../../support/property-tests.ts";

const ZONES = [
  "Europe/Paris",
  "America/New_York",
  "Australia/Sydney",
  "Asia/Kathmandu",
  "Pacific/Apia",
  "Australia/Lord_Howe",
  "America/St_Johns",
  // Its clocks change on the evening before Europe's.
  "America/Nuuk",
  "Africa/Casablanca",
  "UTC",
];

function zone(name: string) {
  const found = findZone(name);
  if (found === undefined) throw new Error(name);
  return found;
}

const QUARTER = 15 * 60_000;
const DAY = 86_400_000;

/** All instants at which the zone's clock shows this time. Tries offsets of up to 15 hours, in quarters of an hour. */
function instantsShowing(name: string, wall: number): number[] {
  const shown = [];
  for (let ms = wall - 15 * 3_600_000; ms <= wall + 15 * 3_600_000; ms += QUARTER) {
    if (zone(name).offset(ms) * 60_000 + ms === wall) shown.push(ms);
  }
  return shown;
}

function expectExact(name: string, wall: number): void {
  const found = localInstant(zone(name), wall);
  const shown = instantsShowing(name, wall);
  const kinds = { instant: 1, gap: 0, twice: 2 };
  expect([name, wall, kinds[found.kind]]).toEqual([name, wall, shown.length]);
  if (found.kind !== "gap") expect(found.ms).toBe(shown[0]);
  if (found.kind !== "twice") return;
  // The offsets that a message suggests, in the order of their instants.
  expect(found.offsets.map((offset) => wall + Date.parse(`1970-01-01T00:00${offset}`))).toEqual(shown);
}

test("a local time has exactly the instants whose clocks show it", () => {
  const minute = fc.integer({ min: Date.UTC(2008, 0, 1) / 60_000, max: Date.UTC(2037, 0, 1) / 60_000 });
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), minute, (name, minutes) => expectExact(name, minutes * 60_000)),
    { numRuns: manyRuns(2_000) },
  );
});

/** The days of two years on which a zone's clocks change. */
function changes(name: string): number[] {
  const days = Array.from({ length: 730 }, (_, index) => Date.UTC(2029, 0, 1) + index * DAY);
  return days.filter((day) => zone(name).offset(day) !== zone(name).offset(day + DAY));
}

/** Morocco's clocks change only in the time zone data of older versions of Node. */
const WITHOUT_CHANGES = ["UTC", "Asia/Kathmandu", "Pacific/Apia", "Africa/Casablanca"];

test.each(ZONES)("every local time around a clock change in %s has exactly its instants", (name) => {
  const days = changes(name);
  if (!WITHOUT_CHANGES.includes(name)) expect(days.length).toBeGreaterThan(2);
  let odd = 0;
  for (const day of days) {
    const hour = Array.from({ length: 24 }, (_, index) => day + index * 3_600_000).find(
      (ms) => zone(name).offset(ms) !== zone(name).offset(ms + 3_600_000),
    );
    if (hour === undefined) throw new Error(`${name} does not change on ${day}.`);
    const wall = hour + zone(name).offset(hour) * 60_000;
    for (let step = -3; step <= 9; step += 1) {
      const at = wall + step * 2 * QUARTER;
      expectExact(name, at);
      if (localInstant(zone(name), at).kind !== "instant") odd += 1;
    }
  }
  expect(odd).toBeGreaterThanOrEqual(days.length);
});

test("an instant written as local time reads back as that instant", () => {
  const second = fc.integer({ min: Date.UTC(2008, 0, 1) / 1_000, max: Date.UTC(2037, 0, 1) / 1_000 });
  const nearChange = fc.integer({ min: -7_200, max: 7_200 }).map((s) => Date.UTC(2036, 9, 26, 1) / 1_000 + s);
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), fc.oneof(second, nearChange), (name, seconds) => {
      const ms = seconds * 1_000;
      const text = localText(zone(name), ms);
      const wall = isoInstant(text, "Z") ?? Number.NaN;
      const read = text.includes("T") ? wall : localInstant(zone(name), wall);
      expect(read).toEqual(text.includes("T") ? ms : { kind: "instant", ms });
    }),
  );
  expect(localText(zone("Europe/Paris"), Date.UTC(2036, 9, 26, 0, 30))).toBe("2036-10-26T02:30+02:00");
  expect(localText(zone("Europe/Paris"), Date.UTC(2036, 9, 26, 1, 30, 5))).toBe("2036-10-26T02:30:05+01:00");
  expect(localText(zone("Europe/Paris"), Date.UTC(2036, 9, 26, 2, 30))).toBe("2036-10-26 03:30");
});

test.each([["EST"], ["+02:00"], ["Europe/Pariss"], [""], ["2030"], ["../etc"]])(
  "refuses %j as a time zone",
  (name) => {
    expect(findZone(name)).toBeUndefined();
  },
);

test.each([
  ["paris", "Europe/Paris"],
  ["New York", "America/New_York"],
  ["CET", "Europe/Paris"],
  ["Europe/Pariss", "Europe/Paris"],
])("for the zone %s, suggests %s", (name, expected) => {
  expect(suggestZone(name)).toBe(expected);
});

test.each([
  ["Berlin", "Europe/Berlin"],
  ["new york", "America/New_York"],
  ["Kyiv", "Europe/Kyiv"],
  ["Europe/Berlin", "Europe/Berlin"],
  ["UTC", "UTC"],
  ["Deutschland", undefined],
  ["1", undefined],
  ["Europe", undefined],
  ["../Berlin", undefined],
])("understands the typed zone %s as %s", (typed, expected) => {
  expect(zoneMeant(typed)).toBe(expected);
});
