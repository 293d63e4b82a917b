import * as fc from "fast-check";
import { expect, test } from "vitest";
import { guarded, needsGuard, unguarded } from "../../../src/calendars/columns/formula-guard.ts";
import { readCsv } from "../../../src/calendars/formats/csv/read-csv.ts";
import { anyText } from "../../support/any-text.ts";
import { csv } from "../../support/scenario.ts";

test.each([
  "=1",
  "+1",
  "-1",
  "@a",
  "\tx",
  "\rx",
  "\nx",
  "＝1",
  "＋1",
  "－1",
  "＠a",
  " =1",
  "'=1",
  "''@a",
  "' -1",
])("guards %j with an apostrophe and removes it again", (text) => {
  expect([needsGuard(text), guarded(text), unguarded(guarded(text))]).toEqual([true, `'${text}`, text]);
});

test.each(["", "a", "1", "'Twas", "''", "a=1", "' ", "#tag", "5-1", "(=)"])("leaves %j unguarded", (text) => {
  expect([guarded(text), unguarded(text)]).toEqual([text, text]);
});

test("any guarded text reads back the same, and never starts a formula", () => {
  const piece = fc.oneof(
    fc.constantFrom("'", "=", "+", "-", "@", "\t", "\r", "\n", " ", "＝", "＠", "a"),
    anyText(2),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
      const text = pieces.join("");
      expect(unguarded(guarded(text))).toBe(text);
      expect(guarded(text)).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
    }),
  );
});

const CELLS = ["'=1+1", "''@home'", "'Twas", "=typed by hand"];

function contents(header: string): unknown[] {
  const text = csv([header, "date"], ...CELLS.map((cell) => [cell, "2036-03-01"]));
  const { rows, problems } = readCsv("a.csv", text, { columns: {} });
  expect(problems).toEqual([]);
  return rows.map(({ cells }) => cells.content);
}

test("only a header with an apostrophe marks its cells as guarded", () => {
  expect(contents("content")).toEqual(CELLS);
  expect(contents("'content")).toEqual(["=1+1", "'@home'", "'Twas", "=typed by hand"]);
});
