import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapeTerminal, terminalText } from "../../../src/report/text/escape.ts";
import { hostileText } from "../hostile-text.ts";

describe("escapeTerminal", () => {
  test.each([
    ["a colour", "\u{1b}[31mred", String.raw`\u{1b}[31mred`],
    ["a window title", "\u{1b}]0;x\u{7}", String.raw`\u{1b}]0;x\u{7}`],
    ["a C1 control", "\u{9b}2J", String.raw`\u{9b}2J`],
    ["line ends and tabs", "a\r\n\tb", String.raw`a\r\n\tb`],
    ["line separators", "a\u{2028}b\u{2029}c\u{85}d", String.raw`a\u{2028}b\u{2029}c\u{85}d`],
    ["a bidi override", "gpj\u{202e}exe.", String.raw`gpj\u{202e}exe.`],
    ["isolates and marks", "\u{2067}\u{200f}\u{61c}", String.raw`\u{2067}\u{200f}\u{61c}`],
    ["what shows nothing", "a\u{200b}\u{ad}\u{feff}\u{3164}b", String.raw`a\u{200b}\u{ad}\u{feff}\u{3164}b`],
    ["a joiner between Latin letters", "a\u{200d}b", String.raw`a\u{200d}b`],
    ["a message in tags", "🏴\u{e0068}\u{e0069}", String.raw`🏴\u{e0068}\u{e0069}`],
    ["a second variation selector", "☕\u{fe0f}\u{fe0f}", "☕\u{fe0f}" + String.raw`\u{fe0f}`],
    ["half a character", "a\u{d83d}b", String.raw`a\u{d83d}b`],
    ["a tower of marks", "a" + "\u{301}".repeat(9), "a" + "\u{301}".repeat(8) + String.raw`\u{301}`],
  ])("shows %s", (_, text, shown) => {
    expect(escapeTerminal(text)).toBe(shown);
  });

  test.each([
    ["emoji", "🚀☕️👩🏽‍🚀👨‍👩‍👧‍👦❤️‍🔥1️⃣🇫🇷🏴󠁧󠁢󠁥󠁮󠁧󠁿"],
    ["Arabic and Persian", "وصلت المطحنة می‌خواهم ه‍"],
    ["Hindi", "क्‍ष क्‌ष नमस्ते"],
    ["Chinese, Japanese and Korean", "東京 グラインダー 葛󠄀 한국어"],
    ["accents, decomposed", "cafe\u{301} Việt"],
    ["signs", "© ™ “quoted” – 10 €\u{a0}!"],
  ])("leaves %s as it is", (_, text) => {
    expect(escapeTerminal(text)).toBe(text);
  });

  test("lets no control sequence through, for any text", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(escapeTerminal(text)).not.toMatch(/[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/u);
      }),
    );
  });
});

describe("terminalText", () => {
  test("ends each line", () => {
    expect(terminalText(["a", "", "b"])).toBe("a\n\nb\n");
  });

  test.each([
    ["::error::x", String.raw`\u{3a}:error::x`],
    ["   ::error::x", String.raw`   \u{3a}:error::x`],
    ["\u{3000}::error::x", "\u{3000}" + String.raw`\u{3a}:error::x`],
    ["\u{1b}[2m::error::x", "\u{1b}[2m" + String.raw`\u{3a}:error::x`],
    ["a ::error::x", "a ::error::x"],
    ["a ##[set-env name=x]", String.raw`a #\u{23}[set-env name=x]`],
    ["a ##vso[task.x]", String.raw`a #\u{23}vso[task.x]`],
    ["a ##teamcity[x]", String.raw`a #\u{23}teamcity[x]`],
    ["## heading", "## heading"],
  ])("prevents a CI runner from reading %j as a command", (line, safe) => {
    expect(terminalText([line])).toBe(`${safe}\n`);
  });
});
