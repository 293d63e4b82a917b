import { expect, test } from "vitest";
import { formatInHeader, zoneInHeader } from "../../../src/calendars/columns/header-notes.ts";
import { type Abbreviation, usesAbbreviation } from "../../../src/checks/when/zone-names.ts";
import { shownZone } from "../../../src/checks/when/local-time.ts";
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
  ["Heure de Paris", "Europe/Paris"],
  ["London time", "Europe/London"],
  ["Time - New York", "America/New_York"],
  ["Time UTC +2", "Etc/GMT-2"],
  ["Hora (Guadalajara, America/Mexico_City)", "America/Mexico_City"],
  ["Time (CET, Paris)", "Europe/Paris"],
  ["Horário (São Paulo)", "America/Sao_Paulo"],
  ["Uhrzeit (Deutschland)", "Europe/Berlin"],
  ["時間（日本、JST）", "Asia/Tokyo"],
  ["時間（日本時間）", "Asia/Tokyo"],
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

test.each([
  ["Hora (México)", "country", "America/Mexico_City"],
  ["Time (US)", "country", "America/New_York"],
  ["Time (Australia)", "country", "Australia/Sydney"],
  ["Time (ET/PT)", "several", "America/Los_Angeles"],
  ["Time (est/cet)", "several", "Europe/Paris"],
  ["ET/PT Time", "several", "America/New_York"],
])("knows that %j may mean several zones", (name, kind, zone) => {
  const found = zoneInHeader(name);
  expect(found?.kind).toBe(kind);
  expect(found !== undefined && "zones" in found ? found.zones : []).toContain(zone);
});

test.each([
  "Time (HQ)",
  "Time (Springfield)",
  "Heure (Siège)",
  "Time (WIB)",
  "Time (office time)",
  "Time (EN, FR)",
])("does not ignore the note in %j", (name) => {
  expect(zoneInHeader(name)?.kind).toBe("unknown");
});

test("shows fixed offsets as people write them", () => {
  expect(["Etc/GMT-2", "Etc/GMT+5", "Europe/Paris", "UTC"].map(shownZone)).toEqual([
    "UTC+2",
    "UTC-5",
    "Europe/Paris",
    "UTC",
  ]);
});

test.each([
  "Time",
  "Time (24h)",
  "Time (HH:mm)",
  "Time (Local Time)",
  "Time (AM/PM)",
  "Time (if known)",
  "Time (IG)",
  "Time (to be confirmed)",
  "Date ET Heure",
  "Time (local)",
  "Time in",
  "IN time",
  "TIME SLOT",
])("finds no zone in %j", (name) => {
  expect(zoneInHeader(name)).toBeUndefined();
});

function note(name: string): Abbreviation {
  const found = zoneInHeader(name);
  if (found?.kind !== "abbreviation") throw new Error(name);
  return found;
}

test("an abbreviation fits only zones with its offsets", () => {
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
  ["Date (dd/mm)", "dmy"],
  ["Date MM/DD", "mdy"],
  ["Datum (TT.MM.)", "dmy"],
  ["Datum (TT/MM/YYYY)", "dmy"],
  ["Date DD MM YYYY", "dmy"],
  ["Date (Month / Day)", "mdy"],
  ["日付（年/月/日）", "ymd"],
  ["postAtSpecificTime (YYYY-MM-DD HH:mm:ss)", "ymd"],
  ["Date (AA/MM/JJ)", "ymd"],
])("reads the order of dates in %j as %s", (name, order) => {
  expect(formatInHeader(name)?.order).toBe(order);
});

test("sees a format that plancast does not read", () => {
  expect(formatInHeader("Date (YYYY/DD/MM)")).toMatchObject({ order: undefined });
});

test.each([
  "Date",
  "Date (MM/YYYY)",
  "Date (US)",
  "Date (US format)",
  "Tarih (GG/AA/YYYY)",
  "Date (DD/XX/YYYY)",
  "Post format US",
  "Date / Day",
  "Day/Time",
  "Link/URL",
  "Date (Facebook/Instagram/X)",
  "Post Date",
])("sees no format in %j", (name) => {
  expect(formatInHeader(name)).toBeUndefined();
});

test.each([
  ["Time EST", "time"],
  ["UTC Time", "time"],
  ["Post Date MM/DD/YYYY", "date"],
  ["TT.MM.JJJJ", "date"],
  ["Heure de Paris", "time"],
  ["Date MM/DD", "date"],
])("knows the field of %j", (name, field) => {
  expect(mapColumns([name], {}).fields).toEqual([field]);
});
