import { describe, expect, test } from "vitest";
import type { ReadOptions } from "../../../../src/calendars/read/format.ts";
import { readWorkbook } from "../../../../src/calendars/formats/workbook/read-workbook.ts";
import type { RawCalendar } from "../../../../src/model/row.ts";
import { type OdsOptions, ods } from "../../../support/workbook-files.ts";
import { cellsOf } from "../../places.ts";

function read(bytes: Uint8Array, options: Partial<ReadOptions> = {}): Promise<RawCalendar> {
  return readWorkbook("plan.ods", bytes, { columns: {}, ...options });
}

const cell = (text: string, attributes = ""): string =>
  `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`;
const row = (cells: string, attributes = ""): string =>
  `<table:table-row ${attributes}>${cells}</table:table-row>`;
const table = (rows: string, attributes = 'table:name="Plan"'): string =>
  `<table:table ${attributes}>${rows}</table:table>`;
const HEADER = row(cell("content") + cell("date") + cell("time"));

function places({ problems }: RawCalendar): string[] {
  return problems.map(({ code, cell: name }) => (name === undefined ? code : `${code}@${name}`));
}

/** The text that plancast reads from a cell in the column `content`. */
async function shown(xml: string, options: OdsOptions = {}): Promise<unknown> {
  const calendar = await read(ods(table(HEADER + row(xml + cell("2027-03-01"))), options));
  expect(calendar.problems).toEqual([]);
  return calendar.rows[0]?.cells.content;
}

test("reads each row as a post, with the place of each cell", async () => {
  const calendar = await read(ods(table(HEADER + row(cell("Hello") + cell("2027-03-01") + cell("09:30")))));
  expect(calendar.problems).toEqual([]);
  expect(cellsOf(calendar)).toEqual([{ content: "Hello", date: "2027-03-01", time: "09:30" }]);
  expect(calendar.rows[0]?.at("time")).toEqual({ file: "plan.ods", line: 2, column: 3, cell: "Plan!C2" });
});

const format = (name: string, parts: string): string =>
  `<number:date-style style:name="N${name}">${parts}</number:date-style><style:style style:name="${name}" style:family="table-cell" style:data-style-name="N${name}"/><style:style style:name="${name}child" style:parent-style-name="${name}"/>`;

describe("values", () => {
  test.each([
    ["date", 'office:date-value="2027-03-01"', "2027-03-01"],
    ["date", 'office:date-value="2027-03-01T09:30:00"', "2027-03-01 09:30"],
    ["date", 'office:date-value="2027-03-01T09:29:59.999999"', "2027-03-01 09:30"],
    ["date", 'office:date-value="1899-12-30T20:30:00"', "20:30"],
    ["time", 'office:time-value="PT20H30M00S"', "20:30"],
    ["time", 'office:time-value="PT02H29M59.999999999S"', "02:30"],
    ["float", 'office:value="12"', "12"],
    ["float", 'office:value="0.30000000000000004"', "0.3"],
    ["percentage", 'office:value="0.5"', "0.5"],
    ["currency", 'office:value="3" office:currency="EUR"', "3"],
    ["boolean", 'office:boolean-value="true"', "TRUE"],
    ["boolean", 'office:boolean-value="false"', "FALSE"],
    ["string", "", "as shown"],
    ["string", 'office:string-value="not shown"', "as shown"],
  ])("reads %s with %s", async (type, value, text) => {
    expect(await shown(cell("as shown", `office:value-type="${type}" ${value}`))).toBe(text);
  });

  test("reads a text that is only an attribute", async () => {
    expect(await shown('<table:table-cell office:value-type="string" office:string-value="x"/>')).toBe("x");
  });

  test("keeps zeros before an id", async () => {
    expect(await shown(cell("0012", 'office:value-type="float" office:value="12"'))).toBe("0012");
    expect(await shown(cell("0013", 'office:value-type="float" office:value="12"'))).toBe("12");
  });

  const styles =
    format("day", "<number:day/><number:text>.</number:text><number:month/>") +
    format("clock", "<number:hours/><number:minutes/>") +
    format("both", "<number:year/><number:hours/>") +
    '<number:time-style style:name="Nlong" number:truncate-on-overflow="false"><number:hours/></number:time-style><style:style style:name="long" style:data-style-name="Nlong"/>';
  const instant = 'office:value-type="date" office:date-value="2027-03-01T09:30:00"';

  test.each([
    ["day", "2027-03-01"],
    ["clock", "09:30"],
    ["both", "2027-03-01 09:30"],
    ["daychild", "2027-03-01"],
    ["unknown", "2027-03-01 09:30"],
  ])("reads a date as the style %s shows it", async (style, text) => {
    expect(await shown(cell("", `table:style-name="${style}" ${instant}`), { styles })).toBe(text);
  });

  test("takes the style from the row or the column", async () => {
    const columns =
      '<table:table-column/><table:table-column table:number-columns-repeated="2" table:default-cell-style-name="day"/>';
    const rows =
      row(cell("a") + cell("", instant)) +
      row(cell("b") + cell("", instant), 'table:default-cell-style-name="clock"');
    const calendar = await read(ods(table(columns + HEADER + rows), { styles }));
    expect(calendar.rows.map(({ cells }) => cells.date)).toEqual(["2027-03-01", "09:30"]);
  });

  test.each([
    ["a style that shows all hours", "33:30", "long", "PT33H30M00S", "33:30"],
    ["no style", "33:30:00", "", "PT33H30M00S", "33:30"],
    ["no style, and nothing shown", "", "", "P1DT9H30M00S", "33:30"],
    ["a clock's style, but all hours shown", "33:30", "clock", "PT33H30M00S", "33:30"],
    ["a day and a time, shown as a clock", "09:30", "clock", "PT1114737H30M00S", "09:30"],
    ["a clock that shows a night hour", "23:30", "clock", "PT47H30M00S", "23:30"],
  ])("reads 24 hours or more as they are shown: %s", async (_what, text, style, value, expected) => {
    const attributes = `table:style-name="${style}" office:value-type="time" office:time-value="${value}"`;
    expect(await shown(cell(text, attributes), { styles })).toBe(expected);
  });
});

describe("text", () => {
  test.each([
    ["paragraphs are lines", "<text:p>a</text:p><text:p/><text:p>b</text:p>", "a\n\nb"],
    [
      "spaces, tabs and line ends",
      '<text:p>a<text:s text:c="3"/>b<text:s/>c<text:tab/>d<text:line-break/>e</text:p>',
      "a   b c\td\ne",
    ],
    ["white space is one space", "<text:p>a \n  b</text:p>", "a b"],
    [
      "spans and links",
      '<text:p>a<text:span>b<text:span>c</text:span></text:span><text:a xlink:href="c">d</text:a></text:p>',
      "abcd",
    ],
    ["no comments", "<office:annotation><text:p>Anna</text:p></office:annotation><text:p>a</text:p>", "a"],
    [
      "no pronunciation",
      "<text:p><text:ruby><text:ruby-base>a</text:ruby-base><text:ruby-text>b</text:ruby-text></text:ruby></text:p>",
      "a",
    ],
    [
      "no drawings",
      "<draw:frame><draw:text-box><text:p>x</text:p></draw:text-box></draw:frame><text:p>a</text:p>",
      "a",
    ],
    ["entities and emoji", "<text:p>&lt;&amp;&#x1F389; 👩‍🚀</text:p>", "<&🎉 👩‍🚀"],
  ])("reads %s", async (_what, xml, text) => {
    const calendar = await read(ods(table(HEADER + row(`<table:table-cell>${xml}</table:table-cell>`))));
    expect(calendar.rows[0]?.cells.content).toBe(text);
  });
});

test("reads the results of formulas, and refuses errors and missing results", async () => {
  const formula = 'table:formula="of:=A1"';
  const rows = [
    cell("a", `${formula} office:value-type="string"`),
    cell("#REF!", `${formula} office:value-type="string" calcext:value-type="error"`),
    cell("Err:508", `${formula} office:value-type="string"`),
    cell("#N/A", 'office:value-type="string"'),
    `<table:table-cell ${formula}/>`,
  ];
  const calendar = await read(ods(table(HEADER + rows.map((each) => row(each)).join(""))));
  expect(places(calendar)).toEqual([
    "sheet/formula@Plan!A3",
    "sheet/formula@Plan!A4",
    "sheet/formula@Plan!A6",
  ]);
  expect(cellsOf(calendar)).toEqual([{ content: "a" }, { content: "#N/A" }]);
});

test("repeats repeated rows and cells, and ignores empty ones", async () => {
  const rows =
    row('<table:table-cell table:number-columns-repeated="1024"/>', 'table:number-rows-repeated="3"') +
    HEADER +
    row(cell("a") + cell("b", 'table:number-columns-repeated="2"'), 'table:number-rows-repeated="2"') +
    row('<table:table-cell table:number-columns-repeated="16384"/>', 'table:number-rows-repeated="1048570"');
  const calendar = await read(ods(table(rows)));
  expect(calendar.problems).toEqual([]);
  expect(calendar.rows.map(({ line, cells }) => [line, { ...cells }])).toEqual([
    [5, { content: "a", date: "b", time: "b" }],
    [6, { content: "a", date: "b", time: "b" }],
  ]);
});

test("refuses merged cells, or carries them down on request", async () => {
  const covered = "<table:covered-table-cell><text:p>not shown</text:p></table:covered-table-cell>";
  const rows =
    row(cell("a") + cell("2027-03-01", 'table:number-rows-spanned="2" table:number-columns-spanned="1"')) +
    row(cell("b") + covered);
  const bytes = ods(table(HEADER + rows));
  expect(places(await read(bytes))).toEqual(["sheet/merged-cells@Plan!B3"]);
  const carried = await read(bytes, { merged_cells: "carry" });
  expect(cellsOf(carried)).toEqual([
    { content: "a", date: "2027-03-01" },
    { content: "b", date: "2027-03-01" },
  ]);
});

test("reports hidden and filtered rows, and skips them on request", async () => {
  const rows =
    row(cell("a")) +
    row(cell("b"), 'table:visibility="collapse"') +
    row(cell("c"), 'table:visibility="filter"');
  const bytes = ods(table(HEADER + `<table:table-row-group>${rows}</table:table-row-group>`));
  const calendar = await read(bytes);
  expect(places(calendar)).toEqual(["sheet/hidden-rows@Plan!A3"]);
  expect(calendar.problems[0]?.message).toContain(
    "2 rows are hidden (3, 4). plancast reads hidden rows like the others, also those that a filter hides",
  );
  expect((await read(bytes, { hidden_rows: "skip" })).rows.map(({ line }) => line)).toEqual([2]);
});

test("reads a hidden sheet only by name, and ignores tables within a cell", async () => {
  const styles =
    '<style:style style:name="ta1" style:family="table"><style:table-properties table:display="false"/></style:style>';
  const inner = `<table:table-cell>${table(row(cell("x")), 'table:name="Inner"')}<text:p>a</text:p></table:table-cell>`;
  const tables =
    table(HEADER + row(inner)) + table(HEADER + row(cell("old")), 'table:name="Old" table:style-name="ta1"');
  expect(cellsOf(await read(ods(tables, { styles })))).toEqual([{ content: "a" }]);
  expect(cellsOf(await read(ods(tables, { styles }), { sheet: "Old" }))).toEqual([{ content: "old" }]);
  expect(places(await read(ods(tables, { styles }), { sheet: "Inner" }))).toEqual(["sheet/unclear"]);
});

test("reports a link that its text does not show", async () => {
  const link =
    '<table:table-cell><text:p>Read <text:a xlink:href="https://example.com/a">more</text:a></text:p></table:table-cell>';
  expect(places(await read(ods(table(HEADER + row(link)))))).toEqual(["sheet/lost-link@Plan!A2"]);
});
