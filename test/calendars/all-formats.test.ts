/** The table of formats: each file has one format, and nobody is left without a way to edit a calendar. */

import { expect, test } from "vitest";
import {
  EXTENSIONS,
  FORMATS,
  WRITE_FORMAT_NAMES,
  formatOf,
  writeFormatOf,
} from "../../src/calendars/all-formats.ts";
import { editCalendar, editRefusal } from "../../src/calendars/edit/edit-calendar.ts";
import { calendarFile } from "../support/edits.ts";
import { ods } from "../support/workbook-files.ts";

test("an extension belongs to one format, in small and in capital letters", () => {
  expect(new Set(EXTENSIONS).size).toBe(EXTENSIONS.length);
  for (const format of Object.values(FORMATS))
    for (const end of format.extensions)
      expect([formatOf(`a.${end}`), formatOf(`b.c.${end.toUpperCase()}`)]).toEqual([format, format]);
  expect([formatOf("a.pdf"), formatOf("csv"), formatOf("a.toString")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("a format is written under each of its names, or under none", () => {
  expect(WRITE_FORMAT_NAMES).toEqual(["csv", "yaml", "xlsx", "md"]);
  expect(writeFormatOf("a.yml")).toBe("yaml");
  expect([writeFormatOf("a.tsv"), writeFormatOf("a.ods"), writeFormatOf("a.tweet")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test.each(EXTENSIONS)("a calendar in %s can be edited, or converted into a format that can", (end) => {
  const refusal = editRefusal({ file: `calendars/May plan.${end}`, table: undefined });
  if (formatOf(`a.${end}`)?.edit !== undefined) expect(refusal).toBeUndefined();
  else {
    const [, target = ""] = /--to (\w+)/.exec(refusal ?? "") ?? [];
    expect(refusal).toContain(`calendars/May plan.${target}`);
    expect(writeFormatOf(`a.${target}`)).toBeDefined();
    expect(formatOf(`a.${target}`)?.edit).toBeDefined();
  }
});

test("an edit of a format that cannot be edited changes nothing and says what to do", async () => {
  const cells = ["date", "time", "platforms", "content"].map(
    (name) => `<table:table-cell><text:p>${name}</text:p></table:table-cell>`,
  );
  const file = await calendarFile(
    "a.ods",
    ods(`<table:table table:name="Plan"><table:table-row>${cells.join("")}</table:table-row></table:table>`),
  );
  const edit = { row: 0, cells: new Map([["content", "New"] as const]) };
  const { contents, faults } = await editCalendar(file, [edit], (name) => name);
  expect(contents).toBe(file.bytes);
  expect(faults).toEqual([
    { row: undefined, message: expect.stringContaining("plancast convert a.ods --to xlsx --out a.xlsx") },
  ]);
});
