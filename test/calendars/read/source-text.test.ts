import { expect, test } from "vitest";
import { SourceText } from "../../../src/calendars/read/source-text.ts";

const source = new SourceText("a.csv", "one\r\ntwo\rthree\n\n👍five");

test("ends lines at CR, LF and CRLF", () => {
  expect([1, 2, 3, 4, 5, 6].map((line) => source.line(line))).toEqual([
    "one",
    "two",
    "three",
    "",
    "👍five",
    undefined,
  ]);
  expect(source.line(0)).toBeUndefined();
});

test.each([
  [0, 1, 1],
  [2, 1, 3],
  [4, 1, 5],
  [5, 2, 1],
  [9, 3, 1],
  [15, 4, 1],
  [16, 5, 1],
  [18, 5, 3],
  [22, 5, 7],
])("finds offset %i on line %i, column %i", (offset, line, column) => {
  expect(source.at(offset)).toEqual({ file: "a.csv", line, column });
  expect(source.lineOf(offset)).toBe(line);
});

test("ends an underline at the end of its line", () => {
  expect(source.at(1, 3)).toMatchObject({ line: 1, column: 2, length: 2 });
  expect(source.at(1, 12)).toMatchObject({ line: 1, column: 2, length: 2 });
  expect(source.at(4, 12)).toMatchObject({ line: 1, column: 5, length: 0 });
});
