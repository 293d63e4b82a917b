import { expect, test } from "vitest";
import { findZone, suggestZone, zoneMeant } from "../../../src/checks/when/local-time.ts";

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
