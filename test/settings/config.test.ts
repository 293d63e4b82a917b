import { expect, test } from "vitest";
import { settingsOf } from "../../src/settings/calendar-settings.ts";
import { config } from "../support/rows.ts";

const project = config({
  timezone: "Europe/Paris",
  date_order: "dmy",
  columns: { Légende: "content", Notes: "ignore" },
  status_values: { Approved: "ready" },
  calendars: [
    "**/*.csv",
    {
      files: "us/*",
      date_order: "mdy",
      timezone: "America/New_York",
      columns: { légende: "id", Post: "content" },
    },
    { files: ["x/*"], header_row: [1, 2], date_order: "ymd", status_values: { approved: "skip" } },
  ],
});

test("a calendar without an entry takes the settings of the project", () => {
  expect(settingsOf(project, project.calendars.slice(0, 1))).toMatchObject({
    timezone: "Europe/Paris",
    date_order: "dmy",
    columns: { Légende: "content", Notes: "ignore" },
    status_values: { Approved: "ready" },
  });
});

test("an entry overrides the project and earlier entries; columns merge by name", () => {
  expect(settingsOf(project, project.calendars)).toMatchObject({
    timezone: "America/New_York",
    date_order: "ymd",
    header_row: [1, 2],
    columns: { Notes: "ignore", légende: "id", Post: "content" },
    status_values: { approved: "skip" },
  });
  expect(settingsOf(project, project.calendars).columns).not.toHaveProperty("Légende");
});

test("the zone of an entry overrides the default zone of the project", () => {
  const given = config({
    defaults: { timezone: "Asia/Tokyo" },
    calendars: [{ files: "a", timezone: "UTC" }],
  });
  expect(settingsOf(given, []).timezone).toBe("Asia/Tokyo");
  expect(settingsOf(given, given.calendars).timezone).toBe("UTC");
});

test.each([
  "calendars/*a*a*a*a*b.csv",
  "calendars/?(*a)?(*a)b.csv",
  "calendars/{*a,*aa}{*a,*aa}b.csv",
  "+(a|aa)/b.csv",
])("a pattern that may take years for a long name is refused: %s", (pattern) => {
  expect(() => config({ calendars: [pattern] })).toThrow("glob pattern");
  expect(() => config({ calendars: [{ files: ["a.csv", pattern] }] })).toThrow();
});

test.each(["calendars/**/*.{csv,tsv,yaml,yml}", "**/*-2027-*_*.csv", "a/*/b/*/c/*/d/*.csv"])(
  "usual patterns are accepted: %s",
  (pattern) => {
    expect(config({ calendars: [pattern] }).calendars).toEqual([pattern]);
  },
);
