/** What people see in the cells of a workbook besides their texts: comments, lines through texts, colours. */
import { describe, expect, test } from "vitest";
import type { ReadOptions } from "../../../../src/calendars/read/format.ts";
import { readWorkbook } from "../../../../src/calendars/formats/workbook/read-workbook.ts";
import type { RawCalendar } from "../../../../src/model/row.ts";
import { type TestCell, ods, xlsx } from "../../../support/workbook-files.ts";

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';

/** Styles: 1 is struck through, 2 is green, 3 is red, 4 is white, 5 has a font whose line is switched off. */
const STYLES =
  `<styleSheet ${MAIN}><fonts><font/><font><strike/></font><font><strike val="0"/></font></fonts>` +
  '<fills><fill><patternFill patternType="none"/></fill>' +
  ["FF92D050", "FFFF0000", "FFFFFFFF"]
    .map(
      (rgb) =>
        `<fill><patternFill patternType="solid"><fgColor rgb="${rgb}"/><bgColor indexed="64"/></patternFill></fill>`,
    )
    .join("") +
  '</fills><cellStyleXfs><xf fontId="1" fillId="2"/></cellStyleXfs>' +
  '<cellXfs><xf/><xf fontId="1"/><xf fillId="1"/><xf fillId="2"/><xf fillId="3"/><xf fontId="2"/></cellXfs>' +
  '<dxfs><dxf><font><strike/></font><fill><patternFill><bgColor rgb="FFFF0000"/></patternFill></fill></dxf></dxfs></styleSheet>';

const COMMENTS =
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments" Target="../comments1.xml"/></Relationships>';

/** A cell with a text in a style. */
const text = (shown: string, style = 0): TestCell => ({
  xml: `<c r="@" s="${style}" t="inlineStr"><is><t>${shown}</t></is></c>`,
});

interface Looks extends Partial<ReadOptions> {
  readonly comments?: Readonly<Record<string, string>>;
  readonly strings?: readonly string[];
  readonly header?: readonly string[];
}

function read(
  rows: readonly (readonly TestCell[])[],
  { comments, strings = [], header = ["content", "date", "platforms"], ...options }: Looks = {},
): Promise<RawCalendar> {
  const written = Object.entries(comments ?? {}).map(
    ([cell, note]) => `<comment ref="${cell}" authorId="0"><text><r><t>${note}</t></r></text></comment>`,
  );
  const parts = [
    { name: "xl/styles.xml", data: STYLES },
    ...(comments === undefined
      ? []
      : [
          { name: "xl/worksheets/_rels/sheet1.xml.rels", data: COMMENTS },
          {
            name: "xl/comments1.xml",
            data: `<comments ${MAIN}><authors><author>Do not post</author></authors><commentList>${written.join("")}</commentList></comments>`,
          },
        ]),
  ];
  const bytes = xlsx([{ name: "Plan", rows: [header, ...rows] }], { parts, sharedStrings: strings });
  return readWorkbook("plan.xlsx", bytes, { columns: {}, ...options });
}

function doubts({ rows }: RawCalendar): string[] {
  return rows.flatMap((row) => row.doubts ?? []).map(({ code, cell }) => `${code}@${cell}`);
}

/** A post whose text has a colour. */
const row = (style: number, network = "x"): TestCell[] => [text("a", style), "2036-03-01", network];

async function places(...given: Parameters<typeof read>): Promise<string[]> {
  return (await read(...given)).problems.map(({ code, cell }) => `${code}@${cell}`);
}

/** A cell with a shared text. */
const shared = (index: number): TestCell => ({ xml: `<c r="@" t="s"><v>${index}</v></c>` });

/** A cell and a row of an ODS file. */
const odsCell = (shown: string, style = "", more = ""): string =>
  `<table:table-cell ${style}>${more}<text:p>${shown}</text:p></table:table-cell>`;
const odsRow = (cells: string): string => `<table:table-row>${cells}</table:table-row>`;

describe("a comment that says not to publish keeps its row back", () => {
  const rows = [
    ["a", "2036-03-01", "x"],
    ["b", "2036-03-01", "x"],
  ] as const;

  test("on any cell of the row", async () => {
    const comments = { A2: "Nice!", B3: "Ann:\nDo NOT post until legal has signed" };
    const calendar = await read(rows, { comments });
    expect(doubts(calendar)).toEqual(["row/held-back@Plan!B3"]);
    expect(calendar.rows[1]?.doubts?.[0]?.message).toContain('"Do NOT post until legal has signed"');
  });

  test("at the end of the text that Excel writes for a conversation", async () => {
    const note = `[Threaded comment]\n\nYour version of Excel allows you to read this threaded comment; however, any edits to it will get removed if the file is opened in a newer version of Excel. Learn more: https://go.microsoft.com/fwlink/?linkid=870924\n\nComment:\n    please hold this one\nReply:\n    ok`;
    expect(doubts(await read(rows, { comments: { A2: note } }))).toEqual(["row/held-back@Plan!A2"]);
  });

  test("in ODS", async () => {
    const annotation =
      "<office:annotation><text:p>Bitte nicht </text:p><text:p><text:span>nicht posten</text:span></text:p></office:annotation>";
    const bytes = ods(
      `<table:table table:name="Plan">${odsRow(odsCell("content") + odsCell("date"))}${odsRow(odsCell("a", "", annotation) + odsCell("2036-03-01"))}</table:table>`,
    );
    const calendar = await readWorkbook("plan.ods", bytes, { columns: {} });
    expect(doubts(calendar)).toEqual(["row/held-back@Plan!A2"]);
    expect(calendar.rows[0]?.cells.content).toBe("a");
  });
});

describe("a text that is struck through keeps its row back", () => {
  test("in a cell from which the post gets something", async () => {
    const header = ["content", "date", "platforms", "Owner"];
    const rows = [
      [text("a", 1), "2036-03-01", "x"],
      ["b", text("2036-03-01", 1), "x"],
      ["c", "2036-03-01", "x", text("Ann", 1)],
      [text("d", 5), "2036-03-01", "x"],
    ];
    expect(doubts(await read(rows, { header }))).toEqual(["row/held-back@Plan!A2", "row/held-back@Plan!B3"]);
  });

  test("if only some words are", async () => {
    const runs = "<r><t>On </t></r><r><rPr><strike/></rPr><t>Tuesday </t></r><r><t>Wednesday</t></r>";
    const blank = "<r><t>On</t></r><r><rPr><strike/></rPr><t> </t></r><r><t>Friday</t></r>";
    const strings = [`<si>${runs}</si>`, `<si>${blank}</si>`];
    const inline = { xml: `<c r="@" t="inlineStr"><is>${runs}</is></c>` };
    const rows = [shared(0), shared(1), inline].map((cell) => [cell, "2036-03-01", "x"]);
    const calendar = await read(rows, { strings });
    expect(doubts(calendar)).toEqual(["row/held-back@Plan!A2", "row/held-back@Plan!A4"]);
    expect(calendar.rows[0]?.cells.content).toBe("On Tuesday Wednesday");
  });

  test("in ODS", async () => {
    const styles =
      '<style:style style:name="gone" style:family="text"><style:text-properties style:text-line-through-style="solid"/></style:style>' +
      '<style:style style:name="kept" style:parent-style-name="gone"><style:text-properties style:text-line-through-style="none"/></style:style>';
    const day = odsCell("2036-03-01");
    const rows = [
      odsRow(odsCell("content") + odsCell("date")),
      odsRow(odsCell('On <text:span text:style-name="gone">Tuesday</text:span> Wednesday') + day),
      odsRow(odsCell("b", 'table:style-name="gone"') + day),
      odsRow(odsCell("c", 'table:style-name="kept"') + day),
    ];
    const bytes = ods(`<table:table table:name="Plan">${rows.join("")}</table:table>`, { styles });
    const calendar = await readWorkbook("plan.ods", bytes, { columns: {} });
    expect(doubts(calendar)).toEqual(["row/held-back@Plan!A2", "row/held-back@Plan!A3"]);
  });
});

describe("the styles of rows are a column like any other", () => {
  const status = { columns: { "Row style": "status" } };
  const values = { "Row style": { "green 92D050": "ready", "red FF0000": "draft", "": "skip" } } as const;

  test("colours are asked about if no column has the status", async () => {
    const rows = [row(2), row(3), row(0)];
    const asked = await read(rows);
    expect(asked.problems).toMatchObject([
      { code: "columns/unknown", settings: expect.stringContaining('Row style: "?" # Do the colours') },
    ]);
    expect(await places(rows, { columns: { "Row style": "ignore" } })).toEqual([]);
    expect(await places(rows, status)).toEqual(["columns/unknown-value@Plan!D1"]);
    const { rows: found } = await read(rows, { ...status, values });
    expect(found.map(({ cells }) => cells.status)).toEqual(["ready", "draft", "skip"]);
    const header = ["content", "date", "platforms", "status"];
    expect(
      await places(
        rows.map((cells) => [...cells, "ready"]),
        { header },
      ),
    ).toEqual([]);
  });

  test("rows that are wholly struck through are asked about, also beside a status", async () => {
    const struck = [text("a", 1), text("2036-03-01", 1), text("x", 1)];
    const header = ["content", "date", "platforms", "status"];
    const rows = [
      [...struck, text("ready", 1)],
      ["b", "2036-03-01", "x", "ready"],
    ];
    expect(await places(rows, { header })).toEqual(["columns/unknown@Plan!E1"]);
    const meant = { "Row style": { "struck through": "skip", "": "ready" } } as const;
    const { rows: found } = await read(rows, { header, ...status, values: meant });
    expect(found.map(({ cells, doubts: said }) => [cells.status, said ?? []])).toEqual([
      ["skip", []],
      ["ready", []],
    ]);
  });

  test("a result beside a row that is struck through leaves it struck through", async () => {
    const rows = [
      [text("a", 1), text("2036-03-01", 1), text("x", 1), text("https://x.example/1")],
      ["b", "2036-03-01", "x"],
    ];
    const header = ["content", "date", "platforms", "result_url"];
    const meant = { "Row style": { "struck through": "skip", "": "ready" } } as const;
    const { rows: found } = await read(rows, { header, ...status, values: meant });
    expect(found.map(({ cells }) => cells.status)).toEqual(["skip", undefined]);
  });

  test("are fine if all have the same, only white, or every second one is coloured", async () => {
    expect(await places([row(2), row(2)])).toEqual([]);
    expect(await places([row(0), row(4)])).toEqual([]);
    expect(await places([2, 0, 2, 0, 2, 0].map((style) => row(style)))).toEqual([]);
  });

  test("are fine if the colour shows the network", async () => {
    const rows = [row(2, "x"), row(3, "linkedin"), row(3, "linkedin"), row(2, "x")];
    expect(await places(rows)).toEqual([]);
    expect(await places([...rows, row(2, "linkedin")])).toEqual(["columns/unknown@Plan!D1"]);
  });
});
