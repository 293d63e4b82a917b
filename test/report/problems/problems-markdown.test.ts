import { expect, test } from "vitest";
import { problem } from "../../../src/model/problem.ts";
import { problemsMarkdown } from "../../../src/report/problems/github.ts";

const past = problem("schedule/past", "Too late.", { file: "calendars/a.csv", line: 2, column: 4 });
const status = problem("row/status", "`x` <b>@all</b> is not a status.", {
  file: "calendars/a.csv",
  line: 3,
});

test("errors come first, and no text is executed", () => {
  const text = problemsMarkdown([past, status], { maxLength: 10_000 });
  expect(text.split("\n")[0]).toBe("**No plan: 1 error, 1 warning in 1 file**");
  expect(text.indexOf("status")).toBeLessThan(text.indexOf("Too late"));
  expect(text).not.toMatch(/<b>|@all/);
});

test("problems that do not fit are counted", () => {
  const text = problemsMarkdown(
    Array.from({ length: 500 }, () => past),
    { maxLength: 1_000 },
  );
  expect(text.length).toBeLessThanOrEqual(1_000);
  expect(text).toMatch(/… and \d+ more problems\n$/);
});
