import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readCsv } from "../../../src/calendars/formats/csv/read-csv.ts";
import type { CalendarColumns } from "../../../src/model/column-account.ts";
import { columnsDocument, columnsText } from "../../../src/report/columns/columns-output.ts";
import { printJson } from "../../../src/report/text/escape.ts";
import { textWidth } from "../../../src/report/text/wrap.ts";
import { createStyle } from "../../../src/report/text/style.ts";
import { hostileText } from "../hostile-text.ts";

const cellOf = (text: string): string => `"${text.replaceAll('"', '""')}"`;

function understood(
  headers: readonly string[],
  columns: Record<string, string>,
  file: string,
): CalendarColumns {
  const text = `${headers.map(cellOf).join(",")},content,date\n`;
  const { table } = readCsv(file, text, { columns });
  const cell = headers[0] ?? "";
  return {
    file,
    ...(table === undefined
      ? {}
      : { table: { ...table, sheet: { value: headers[0] ?? "", isExplicit: false, isOnly: false } } }),
    account: {
      columns: [{ column: 0, key: cell, name: cell, filled: 1, examples: headers, use: { kind: "blank" } }],
      deciding: [
        {
          column: 1,
          key: cell,
          kind: "status",
          as: { kind: "field", field: "status" },
          values: [{ text: cell, rows: 1 }],
        },
      ],
    },
    dateOrder: { value: "dmy", isExplicit: false },
    dateExamples: [{ order: "dmy", line: 2, text: cell }],
    problems: [],
    otherProblems: 1,
    sourceLine: () => undefined,
  };
}

const harmful = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\u200B\uFEFF]/u;

test("no header, cell, sheet or key can control a terminal, a log or a page", () => {
  const given = fc.tuple(
    fc.array(hostileText, { minLength: 1, maxLength: 4 }),
    hostileText,
    fc.constantFrom(40, 80, 120),
  );
  fc.assert(
    fc.property(given, ([headers, file, width]) => {
      const calendar = understood(headers, {}, file);
      const { table: _table, ...posts } = calendar;
      const style = createStyle({ color: false, unicode: true, width });
      const text = columnsText([calendar, posts], style);
      expect(text.replaceAll("\n", "")).not.toMatch(harmful);
      expect(text).not.toMatch(/^\s*::|##(\[|vso\[)/m);
      const json = printJson(columnsDocument([calendar, posts]));
      expect(json.replaceAll("\n", "")).not.toMatch(harmful);
    }),
    { numRuns: 100 },
  );
});

test("no line of the table is wider than the terminal", () => {
  const headers = ["A header that somebody has made far too long for any table", "日本語の見出し", "👩‍🚀"];
  for (const width of [40, 79, 80, 100, 120]) {
    const style = createStyle({ color: false, unicode: true, width });
    const lines = columnsText([understood(headers, {}, "a.csv")], style).split("\n");
    expect(lines.filter((line) => textWidth(line) > width)).toEqual([]);
  }
});
