import * as fc from "fast-check";
import { DateTime } from "luxon";
import { expect, test } from "vitest";
import { isoInstant } from "../../src/calendar/canonical.ts";
import { findZone, suggestZone } from "../../src/calendar/zone.ts";
import { localInstant, localText } from "../../src/validate/local-time.ts";
import { manyRuns } from "../support/property-tests.ts";

const ZONES = [
  "Europe/Paris",
  "America/New_York",
  "Australia/Sydney",
  "Asia/Kathmandu",
  "Pacific/Apia",
  "Australia/Lord_Howe",
  "America/St_Johns",
  "Africa/Casablanca",
  "UTC",
];

function zone(name: string) {
  const found = findZone(name);
  if (found === undefined) throw new Error(name);
  return found;
}

test("a wall time has exactly the instants whose clocks show it", () => {
  const minute = fc.integer({ min: Date.UTC(2008, 0, 1) / 60_000, max: Date.UTC(2037, 0, 1) / 60_000 });
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), minute, (name, minutes) => {
      const wall = minutes * 60_000;
      const found = localInstant(zone(name), wall);
      // Every instant near by, in steps of the finest offset change, whose local clock shows the wall time.
      const shown = [];
      for (let ms = wall - 30 * 3_600_000; ms <= wall + 30 * 3_600_000; ms += 15 * 60_000) {
        if (zone(name).offset(ms) * 60_000 + ms === wall) shown.push(ms);
      }
      const kinds = { instant: 1, gap: 0, twice: 2 };
      expect(kinds[found.kind]).toBe(shown.length);
      if (found.kind === "instant") expect(found.ms).toBe(shown[0]);
    }),
    { numRuns: manyRuns(2_000) },
  );
});

test("the hours around every clock change of nine zones", () => {
  for (const name of ZONES) {
    for (let ms = Date.UTC(2029, 0, 1); ms < Date.UTC(2031, 0, 1); ms += 3_600_000) {
      if (zone(name).offset(ms) === zone(name).offset(ms - 3_600_000)) continue;
      const here = DateTime.fromMillis(ms, { zone: name });
      const wall = Date.UTC(here.year, here.month - 1, here.day, here.hour, here.minute);
      expect(["instant", "twice"]).toContain(localInstant(zone(name), wall).kind);
    }
  }
});

test.each([["EST"], ["+02:00"], ["Europe/Pariss"], [""], ["2030"], ["../etc"]])("%j is no zone", (name) => {
  expect(findZone(name)).toBeUndefined();
});

test.each([
  ["paris", "Europe/Paris"],
  ["New York", "America/New_York"],
  ["CET", "Europe/Paris"],
  ["Europe/Pariss", "Europe/Paris"],
])("%s suggests %s", (name, expected) => {
  expect(suggestZone(name)).toBe(expected);
});

test("an instant as people write it is read as that instant", () => {
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
