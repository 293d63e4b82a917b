/** Editing cells of a workbook changes only these cells in the sheet's part. */

import { expect, test } from "vitest";
import { readContents } from "../../../../src/calendars/read-calendar.ts";
import { edit, partsOf as parts } from "../../../support/edits.ts";
import { type TestSheet, xlsx } from "../../../support/workbook-files.ts";

const HEAD = ["id", "date", "time", "platforms", "prompt", "content", "status"];
const SHEET = "xl/worksheets/sheet1.xml";

function workbook(sheet: Partial<TestSheet> = {}): Uint8Array {
  const rows = [
    HEAD,
    ["a", "2036-03-01", "09:00", "x", "Spring"],
    ["b", "2036-03-02", "09:00", "x", "", "By hand"],
  ];
  return xlsx([{ name: "Other" }, { name: "Plan", rows, ...sheet }].reverse());
}

function text(name: string, value: string, style = ""): string {
  return `<c r="${name}"${style} t="inlineStr"><is><t xml:space="preserve">${value}</t></is></c>`;
}

/** Cells without names. */
function prefixed(values: readonly string[]): string {
  return values
    .map((value) => (value === "" ? "<x:c/>" : `<x:c t="inlineStr"><x:is><x:t>${value}</x:t></x:is></x:c>`))
    .join("");
}

test("writes missing cells, empty cells and new columns", async () => {
  const data =
    '<row r="1" spans="1:6" ht="20"><c r="A1" s="0" t="inlineStr"><is><t>id</t></is></c><c r="B1" t="inlineStr"><is><t>date</t></is></c>' +
    '<c r="C1" t="inlineStr"><is><t>time</t></is></c><c r="D1" t="inlineStr"><is><t>platforms</t></is></c>' +
    '<c r="E1" t="inlineStr"><is><t>prompt</t></is></c><c r="F1" s="7" t="inlineStr"><is><t>content</t></is></c></row>' +
    "<!-- <row r='9'/> -->" +
    '<row r="2"><c r="A2" t="inlineStr"><is><t>a</t></is></c><c r="B2" t="inlineStr"><is><t>2036-03-01</t></is></c>' +
    '<c r="C2" t="inlineStr"><is><t>09:00</t></is></c><c r="D2" t="inlineStr"><is><t>x</t></is></c>' +
    '<c r="E2" t="inlineStr"><is><t>A &gt; B</t></is></c><c s="3" r="F2"/></row>';
  const before = workbook({ data });
  const { contents, faults } = await edit("a.xlsx", before, {
    0: { content: "=1 & <2>\nthree", status: "draft", "content:twitter": "own" },
  });
  expect(faults).toEqual([]);
  const [old, now] = [await parts(before), await parts(contents)];
  expect({ ...now, [SHEET]: "" }).toEqual({ ...old, [SHEET]: "" });
  expect(now[SHEET]).toBe(
    old[SHEET]?.replace(' spans="1:6"', "")
      .replace(
        "content</t></is></c></row>",
        `content</t></is></c>${text("G1", "status", ' s="7"')}${text("H1", "content:twitter", ' s="7"')}</row>`,
      )
      .replace(
        '<c s="3" r="F2"/></row>',
        `${text("F2", "=1 &amp; &lt;2&gt;\nthree", ' s="3"')}${text("G2", "draft")}${text("H2", "own")}</row>`,
      ),
  );
});

test("edits sheets with prefixed names, unnamed cells and shared texts", async () => {
  const row = ["a", "2036-03-01", "09:00", "x", "Spring", "", "ready"];
  const sheet = `<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:dimension ref="A1:G2"/><x:sheetData><x:row>${prefixed(HEAD)}</x:row><x:row>${prefixed(row)}</x:row></x:sheetData></x:worksheet>`;
  const before = xlsx([{ name: "Plan" }], { parts: [{ name: SHEET, data: sheet }] });
  const { contents, faults } = await edit("a.xlsx", before, {
    0: { content: "Text", status: "draft", media: "a.png" },
  });
  expect(faults).toEqual([]);
  expect((await parts(contents))[SHEET]).not.toContain("dimension");
  const read = await readContents("a.xlsx", contents, { columns: {} });
  expect(read.rows[0]?.cells).toMatchObject({ content: "Text", status: "draft", media: "a.png" });
});

test("leaves rows with formulas, merged cells or texts that are too long unchanged", async () => {
  const formula = { xml: '<c r="F2" t="str"><f>IF(A1=1,"a","")</f><v></v></c>' };
  const rows = [
    HEAD,
    ["a", "2036-03-01", "09:00", "x", "Spring", formula],
    ["b", "2036-03-02", "09:00", "x", "Fern"],
    ["c", "2036-03-03", "09:00", "x", "Moss"],
    ["d", "2036-03-04", "09:00", "x", "Oak"],
  ];
  const after = '<mergeCells count="1"><mergeCell ref="E4:F4"/></mergeCells>';
  const { contents, faults } = await edit("a.xlsx", workbook({ rows, after }), {
    0: { content: "1" },
    1: { content: "2".repeat(32_768) },
    2: { content: "3" },
    3: { content: "4" },
  });
  expect(faults).toEqual([
    { row: 0, message: expect.stringContaining("cannot write into F2, because it contains a formula") },
    { row: 1, message: expect.stringContaining("32768 characters") },
    { row: 2, message: expect.stringContaining("cannot write into F4, because it is merged") },
  ]);
  const read = await readContents("a.xlsx", contents, { columns: {} });
  expect(read.rows.map(({ cells }) => cells.content)).toEqual([undefined, undefined, undefined, "4"]);
});

test.each([
  ["an array formula", '<f t="array" ref="F2:F4">UPPER(E2:E4)</f>'],
  ["a data table", '<f t="dataTable" ref="F2:F4" dt2D="0" dtr="0" r1="E2"/>'],
  ["an array formula with its corners swapped", '<f ref="F4:F2" t="array">UPPER(E2:E4)</f>'],
])("leaves cells unchanged that %s fills", async (_what, formula) => {
  const rows = [
    HEAD,
    ["a", "2036-03-01", "09:00", "x", "Spring", { xml: `<c r="F2" t="str">${formula}<v>A</v></c>` }],
    ["b", "2036-03-02", "09:00", "x", "Fern", "FERN"],
    ["c", "2036-03-03", "09:00", "x", "Moss"],
    ["d", "2036-03-04", "09:00", "x", "Oak"],
  ];
  const { contents, faults } = await edit("a.xlsx", workbook({ rows }), {
    0: { content: "1" },
    1: { content: "2" },
    2: { content: "3" },
    3: { content: "4" },
  });
  expect(faults).toEqual([
    { row: 0, message: expect.stringContaining("cannot write into F2, because it contains a formula") },
    { row: 1, message: expect.stringContaining("into F3, because the formula in F2 fills it") },
    { row: 2, message: expect.stringContaining("into F4, because the formula in F2 fills it") },
  ]);
  const sheet = (await parts(contents))[SHEET];
  expect(sheet).toContain(formula);
  expect(sheet).toContain("FERN");
  expect(sheet).toContain(">4<");
});

test("writes beside a shared formula, whose cells all contain it", async () => {
  const formula = { xml: '<c r="F2" t="str"><f t="shared" si="0" ref="F2:F3">UPPER(E2)</f><v>A</v></c>' };
  const rows = [
    HEAD,
    ["a", "2036-03-01", "09:00", "x", "Spring", formula],
    ["b", "2036-03-02", "09:00", "x", "Fern", "By hand"],
  ];
  const { faults } = await edit("a.xlsx", workbook({ rows }), { 1: { content: "New" } });
  expect(faults).toEqual([]);
});

test("edits a ZIP archive with sizes after the data", async () => {
  const before = Buffer.from(workbook());
  // Sets only the flag. plancast drops sizes after the data, so the test needs none.
  for (let at = before.indexOf("PK\u0003\u0004"); at !== -1; at = before.indexOf("PK\u0003\u0004", at + 4))
    before.writeUInt16LE(0x0808, at + 6);
  const { contents, faults } = await edit("a.xlsx", before, { 0: { content: "Text" } });
  expect(faults).toEqual([]);
  expect((await readContents("a.xlsx", contents, { columns: {} })).rows[0]?.cells.content).toBe("Text");
});

test("keeps a guarded column guarded", async () => {
  const rows = [
    [...HEAD.slice(0, 5), "'content"],
    ["a", "2036-03-01", "09:00", "x", "Spring"],
  ];
  const { contents } = await edit("a.xlsx", workbook({ rows }), { 0: { content: "-1" } });
  expect((await parts(contents))[SHEET]).toContain(">'-1<");
});
