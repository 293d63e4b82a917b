import { expect, test } from "vitest";
import { mapColumns } from "../../src/read/columns.ts";

const fieldsOf = (header: string[], mapping: Record<string, string> = {}): unknown =>
  mapColumns(header, mapping).fields;

test.each([["content"], ["Content"], ["  CONTENT\u00a0"], ["\uFEFFcontent"]])("%j is content", (name) => {
  expect(fieldsOf([name])).toEqual(["content"]);
});

test.each([
  ["scheduled_at"],
  ["Scheduled At"],
  ["scheduled-at"],
  ["SCHEDULED\u00a0 AT"],
  ["publish at"],
  ["Datetime"],
])("%j is scheduled_at", (name) => {
  expect(fieldsOf([name])).toEqual(["scheduled_at"]);
});

test.each([
  ["Caption", "content"],
  ["Image URL", "media"],
  ["networks", "platforms"],
  ["Time Zone", "timezone"],
  ["tz", "timezone"],
])("%j stands for %s", (name, field) => {
  expect(fieldsOf([name])).toEqual([field]);
});

test("a field's own name wins over a synonym, wherever it stands", () => {
  const columns = mapColumns(["text", "content", "Caption"], {});
  expect(columns.fields).toEqual([undefined, "content", undefined]);
  expect(columns.unknown).toEqual([0, 2]);
  expect(columns.duplicates).toEqual([]);
});

test("the project's own names go first, and match as loosely", () => {
  expect(fieldsOf(["légende", "text"], { " LÉGENDE ": "content" })).toEqual(["content", undefined]);
  expect(fieldsOf(["Post Date"], { post_date: "Scheduled At" })).toEqual(["scheduled_at"]);
  expect(fieldsOf(["date"], { date: "scheduled_at" })).toEqual(["scheduled_at"]);
});

test("two columns for one field are duplicates, and the first counts", () => {
  expect(mapColumns(["Text", "x", "caption"], {})).toEqual({
    fields: ["content", undefined, undefined],
    unknown: [1],
    unnamed: [],
    duplicates: [{ column: 2, first: 0, field: "content" }],
  });
  expect(mapColumns(["content", "Legend"], { legend: "content" }).duplicates).toHaveLength(1);
  expect(mapColumns(["date", "Date"], {}).duplicates).toHaveLength(1);
});

test("names that objects inherit mean nothing", () => {
  expect(fieldsOf(["constructor", "__proto__", "toString"])).toEqual([undefined, undefined, undefined]);
});

test("columns without a name are told apart from unknown ones", () => {
  expect(mapColumns(["", "notes", " \u00a0"], {})).toMatchObject({ unknown: [1], unnamed: [0, 2] });
});
