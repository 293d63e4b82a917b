import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type SettingsPlace, addSettings } from "../../../src/calendars/edit/project-settings.ts";

const PROJECT: SettingsPlace = { kind: "project" };
const NEW: SettingsPlace = { kind: "new", files: "calendars/a.csv", usual: ["calendars/*.csv"] };
const entry = (index: number): SettingsPlace => ({ kind: "entry", index });

const SETTINGS = { columns: { Légende: "content", "Image:x": "media:x" }, header_row: [1, 2] } as const;

const PROJECT_FILE = `# ours
calendars: ["a/*.csv", b/*.csv] # all

columns:
  Caption: content # the text
  # Text: content

safety: { max_cancels: 3 }
`;

describe("addSettings", () => {
  test("adds columns below the project's columns, and other settings at the end", () => {
    expect(addSettings(PROJECT_FILE, PROJECT, SETTINGS)).toBe(`# ours
calendars: ["a/*.csv", b/*.csv] # all

columns:
  Caption: content # the text
  Légende: content
  Image:x: media:x
  # Text: content

safety: { max_cancels: 3 }

header_row: [1, 2]
`);
  });

  test("writes a short list of calendars as lines, and adds an entry for one file", () => {
    expect(addSettings(PROJECT_FILE, NEW, SETTINGS)).toBe(`# ours
calendars: # all
  - "a/*.csv"
  - b/*.csv
  - files: calendars/a.csv
    columns:
      Légende: content
      Image:x: media:x
    header_row: [1, 2]

columns:
  Caption: content # the text
  # Text: content

safety: { max_cancels: 3 }
`);
  });

  test.each<[string, SettingsPlace, string, string]>([
    ["an empty file", PROJECT, "", "columns:\n  A: id\n"],
    ["comments alone, without a line end", PROJECT, "# ours", "# ours\ncolumns:\n  A: id\n"],
    ["no line end", PROJECT, "timezone: UTC", "timezone: UTC\ncolumns:\n  A: id\n"],
    ["Windows' line ends", PROJECT, "timezone: UTC\r\n", "timezone: UTC\r\ncolumns:\r\n  A: id\r\n"],
    ["a block text at the end", PROJECT, "project: |-\n  x\n\n", "project: |-\n  x\ncolumns:\n  A: id\n\n"],
    ["all on one line", PROJECT, "{ timezone: UTC }\n", "{ timezone: UTC, columns: { A: id } }\n"],
    ["columns on one line", PROJECT, "columns: {B: id} # x\n", "columns: {B: id, A: id} # x\n"],
    ["columns that are none", PROJECT, "columns: {} # x\n", "columns: # x\n  A: id\n"],
    ["columns in comments", PROJECT, "columns:\n  # B: id\n", "columns:\n  A: id\n  # B: id\n"],
    [
      "no calendars",
      NEW,
      "",
      "calendars:\n  - calendars/*.csv\n  - files: calendars/a.csv\n    columns:\n      A: id\n",
    ],
    [
      "calendars over several lines",
      NEW,
      "calendars:\n  [\n    a, # first\n    b,\n  ]\n",
      "calendars:\n  [\n    a, # first\n    b, { files: calendars/a.csv, columns: { A: id } },\n  ]\n",
    ],
    [
      "calendars as lines",
      NEW,
      "calendars:\n- a\n- files: b\n  timezone: UTC # z\n\n# end\n",
      "calendars:\n- a\n- files: b\n  timezone: UTC # z\n- files: calendars/a.csv\n  columns:\n    A: id\n\n# end\n",
    ],
    [
      "an entry",
      entry(1),
      "calendars:\n  - a\n  -   files: b\n      # B: id\n  - c\n",
      "calendars:\n  - a\n  -   files: b\n      columns:\n        A: id\n      # B: id\n  - c\n",
    ],
    [
      "an entry on one line",
      entry(0),
      "calendars: [{ files: b }, c]\n",
      "calendars: [{ files: b, columns: { A: id } }, c]\n",
    ],
  ])("adds columns to %s", (_name, place, before, after) => {
    expect(addSettings(before, place, { columns: { A: "id" } })).toBe(after);
    expect(() => parse(after)).not.toThrow();
  });

  test.each<[string, SettingsPlace, string]>([
    ["an entry that is an alias", entry(1), "calendars: [&a { files: b }, *a]\n"],
    ["columns that are an alias", PROJECT, "defaults: &d {}\ncolumns: *d\n"],
    ["a list that is an alias", NEW, "x: &a [b]\ncalendars: *a\n"],
  ])("adds nothing to %s", (_name, place, before) => {
    expect(addSettings(before, place, { columns: { A: "id" } })).toBeUndefined();
  });
});
