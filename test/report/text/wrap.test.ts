/** Terminals draw emoji of several parts in different widths. A line has room for each of them. */

import * as fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { escapeTerminal } from "../../../src/report/text/escape.ts";
import { createStyle } from "../../../src/report/text/style.ts";
import { clipToWidth, maxTextWidth, tableLines, textWidth, wrap } from "../../../src/report/text/wrap.ts";
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

const COLUMNS = [
  { title: "id", cell: ([id]: readonly [string, string]) => id },
  { title: "text", cell: ([, text]: readonly [string, string]) => text, mayTruncate: true },
];

function table(rows: readonly (readonly [string, string])[], width = 40): string[] {
  return tableLines(rows, COLUMNS, createStyle({ color: false, width, unicode: true }));
}

test("columns are aligned, even with wide characters", () => {
  expect(
    table([
      ["a", "花見の季節"],
      ["long", "x"],
    ]),
  ).toEqual(["id    text", "a     花見の季節", "long  x"]);
});

test("a long text is cut, an id never", () => {
  const lines = table([["post_1234567890", "花".repeat(40)]]);
  expect(lines[1]).toBe(`post_1234567890  ${"花".repeat(11)}…`);
});

test("a place is cut at its start: its end names the cell", () => {
  const place = { title: "row", cell: ([at]: readonly [string]) => at, mayTruncate: "start" } as const;
  const style = createStyle({ color: false, width: 40, unicode: true });
  const rows = [["calendars/a-spring-campaign-for-everybody.xlsx Plan!C14"]] as const;
  expect(tableLines(rows, [place], style)[1]).toBe("…ng-campaign-for-everybody.xlsx Plan!C14");
});

test("where a table does not fit, a row is a paragraph", () => {
  const id = "p".repeat(30);
  expect(table([[id, "A text of some length"]])).toEqual([`id: ${id}`, "  text: A text of some length"]);
});

test("a column without texts is left out", () => {
  expect(table([["a", ""]])).toEqual(["id", "a"]);
});

test("no line is wider than the terminal, for any content", () => {
  const row = fc.tuple(fc.stringMatching(/^[a-z]{1,20}$/), hostileText);
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 40, max: 120 }),
      (rows, width) => {
        const lines = table(rows, width);
        expect(lines.every((line) => textWidth(line) <= width)).toBe(true);
        expect(lines.join("\n")).toContain(rows[0]?.[0]);
      },
    ),
  );
});
