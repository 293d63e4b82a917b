/** Terminals draw emoji of several parts in different widths. A line has room for each of them. */

import * as fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { escapeTerminal } from "../../../src/report/text/escape.ts";
import { clipToWidth, maxTextWidth, textWidth, wrap } from "../../../src/report/text/wrap.ts";
import { hostileText } from "../hostile-text.ts";

const FAMILY = "👨‍👩‍👧‍👦";

test.each([
  ["plain", 5, 5],
  ["東京", 4, 4],
  ["🎉", 2, 2],
  [FAMILY, 2, 8],
  ["👩🏽‍🌾", 2, 6],
  ["👍🏽", 2, 4],
])("%s takes %d columns, and %d if its parts are drawn side by side", (text, drawn, apart) => {
  expect([textWidth(text), maxTextWidth(text)]).toEqual([drawn, apart]);
});

test("lines stay within their width in both kinds of terminals", () => {
  const lines = wrap([{ text: `${FAMILY} `.repeat(12).trim() }], { width: 40, ellipsis: "…" });
  expect(lines.join(" ").split(" ")).toHaveLength(12);
  expect(Math.max(...lines.map(maxTextWidth))).toBeLessThanOrEqual(40);
  expect(maxTextWidth(clipToWidth(FAMILY.repeat(9), 30, "…"))).toBeLessThanOrEqual(30);
});

const plain = (text: string, width: number, maxLines?: number): string[] =>
  wrap([{ text }], { width, ellipsis: "…", ...(maxLines === undefined ? {} : { maxLines }) });

const paint = (text: string): string => `<${text}>`;

describe("wrap", () => {
  test("breaks at spaces", () => {
    expect(plain("the quick brown fox", 10)).toEqual(["the quick", "brown fox"]);
  });

  test("cuts a word that no line holds", () => {
    expect(plain("a abcdefghijkl b", 5)).toEqual(["a abc", "defgh", "ijkl", "b"]);
  });

  test("breaks between wide letters without spaces, two columns each", () => {
    expect(plain("東京の皆さん", 6)).toEqual(["東京の", "皆さん"]);
  });

  test("does not begin a line with the full stop of the line before", () => {
    expect(plain("東京の。", 6)).toEqual(["東京", "の。"]);
  });

  test("the last line that is shown ends with an ellipsis", () => {
    expect(plain("the quick brown fox jumps over", 12, 2)).toEqual(["the quick", "brown fox …"]);
    expect(plain("the quick brown fox", 10, 2)).toEqual(["the quick", "brown fox"]);
    expect(plain("abcdefghij klm", 10, 1)).toEqual(["abcdefgh …"]);
  });

  test("paints each line separately, and neighbouring characters with the same style together", () => {
    const spans = [{ text: "aa " }, { text: "bb cc dd", paint }, { text: " ee" }];
    expect(wrap(spans, { width: 8, ellipsis: "…" })).toEqual(["aa <bb cc>", "<dd> ee"]);
  });

  test("splits a letter of many parts if it is wider than the line", () => {
    expect(plain("ᄀ".repeat(5) + "가", 4)).toEqual(["ᄀᄀ", "ᄀᄀ", "ᄀ가"]);
  });

  test("stays within the width and loses only spaces, for any text", () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 2, max: 30 }), (text, width) => {
        const safe = escapeTerminal(text);
        const lines = plain(safe, width);
        for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
        expect(lines.join("").replace(/\s/gu, "")).toBe(safe.replace(/\s/gu, ""));
      }),
    );
  });
});
