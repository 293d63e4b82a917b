import { expect, test } from "vitest";
import { targetText } from "../../../src/model/columns.ts";
import { networkColumns } from "../../../src/calendars/columns/part-columns.ts";

function read(header: string, groups = ""): Record<string, string> {
  const names = header.split(",");
  const found = networkColumns(names, groups.split(","));
  return Object.fromEntries([...found].map(([column, { target }]) => [names[column], targetText(target)]));
}

test("a network and a clear name of the text or the media make a column for that network", () => {
  expect(read("Date,LinkedIn Copy,X Copy")).toEqual({
    "LinkedIn Copy": "content:linkedin",
    "X Copy": "content:twitter",
  });
  expect(read("Caption (Instagram),Text für Facebook,Twitter/X Text")).toEqual({});
  expect(read("Caption (Instagram),Facebook-Text,Twitter/X Text")).toEqual({
    "Caption (Instagram)": "content:instagram",
    "Facebook-Text": "content:facebook",
    "Twitter/X Text": "content:twitter",
  });
  expect(read("Texto,LinkedIn Image,Instagram Image")).toEqual({
    "LinkedIn Image": "media:linkedin",
    "Instagram Image": "media:instagram",
  });
});

test("no column counts if one of them is unclear", () => {
  expect(read("LinkedIn Copy,LinkedIn Caption,X Copy")).toEqual({});
  expect(read("LinkedIn Copy,FB/IG Copy")).toEqual({});
  expect(read("LinkedIn Copy,X Post")).toEqual({ "LinkedIn Copy": "content:linkedin" });
  expect(read("LinkedIn Copy,LinkedIn Link,X Copy")).toEqual({
    "LinkedIn Copy": "content:linkedin",
    "X Copy": "content:twitter",
  });
});

test("columns of a single network count if another column has the text for all, or if no column names networks", () => {
  expect(read("Platform,Caption,X Copy")).toEqual({ "X Copy": "content:twitter" });
  expect(read("Date,Instagram Caption")).toEqual({ "Instagram Caption": "content:instagram" });
  expect(read("Date,Caption (Instagram)")).toEqual({});
  expect(read("Platform,Instagram Caption")).toEqual({});
  expect(read("Platform,Caption,YouTube Video")).toEqual({});
});

test("groups of networks with tables side by side have their own dates", () => {
  const found = networkColumns(
    ["Date", "Time", "Caption", "Date", "Time", "Caption"],
    ["Instagram", "Instagram", "Instagram", "LinkedIn", "LinkedIn", "LinkedIn"],
  );
  expect([...found.values()].map(({ target }) => targetText(target))).toEqual([
    "date:instagram",
    "time:instagram",
    "content:instagram",
    "date:linkedin",
    "time:linkedin",
    "content:linkedin",
  ]);
  const common = networkColumns(["Text", "Text", "Date"], ["LinkedIn", "X", "X"]);
  expect([...common].map(([column, { target }]) => [column, targetText(target)])).toEqual([
    [0, "content:linkedin"],
    [1, "content:twitter"],
  ]);
});

test("groups of networks above the header count if they hold the same fields", () => {
  const found = networkColumns(
    ["Date", "Text", "Image", "Text", "Image", "Status"],
    ["", "LinkedIn", "LinkedIn", "X", "X", "X"],
  );
  expect([...found].map(([column, { target }]) => [column, targetText(target)])).toEqual([
    [1, "content:linkedin"],
    [2, "media:linkedin"],
    [3, "content:twitter"],
    [4, "media:twitter"],
  ]);
  expect(networkColumns(["Date", "Text", "Text", "Image"], ["", "LinkedIn", "X", "X"]).size).toBe(0);
  expect(networkColumns(["Date", "Text", "Image"], ["", "LinkedIn", "LinkedIn"]).size).toBe(0);
});
