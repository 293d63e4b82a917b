import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fromHtml, toHtml } from "../../../src/service/postiz/postiz-api.ts";

test("any text comes back from its HTML", () => {
  const texts = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc
      .array(fc.constantFrom("<p>", "&", "&amp;", "\n", "<", ">", "a", "&#60;", " ", "\u00a0"))
      .map((all) => all.join("")),
  );
  fc.assert(fc.property(texts, (text) => fromHtml(toHtml(text)) === text));
});

test.each([
  ["plain text", "plain text"],
  ["<p>one</p><p></p><p>two</p>", "one\n\ntwo"],
  ["<p>one<br>two</p>", "onetwo"],
  ["<h1>Title</h1><p>Text with <strong>bold</strong> &amp; more</p>", "Title\nText with bold & more"],
  ["<p>List</p><ul><li><p>one</p></li><li>two</li></ul>", "List\n- one\n- two"],
  ['<p><a href="https://example.com">link</a>&nbsp;&#x1F600;</p>', "https://example.com\u00a0😀"],
  [
    '<p>See <a href="https://example.com/?a=1&amp;b=2" target="_blank"><strong>this</strong></a>.</p>',
    "See https://example.com/?a=1&b=2.",
  ],
  ["a < b && c &unknown; &#9999999;", "a < b && c &unknown; &#9999999;"],
])("%j is the text %j", (html, text) => {
  expect(fromHtml(html)).toBe(text);
});

test("reads a text of a megabyte quickly, whatever it contains", () => {
  for (const part of ["<", "&", "<p", "<p>", "&#"])
    expect(fromHtml(part.repeat(200_000))).toBeTypeOf("string");
});
