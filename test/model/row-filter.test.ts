import { expect, test } from "vitest";
import { type Only, FilterFault, parseConditions, parseFilters } from "../../src/model/row-filter.ts";

test.each([
  ["2027-03-01", "2027-03-01", "2027-03-01"],
  ["2027-03", "2027-03-01", "2027-03-31"],
  ["2027-03-01..2027-04-15", "2027-03-01", "2027-04-15"],
  ["2027-03..2027-04", "2027-03-01", "2027-04-31"],
  ["2027-03-01..", "2027-03-01", "9999"],
  ["..2027-03", "", "2027-03-31"],
])("reads %j as a span of days", (text, from, to) => {
  expect(parseConditions({ Date: text })).toEqual([{ kind: "date", spans: [{ from, to }] }]);
});

test.each([
  "",
  "..",
  "march",
  "2027",
  "2027-13",
  "2027-3-1",
  "2027-03-01...2027-03-02",
  "a..b",
  "2027-01..2027-02..2027-03",
])("refuses %j as a span of days", (text) => {
  expect(() => parseConditions({ date: text })).toThrow(FilterFault);
});

test("compares columns of a filter without case, outer spaces and quotes", () => {
  expect(parseConditions({ " Approved By ": [" “ANNA” ", ""], platforms: "LinkedIn" })).toEqual([
    { kind: "column", name: "approved_by", values: new Set(["anna", ""]) },
    { kind: "platform", names: ["linkedin"] },
  ]);
});

test.each<[string[], Only]>([
  [["Client=Acme"], { Client: ["Acme"] }],
  [["Client=Acme", "Client=Beta=1", "status="], { Client: ["Acme", "Beta=1"], status: [""] }],
  [[], {}],
])("reads the filters %j from the command line", (texts, expected) => {
  expect(parseFilters(texts)).toEqual(expected);
});

test.each([["Client"], ["=Acme"], [" =x"], [""]])("refuses %j as a filter", (text) => {
  expect(() => parseFilters([text])).toThrow(FilterFault);
});
