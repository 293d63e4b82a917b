/** Terminals differ in emoji of several parts: a line has room for either drawing. */

import { expect, test } from "vitest";
import { clipToWidth, maxTextWidth, textWidth } from "../../../src/report/text/segments.ts";
import { wrap } from "../../../src/report/text/wrap.ts";

const FAMILY = "👨‍👩‍👧‍👦";

test.each([
  ["plain", 5, 5],
  ["東京", 4, 4],
  ["🎉", 2, 2],
  [FAMILY, 2, 8],
  ["👩🏽‍🌾", 2, 6],
  ["👍🏽", 2, 4],
])("%s takes %d columns, and %d where its parts stand beside each other", (text, drawn, apart) => {
  expect([textWidth(text), maxTextWidth(text)]).toEqual([drawn, apart]);
});

test("lines stay within their width in both kinds of terminals", () => {
  const lines = wrap([{ text: `${FAMILY} `.repeat(12).trim() }], { width: 40, ellipsis: "…" });
  expect(lines.join(" ").split(" ")).toHaveLength(12);
  expect(Math.max(...lines.map(maxTextWidth))).toBeLessThanOrEqual(40);
  expect(maxTextWidth(clipToWidth(FAMILY.repeat(9), 30, "…"))).toBeLessThanOrEqual(30);
});
