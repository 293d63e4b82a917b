import * as fc from "fast-check";
import { expect, test } from "vitest";
import { guarded, needsGuard, unguarded } from "../../src/calendar/formula-guard.ts";
import { readCsv } from "../../src/read/csv.ts";
import { csv } from "../support/scenario.ts";

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
])("%j is guarded", (text) => {
  expect([needsGuard(text), guarded(text), unguarded(guarded(text))]).toEqual([true, `'${text}`, text]);
});

test.each(["", "a", "1", "'Twas", "''", "a=1", "' ", "#tag", "5-1", "(=)"])("%j stays as it is", (text) => {
  expect([guarded(text), unguarded(text)]).toEqual([text, text]);
});

test("any text comes back", () => {
  const piece = fc.oneof(
    fc.constantFrom("'", "=", "+", "-", "@", "\t", "\r", "\n", " ", "＝", "＠", "a"),
    fc.string({ unit: "binary", maxLength: 2 }),
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

test("only a header that carries an apostrophe itself says that its cells may", () => {
  expect(contents("content")).toEqual(CELLS);
  expect(contents("'content")).toEqual(["=1+1", "'@home'", "'Twas", "=typed by hand"]);
});
