/** Refuses files that are not calendars: clearly, soon, and with little memory. */

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readWorkbook } from "../../../../src/calendars/formats/workbook/read-workbook.ts";
import type { RawCalendar } from "../../../../src/model/row.ts";
import { type XlsxOptions, ods, xlsx } from "../../../support/workbook-files.ts";
import { type ZipEntry, zip } from "../../../support/zip.ts";

const SHEET = {
  name: "Plan",
  rows: [
    ["content", "date"],
    ["a", "2027-03-01"],
  ],
};
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

function read(bytes: Uint8Array, file = "plan.xlsx"): Promise<RawCalendar> {
  return readWorkbook(file, bytes, { columns: {} });
}

async function refused(bytes: Uint8Array): Promise<{ code: string; message: string }> {
  const { problems, rows } = await read(bytes);
  const [first, ...more] = problems;
  expect([rows, more]).toEqual([[], []]);
  expect(first).toMatchObject({ severity: "error", file: "plan.xlsx" });
  return { code: first?.code ?? "", message: first?.message ?? "" };
}

function withParts(...parts: ZipEntry[]): Uint8Array {
  return xlsx([SHEET], { parts });
}

const text = (content: string): Uint8Array => new TextEncoder().encode(content);

function compoundFile(stream: string): Uint8Array {
  return new Uint8Array(
    Buffer.concat([Buffer.from(COMPOUND_FILE), Buffer.alloc(600), Buffer.from(stream, "utf16le")]),
  );
}

describe("another kind of file", () => {
  test.each([
    ["an old workbook", compoundFile("Workbook"), /before 2007 \(\.xls\)/],
    ["a web page", text("\uFEFF <html><table>"), /web page/],
    ["XML of Excel 2003", text('<?xml version="1.0"?><Workbook/>'), /XML/],
    ["CSV", text("content,date\nx,1\n"), /plain text.*\.csv/],
    [
      "a pointer of Git LFS",
      text("version https://git-lfs.github.com/spec/v1\noid sha256:0\n"),
      /git lfs pull/,
    ],
    ["a picture", Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 0), /something else/],
    ["another archive", zip([{ name: "a.txt", data: "a" }]), /ZIP archive/],
    [
      "a binary workbook",
      zip([
        { name: "xl/workbook.bin", data: "" },
        { name: "[Content_Types].xml", data: "<Types/>" },
      ]),
      /xlsb/,
    ],
    ["a Numbers document", zip([{ name: "Index/Document.iwa", data: "" }]), /Numbers/],
  ])("refuses %s and names its kind", async (_what, bytes, words) => {
    const { code, message } = await refused(bytes);
    expect(code).toBe("calendar/unknown-format");
    expect(message).toMatch(words);
  });

  test("reads a workbook by its content, not its name", async () => {
    expect((await read(xlsx([SHEET]), "plan.ods")).problems).toEqual([]);
  });
});

test.each([
  ["an encrypted package", compoundFile("EncryptedPackage")],
  ["an encrypted part", withParts({ name: "xl/worksheets/sheet1.xml", data: "x", encrypted: true })],
  [
    "an ODS file with encrypted parts",
    ods("", { manifest: "<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>" }),
  ],
])("refuses a workbook with a password: %s", async (_what, bytes) => {
  expect((await refused(bytes)).code).toBe("calendar/unknown-format");
});

test.each([
  ["a project of VBA", withParts({ name: "xl/vbaProject.bin", data: "x" })],
  [
    "the type of a file with macros",
    withParts({
      name: "[Content_Types].xml",
      data: '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.ms-excel.sheet.macroEnabled.main+xml"/></Types>',
    }),
  ],
  ["Basic in an ODS file", ods("", { parts: [{ name: "Basic/Standard/Module1.xml", data: "<x/>" }] })],
])("refuses a workbook with macros: %s", async (_what, bytes) => {
  expect((await refused(bytes)).code).toBe("calendar/unknown-format");
});

test("accepts types of parts that do not exist", async () => {
  // As SheetJS writes it.
  const data = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="bin" ContentType="application/vnd.ms-excel.sheet.binary.macroEnabled.main"/><Override PartName="/xl/vbaProject.bin" ContentType="application/vnd.ms-office.vbaProject"/></Types>`;
  const { problems, rows } = await read(withParts({ name: "[Content_Types].xml", data }));
  expect(problems).toEqual([]);
  expect(rows).toHaveLength(1);
});

const sheet = (data: string): Uint8Array => xlsx([{ name: "Plan", data }]);
const row = (xml: string): string =>
  `<row r="1"><c t="str"><v>content</v></c><c t="str"><v>date</v></c></row>${xml}`;

describe("a damaged workbook", () => {
  test.each([
    ["an empty file", new Uint8Array()],
    [
      "a part that is missing",
      withParts({
        name: "xl/_rels/workbook.xml.rels",
        data: '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>',
      }),
    ],
    ["a part that is empty", withParts({ name: "xl/worksheets/sheet1.xml", data: "" })],
    [
      "a part that breaks off",
      withParts({
        name: "xl/worksheets/sheet1.xml",
        data: '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1">',
      }),
    ],
    ["tags that do not match", sheet("<row></c></row>")],
    [
      "bytes that are no UTF-8",
      withParts({
        name: "xl/worksheets/sheet1.xml",
        data: Buffer.from("<worksheet>\u00e9</worksheet>", "latin1"),
      }),
    ],
    ["a wrong checksum", withParts({ name: "xl/styles.xml", data: "<styleSheet/>", claim: { crc: 1 } })],
    ["a wrong size", withParts({ name: "xl/styles.xml", data: "<styleSheet/>", claim: { size: 5 } })],
    ["a part twice", withParts({ name: "a", data: "" }, { name: "A", data: "" })],
    ["a text that is not there", sheet(row('<row r="2"><c t="s"><v>5</v></c></row>'))],
    ["rows out of order", sheet(row('<row r="3"/><row r="2"/>'))],
    ["a cell of another row", sheet(row('<row r="2"><c r="A9"><v>1</v></c></row>'))],
    ["a cell twice", sheet(row('<row r="2"><c r="A2"><v>1</v></c><c r="A2"><v>2</v></c></row>'))],
    ["a number that is none", sheet(row('<row r="2"><c r="A2"><v>one</v></c></row>'))],
    ["a date that is none", sheet(row('<row r="2"><c r="A2" t="d"><v>2027-13-01</v></c></row>'))],
    ["a row that is none", sheet('<row r="x"/>')],
    ["an area that is none", xlsx([{ ...SHEET, after: '<mergeCells><mergeCell ref="B2:"/></mergeCells>' }])],
  ])("is refused: %s", async (_what, bytes) => {
    const { code, message } = await refused(bytes);
    expect(code).toBe("calendar/unknown-format");
    expect(message).toContain("Get a new copy");
  });

  test("is refused when it defines its own entities", async () => {
    const data = '<!DOCTYPE x [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><worksheet>&c;</worksheet>';
    const { message } = await refused(withParts({ name: "xl/worksheets/sheet1.xml", data }));
    expect(message).toContain("entities");
  });

  test("is refused when it is cut off anywhere", async () => {
    const whole = xlsx([SHEET]);
    for (let length = 4; length < whole.length; length += 97) {
      expect((await refused(whole.subarray(0, length))).code).toBe("calendar/unknown-format");
    }
  });

  test("is refused, or reads the same, when any byte changes", async () => {
    const options: XlsxOptions = { formats: ["yyyy-mm-dd"], sharedStrings: ["<si><t>a</t></si>"] };
    const whole = xlsx(
      [
        {
          name: "Plan",
          rows: [
            ["content", "date"],
            [{ xml: '<c r="@" t="s"><v>0</v></c>' }, "2027-03-01"],
          ],
        },
      ],
      options,
    );
    const before = (await read(whole)).rows.map(({ cells }) => ({ ...cells }));
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (index, change) => {
        const bytes = Uint8Array.from(whole);
        bytes[index] = (bytes[index] ?? 0) ^ change;
        const { rows, problems } = await read(bytes);
        const isSame = JSON.stringify(rows.map(({ cells }) => ({ ...cells }))) === JSON.stringify(before);
        expect(problems.some(({ severity }) => severity === "error") || isSame).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});

describe("a workbook that is too large", () => {
  const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';

  test.each([
    [
      "an element within elements",
      withParts({ name: "xl/worksheets/sheet1.xml", data: "<a>".repeat(100_000) }),
    ],
    [
      "attributes",
      withParts({
        name: "xl/worksheets/sheet1.xml",
        data: `<worksheet ${Array.from({ length: 5000 }, (_none, index) => `a${index}=""`).join(" ")}/>`,
      }),
    ],
    ["a cell far to the right", xlsx([{ name: "Plan", data: '<row r="1"><c r="XFD1"><v>1</v></c></row>' }])],
    [
      "a cell far below",
      xlsx([{ name: "Plan", data: '<row r="2000000"><c r="A2000000"><v>1</v></c></row>' }]),
    ],
    [
      "parts",
      zip([
        { name: "[Content_Types].xml", data: "<Types/>" },
        ...Array.from({ length: 10_001 }, (_none, index) => ({ name: `${index}`, data: "" })),
      ]),
    ],
    [
      "rows in an ODS file",
      ods(
        '<table:table table:name="a"><table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="900"><text:p>x</text:p></table:table-cell></table:table-row></table:table>',
      ),
    ],
    [
      "columns in an ODS file",
      ods(
        '<table:table table:name="a"><table:table-row><table:table-cell table:number-columns-repeated="999999999"><text:p>x</text:p></table:table-cell></table:table-row></table:table>',
      ),
    ],
  ])("is refused for %s", async (_what, bytes) => {
    expect((await refused(bytes)).code).toBe("calendar/too-large");
  });

  test.each([
    ["admits", 250 * 1_048_576, "calendar/too-large"],
    ["hides", 1000, "calendar/unknown-format"],
  ])("is refused when a part %s how large it unpacks", async (_what, size, code) => {
    const data = `<sst ${MAIN}>${" ".repeat(1_000_000)}</sst>`;
    const bytes = withParts({ name: "xl/sharedStrings.xml", data, claim: { size } });
    expect((await refused(bytes)).code).toBe(code);
  });
});

test("any bytes are refused with a problem, not an exception", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.boolean(), async (noise, isArchive) => {
      const bytes = isArchive ? Uint8Array.from([0x50, 0x4b, 3, 4, ...noise]) : noise;
      expect((await read(bytes)).problems).toMatchObject([{ severity: "error" }]);
    }),
    { numRuns: 100 },
  );
});
