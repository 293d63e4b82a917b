import { expect, test } from "vitest";
import {
  type HeaderZone,
  orderInHeader,
  usesAbbreviation,
  zoneInHeader,
} from "../../../src/calendars/columns/header-notes.ts";
import { mapColumns } from "../../../src/calendars/columns/columns.ts";

test.each([
  ["datetime (UTC)", "UTC"],
  ["Scheduled [utc]", "UTC"],
  ["Time (UTC+2)", "Etc/GMT-2"],
  ["Time (GMT-05:00)", "Etc/GMT+5"],
  ["Time (+05:30)", "Asia/Kolkata"],
  ["Time (Europe/Berlin)", "Europe/Berlin"],
  ["Heure (heure de Paris)", "Europe/Paris"],
  ["Time (New York)", "America/New_York"],
  ["UTC Time", "UTC"],
  ["Time UTC", "UTC"],
  ["時間（UTC）", "UTC"],
])("reads the zone of %j", (name, zone) => {
  expect(zoneInHeader(name)).toMatchObject({ kind: "exact", zone });
});

test.each([
  ["Time (EST)", "America/New_York"],
  ["Time [PST]", "America/Los_Angeles"],
  ["Time (EST/EDT)", "America/New_York"],
  ["Time (ET)", "America/New_York"],
  ["Time (Pacific Time)", "America/Los_Angeles"],
  ["Time CET", "Europe/Paris"],
  ["Uhrzeit (MEZ)", "Europe/Berlin"],
  ["Post Time - EST", "America/New_York"],
])("does not treat the abbreviation in %j as a separate zone", (name, example) => {
  expect(zoneInHeader(name)).toMatchObject({ kind: "abbreviation", family: { example } });
});

test.each(["Time", "Time (24h)", "Time (HH:mm)", "Date ET Heure", "Time (local)", "Time (est/cet)", "TIME SLOT"])(
  "finds no zone in %j",
  (name) => {
    expect(zoneInHeader(name)).toBeUndefined();
  },
);

function note(name: string): HeaderZone & { kind: "abbreviation" } {
  const found = zoneInHeader(name);
  if (found?.kind !== "abbreviation") throw new Error(name);
  return found;
}

test("an abbreviation fits zones with its offsets only", () => {
  for (const zone of ["America/New_York", "America/Toronto", "America/Jamaica"])
    expect([zone, usesAbbreviation(zone, note("Time (EST)"))]).toEqual([zone, true]);
  for (const zone of ["America/Chicago", "Europe/Paris", "UTC", "America/Santiago"])
    expect([zone, usesAbbreviation(zone, note("Time (EST)"))]).toEqual([zone, false]);
  expect(usesAbbreviation("Europe/London", note("Time (GMT)"))).toBe(true);
  expect(usesAbbreviation("UTC", note("Time (GMT)"))).toBe(true);
  expect(usesAbbreviation("Africa/Lagos", note("Time (CEST)"))).toBe(false);
  expect(usesAbbreviation("Australia/Sydney", note("Time (AEDT)"))).toBe(true);
});

test.each([
  ["DATE (MONTH/DAY/YEAR)", "mdy"],
  ["Date (DD/MM/YYYY)", "dmy"],
  ["Date (MM-DD-YY)", "mdy"],
  ["Date DD/MM/YYYY", "dmy"],
  ["Date (JJ/MM/AAAA)", "dmy"],
  ["TT.MM.JJJJ", "dmy"],
  ["Data (GG/MM/AAAA)", "dmy"],
  ["Fecha (día/mes/año)", "dmy"],
  ["Datum (DD-MM-JJJJ)", "dmy"],
  ["Data (DD.MM.RRRR)", "dmy"],
  ["postAtSpecificTime (YYYY-MM-DD HH:mm:ss)", undefined],
  ["Date (AA/MM/JJ)", undefined],
  ["Date", undefined],
])("reads the order of dates in %j as %s", (name, order) => {
  expect(orderInHeader(name)).toBe(order);
});

test.each([
  ["Time EST", "time"],
  ["UTC Time", "time"],
  ["Post Date MM/DD/YYYY", "date"],
  ["TT.MM.JJJJ", "date"],
])("knows the field of %j", (name, field) => {
  expect(mapColumns([name], {}).fields).toEqual([field]);
});
