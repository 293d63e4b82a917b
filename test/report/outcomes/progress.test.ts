import * as fc from "fast-check";
import { expect, test } from "vitest";
import { progressLine } from "../../../src/report/outcomes/progress.ts";
import { textWidth } from "../../../src/report/text/wrap.ts";
import { createStyle } from "../../../src/report/text/style.ts";

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
