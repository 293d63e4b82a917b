import { expect, test } from "vitest";
import { readCsv } from "../../../../src/calendars/formats/csv/read-csv.ts";

const HEADER = "scheduled_at,platforms,content";
const ROW = "2036-03-01 10:00,twitter,Hi";
const OPTIONS = { columns: {} };

test("a row that contains more than 1,000 columns is an error at its place, and nothing after it is read", () => {
  const wide = `${ROW}${",x".repeat(998)}`;
  const { rows, problems } = readCsv("a.csv", [HEADER, ROW, wide, ROW].join("\n"), OPTIONS);
  expect(rows).toHaveLength(1);
  expect(problems).toMatchObject([{ code: "calendar/too-large", line: 3, column: wide.length }]);
});

test("ignores blank cells far to the right", () => {
  const blank = ",".repeat(16_000);
  const { rows, problems } = readCsv("a.csv", [HEADER + blank, ROW + blank].join("\n"), OPTIONS);
  expect([rows.length, problems]).toEqual([1, []]);
});

test("a table of more than 300,000 rows is an error at row 300,001", () => {
  const { rows, problems } = readCsv("a.csv", `${HEADER}\n${`${ROW}\n`.repeat(300_001)}`, OPTIONS);
  expect(rows).toHaveLength(300_000);
  expect(problems).toMatchObject([{ code: "calendar/too-large", line: 300_002 }]);
});

test("reading stops after 1,000 broken rows", () => {
  const { problems } = readCsv("a.csv", `${HEADER}\n${'a"b\n'.repeat(1_500)}`, OPTIONS);
  expect(problems).toHaveLength(1_001);
  expect(problems.at(-1)).toMatchObject({ code: "csv/syntax", line: 1_002 });
  expect(problems.at(-1)?.message).toContain("plancast stopped reading here");
});
