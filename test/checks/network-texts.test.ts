/** Handles of networks in place of the names that texts mention, and UTM parameters on links. */

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Aliases } from "../../src/checks/networks/network-names.ts";
import { findLinks } from "../../src/checks/rules/links-and-tags.ts";
import {
  handlesByNetwork,
  parametersFor,
  replaceMentions,
  tagLinks,
} from "../../src/checks/network-texts.ts";
import { GROWS_TOO_FAST, growth } from "../support/growth.ts";
import { manyRuns } from "../support/property-tests.ts";

const HANDLES = handlesByNetwork(
  {
    "@acme": { bluesky: "acme.com", mastodon: "@acme@m.example" },
    "@acme_shop": { bluesky: "shop.acme.com" },
    "@José": { Bluesky: "@jose.example" },
  },
  new Aliases(),
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

const mentionPiece = fc.oneof(
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
const textWithMentions = fc.array(mentionPiece, { maxLength: 10 }).map((pieces) => pieces.join(""));

function withoutNames(text: string): string {
  return text.replaceAll(/@(?:shop\.acme\.com|acme\.com|acme_shop|acme|jose\.example|josé)/giu, "@");
}

test("replacing twice gives the same text as replacing once, and changes only names", () => {
  fc.assert(
    fc.property(textWithMentions, (text) => {
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

const SOURCE = [{ name: "utm_source", value: "x" }];

function tagged(text: string, hosts?: readonly string[]): string {
  return tagLinks(text, SOURCE, hosts).text;
}

test.each([
  ["Look: https://example.com/tulips", "Look: https://example.com/tulips?utm_source=x"],
  ["https://example.com", "https://example.com/?utm_source=x"],
  ["HTTPS://Example.com:8080", "HTTPS://Example.com:8080/?utm_source=x"],
  ["https://example.com?a=1", "https://example.com/?a=1&utm_source=x"],
  ["https://example.com/?", "https://example.com/?utm_source=x?"],
  ["https://example.com/?a=1&", "https://example.com/?a=1&utm_source=x"],
  ["https://example.com/a?b=1#part", "https://example.com/a?b=1&utm_source=x#part"],
  ["https://example.com/#/route?b=1", "https://example.com/?utm_source=x#/route?b=1"],
  ["https://example.com#top.", "https://example.com/?utm_source=x#top."],
  ["See https://example.com/a.", "See https://example.com/a?utm_source=x."],
  ["(https://example.com/a)", "(https://example.com/a?utm_source=x)"],
  ["https://example.com/Tulip_(flower)", "https://example.com/Tulip_(flower)?utm_source=x"],
  ["(https://example.com/Tulip_(flower)), now", "(https://example.com/Tulip_(flower)?utm_source=x), now"],
  ["[Tulips](https://example.com/a)", "[Tulips](https://example.com/a?utm_source=x)"],
  ["**https://example.com/a**", "**https://example.com/a?utm_source=x**"],
  ["<https://example.com/a>", "<https://example.com/a?utm_source=x>"],
  ["“https://example.com/a”", "“https://example.com/a?utm_source=x”"],
  ["https://example.com/a… 🎉", "https://example.com/a?utm_source=x… 🎉"],
  [
    "https://example.com/a\nhttps://example.com/b",
    "https://example.com/a?utm_source=x\nhttps://example.com/b?utm_source=x",
  ],
  ["https://bücher.example.com/a", "https://bücher.example.com/a?utm_source=x"],
  ["https://例え.jp/a", "https://例え.jp/a?utm_source=x"],
  ["詳しくは https://example.jp/a 。", "詳しくは https://example.jp/a?utm_source=x 。"],
  [
    "https://example.com/a?next=https://example.com/?utm_source=y",
    "https://example.com/a?next=https://example.com/?utm_source=y&utm_source=x",
  ],
])("tags the link of %s", (text, expected) => {
  expect(tagLinks(text, SOURCE)).toEqual({ text: expected, unclear: [] });
});

test.each([
  "https://example.com/?utm_source=mail",
  "https://example.com/?a=1&UTM_Source=mail#b",
  "https://example.com/?a=1&amp;utm_source=mail",
  "https://example.com/?utm%5Fsource=mail",
  "example.com and www.example.com",
  "jo@example.com",
  "http:// is the beginning of a link, https://localhost is none for networks",
  "ftp://example.com",
  "",
])("leaves %j as it is", (text) => {
  expect(tagLinks(text, SOURCE)).toEqual({ text, unclear: [] });
});

test.each([
  ["詳細はhttps://example.com/aをご覧", "https://example.com/a"],
  ["https://example.com/日本", "https://example.com/"],
  ["https://example.com/?q=東京", "https://example.com/?q="],
  ["https://example.com).Then", "https://example.com"],
  ["https://example.com.Then", "https://example.com"],
  ["https://example.com/{id}", "https://example.com/"],
  ["https://example.com#日本", "https://example.com"],
])("does not tag a link whose end is not clear: %s", (text, link) => {
  expect(tagLinks(text, SOURCE)).toEqual({ text, unclear: [link] });
});

test("only links to the named hosts and their subdomains are tagged", () => {
  const hosts = ["example.com", "bücher.de"];
  expect(tagged("https://shop.example.com/a https://EXAMPLE.com/b", hosts)).toBe(
    "https://shop.example.com/a?utm_source=x https://EXAMPLE.com/b?utm_source=x",
  );
  expect(tagged("https://bücher.de/a https://xn--bcher-kva.de/b", hosts)).toBe(
    "https://bücher.de/a?utm_source=x https://xn--bcher-kva.de/b?utm_source=x",
  );
  const others =
    "https://myexample.com https://example.com.evil.org https://example.org/?u=https://example.com";
  expect(tagged(others, hosts)).toBe(others);
});

test("values of the post fill in the parameters, and a parameter without its value is left out", () => {
  const settings = { source: "{platform}", medium: "social", campaign: "{campaign}-{id}", term: " " };
  expect(parametersFor(settings, { platform: "linkedin", campaign: "Spring & Easter!", id: "a(1)" })).toEqual(
    [
      { name: "utm_source", value: "linkedin" },
      { name: "utm_medium", value: "social" },
      { name: "utm_campaign", value: "Spring%20%26%20Easter%21-a%281%29" },
    ],
  );
  expect(parametersFor(settings, { platform: "linkedin", campaign: "Spring" })).toHaveLength(2);
  expect(parametersFor({ source: "Jo & Co." }, {})).toEqual([
    { name: "utm_source", value: "Jo%20%26%20Co%2E" },
  ]);
  expect(parametersFor({ source: "a\ud800" }, {})).toEqual([{ name: "utm_source", value: "a%EF%BF%BD" }]);
});

const linkPiece = fc.oneof(
  fc.constantFrom(
    ..."https://example.com|http://a.example.org/b|?c=d|#e|#|&utm_source=mail|/(f)|)|.|,| |\n|@|日本|🎉|%20|[|]|(|*|_|:|é".split(
      "|",
    ),
  ),
  fc.string({ unit: "grapheme", maxLength: 6 }),
);
const textWithLinks = fc
  .array(linkPiece, { maxLength: 12 })
  .map((pieces) => pieces.join("").normalize("NFC"));

/** Without the parameters, and without the signs that may come with them. */
function withoutParameters(text: string): string {
  return text.replaceAll("utm_source=x", "").replaceAll(/[/?&]/g, "");
}

function linksOf(text: string): readonly string[] {
  return findLinks(text, { bare: false }).map((link) => link.text);
}

test("tagging twice adds nothing, and changes only the parameters", () => {
  fc.assert(
    fc.property(textWithLinks, (text) => {
      const once = tagged(text);
      expect(tagged(once)).toBe(once);
      expect(withoutParameters(once)).toBe(withoutParameters(text));
    }),
    { numRuns: manyRuns(2_000) },
  );
});

test("every link of a tagged text is a link of the text, with or without its parameters", () => {
  fc.assert(
    fc.property(textWithLinks, (text) => {
      const before = linksOf(text);
      const after = linksOf(tagged(text));
      expect(after).toHaveLength(before.length);
      for (const [index, link] of before.entries()) {
        const longer = tagged(`${link} `).trimEnd();
        const now = after[index] ?? "";
        // A fragment is part of the link only if something is between the host and the fragment.
        expect([link, longer]).toContain(now.startsWith(`${longer}#`) ? longer : now);
      }
    }),
    { numRuns: manyRuns(2_000) },
  );
});

test.each([
  ["many links", (size: number) => "https://example.com/a ".repeat(size)],
  ["links without spaces between them", (size: number) => "https://example.com)".repeat(size)],
  ["a long query", (size: number) => `https://example.com/?${"a=1&".repeat(size)}`],
  ["brackets", (size: number) => `https://example.com/${"(".repeat(size)}${")".repeat(size)}`],
  ["signs at the end", (size: number) => `https://example.com/a${".".repeat(size)}`],
])("takes time in proportion to the text: %s", (_name, text) => {
  expect(growth((size) => tagLinks(text(size), SOURCE), 2_000)).toBeLessThan(GROWS_TOO_FAST);
});
