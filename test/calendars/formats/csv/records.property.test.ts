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
