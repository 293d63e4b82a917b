import { describe, expect, test } from "vitest";
import type { ReadOptions } from "../../../../src/calendars/read/format.ts";
import { readWorkbook } from "../../../../src/calendars/formats/workbook/read-workbook.ts";
import type { RawCalendar } from "../../../../src/model/row.ts";
import {
  type TestCell,
  type TestSheet,
  type XlsxOptions,
  styled,
  xlsx,
} from "../../../support/workbook-files.ts";
import { cellsOf } from "../../places.ts";

const HEADER = ["content", "date", "time", "platforms"];
const OPTIONS: ReadOptions = { columns: {} };

function read(bytes: Uint8Array, options: Partial<ReadOptions> = {}): Promise<RawCalendar> {
  return readWorkbook("plan.xlsx", bytes, { ...OPTIONS, ...options });
}

/** A sheet `Plan` with a header, and rows. */
function plan(rows: readonly (readonly TestCell[])[], more: Partial<TestSheet> = {}): TestSheet {
  return { name: "Plan", rows: [HEADER, ...rows], ...more };
}

/** `code@cell`, in the order given. */
function places({ problems }: RawCalendar): string[] {
  return problems.map(({ code, cell }) => (cell === undefined ? code : `${code}@${cell}`));
}

/** What a cell in the column `content` reads as. */
async function shown(cell: TestCell, options: XlsxOptions = {}): Promise<unknown> {
  const calendar = await read(xlsx([plan([[cell, "2027-03-01"]])], options));
  expect(calendar.problems).toEqual([]);
  return calendar.rows[0]?.cells.content;
}

test("reads each row as a post, with the place of each cell", async () => {
  const calendar = await read(xlsx([plan([["Hello", "2027-03-01", "09:30", "linkedin, x"]])]));
  expect(calendar.problems).toEqual([]);
  expect(cellsOf(calendar)).toEqual([
    { content: "Hello", date: "2027-03-01", time: "09:30", platforms: "linkedin, x" },
  ]);
  expect(calendar.rows[0]?.line).toBe(2);
  expect(calendar.rows[0]?.at("time")).toEqual({ file: "plan.xlsx", line: 2, column: 3, cell: "Plan!C2" });
  expect(calendar.rows[0]?.at()).toMatchObject({ line: 2, cell: "Plan!A2" });
});

function format(code: string, more: XlsxOptions = {}): XlsxOptions {
  return { formats: [code], ...more };
}

describe("dates and times", () => {
  test.each([
    ["dd/mm/yyyy", 46447, "2027-03-01"],
    ["dd/mm/yyyy", 46447.9, "2027-03-01"],
    ["mmm d", 46447, "2027-03-01"],
    ["[$-40C]d mmmm yyyy;@", 46447, "2027-03-01"],
    ['yyyy"-"mm"-"dd', 46447, "2027-03-01"],
    ["yyyy-mm-dd hh:mm", 46447.395833333336, "2027-03-01 09:30"],
    ["yyyy-mm-dd hh:mm", 46447, "2027-03-01 00:00"],
    ["m/d/yy h:mm AM/PM", 46447.854166666664, "2027-03-01 20:30"],
    ["h:mm", 0.104166666666667, "02:30"],
    ["h:mm", 0.854166, "20:30"],
    ["h:mm", 46447.395833333336, "09:30"],
    ["hh:mm:ss", 0.39600694444444445, "09:30:15"],
    ["hh:mm", 0, "00:00"],
    ["dd/mm/yyyy", 0.5, "12:00"],
    ["[h]:mm", 1.5, "36:00"],
    ["yyyy-mm-dd", 1, "1900-01-01"],
    ["yyyy-mm-dd", 59, "1900-02-28"],
    ["yyyy-mm-dd", 60, "1900-02-29"],
    ["yyyy-mm-dd", 61, "1900-03-01"],
    ["yyyy-mm-dd hh:mm", 46447.999999999, "2027-03-02 00:00"],
  ])("with the format %s, %d shows %s", async (code, value, text) => {
    expect(await shown(styled(value, 1), format(code))).toBe(text);
  });

  test.each([
    [0, "00:00"],
    [1, "1904-01-02"],
    [44985, "2027-03-01"],
    [44985.395833333336, "2027-03-01 09:30"],
  ])("from 1904, %d shows %s", async (value, text) => {
    const code = Number.isInteger(value) ? "yyyy-mm-dd" : "yyyy-mm-dd hh:mm";
    expect(await shown(styled(value, 1), format(code, { date1904: true }))).toBe(text);
  });

  test("are exact for every minute of a day", async () => {
    const minutes = Array.from({ length: 1440 }, (_none, minute) => minute);
    const rows = minutes.map((minute) => ["x", "y", styled(String(46447 + minute / 1440), 1)]);
    const calendar = await read(xlsx([plan(rows)], format("yyyy-mm-dd hh:mm:ss")));
    const expected = minutes.map((minute) => {
      const [hours, rest] = [Math.floor(minute / 60), minute % 60].map((part) =>
        String(part).padStart(2, "0"),
      );
      return `2027-03-01 ${hours}:${rest}`;
    });
    expect(calendar.rows.map(({ cells }) => cells.time)).toEqual(expected);
  });

  test.each([
    ["2027-03-01T09:30:00", "2027-03-01 09:30"],
    ["2027-03-01T09:29:59.9996Z", "2027-03-01 09:30"],
    ["2027-03-01", "2027-03-01"],
    ["20:30:00", "20:30"],
    ["1899-12-30T20:30:00", "20:30"],
  ])("in ISO form, %s shows %s", async (value, text) => {
    expect(await shown({ xml: `<c r="@" t="d"><v>${value}</v></c>` })).toBe(text);
  });

  test("are read from a sheet of many elements side by side", async () => {
    const styles = `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts>${"<font/>".repeat(5_000)}</fonts><cellXfs><xf numFmtId="0"/></cellXfs></styleSheet>`;
    const raw = await read(
      xlsx([plan([["a", "2030-03-01", "09:00", "x"]])], { parts: [{ name: "xl/styles.xml", data: styles }] }),
    );
    expect(raw.problems).toEqual([]);
    expect(raw.rows).toHaveLength(1);
  });

  test("use built-in formats that the file does not define", async () => {
    const styles = `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs>${[0, 14, 20, 22, 46, 10].map((id) => `<xf numFmtId="${id}"/>`).join("")}</cellXfs></styleSheet>`;
    const parts = [{ name: "xl/styles.xml", data: styles }];
    const texts = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((style) => shown(styled(46447.5, style), { parts })),
    );
    expect(texts).toEqual(["46447.5", "2027-03-01", "12:00", "2027-03-01 12:00", "1114740:00", "46447.5"]);
  });

  test.each([["0.00E+00"], ["#,##0.00 [$€-40C]"], ['"days" 0'], ["0%"], ["@"], ["General"], ["[Red]0"]])(
    "are not read from the format %s",
    async (code) => {
      expect(await shown(styled(46447, 1), format(code))).toBe("46447");
    },
  );

  test("without a date format, a number is a time only if it is below 1 and in a column of times", async () => {
    const calendar = await read(xlsx([plan([["a", 46000.354, 0.854166667]])]));
    expect(cellsOf(calendar)).toEqual([{ content: "a", date: "46000.354", time: "20:30" }]);
    const others = await read(xlsx([plan([["a", 0.5, 9.3]])]));
    expect(cellsOf(others)).toEqual([{ content: "a", date: "0.5", time: "9.3" }]);
  });
});

describe("numbers, texts and formulas", () => {
  test.each([
    [12, "12"],
    [-3.5, "-3.5"],
    ["0.30000000000000004", "0.3"],
    ["123456789012345", "123456789012345"],
    ["1E21", "1E+21"],
    ["1.5E-7", "1.5E-7"],
    [" 7 ", "7"],
  ])("shows the number %s as %s", async (value, text) => {
    expect(await shown({ xml: `<c r="@"><v>${value}</v></c>` })).toBe(text);
  });

  test("keeps zeros before an id", async () => {
    expect(await shown(styled(42, 1), { formats: ["00000"] })).toBe("00042");
    expect(await shown(styled(4.5, 1), { formats: ["00000"] })).toBe("4.5");
  });

  test.each([
    [true, "TRUE"],
    [false, "FALSE"],
  ])("shows %s as %s", async (value, text) => {
    expect(await shown(value)).toBe(text);
  });

  test("joins rich text and leaves out pronunciation", async () => {
    const si =
      '<si><r><t>Big </t></r><r><rPr><b/></rPr><t>news</t></r><rPh sb="0" eb="1"><t>BIGU</t></rPh></si>';
    expect(await shown({ xml: '<c r="@" t="s"><v>0</v></c>' }, { sharedStrings: [si] })).toBe("Big news");
    const inline = `<c r="@" t="inlineStr"><is><r><t>Big</t></r><r><t xml:space="preserve"> news</t></r></is></c>`;
    expect(await shown({ xml: inline })).toBe("Big news");
  });

  test("keeps line ends, control characters and their look-alikes", async () => {
    for (const text of ["a\nb", "a\r\nb", "a\tb", "_x000D_", "_x005F_", " a ", "👩‍🚀 été", "]]>&amp;<"]) {
      expect(await shown(text)).toBe(text);
    }
  });

  test("reads the stored result of a formula", async () => {
    expect(await shown({ xml: '<c r="@" t="str"><f>A1&amp;"x"</f><v>Hello _x0041_</v></c>' })).toBe(
      "Hello A",
    );
    expect(await shown({ xml: '<c r="@"><f t="shared" si="0"/><v>42</v></c>' })).toBe("42");
    expect(await shown({ xml: '<c r="@" t="str"><f>IF(1,"")</f><v></v></c>' })).toBeUndefined();
  });

  test.each([
    ["without a result", '<c r="@"><f>A1</f></c>', {}],
    ["with an empty one", '<c r="@"><f>A1</f><v/></c>', {}],
    [
      "of a program that does not calculate",
      '<c r="@"><f>A1</f><v>0</v></c>',
      { calcPr: 'fullCalcOnLoad="1"' },
    ],
  ])("refuses a formula %s", async (_what, xml, options) => {
    const calendar = await read(xlsx([plan([[{ xml }, "2027-03-01"]])], options));
    expect(places(calendar)).toEqual(["sheet/formula@Plan!A2"]);
    expect(calendar.rows).toEqual([]);
  });

  test("refuses an error only in a cell that is read", async () => {
    const error = { xml: '<c r="@" t="e"><f>1/0</f><v>#DIV/0!</v></c>' };
    const rows = [
      [error, "2027-03-01"],
      ["fine", "2027-03-01", undefined, undefined, error],
    ];
    const calendar = await read(xlsx([plan(rows, { rows: [[...HEADER, "notes"], ...rows] })]));
    expect(places(calendar)).toEqual(["columns/unknown@Plan!E1", "sheet/formula@Plan!A2"]);
    expect(calendar.problems[1]?.message).toContain("#DIV/0!");
    expect(calendar.rows.map(({ line }) => line)).toEqual([3]);
  });
});

describe("merged cells", () => {
  const rows = [
    ["one", "2027-03-01", "09:00", "x"],
    ["two", undefined, "10:00", "x"],
    ["three", undefined, "11:00", "x"],
    [undefined, undefined, undefined, undefined],
    ["five", "2027-03-02", "11:00", "x"],
  ];
  const after = '<mergeCells><mergeCell ref="B2:B5"/></mergeCells>';

  test("are refused without a setting", async () => {
    const calendar = await read(xlsx([plan(rows, { after })]));
    expect(places(calendar)).toEqual(["sheet/merged-cells@Plan!B3", "sheet/merged-cells@Plan!B4"]);
    expect(calendar.problems[0]?.message).toContain("`merged_cells: carry`");
    expect(calendar.problems[0]?.message).toContain("2027-03-01");
    expect(calendar.rows.map(({ line }) => line)).toEqual([2, 6]);
  });

  test("are carried down on request, into rows that are not empty", async () => {
    const calendar = await read(xlsx([plan(rows, { after })]), { merged_cells: "carry" });
    expect(calendar.problems).toEqual([]);
    expect(calendar.rows.map(({ line, cells }) => [line, cells.date])).toEqual([
      [2, "2027-03-01"],
      [3, "2027-03-01"],
      [4, "2027-03-01"],
      [6, "2027-03-02"],
    ]);
  });

  test("are ignored side by side or empty", async () => {
    const wide = '<mergeCells><mergeCell ref="A2:B2"/><mergeCell ref="D3:D4"/></mergeCells>';
    const calendar = await read(
      xlsx([
        plan(
          [
            ["a", undefined, "09:00"],
            ["b", "c", "d"],
            ["e", "f", "g"],
          ],
          { after: wide },
        ),
      ]),
    );
    expect(calendar.problems).toEqual([]);
    expect(cellsOf(calendar)).toEqual([
      { content: "a", time: "09:00" },
      { content: "b", date: "c", time: "d" },
      { content: "e", date: "f", time: "g" },
    ]);
  });

  test("are ignored in a column that is not read", async () => {
    const sheet = {
      name: "Plan",
      rows: [
        ["content", "date", "week"],
        ["a", "1", "10"],
        ["b", "2"],
      ],
      after: '<mergeCells><mergeCell ref="C2:C3"/></mergeCells>',
    };
    expect(places(await read(xlsx([sheet])))).toEqual(["columns/unknown@Plan!C1"]);
  });
});

const lines = ({ rows: read }: RawCalendar): number[] => read.map(({ line }) => line);

describe("hidden rows", () => {
  const rows = [
    ["a", "1"],
    ["b", "2"],
    ["c", "3"],
  ];

  test("are read and reported", async () => {
    const calendar = await read(xlsx([plan(rows, { hiddenRows: [3, 4] })]));
    expect(places(calendar)).toEqual(["sheet/hidden-rows@Plan!A3"]);
    expect(calendar.problems[0]).toMatchObject({ severity: "warning" });
    expect(calendar.problems[0]?.message).toMatch(/^2 rows are hidden \(3, 4\).*hidden_rows: skip/);
    expect(lines(calendar)).toEqual([2, 3, 4]);
  });

  test("are skipped, or read without a report, on request", async () => {
    const bytes = xlsx([plan(rows, { hiddenRows: [3] })]);
    const skipped = await read(bytes, { hidden_rows: "skip" });
    expect([lines(skipped), skipped.problems]).toEqual([[2, 4], []]);
    const taken = await read(bytes, { hidden_rows: "read" });
    expect([lines(taken), taken.problems]).toEqual([[2, 3, 4], []]);
  });

  test("are not reported when empty", async () => {
    expect((await read(xlsx([plan([...rows, [], [" "]], { hiddenRows: [5, 6] })]))).problems).toEqual([]);
  });
});

test("reports a link that its text does not show", async () => {
  const rows = [
    ["Read more", "1"],
    ["See example.com/a", "2"],
    ["x", "3"],
  ];
  const after =
    '<hyperlinks><hyperlink ref="A2" r:id="rId1"/><hyperlink ref="A3" r:id="rId1"/><hyperlink ref="B4" r:id="rId1"/><hyperlink ref="A4" location="Other!A1"/></hyperlinks>';
  const calendar = await read(xlsx([plan(rows, { after, links: ["https://example.com/a"] })]));
  expect(places(calendar)).toEqual(["sheet/lost-link@Plan!A2"]);
  expect(calendar.problems[0]).toMatchObject({ severity: "warning" });
  expect(calendar.problems[0]?.message).toContain("https://example.com/a");
  expect(calendar.rows).toHaveLength(3);
});

describe("the sheet", () => {
  const notes: TestSheet = { name: "Notes", rows: [["Ideas"], ["cake"]] };

  test("is the one that looks like a calendar, in any position", async () => {
    const calendar = await read(xlsx([notes, { name: "Empty" }, plan([["a", "1"]], { name: "März 2027" })]));
    expect(calendar.problems).toEqual([]);
    expect(calendar.rows[0]?.at("date")).toMatchObject({ cell: "'März 2027'!B2" });
  });

  test("is the one that the project names, even hidden, in any case", async () => {
    const bytes = xlsx([plan([["a", "1"]]), plan([["b", "2"]], { name: "It's old", state: "veryHidden" })]);
    const calendar = await read(bytes, { sheet: " it's OLD" });
    expect(calendar.problems).toEqual([]);
    expect(calendar.rows[0]?.at("content").cell).toBe("'It''s old'!A2");
  });

  test("is refused when the named one is missing", async () => {
    const calendar = await read(xlsx([plan([["a", "1"]]), notes]), { sheet: "Plann" });
    expect(places(calendar)).toEqual(["sheet/unclear"]);
    expect(calendar.problems[0]?.message).toContain("Did you mean");
  });

  test("is not chosen among several calendars", async () => {
    const calendar = await read(xlsx([plan([["a", "1"]]), plan([["b", "2"]], { name: "April" })]));
    expect(places(calendar)).toEqual(["sheet/unclear"]);
    expect(calendar.problems[0]?.message).toContain("`Plan`, `April`");
    expect(calendar.rows).toEqual([]);
  });

  test("is not chosen among several without a calendar", async () => {
    expect(places(await read(xlsx([notes, { ...notes, name: "More" }])))).toEqual(["sheet/unclear"]);
  });

  test("is not chosen when hidden", async () => {
    const hidden = plan([["a", "1"]], { state: "hidden" });
    const calendar = await read(xlsx([{ name: "Empty" }, hidden]));
    expect(places(calendar)).toEqual(["calendar/empty"]);
    expect(calendar.problems[0]?.message).toContain("`Plan`");
  });

  test("is the only one with cells, and its problems are reported", async () => {
    const calendar = await read(
      xlsx([
        {
          name: "Plan",
          rows: [
            ["content", "when"],
            ["a", "1"],
          ],
        },
      ]),
    );
    expect(places(calendar)).toContain("columns/unknown@Plan!B1");
  });
});

test("ignores hundreds of empty rows and columns, and a note far to the right", async () => {
  const empty = Array.from({ length: 300 }, () => ["", " ", "\u00a0", undefined]);
  const wide = ["a", "1", "09:00", "x", ...Array.from({ length: 20 }, () => ""), "note"];
  const calendar = await read(xlsx([plan([wide, ...empty, ["b", "2"]])]));
  expect(calendar.rows.map(({ line }) => line)).toEqual([2, 303]);
  expect(places(calendar)).toEqual(["columns/unknown@Plan!Y1"]);
});

function cell(text: string): string {
  return `<c t="str"><v>${text}</v></c>`;
}

test("reads rows and cells without positions one after another", async () => {
  const data = `<row>${HEADER.map(cell).join("")}</row><row r="5">${cell("a")}<c r="C5" t="str"><v>09:00</v></c>${cell("x")}</row>`;
  const calendar = await read(xlsx([{ name: "Plan", data }]));
  expect(cellsOf(calendar)).toEqual([{ content: "a", time: "09:00", platforms: "x" }]);
  expect(calendar.rows[0]?.line).toBe(5);
});

test("reads other prefixes, the strict format and UTF-16 parts", async () => {
  const workbook = `<x:workbook xmlns:x="http://purl.oclc.org/ooxml/spreadsheetml/main" xmlns:q="http://purl.oclc.org/ooxml/officeDocument/relationships"><x:sheets><x:sheet name="Plan" sheetId="1" q:id="rId1"/></x:sheets></x:workbook>`;
  const sheet = `<?xml version="1.0" encoding="UTF-16"?><x:worksheet xmlns:x="http://purl.oclc.org/ooxml/spreadsheetml/main"><x:sheetData><x:row r="1"><x:c t="str"><x:v>content</x:v></x:c><x:c t="str"><x:v>date</x:v></x:c></x:row><x:row r="2"><x:c t="str"><x:v>été</x:v></x:c></x:row></x:sheetData></x:worksheet>`;
  const parts = [
    { name: "xl/workbook.xml", data: workbook },
    { name: "xl/worksheets/sheet1.xml", data: Buffer.from(`\uFEFF${sheet}`, "utf16le") },
  ];
  expect(cellsOf(await read(xlsx([plan([])], { parts })))).toEqual([{ content: "été" }]);
});
