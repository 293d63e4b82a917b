import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countText, fitsWithoutCounting } from "../../../src/checks/rules/count-text.ts";
import type { Count } from "../../../src/settings/limits.ts";
import { anyText } from "../../support/any-text.ts";
import { GROWS_TOO_FAST, growth } from "../../support/growth.ts";
import { manyRuns } from "../../support/property-tests.ts";
import { hostileTexts } from "./hostile-texts.ts";

const FAMILY = "👨‍👩‍👧‍👦";
const ENGLAND = "🏴󠁧󠁢󠁥󠁮󠁧󠁿";

/** By column: characters, utf16, graphemes, bytes, twitter, mastodon, threads. */
const COUNTS: readonly Count[] = [
  "characters",
  "utf16",
  "graphemes",
  "bytes",
  "twitter",
  "mastodon",
  "threads",
];

test.each<[string, string, number[]]>([
  ["nothing", "", [0, 0, 0, 0, 0, 0, 0]],
  ["ASCII with line ends", "One.\n\nTwo.", [10, 10, 10, 10, 10, 10, 10]],
  ["NFC", "caf\u00e9", [4, 4, 4, 5, 4, 4, 4]],
  ["NFD", "cafe\u0301", [4, 4, 4, 5, 4, 4, 4]],
  ["a mark that no letter has composed", "q\u0323", [2, 2, 1, 3, 2, 1, 2]],
  ["Greek and Cyrillic", "Ωм", [2, 2, 2, 4, 2, 2, 2]],
  ["Arabic", "مرحبا", [5, 5, 5, 10, 5, 5, 5]],
  ["Arabic with vowel marks", "مَرْ", [4, 4, 2, 8, 4, 2, 4]],
  ["Thai", "น้ำ", [3, 3, 1, 9, 3, 1, 3]],
  ["Devanagari", "नमस्ते", [6, 6, 3, 18, 6, 3, 6]],
  ["Japanese", "日本語", [3, 3, 3, 9, 6, 3, 3]],
  ["Korean, composed", "한국", [2, 2, 2, 6, 4, 2, 2]],
  ["Korean, decomposed", "한국".normalize("NFD"), [2, 2, 2, 6, 4, 2, 2]],
  ["a rare Chinese letter", "𠮷", [1, 2, 1, 4, 2, 1, 1]],
  ["quotation marks and dashes", "“a” – ‘b’…", [10, 10, 10, 22, 11, 10, 10]],
  ["the euro sign", "€", [1, 1, 1, 3, 2, 1, 1]],
  ["an emoji", "😀", [1, 2, 1, 4, 2, 1, 4]],
  ["a heart with its variation", "❤️", [2, 2, 1, 6, 2, 1, 6]],
  ["a heart without", "❤", [1, 1, 1, 3, 2, 1, 1]],
  ["a skin tone", "👍🏽", [2, 4, 1, 8, 2, 1, 8]],
  ["a flag", "🇫🇷", [2, 4, 1, 8, 2, 1, 8]],
  ["three flags side by side", "🇫🇷🇯🇵🇧🇷", [6, 12, 3, 24, 6, 3, 24]],
  ["a flag of tags", ENGLAND, [7, 14, 1, 28, 2, 1, 28]],
  ["a keycap", "1️⃣", [3, 3, 1, 7, 2, 1, 7]],
  ["a family", FAMILY, [7, 11, 1, 25, 2, 1, 25]],
  ["a couple with skin tones", "👩🏽‍🤝‍👨🏿", [7, 12, 1, 26, 2, 1, 26]],
  ["the rainbow flag", "🏳️‍🌈", [4, 6, 1, 14, 2, 1, 14]],
  ["the copyright sign as a letter", "©", [1, 1, 1, 2, 1, 1, 1]],
  ["the copyright sign as an emoji", "©️", [2, 2, 1, 5, 2, 1, 5]],
])("counts %s", (_name, text, expected) => {
  expect(COUNTS.map((count) => countText(text, count))).toEqual(expected);
});

describe("for X", () => {
  // The examples of docs.x.com/fundamentals/counting-characters and of twitter-text's own tests.
  test.each([
    ["👾", 2],
    ["🙋🏽", 2],
    ["👨‍🎤", 2],
    [FAMILY, 2],
    ["https://example.com", 23],
    ["https://example.com/very/long/path", 23],
    ["https://t.co", 23],
    ["Hello, world! 👋", 16],
    ["故人西辞黄鹤楼，烟花三月下扬州。".repeat(8) + "故人西辞黄鹤楼，烟花三月下扬", 284],
    ["a".repeat(280), 280],
    ["あ".repeat(140), 280],
    ["😷".repeat(140), 280],
    ["H🐱☺👨‍👩‍👧‍👦", 7],
    ["See https://example.com/a_(b), or example.org.", 4 + 23 + 5 + 23 + 1],
    ["#tag @name $TAG", 15],
  ])("counts %j as %i", (text, length) => {
    expect(countText(text, "twitter")).toBe(length);
  });
});

test("counts graphemes of a long text as the standard does, even without spaces", () => {
  const standard = new Intl.Segmenter("en", { granularity: "grapheme" });
  const parts = [FAMILY, ENGLAND, "日本", "q\u0323\u0301", "👩🏽‍🤝‍👨🏿", "é"];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { minLength: 100, maxLength: 400 }), (given) => {
      const long = given.join("").normalize("NFC");
      expect(countText(long, "graphemes")).toBe([...standard.segment(long)].length);
    }),
  );
});

test("counts a link as 23 for Mastodon, and a mention without its server", () => {
  expect(countText("https://example.com/very/long/path/of/a/page", "mastodon")).toBe(23);
  expect(countText("example.com", "mastodon")).toBe(11);
  expect(countText("Thanks @garden@example.social!", "mastodon")).toBe("Thanks @garden!".length);
  expect(countText("Write to garden@example.social", "mastodon")).toBe(30);
});

/** Texts that people write, and texts that nobody writes. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ maxLength: 12 }),
      anyText(6),
      fc.constantFrom(
        FAMILY,
        ENGLAND,
        "🇫🇷",
        "1️⃣",
        "©️",
        "❤️",
        "\u200d",
        "\ufe0f",
        "é",
        "e\u0301",
        "日本",
        "مَ",
      ),
      fc.constantFrom(
        "https://example.com/p",
        "http://a.co",
        "example.org",
        "x.com/a",
        "@a@b.social",
        " ",
        ". ",
        ".",
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

describe("every way to count", () => {
  test.each(COUNTS)("%s: is positive, 0 for an empty text, and equal for all normal forms", (count) => {
    fc.assert(
      fc.property(text, (given) => {
        const length = countText(given, count);
        expect(Number.isInteger(length) && length >= 0).toBe(true);
        expect(length === 0).toBe(given === "");
        expect(countText(given.normalize("NFD"), count)).toBe(length);
      }),
    );
  });

  test.each(COUNTS)("%s: adds up over lines", (count) => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        const sum = countText(one, count) + 1 + countText(other, count);
        expect(countText(`${one}\n${other}`, count)).toBe(sum);
      }),
    );
  });

  test.each(COUNTS)("%s: a text that is certainly within a limit is within it", (count) => {
    fc.assert(
      fc.property(text, fc.nat(120), (given, limit) => {
        const sent = given.normalize("NFC");
        return !fitsWithoutCounting(sent, count, limit) || countText(sent, count) <= limit;
      }),
      { numRuns: manyRuns(2000) },
    );
  });
});

test.each(COUNTS)("%s: takes time in proportion to the text, even with hostile texts", (count) => {
  const countAll = (size: number): number[] => hostileTexts(size).map((each) => countText(each, count));
  expect(countAll(10).every((length) => length > 0)).toBe(true);
  expect(growth(countAll, 2_000)).toBeLessThan(GROWS_TOO_FAST);
});
