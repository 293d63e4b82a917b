import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type DiffPart, shortenDiff, wordDiff } from "../../../src/report/text/word-diff.ts";
import { hostileText } from "../hostile-text.ts";

function show(parts: readonly DiffPart[]): string {
  const signs = { same: ["", ""], removed: ["[-", "-]"], added: ["{+", "+}"] } as const;
  return parts.map(({ kind, text }) => signs[kind].join(text)).join("");
}

const words = (prefix: string): string => Array.from({ length: 3000 }, (_, i) => `${prefix}${i}`).join(" ");

describe("wordDiff", () => {
  test.each([
    ["open until four today", "open until five today", "open until [-four-]{+five+} today"],
    ["a big red car here now", "a small blue bus here now", "a [-big red car-]{+small blue bus+} here now"],
    ["one two three", "one three", "one [-two -]three"],
    ["one three", "one two three", "one {+two +}three"],
    ["a red apple and tea", "a red apple, panela and tea", "a red apple{+, panela+} and tea"],
    [
      "Yes, all of it. Come and taste it.",
      "Yes. Come and taste it.",
      "Yes[-, all of it-]. Come and taste it.",
    ],
    [
      "A long rest of it all. Yes, all. Come here.",
      "A long rest of it all. Yes.",
      "A long rest of it all. Yes[-, all. Come here-].",
    ],
    ["crew: 👩‍🚀 ready", "crew: 👨‍🚀 ready", "crew: [-👩‍🚀-]{+👨‍🚀+} ready"],
    ["Hello", "Goodbye", "[-Hello-]{+Goodbye+}"],
    ["", "new", "{+new+}"],
    ["old", "", "[-old-]"],
    ["same", "same", "same"],
  ])("%j and %j", (before, after, shown) => {
    expect(show(wordDiff(before, after))).toBe(shown);
  });

  test("finds words in text without spaces", () => {
    expect(show(wordDiff("東京で会いましょう、明日", "大阪で会いましょう、明日"))).toBe(
      "[-東京-]{+大阪+}で会いましょう、明日",
    );
  });

  test("shows both texts in full, for any texts", () => {
    fc.assert(
      fc.property(hostileText, hostileText, fc.boolean(), (one, two, related) => {
        const after = related ? one + two : two;
        const parts = wordDiff(one, after);
        const without = (kind: DiffPart["kind"]): string =>
          parts.flatMap((part) => (part.kind === kind ? [] : [part.text])).join("");
        expect(without("added")).toBe(one);
        expect(without("removed")).toBe(after);
      }),
    );
  });

  test("does not compare texts that differ too much", () => {
    expect(wordDiff(words("a"), words("b")).map(({ kind }) => kind)).toEqual(["removed", "added"]);
  });
});

describe("shortenDiff", () => {
  test("keeps whole words around a change", () => {
    const filler =
      "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore";
    const parts = wordDiff(`${filler} four ${filler} end`, `${filler} five ${filler} end`);
    expect(show(shortenDiff(parts, "…"))).toBe(
      "… do eiusmod tempor incididunt ut labore [-four-]{+five+} lorem ipsum dolor sit amet consectetur …",
    );
  });

  test("leaves short texts whole", () => {
    const parts = wordDiff("open until four today", "open until five today");
    expect(shortenDiff(parts, "…")).toEqual(parts);
  });
});
