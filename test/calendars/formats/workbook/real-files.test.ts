/** Workbooks that openpyxl 3.1 wrote, and the same workbooks saved by LibreOffice 7.4. */

import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { readWorkbook } from "../../../../src/calendars/formats/workbook/read-workbook.ts";
import { cellsOf } from "../../places.ts";

const FOLDER = new URL("files/", import.meta.url);

const ROWS = [
  { id: "12", content: "Hello 👩‍🚀\nline 2", date: "2027-03-01", time: "02:30", platforms: "linkedin" },
  { id: "0012", content: "merged date", date: "2027-03-01", time: "20:30", platforms: "x" },
  { id: "13", content: "datetime in date col", date: "2027-03-01 00:00", time: "09:30:15", platforms: "x" },
  { id: "14", content: "whole", platforms: "x", scheduled_at: "2027-03-01 09:30", media: "media/a.png" },
  { id: "15", content: "Big news", date: "2027-03-02", time: "09:00", platforms: "x" },
  { id: "16", content: "Hello 👩‍🚀\nline 2!", date: "2027-03-02", time: "09:30", platforms: "x" },
  { id: "17", content: "linked", date: "2027-03-02", time: "10:00", platforms: "x" },
  { id: "18", content: "hidden", date: "2027-03-02", time: "11:00", platforms: "x" },
];

test.each([
  // openpyxl calculates nothing.
  ["openpyxl.xlsx", "sheet/formula@Plan!B7", "sheet/formula@Plan!A12"],
  ["libreoffice-1904.xlsx", undefined, "sheet/formula@Plan!A12"],
  ["libreoffice.ods", undefined, "sheet/formula@Plan!A12"],
])("reads the real file %s", async (file, formula, error) => {
  const bytes = await readFile(new URL(file, FOLDER));
  const calendar = await readWorkbook(file, bytes, { columns: {}, merged_cells: "carry" });
  expect(cellsOf(calendar)).toEqual(formula === undefined ? ROWS : ROWS.filter(({ id }) => id !== "16"));
  expect(calendar.problems.map(({ code, cell }) => `${code}@${cell}`)).toEqual([
    ...(formula === undefined ? [] : [formula]),
    "sheet/lost-link@Plan!B8",
    "sheet/hidden-rows@Plan!A9",
    error,
  ]);
});
