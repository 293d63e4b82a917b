import { expect, test } from "vitest";
import { readStatus } from "../../src/checks/statuses.ts";

const WORDS = { "À valider": "draft", approved: "ready", posted: "skip", "on-hold": "draft" } as const;

const status = (text: string | undefined, words: Parameters<typeof readStatus>[1] = WORDS): unknown =>
  readStatus(text === undefined ? undefined : { text }, words);

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
  ["Posted", "skip"],
  ["Approved", "ready"],
  ["Idée", "draft"],
  ["gotowe", "ready"],
  ["投稿済み", "skip"],
])("knows the status %j", (text, expected) => {
  expect(status(text, {})).toBe(expected);
  expect(status(text, { [text.toLowerCase()]: "draft" })).toBe("draft");
});

test.each([
  "aproved",
  "constructor",
  "redy",
  "Done",
  "Scheduled",
  "pending",
  "Planned",
  "geplant",
  "en attente",
])("does not know the status %j", (text) => {
  expect(status(text)).toBe("unknown");
});
