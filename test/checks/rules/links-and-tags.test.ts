import { expect, test } from "vitest";
import { findLinks } from "../../../src/checks/rules/links-and-tags.ts";

test.each([
  ["no link at all.", []],
  ["https://example.com", ["https://example.com"]],
  ["HTTPS://EXAMPLE.COM/A", ["HTTPS://EXAMPLE.COM/A"]],
  ["(https://example.com/a_(b))", ["https://example.com/a_(b)"]],
  ["https://example.com/a.", ["https://example.com/a"]],
  [
    "https://example.com, and http://example.org/?q=1&r=2#s!",
    ["https://example.com", "http://example.org/?q=1&r=2#s"],
  ],
  ["https://example.com:8080/x", ["https://example.com:8080/x"]],
  ["http://пример.рф/путь", ["http://пример.рф/путь"]],
  ["https://example.comです", ["https://example.com"]],
  ["詳細はexample.com/aへ", ["example.com/a"]],
  ["example.com.Then", ["example.com"]],
  ["www.bbc.co.uk", ["www.bbc.co.uk"]],
  ["example.fr", ["example.fr"]],
  ["spiegel.de/a, spiegel.de.", ["spiegel.de/a", "spiegel.de"]],
  ["総務省example.go.jpです", ["example.go.jp"]],
  ["example.fr/a", ["example.fr/a"]],
  ["bit.ly/abc", ["bit.ly/abc"]],
  ["t.co youtube.tv", ["t.co", "youtube.tv"]],
  ["hello@example.com", []],
  ["@example.com #example.com", []],
  ["e.g.this and v1.2.3 and report.docx", []],
  ["https://localhost:3000", []],
  ["https://", []],
])("finds the links of %s", (text, expected) => {
  expect(findLinks(text, { bare: true }).map((link) => link.text)).toEqual(expected);
});

test("finds the places of links in the text", () => {
  const text = "See https://example.com/a. And example.org!";
  const links = findLinks(text, { bare: true });
  expect(links.map(({ start, end }) => text.slice(start, end))).toEqual(links.map((link) => link.text));
});

test("ignores links without a scheme where a network ignores them", () => {
  expect(findLinks("example.com https://example.org", { bare: false }).map(({ text }) => text)).toEqual([
    "https://example.org",
  ]);
});
