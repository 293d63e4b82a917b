/** plancast has its own CSV reader, for speed. It must read the same records as csv-parse. */

import { parse } from "csv-parse/sync";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readRecords } from "../../../../src/calendars/formats/csv/records.ts";
import { manyRuns } from "../../../support/property-tests.ts";

const text = fc
  .array(fc.constantFrom('"', '""', ",", ";", "\n", "\r\n", "\r", " ", "a", "é", "🎉", '"a"', '"b",', "\t"), {
    maxLength: 12,
  })
  .map((pieces) => pieces.join(""));

/** The records that csv-parse reads; undefined where it finds a fault. */
function byLibrary(given: string): string[][] | undefined {
  try {
    return parse(given, { record_delimiter: ["\r\n", "\n", "\r"], relax_column_count: true });
  } catch {
    return undefined;
  }
}

test("reads the same records as csv-parse, and finds faults in the same texts", () => {
  fc.assert(
    fc.property(text, (given) => {
      const records: (readonly string[])[] = [];
      const faults = readRecords(given, 0, ",", (cells) => records.push(cells));
      const expected = byLibrary(given);
      expect(faults.length > 0).toBe(expected === undefined);
      if (expected !== undefined) expect(records).toEqual(expected);
    }),
    { numRuns: manyRuns(2_000) },
  );
});
