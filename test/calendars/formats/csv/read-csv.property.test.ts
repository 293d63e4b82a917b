/** Any table that a spreadsheet can write reads back as it was, and every cell is found where it was written. */

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readCsv, readTsv } from "../../../../src/calendars/formats/csv/read-csv.ts";
import type { Field } from "../../../../src/model/fields.ts";
import { manyRuns } from "../../../support/property-tests.ts";

const piece = fc.oneof(
  fc.constantFrom(
    '"',
    '""',
    ",",
    ";",
    "\t",
    "|",
    "\n",
    "\r\n",
    "\r",
    " ",
    "\u00a0",
    "🎉",
    "👩‍👩‍👧",
    "שלום",
    "é",
    "e\u0301",
    "=",
    "'",
    "\uFEFF",
    "\u2028",
  ),
  fc.string({ unit: "grapheme", maxLength: 6 }).map((text) => text.replaceAll("\0", "")),
);
const cell = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
const header = fc
  .subarray<Field>(["id", "time", "timezone", "platforms", "media", "campaign"])
  .chain((more) => fc.shuffledSubarray<Field>(["content", "date", ...more], { minLength: more.length + 2 }));

const table = fc.record({
  fields: header,
  delimiter: fc.constantFrom(",", ";", "\t", "|"),
  lineEnds: fc.infiniteStream(fc.constantFrom("\n", "\r\n", "\r")),
  quoteAlways: fc.infiniteStream(fc.boolean()),
  cells: fc.array(fc.array(cell, { minLength: 8, maxLength: 8 }), { maxLength: 8 }),
  blanks: fc.infiniteStream(fc.constantFrom(0, 0, 0, 1, 2)),
  lastLineEnd: fc.boolean(),
});

interface Written {
  readonly start: number;
  readonly raw: string;
  readonly value: string;
}

function take<T>(stream: Iterator<T>, otherwise: T): T {
  const next = stream.next();
  return next.done === true ? otherwise : next.value;
}

/** Writes a table, and notes where each cell begins. */
function write(given: typeof table extends fc.Arbitrary<infer T> ? T : never): {
  text: string;
  rows: Written[][];
} {
  let text = "";
  const rows: Written[][] = [];
  const lines = [given.fields.map(String), ...given.cells.map((row) => row.slice(0, given.fields.length))];
  for (const [index, line] of lines.entries()) {
    rows.push(
      line.map((value, column) => {
        if (column > 0) text += given.delimiter;
        const mustQuote = /["\r\n]/.test(value) || value.includes(given.delimiter);
        const quoted = mustQuote || take(given.quoteAlways, false);
        const raw = quoted ? `"${value.replaceAll('"', '""')}"` : value;
        const start = text.length;
        text += raw;
        return { start, raw, value };
      }),
    );
    if (index === lines.length - 1 && !given.lastLineEnd) break;
    text += take(given.lineEnds, "\n");
    // Blank lines hold delimiters, because `\r` and a bare `\n` after it would be one line end.
    for (let blank = take(given.blanks, 0); blank > 0; blank -= 1)
      text += `${given.delimiter} ${take(given.lineEnds, "\n")}`;
  }
  return { text, rows: rows.slice(1) };
}

function placeIn(text: string, { start, raw }: Written): unknown {
  const lines = text.slice(0, start).split(/\r\n|\r|\n/);
  const [first = ""] = raw.split(/\r\n|\r|\n/);
  return { file: "a", line: lines.length, column: (lines.at(-1) ?? "").length + 1, length: first.length };
}

function hasOneCell(row: readonly Written[]): boolean {
  return row.filter(({ value }) => value.trim() !== "").length === 1;
}

/** Formulas are not texts: formula-cells.test.ts. */
function mayBeFormula(value: string): boolean {
  return /^\s*(?:\{?=|#|Err:)/.test(value);
}

test("any table reads back the same, with exact places", () => {
  fc.assert(
    fc.property(table, fc.boolean(), (given, asTsv) => {
      const { text, rows } = write(given);
      // A row with one cell may be a title, a comment or the status of an empty row, which is not a post.
      fc.pre(!rows.some(hasOneCell));
      fc.pre(!rows.flat().some(({ value }) => mayBeFormula(value)));
      const reader = asTsv && given.delimiter === "\t" ? readTsv : readCsv;
      const calendar = reader("a", text, { columns: {} });
      const expected = rows.filter((row) => row.some(({ value }) => value.trim() !== ""));
      expect(calendar.problems.map((each) => each.code)).toEqual(
        expected.length === 0 ? ["calendar/empty"] : [],
      );
      expect(calendar.rows).toHaveLength(expected.length);
      for (const [index, row] of calendar.rows.entries()) {
        const written = expected[index] ?? [];
        const [firstCell = { start: 0, raw: "", value: "" }] = written;
        expect(row.at()).toMatchObject({ line: row.line, column: 1 });
        expect(row.line).toBe(text.slice(0, firstCell.start).split(/\r\n|\r|\n/).length);
        for (const [column, field] of given.fields.entries()) {
          const one = written[column] ?? firstCell;
          const isBlank = one.value.trim() === "";
          expect(row.cells[field]).toBe(isBlank ? undefined : one.value);
          expect(row.at(field)).toEqual(isBlank ? row.at() : placeIn(text, one));
        }
      }
    }),
    { numRuns: 100 },
  );
});

/** How problems with a quote begin. */
const QUOTE_FAULT = /^(?:A quote |No quote |There is white space before this quote)/;

test("any text gives rows and problems with places within the file", () => {
  const noise = fc
    .array(
      fc.constantFrom(
        "content",
        "date",
        '"',
        '""',
        ",",
        ";",
        "\n",
        "\r",
        "a",
        "🎉",
        " ",
        "\u00a0",
        "|",
        "\t",
      ),
      { maxLength: 60 },
    )
    .map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(fc.boolean(), noise, (withHeader, rest) => {
      const calendar = readCsv("a", withHeader ? `content,date\n${rest}` : rest, { columns: {} });
      const places = [
        ...calendar.problems,
        ...calendar.rows.flatMap((row) => [row.at(), row.at("content"), row.at("date")]),
      ];
      for (const { line, column, length } of places) {
        if (line === undefined) continue;
        const shown = calendar.sourceLine(line);
        expect(shown).toBeDefined();
        expect((column ?? 1) - 1 + (length ?? 0)).toBeLessThanOrEqual((shown ?? "").length);
      }
      for (const each of calendar.problems.filter(({ message }) => QUOTE_FAULT.test(message))) {
        expect(calendar.sourceLine(each.line ?? 0)?.[(each.column ?? 0) - 1]).toBe('"');
      }
    }),
    { numRuns: manyRuns(1000) },
  );
});
