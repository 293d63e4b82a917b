import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Wait } from "../../../src/model/clock.ts";
import { progressLine, waitText } from "../../../src/report/outcomes/progress.ts";
import { createStyle } from "../../../src/report/text/style.ts";
import { textWidth } from "../../../src/report/text/wrap.ts";

const style = (unicode: boolean) => createStyle({ color: false, width: 80, unicode });

test("a bar, numbers and notes", () => {
  const view = { done: 3, total: 10, notes: ["28 requests a minute", "", "about 3 minutes left"] };
  expect(progressLine(view, style(true), 100)).toBe(
    `${"█".repeat(6)}${"░".repeat(14)} 3/10 changes · 28 requests a minute · about 3 minutes left`,
  );
  expect(progressLine(view, style(false), 40)).toBe("##------ 3/10 changes | 28 requests...");
});

test("the bar is never as wide as the terminal, and is full only at the end", () => {
  fc.assert(
    fc.property(
      fc.nat(500),
      fc.integer({ min: 1, max: 500 }),
      fc.string(),
      fc.integer({ min: 20, max: 300 }),
      (done, total, text, columns) => {
        const line = progressLine(
          { done: Math.min(done, total), total, notes: [text.replaceAll(/\P{L}/gu, "")] },
          style(true),
          columns,
        );
        expect(textWidth(line)).toBeLessThan(columns);
        expect(/^█+ /.test(line)).toBe(done >= total);
      },
    ),
  );
});

const wait = { requests: 12, until: Date.parse("2030-01-01T11:00:10Z"), ms: 38_000 } as const;

test.each<[Wait, string]>([
  [{ ...wait, why: "limit" }, "12 requests, for the service's rate limit"],
  [{ ...wait, why: "others" }, "12 requests, for other users of the same key"],
  [{ ...wait, why: "told" }, "12 requests, as the service asked"],
  [{ ...wait, requests: 1, why: "refused" }, "1 request, because the service's rate limit refused one"],
  [
    { ...wait, requests: 1, why: "trouble", reason: "HTTP 502\u001B[2J" },
    String.raw`1 request, to be sent again; HTTP 502\u{1b}[2J`,
  ],
])("shows what the run waits for, and until when in the project's zone: $why", (given, expected) => {
  expect(waitText(given, "Europe/Paris")).toBe(`Waiting until 12:00:10 (38 seconds): ${expected}`);
});

test("a short wait is shown in seconds, and a long wait in minutes", () => {
  const until = Date.parse("2030-01-01T11:00:00Z");
  expect(waitText({ ...wait, until, ms: 1_000, why: "limit" }, "UTC")).toContain("until 11:00:00 (1 second)");
  expect(waitText({ ...wait, until, ms: 600_000, why: "limit" }, "UTC")).toContain(
    "until 11:00 (10 minutes)",
  );
});
