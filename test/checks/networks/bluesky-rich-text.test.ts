import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  type LinkStyle,
  type RichPart,
  richParts,
  richText,
} from "../../../src/checks/networks/bluesky-rich-text.ts";
import { anyText } from "../../support/any-text.ts";

/** Each part as it is shown, and what it leads to if that is not the same. */
function shown(text: string): string[] {
  return richParts(text).map((part) => {
    const value = valueOf(part);
    const visible = text.slice(part.start, part.end);
    return visible === value ? visible : `${visible} → ${value}`;
  });
}

function valueOf(part: RichPart): string {
  switch (part.kind) {
    case "link":
      return part.uri;
    case "mention":
      return part.handle;
    case "tag":
      return part.tag;
  }
}

describe("mentions", () => {
  test.each([
    ["Thanks @alice.test!", ["@alice.test → alice.test"]],
    ["Danke @alice.test.deさん", ["@alice.test.de → alice.test.de"]],
    ["@Alice.Test. (@bob.example.org)", ["@Alice.Test → alice.test", "@bob.example.org → bob.example.org"]],
    ["„@alice.test“ and @alice.test🎉", ["@alice.test → alice.test", "@alice.test → alice.test"]],
    ["@alice.test님 @alice.test-", ["@alice.test → alice.test", "@alice.test → alice.test"]],
    ["»@alice.test« d’@alice.test।", ["@alice.test → alice.test", "@alice.test → alice.test"]],
    // A part of a longer name would be somebody else.
    ["@alice.test@social.example", []],
    ["@alice.test.deé @alice.test_x @alice.test.b_c", []],
    ["@acme.com/tools @alice @alice.nothing", []],
    ["info@alice.test x.@alice.test https://example.com/@alice.test", ["https://example.com/@alice.test"]],
    [`@${"a".repeat(64)}.test @-a.test @a..test`, []],
  ])("%s", (text, expected) => {
    expect(shown(text)).toEqual(expected);
  });
});

describe("tags", () => {
  test.each([
    [
      "#Easter🐣 #e-commerce #24h #C++",
      ["#Easter🐣 → Easter🐣", "#e-commerce → e-commerce", "#24h → 24h", "#C++ → C++"],
    ],
    ["Sale #now! (#here) „#Ostern“", ["#now → now", "#here → here", "#Ostern → Ostern"]],
    ["(#here)now and 「#新商品」です。#春", ["#here → here", "#新商品 → 新商品", "#春 → 春"]],
    ["#ربيع #कला #สวัสดี", ["#ربيع → ربيع", "#कला → कला", "#สวัสดี → สวัสดี"]],
    // Marks of direction, which nobody sees.
    ["\u200f#אביב\u200f \u2067#ربيع\u2069 »#Ostern«", ["#אביב → אביב", "#ربيع → ربيع", "#Ostern → Ostern"]],
    ["#2026 # #️⃣ #... C#x &#39;", []],
    [`#${"x".repeat(64)} #${"y".repeat(65)}`, [`#${"x".repeat(64)} → ${"x".repeat(64)}`]],
    ["$ACME and $acme, but $5", ["$ACME", "$acme → $ACME"]],
  ])("%s", (text, expected) => {
    expect(shown(text)).toEqual(expected);
  });
});

describe("links", () => {
  test.each([
    [
      "<https://example.com/x> **https://example.com/y** `https://example.com/z`",
      ["x", "y", "z"].map((path) => `https://example.com/${path}`),
    ],
    [
      "„https://example.com/a“ (https://example.com/b) [https://example.com/c].",
      ["a", "b", "c"].map((path) => `https://example.com/${path}`),
    ],
    ["https://en.wikipedia.org/wiki/Tulip_(flower)!", ["https://en.wikipedia.org/wiki/Tulip_(flower)"]],
    [
      "https://ja.wikipedia.org/wiki/日本、https://example.com/。",
      ["https://ja.wikipedia.org/wiki/日本", "https://example.com/"],
    ],
    [
      "https://example.comさん https://münchen.de/rathaus https://пример.рф/а",
      ["https://example.com", "https://münchen.de/rathaus", "https://пример.рф/а"],
    ],
    [
      "_https://example.com/a_b_ https://example.com/a_b_",
      ["https://example.com/a_b", "https://example.com/a_b_"],
    ],
    [
      "example.com, my-shop.de/sale?x=1.",
      ["example.com → https://example.com", "my-shop.de/sale?x=1 → https://my-shop.de/sale?x=1"],
    ],
    ["See example.com.Then call", ["example.com → https://example.com"]],
    [
      "https://example.in/फूल। https://example.am/ա։ https://example.et/አ። https://example.pk/پ۔ https://example.gr/λ·",
      ["in/फूल", "am/ա", "et/አ", "pk/پ", "gr/λ"].map((rest) => `https://example.${rest}`),
    ],
    [
      "»https://example.com/a« ”https://example.com/b” »example.com« 'example.com'",
      [
        "https://example.com/a",
        "https://example.com/b",
        "example.com → https://example.com",
        "example.com → https://example.com",
      ],
    ],
    ["Well, that's.it and c’est.la vie", []],
    ["We are open today.In our shop. e.g. node.js 3.14 9.30am", []],
    ["a@example.com example.com@social.example", []],
    ["https:// http://? https://[ https://<x>", []],
    ["[Menu](https://example.com/menu)", ["https://example.com/menu"]],
  ])("%s", (text, expected) => {
    expect(shown(text)).toEqual(expected);
  });
});

describe("shown links", () => {
  test.each<[LinkStyle, string, string, string[]]>([
    [
      "written",
      "[Menu](https://example.com/menu)",
      "[Menu](https://example.com/menu)",
      ["https://example.com/menu"],
    ],
    [
      "short",
      "Come: https://shop.example.com/tulips?utm_source=bluesky&utm_medium=social, #spring",
      "Come: shop.example.com/tulips?utm_s..., #spring",
      [
        "shop.example.com/tulips?utm_s... → https://shop.example.com/tulips?utm_source=bluesky&utm_medium=social",
        "#spring → spring",
      ],
    ],
    [
      "short",
      "https://example.com/ https://example.com/123456789012345",
      "example.com example.com/123456789012...",
      [
        "example.com → https://example.com/",
        "example.com/123456789012... → https://example.com/123456789012345",
      ],
    ],
    [
      "short",
      "🌱 example.com/a-very-long-path/of-a-page",
      "🌱 example.com/a-very-long-path/of-a-page",
      ["example.com/a-very-long-path/of-a-page → https://example.com/a-very-long-path/of-a-page"],
    ],
    [
      "short",
      "https://münchen.de/12345678901🌱🌱🌱🌱",
      "münchen.de/12345678901...",
      ["münchen.de/12345678901... → https://münchen.de/12345678901🌱🌱🌱🌱"],
    ],
    [
      "short",
      "https://me:pw@example.com/%F0%9F%8C%B1%20x",
      "example.com/%F0%9F%8C%B1...",
      ["example.com/%F0%9F%8C%B1... → https://me:pw@example.com/%F0%9F%8C%B1%20x"],
    ],
    [
      "markdown",
      "Our [menu 🌱](https://example.com/menu_(new)) and [مرحبا](http://a.example/), https://example.com/menu/of/the/day.",
      "Our menu 🌱 and مرحبا, example.com/menu/of/the/....",
      [
        "menu 🌱 → https://example.com/menu_(new)",
        "مرحبا → http://a.example/",
        "example.com/menu/of/the/... → https://example.com/menu/of/the/day",
      ],
    ],
    // What a named link shows mentions nobody, and neither does what it makes with the text beside it.
    [
      "markdown",
      "[@alice.test](https://example.com) [@](https://example.com)alice.test",
      "@alice.test @alice.test",
      ["@alice.test → https://example.com", "@ → https://example.com"],
    ],
    [
      "markdown",
      "![Tulips](https://example.com/t.png) [x] (https://example.com/y) [ ](https://example.com)",
      "![Tulips](example.com/t.png) [x] (example.com/y) [ ](example.com)",
      [
        "example.com/t.png → https://example.com/t.png",
        "example.com/y → https://example.com/y",
        "example.com → https://example.com",
      ],
    ],
  ])("%s: %s", (style, written, text, parts) => {
    const rich = richText(written, style);
    expect(rich.text).toBe(text);
    expect(
      rich.parts.map((part) => {
        const value = valueOf(part);
        const visible = rich.text.slice(part.start, part.end);
        return visible === value ? visible : `${visible} → ${value}`;
      }),
    ).toEqual(parts);
  });
});

test("in every style, parts are in order and whole, and nothing but links changes", () => {
  fc.assert(
    fc.property(anyText(60), fc.constantFrom<LinkStyle>("short", "markdown"), (text, style) => {
      const withLinks = `${text} https://example.com/a/long/path/x [${text}](https://example.com) ${text}`;
      const rich = richText(withLinks, style);
      let last = 0;
      for (const { start, end } of rich.parts) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThan(start);
        last = end;
      }
      expect(rich.text.length).toBeLessThan(withLinks.length);
      expect(/\p{Surrogate}/u.test(rich.text)).toBe(/\p{Surrogate}/u.test(withLinks));
    }),
  );
});

test("parts are in order, do not overlap, and never split a character", () => {
  fc.assert(
    fc.property(anyText(60), (text) => {
      let last = 0;
      for (const { start, end } of richParts(text)) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThan(start);
        last = end;
        // No part starts or ends between the halves of a character.
        for (const at of [start, end])
          expect(/^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1))).toBe(false);
      }
    }),
  );
});

// The comparison with the app.

type Found = readonly [kind: string, start: number, end: number, value: string];

const appLine = z.tuple([z.string(), z.array(z.tuple([z.string(), z.int(), z.int(), z.string()]))]);

function compared(): {
  readonly text: string;
  readonly app: readonly Found[];
  readonly own: readonly Found[];
}[] {
  const url = new URL("bluesky-app/facets.jsonl", import.meta.url);
  return readFileSync(url, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [text, app] = appLine.parse(JSON.parse(line));
      return {
        text,
        app: app.map(([kind, ...rest]) => (kind === "mention" ? withLowerCase(kind, rest) : [kind, ...rest])),
        own: inBytes(text),
      };
    });
}

function withLowerCase(kind: string, [start, end, handle]: readonly [number, number, string]): Found {
  return [kind, start, end, handle.toLowerCase()];
}

function inBytes(text: string): Found[] {
  const at = (unit: number): number => Buffer.byteLength(text.slice(0, unit));
  return richParts(text).map((part) => [part.kind, at(part.start), at(part.end), valueOf(part)]);
}

interface Difference {
  readonly text: string;
  /** Undefined if plancast finds nothing at the place. */
  readonly own: Found | undefined;
  /** Undefined if the app finds nothing at the place. */
  readonly app: Found | undefined;
}

/** The texts before, in and after a part that only one of the two finds. */
function around({ text, own, app }: Difference): { before: string; part: string; after: string } {
  const bytes = Buffer.from(text);
  const [, start, end] = own ?? app ?? ["", 0, 0];
  const slice = (from: number, to?: number): string => bytes.subarray(from, to).toString();
  return { before: slice(0, start), part: slice(start, end), after: slice(end) };
}

/** Where plancast is deliberately different. A difference without a name here is a mistake. */
const DIFFERENCES: Readonly<Record<string, (difference: Difference) => boolean>> = {
  "a part may follow a quote, a bracket or punctuation without a blank": (each) =>
    each.app === undefined && /[<"'\p{Ps}\p{Pi}\p{Pf}\p{Cf}、。，！]$/u.test(around(each).before),
  "a link may follow signs of markup, and arrows": (each) =>
    each.app === undefined && each.own?.[0] === "link" && /[*_`|>→=]$/u.test(around(each).before),
  "a link ends before the punctuation of the sentence": ({ text, own, app }) => {
    if (own?.[0] !== "link" || app?.[0] !== "link" || own[2] >= app[2]) return false;
    return /^(?:[.,;:!?'’…、。)\u200b/-]|(?!\p{ASCII})\p{Po})/u.test(
      Buffer.from(text).subarray(own[2]).toString(),
    );
  },
  "a host without a scheme ends before letters of another script and emoji": ({ text, own, app }) =>
    own?.[0] === "link" &&
    app?.[0] === "link" &&
    /^[^\p{sc=Latin}\s]/u.test(Buffer.from(text).subarray(own[2]).toString()),
  "a host without a scheme may have hyphens": (each) =>
    each.app === undefined && each.own?.[0] === "link" && /^[\w.]*-/.test(around(each).part),
  "a host without a scheme ends before the next sentence": (each) =>
    each.app === undefined && each.own?.[0] === "link" && /^\.[A-Z]/.test(around(each).after),
  "a host that goes on is no link": (each) =>
    each.own === undefined &&
    each.app?.[0] === "link" &&
    /(?:_x|@social\.example|é\S*)$/u.test(around(each).part),
  "a tag does not reach over a link": ({ text, own, app }) =>
    own === undefined &&
    app?.[0] === "tag" &&
    richParts(text).some((part) => part.kind === "link" && app[3].includes(text.slice(part.start, part.end))),
  "a handle may have capitals": (each) =>
    each.app === undefined && each.own?.[0] === "mention" && /[A-Z]/.test(around(each).part),
  "a scheme may be in capitals": (each) => each.app === undefined && around(each).part.startsWith("HTTPS://"),
  "a handle that goes on is somebody else": (each) =>
    each.own === undefined &&
    each.app?.[0] === "mention" &&
    /^(?:@|_|\p{sc=Latin})/u.test(around(each).after),
};

test("finds what the app finds, but for the differences that have a name", () => {
  const unexplained: unknown[] = [];
  const used = new Map(Object.keys(DIFFERENCES).map((name) => [name, 0]));
  let equal = 0;
  for (const { text, app, own } of compared()) {
    const differences = differencesOf(text, own, app);
    if (differences.length === 0) equal += 1;
    for (const difference of differences) {
      const name = Object.entries(DIFFERENCES).find(([, explains]) => explains(difference))?.[0];
      if (name === undefined) unexplained.push(difference);
      else used.set(name, (used.get(name) ?? 0) + 1);
    }
  }
  expect(unexplained).toEqual([]);
  expect([...used].filter(([, times]) => times === 0)).toEqual([]);
  expect(equal).toBeGreaterThan(3_000);
});

function differencesOf(text: string, own: readonly Found[], app: readonly Found[]): Difference[] {
  const starts = [...new Set([...own, ...app].map(([kind, start]) => `${kind} ${start}`))];
  return starts.flatMap((at) => {
    const [mine, theirs] = [own, app].map((found) =>
      found.find(([kind, start]) => `${kind} ${start}` === at),
    );
    return JSON.stringify(mine) === JSON.stringify(theirs) ? [] : [{ text, own: mine, app: theirs }];
  });
}
