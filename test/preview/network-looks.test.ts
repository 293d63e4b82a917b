import { describe, expect, test } from "vitest";
import { NETWORKS } from "../../src/checks/networks/networks.ts";
import { NETWORK_LOOKS, lookOf, foldText, hostOf, shownLink } from "../../src/preview/network-looks.ts";

test("each network with limits has one look, with sources and the month of the check", () => {
  expect(NETWORK_LOOKS.map(({ network }) => network)).toEqual(NETWORKS.map(({ title }) => title));
  for (const { checked, sources, shapes, parts } of NETWORK_LOOKS) {
    expect(checked).toMatch(/^20\d\d-(0[1-9]|1[0-2])$/);
    expect(sources.every((source) => source.startsWith("https://"))).toBe(true);
    expect(sources.length).toBeGreaterThan(0);
    expect(shapes[0]).toBeLessThanOrEqual(shapes[1]);
    expect(new Set(parts).size).toBe(parts.length);
  }
});

test("no text folds after the limit of its network", () => {
  for (const { title, limits } of NETWORKS) {
    expect(lookOf(title).fold?.characters ?? 0).toBeLessThanOrEqual(limits.text ?? Infinity);
  }
});

test("an unknown network has a plain look with its own letters", () => {
  expect(lookOf("our forum")).toMatchObject({ network: "", mark: ["ou", "#5d6470"] });
});

describe("folding", () => {
  const fold = { characters: 20, lines: 3, word: "more" };

  test("shows all of a text that fits", () => {
    expect(foldText("Twenty letters, here", fold)).toEqual({ shown: "Twenty letters, here", rest: "" });
    expect(foldText("Short\n", fold).rest).toBe("");
    expect(foldText("x".repeat(9_000), undefined).rest).toBe("");
  });

  test("breaks between words, unless a word is too long", () => {
    expect(foldText("The glasshouse stays lit", fold)).toEqual({
      shown: "The glasshouse stays",
      rest: " lit",
    });
    expect(foldText("The glasshouses stayed lit", fold).shown).toBe("The glasshouses");
    expect(foldText("x".repeat(30), fold).shown).toBe("x".repeat(20));
  });

  test("counts an emoji as one character and never splits it", () => {
    const family = "👩‍👩‍👧";
    const { shown, rest } = foldText(family.repeat(25), fold);
    expect([shown, rest]).toEqual([family.repeat(20), family.repeat(5)]);
  });

  test("counts the lines that the author wrote, including blank lines", () => {
    expect(foldText("a\n\nb\nc", fold)).toEqual({ shown: "a\n\nb", rest: "\nc" });
    expect(foldText("a\n\nb\n", fold).rest).toBe("");
  });

  test("keeps the whole text in its two parts", () => {
    for (const text of [" a b ".repeat(20), "\n".repeat(50), "é".repeat(50), "\u{202e}".repeat(60)]) {
      const { shown, rest } = foldText(text, fold);
      expect(shown + rest).toBe(text);
    }
  });
});

test("shortens the path of a link, and changes nothing else", () => {
  const link = "https://www.example.org/gardens/night?utm=1";
  expect(shownLink(link, 13)).toBe("example.org/gardens/night…");
  expect(shownLink(link, "full")).toBe(link);
  expect(shownLink("https://example.org/", 5)).toBe("example.org");
  expect(shownLink("https://", 5)).toBe("https://");
});

test("the host of a link card is the real one", () => {
  expect(hostOf("https://good.example@EVIL.example:8080/a")).toBe("evil.example");
  expect(hostOf("https://www.example.org?x")).toBe("example.org");
});
