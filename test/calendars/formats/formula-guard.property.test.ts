/** No cell of a written CSV is a formula, however long its text is and wherever its row is, and it is read as it was. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { csvText, writeCsv } from "../../../src/calendars/formats/csv/write-csv.ts";
import { guarded, needsGuard, unguarded } from "../../../src/calendars/columns/formula-guard.ts";
import type { TableColumn, WrittenRow } from "../../../src/calendars/formats/written-row.ts";

const SIGNS = ["=", "+", "-", "@", "\t=", " =", "  +", "{=", "\uFF1D", "\uFF0B", "'=", "''@"] as const;

/** Short and long texts: a guard only for texts of less than 200 characters must be noticed. */
const length = fc.oneof(
  fc.integer({ min: 0, max: 12 }),
  fc.integer({ min: 190, max: 210 }),
  fc.integer({ min: 1_000, max: 40_000 }),
);

test("a text that begins with the sign of a formula is guarded at every length, in every column and row", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...SIGNS),
      length,
      fc.constantFrom<TableColumn>("content", "first_comment", "id"),
      fc.nat({ max: 4 }),
      fc.nat({ max: 4 }),
      (sign, size, column, before, after) => {
        const text = sign + "x".repeat(size);
        const plain = (): WrittenRow => new Map([[column, "Plain"]]);
        const rows: WrittenRow[] = [
          ...Array.from({ length: before }, plain),
          new Map([[column, text]]),
          ...Array.from({ length: after }, plain),
        ];
        const written = writeCsv(rows);
        if (!("contents" in written)) throw new Error("These rows can be written.");
        const [header = [], ...records] = csvRecords(String(written.contents));
        const place = header.indexOf(`'${column}`);
        expect(place).toBeGreaterThanOrEqual(0);
        expect(records.map((cells) => unguarded(cells[place] ?? ""))).toEqual(
          rows.map((row) => row.get(column)),
        );
        expect(records.flat().filter((cell) => /^\s*(?:\{=|[=+\-@\uFF1D\uFF0B])/u.test(cell))).toEqual([]);
      },
    ),
  );
});

test("guarding any text is undone exactly, and a guarded text is not a formula", () => {
  fc.assert(
    fc.property(fc.constantFrom("", ...SIGNS), fc.string({ maxLength: 400 }), (sign, rest) => {
      const text = sign + rest;
      expect(unguarded(guarded(text))).toBe(text);
      if (needsGuard(text)) expect(guarded(text)).toBe(`'${text}`);
    }),
  );
});

test("every cell that needs quotes has them at every length", () => {
  fc.assert(
    fc.property(
      length,
      fc.constantFrom('"', ",", ";", "\n", "\r", "\t", " "),
      fc.boolean(),
      (size, part, isLast) => {
        const text = isLast ? `${"x".repeat(size)}${part}` : `${part}${"x".repeat(size)}`;
        const record = csvText([[text, "next"]]);
        expect(csvRecords(record)).toEqual([[text, "next"]]);
        expect(record.startsWith('"')).toBe(true);
      },
    ),
  );
});

/** Cells by RFC 4180, read by code that is not plancast's. */
function csvRecords(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  for (const [, quoted, plain = "", end = ""] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/g)) {
    if (end === "" && plain === "" && quoted === undefined) break;
    record.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ",") continue;
    records.push(record);
    record = [];
  }
  return records;
}
