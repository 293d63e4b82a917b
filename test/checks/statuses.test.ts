import { expect, test } from "vitest";
import { UnclearStatuses, readStatus } from "../../src/checks/statuses.ts";

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
  ["Scheduled", "scheduled"],
  ["Idée", "draft"],
  ["gotowe", "ready"],
  ["投稿済み", "skip"],
])("knows the status %j", (text, expected) => {
  expect(status(text, {})).toBe(expected);
  expect(status(text, { [text.toLowerCase()]: "draft" })).toBe("draft");
});

test.each(["aproved", "constructor", "redy", "Done"])("does not know the status %j", (text) => {
  expect(status(text)).toBe("unknown");
});

test("reports all unknown words of a calendar at once, with their counts and lines to paste", () => {
  const unclear = new UnclearStatuses();
  const words = ["Done", "redy", "done", "Zu spät: neu", "Scheduled", "Ready", "DONE"];
  for (const [index, text] of words.entries()) {
    const value = { text, at: () => ({ file: "a.csv", line: index + 2 }) };
    unclear.note(value, readStatus(value, {}));
  }
  const [unknown, scheduled, ...others] = unclear.problems({});
  expect(others).toEqual([]);
  expect(unknown).toMatchObject({ code: "row/status", severity: "error", line: 2 });
  expect(unknown?.message).toContain('"Done" (3 rows), "redy" (1 row, did you mean "ready"?)');
  expect(unknown?.message).toContain('`status_values: { Done: draft, redy: ready, "Zu spät: neu": draft }`');
  expect(scheduled).toMatchObject({ code: "row/scheduled", severity: "warning", line: 6 });
  expect(scheduled?.message).toContain('"Scheduled" (1 row)');
  expect(scheduled?.message).toContain("`status_values: { Scheduled: skip }`");
});
