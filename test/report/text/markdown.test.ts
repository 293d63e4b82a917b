import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { markLineEnds, replaceHidden, visibleForm } from "../../../src/report/text/escape.ts";
import { codeCell, escapeMarkdown, linkTarget } from "../../../src/report/text/markdown.ts";
import { hostileText } from "../hostile-text.ts";

/** The text that a reader sees: with resolved references, and without comments and the space after an @. */
function rendered(markdown: string): string {
  return markdown
    .replaceAll("<!-- -->", "")
    .replaceAll("&#8203;", "")
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}

describe("escapeMarkdown", () => {
  test.each([
    ["<b>", "&#60;b&#62;"],
    ["a | b", "a &#124; b"],
    ["`code`", "&#96;code&#96;"],
    ["**bold** _it_ ~~no~~", "&#42;&#42;bold&#42;&#42; &#95;it&#95; &#126;&#126;no&#126;&#126;"],
    ["[x](y)", "&#91;x&#93;&#40;y&#41;"],
    ["&lt;", "&#38;lt;"],
    ["@octocat", "@&#8203;octocat"],
    ["see #12, GH-12", "see #<!-- -->12, GH-<!-- -->12"],
    ["#launch", "#launch"],
    ["https://a.example", "https:<!-- -->//a.example"],
    ["www.a.example", "www<!-- -->.a.example"],
    [":tada:", ":<!-- -->tada:"],
    ["at 12:30", "at 12:30"],
    ["one\n\ntwo", "one ⏎⏎ two"],
    ["\u{202e}", "&#92;u&#123;202e&#125;"],
  ])("%j", (text, markdown) => {
    expect(escapeMarkdown(text)).toBe(markdown);
  });

  test("shows exactly the text, without markup, for any text", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const markdown = escapeMarkdown(text);
        expect(rendered(markdown)).toBe(replaceHidden(markLineEnds(text, "⏎"), visibleForm));
        const own = markdown.replaceAll("<!-- -->", "\u{1}");
        expect(own).not.toMatch(/[<>`|*_~[\]\\\n\r]|@(?!&#8203;)|#(?=\d)(?<!&#)|:\/\/|www\./);
        // Every reference must be plancast's, because each ampersand of the text is escaped.
        expect(own.replace(/&#\d+;/g, "")).not.toContain("&");
      }),
    );
  });
});

test("a pipe in code stays in its cell of a table", () => {
  expect(codeCell("plancast status | less")).toBe("`plancast status \\| less`");
});

test.each([
  ["https://example.com/a_(b)?c=1|2 3", "https://example.com/a_%28b%29?c=1%7C2%203"],
  ["javascript:alert(1)", undefined],
  ["data:text/html,x", undefined],
  ["a.png", undefined],
])("the target of a link can end neither the link nor the cell: %s", (url, target) => {
  expect(linkTarget(url)).toBe(target);
});
