import * as fc from "fast-check";
import { expect, test } from "vitest";
import { textWidth } from "../../../src/report/text/wrap.ts";
import { createStyle } from "../../../src/report/text/style.ts";
import { tableLines } from "../../../src/report/text/table.ts";
import { hostileText } from "../hostile-text.ts";

const COLUMNS = [
  { title: "id", cell: ([id]: readonly [string, string]) => id },
  { title: "text", cell: ([, text]: readonly [string, string]) => text, mayTruncate: true },
];

function table(rows: readonly (readonly [string, string])[], width = 40): string[] {
  return tableLines(rows, COLUMNS, createStyle({ color: false, width, unicode: true }));
}

test("columns are aligned, even with wide characters", () => {
  expect(
    table([
      ["a", "花見の季節"],
      ["long", "x"],
    ]),
  ).toEqual(["id    text", "a     花見の季節", "long  x"]);
});

test("a long text is cut, an id never", () => {
  const lines = table([["post_1234567890", "花".repeat(40)]]);
  expect(lines[1]).toBe(`post_1234567890  ${"花".repeat(11)}…`);
});

test("a place is cut at its start: its end names the cell", () => {
  const place = { title: "row", cell: ([at]: readonly [string]) => at, mayTruncate: "start" } as const;
  const style = createStyle({ color: false, width: 40, unicode: true });
  const rows = [["calendars/a-spring-campaign-for-everybody.xlsx Plan!C14"]] as const;
  expect(tableLines(rows, [place], style)[1]).toBe("…ng-campaign-for-everybody.xlsx Plan!C14");
});

test("where a table does not fit, a row is a paragraph", () => {
  const id = "p".repeat(30);
  expect(table([[id, "A text of some length"]])).toEqual([`id: ${id}`, "  text: A text of some length"]);
});

test("a column without texts is left out", () => {
  expect(table([["a", ""]])).toEqual(["id", "a"]);
});

test("no line is wider than the terminal, for any content", () => {
  const row = fc.tuple(fc.stringMatching(/^[a-z]{1,20}$/), hostileText);
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 40, max: 120 }),
      (rows, width) => {
        const lines = table(rows, width);
        expect(lines.every((line) => textWidth(line) <= width)).toBe(true);
        expect(lines.join("\n")).toContain(rows[0]?.[0]);
      },
    ),
  );
});
