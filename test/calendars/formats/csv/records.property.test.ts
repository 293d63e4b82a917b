/** csv-parse reads records. The scanner, which finds the places of their cells, must find the same cells. */

import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  cellValue,
  readRecords,
  scanRecord,
  skipLineEnd,
} from "../../../../src/calendars/formats/csv/records.ts";
import { manyRuns } from "../../../support/property-tests.ts";

const text = fc
  .array(fc.constantFrom('"', '""', ",", ";", "\n", "\r\n", "\r", " ", "a", "é", "🎉", '"a"', '"b",', "\t"), {
    maxLength: 12,
  })
  .map((pieces) => pieces.join(""));

test("the scanner finds the cells of each record that csv-parse reads, and its end", () => {
  fc.assert(
    fc.property(text, (given) => {
      let next = 0;
      const faults = readRecords(given, 0, ",", (record, start) => {
        const cells = scanRecord(given, start, ",");
        expect(cells.map((cell) => cellValue(given, cell))).toEqual(record);
        if (start !== next) expect(given.slice(next, start)).toContain('"');
        next = skipLineEnd(given, cells.at(-1)?.end ?? 0);
        return true;
      });
      if (faults.length === 0) expect(next).toBe(given.length);
      for (const { start, end } of faults) expect(given.slice(start, end)).toBe('"');
    }),
    { numRuns: manyRuns(2_000) },
  );
});

test("records of any lengths are read once each, in their order", () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 12 });
  fc.assert(
    fc.property(lengths, fc.constantFrom("a", "é", '"🎉\n"'), (all, cell) => {
      const given = all.map((length) => `${Array(length).fill(cell).join(",")}\n`);
      const found: [number, number][] = [];
      readRecords(given.join(""), 0, ",", (record, start) => found.push([record.length, start]) > 0);
      const starts = given.map((_line, index) => given.slice(0, index).join("").length);
      expect(found).toEqual(all.map((length, index) => [length, starts[index]]));
    }),
    { numRuns: manyRuns(500) },
  );
});
