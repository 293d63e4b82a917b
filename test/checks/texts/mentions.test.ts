/** Handles of networks in place of the names that texts mention. */

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { handlesByNetwork, replaceMentions } from "../../../src/checks/texts/mentions.ts";
import { GROWS_TOO_FAST, growth } from "../../support/growth.ts";
import { manyRuns } from "../../support/property-tests.ts";

const HANDLES = handlesByNetwork(
  {
    "@acme": { bluesky: "acme.com", mastodon: "@acme@m.example" },
    "@acme_shop": { bluesky: "shop.acme.com" },
    "@José": { Bluesky: "@jose.example" },
  },
  new Map(),
);
const bluesky = HANDLES.get("bluesky") ?? new Map<string, string>();

test.each([
  ["Thanks, @acme!", "Thanks, @acme.com!"],
  ["@acme", "@acme.com"],
  ["@ACME and @Acme.", "@acme.com and @acme.com."],
  [".@acme says", ".@acme.com says"],
  [
    "(@acme), “@acme”, @acme's, @acme: @acme…",
    "(@acme.com), “@acme.com”, @acme.com's, @acme.com: @acme.com…",
  ],
  ["@acme,@acme_shop", "@acme.com,@shop.acme.com"],
  ["@acme_shop", "@shop.acme.com"],
  ["[@acme](https://example.com/@acme)", "[@acme.com](https://example.com/@acme)"],
  ["@jose\u0301", "@jose.example"],
  ["@josé and @JOSÉ", "@jose.example and @jose.example"],
  ["ありがとう、@acme。", "ありがとう、@acme.com。"],
  ["-@acme\n- @acme", "-@acme.com\n- @acme.com"],
])("%s becomes %s", (text, expected) => {
  expect(replaceMentions(text, bluesky)).toBe(expected);
});

test.each([
  "info@acme and info@acme.com",
  "jo.@acme",
  "@acme.com @acme-2 @acme2 @acmé @acme.co.uk",
  "@acme@social.example",
  "@acme/tools",
  "https://example.com/@acme?by=@acme",
  "example.com/@acme",
  "https://example.com,@acme",
  "@@acme",
  "acme @ acme",
  "",
])("leaves %j as it is", (text) => {
  expect(replaceMentions(text, bluesky)).toBe(text);
});

test("each network gets only its own handles", () => {
  expect([...HANDLES.keys()]).toEqual(["bluesky", "mastodon"]);
  expect(replaceMentions("@acme @acme_shop", HANDLES.get("mastodon") ?? new Map())).toBe(
    "@acme@m.example @acme_shop",
  );
});

const piece = fc.oneof(
  fc.constantFrom(
    "@acme",
    "@acme_shop",
    "@ACME",
    "@",
    ".",
    "-",
    "/",
    " ",
    "\n",
    "https://example.com",
    "a",
    "é",
    "😀",
  ),
  fc.string({ unit: "grapheme", maxLength: 5 }),
);
const anyText = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(""));

function withoutNames(text: string): string {
  return text.replaceAll(/@(?:shop\.acme\.com|acme\.com|acme_shop|acme|jose\.example|josé)/giu, "@");
}

test("replacing twice gives the same text as replacing once, and changes only names", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const once = replaceMentions(text, bluesky);
      expect(replaceMentions(once, bluesky)).toBe(once);
      expect(withoutNames(once)).toBe(withoutNames(text));
    }),
    { numRuns: manyRuns(2_000) },
  );
});

test.each([
  ["names", (size: number) => "@acme ".repeat(size)],
  ["one word of names", (size: number) => "@acme,".repeat(size)],
  ["signs", (size: number) => "@".repeat(size)],
  ["a long name", (size: number) => `@acme${".-".repeat(size)}`],
  ["a long word", (size: number) => `${"a.".repeat(size)}@acme`],
])("takes time in proportion to the text: %s", (_name, text) => {
  expect(growth((size) => replaceMentions(text(size), bluesky), 5_000)).toBeLessThan(GROWS_TOO_FAST);
});
