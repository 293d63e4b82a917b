import { expect, test } from "vitest";
import { readStatus } from "../../src/checks/row-view.ts";

const WORDS = { "À valider": "draft", approved: "ready", posted: "skip", "on-hold": "draft" } as const;

const at = () => ({ file: "a.csv", line: 2, column: 3 });
const status = (text: string | undefined, words: Parameters<typeof readStatus>[1] = WORDS): unknown =>
  readStatus(text === undefined ? undefined : { text, at }, words);

test.each([
  [undefined, "ready"],
  ["", "ready"],
  ["Ready", "ready"],
  ["SKIP", "skip"],
  ["à  VALIDER", "draft"],
  ["Approved", "ready"],
  ["posted", "skip"],
  ["On Hold", "draft"],
])("reads the status %j as %s", (text, expected) => {
  expect(status(text)).toBe(expected);
});

test("prefers status words of the project, even for a blank cell", () => {
  expect(status("ready", { Ready: "draft" })).toBe("draft");
  expect(status(undefined, { "": "skip" })).toBe("skip");
  expect(status(" ", { "": "skip" })).toBe("skip");
});

test.each([
  ["aproved", "approved"],
  ["constructor", "status_values"],
  ["redy", "ready"],
])("refuses the status %j and says what to do", (text, hint) => {
  expect(status(text)).toMatchObject({ code: "row/status", line: 2, column: 3 });
  expect(JSON.stringify(status(text))).toContain(hint);
});
