/** Any grid reads back unchanged from a workbook of either format. */

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { openWorkbook } from "../../../../src/calendars/formats/workbook/read-workbook.ts";
import { anyText } from "../../../support/any-text.ts";
import { escapeXml, ods, xlsx } from "../../../support/workbook-files.ts";

type Grid = readonly (readonly string[])[];

const text = fc.oneof(
  fc.constant(""),
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.constantFrom(
    "_x000D_",
    "_x0041_x",
    "=1+1",
    "2027-03-01",
    "0012",
    "a\nb",
    "👩‍🚀",
    "<&\"'>",
    "]]>",
    "العربية",
    "TRUE",
  ),
);
const grid = fc.array(fc.array(text, { maxLength: 6 }), { maxLength: 8 });

async function readBack(bytes: Uint8Array): Promise<unknown> {
  const { rows } = await (await openWorkbook(bytes)).readSheet(0);
  return rows.map(({ number, cells }) => ({ number, cells: cells.map((cell) => cell ?? "") }));
}

/** The expected result: rows with content, up to their last cell with content. */
function expected(cells: Grid): unknown {
  return cells.flatMap((row, index) => {
    const last = row.findLastIndex((cell) => cell !== "");
    return last === -1 ? [] : [{ number: index + 1, cells: row.slice(0, last + 1) }];
  });
}

test("any texts in XLSX cells read back the same", async () => {
  const binary = fc.oneof(text, anyText(20));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(binary, { maxLength: 6 }), { maxLength: 8 }), async (rows) => {
      expect(await readBack(xlsx([{ name: "Plan", rows }]))).toEqual(expected(rows));
    }),
    { numRuns: 40 },
  );
});

test("any shared texts in XLSX read back the same", async () => {
  const printable = grid.filter((rows) => rows.flat().every((cell) => !/[\r_]/.test(cell)));
  await fc.assert(
    fc.asyncProperty(printable, async (rows) => {
      const all = [...new Set(rows.flat())];
      const sharedStrings = all.map((each) => `<si><t xml:space="preserve">${escapeXml(each)}</t></si>`);
      const cells = rows.map((row) =>
        row.map((each) => ({ xml: `<c r="@" t="s"><v>${all.indexOf(each)}</v></c>` })),
      );
      expect(await readBack(xlsx([{ name: "Plan", rows: cells }], { sharedStrings }))).toEqual(
        expected(rows),
      );
    }),
    { numRuns: 40 },
  );
});

const line = (each: string): string =>
  escapeXml(each).replaceAll(" ", "<text:s/>").replaceAll("\t", "<text:tab/>");
const cell = (each: string): string =>
  `<table:table-cell office:value-type="string">${each
    .split("\n")
    .map((part) => `<text:p>${line(part)}</text:p>`)
    .join("")}</table:table-cell>`;

test("any texts in ODS cells read back the same", async () => {
  const printable = grid.filter((rows) => rows.flat().every((each) => !each.includes("\r")));
  await fc.assert(
    fc.asyncProperty(printable, async (rows) => {
      const xml = rows.map((row) => `<table:table-row>${row.map(cell).join("")}</table:table-row>`);
      const bytes = ods(`<table:table table:name="Plan">${xml.join("")}</table:table>`);
      expect(await readBack(bytes)).toEqual(expected(rows));
    }),
    { numRuns: 40 },
  );
});

test("any minute as a number with a date format reads back exactly", async () => {
  const minute = fc.integer({ min: 0, max: 100 * 366 * 1440 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(minute, { minLength: 1, maxLength: 20 }),
      fc.boolean(),
      async (minutes, date1904) => {
        const start = Date.UTC(2000, 0, 1) / 86_400_000;
        const offset = date1904 ? 24_107 : 25_569;
        const cells = minutes.map((each) => ({
          xml: `<c r="@" s="1"><v>${start + offset + each / 1440}</v></c>`,
        }));
        const options = { formats: ["yyyy-mm-dd hh:mm"], date1904 };
        const bytes = xlsx([{ name: "Plan", rows: cells.map((each) => [each]) }], options);
        const texts = minutes.map((each) =>
          new Date(Date.UTC(2000, 0, 1, 0, each)).toISOString().slice(0, 16).replace("T", " "),
        );
        expect(await readBack(bytes)).toEqual(
          texts.map((each, index) => ({ number: index + 1, cells: [each] })),
        );
      },
    ),
    { numRuns: 40 },
  );
});
