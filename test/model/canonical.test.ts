import { expect, test } from "vitest";
import { canonicalContent, canonicalPlatforms, utcTime } from "../../src/model/canonical.ts";

test.each([
  ["line ends of Windows", "one\r\ntwo", "one\ntwo"],
  ["line ends of old Macs", "one\rtwo", "one\ntwo"],
  ["a letter and its accent in two characters", "cafe\u0301", "café"],
  ["white space at the end", "one \n\u00A0\t", "one"],
  ["white space at the start and in the middle", "  one  two", "  one  two"],
])("a text with %s has one form", (_what, text, canonical) => {
  expect(canonicalContent(text)).toBe(canonical);
});

test.each([
  [
    ["X", " linkedin "],
    ["linkedin", "x"],
  ],
  [
    ["x", "linkedin"],
    ["linkedin", "x"],
  ],
  [["x", "x"], ["x"]],
  [
    ["linkedin", "x"],
    ["linkedin", "x"],
  ],
])("the networks %j become %j", (names, canonical) => {
  expect(canonicalPlatforms(names)).toEqual(canonical);
});

test.each([
  ["2036-03-01T08:00:00.999Z", "2036-03-01T08:00:00Z"],
  ["1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z"],
  ["+012036-03-01T00:00:00Z", "+012036-03-01T00:00:00Z"],
])("the time %s is sent as %s", (time, sent) => {
  expect(utcTime(Date.parse(time))).toBe(sent);
});
