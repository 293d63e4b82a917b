import { expect, test } from "vitest";
import { damageRules } from "../../../src/checks/rules/damaged-rules.ts";
import { post } from "../../support/rows.ts";

function codesOf(content: string): string[] {
  const checked = { ...post({ content }), media: [] };
  return damageRules.flatMap((rule) =>
    rule.of === "post" && rule.check(checked).length > 0 ? [rule.code.slice("content/".length)] : [],
  );
}

test.each([
  [String.raw`Tulips.\n\nCome and see.`, ["escaped-breaks"]],
  [String.raw`Tulips!\nCome and see.`, ["escaped-breaks"]],
  [String.raw`Two words\n\nthree words`, ["escaped-breaks"]],
  [String.raw`Save it in C:\new and C:\notes`, []],
  [String.raw`The regex \d+\n matches`, []],
  ["CafÃ© and more", ["mojibake"]],
  ["Itâ€™s here", ["mojibake"]],
  ["A lost letter: caf\ufffd", ["mojibake"]],
  ["São Paulo, Ângela, Ålesund, 2 €", []],
  ["Hello {{first_name}}", ["unfilled"]],
  ["[Insert caption]", ["unfilled"]],
  ["[Add tweet content here]", ["unfilled"]],
  ["<your caption>", ["unfilled"]],
  ["[Video] A look behind the scenes", []],
  ["x < y and y > z", []],
  ["<p>Hello</p>", ["html"]],
  ["One<br>Two", ["html"]],
  ["Fish &amp; chips", ["html"]],
  ["Fish & chips, <b> is bold", []],
  ["'@acme is here", ["guard"]],
  ["'Tis the season", []],
])("reads %j as %j", (content, codes) => {
  expect(codesOf(content)).toEqual(codes);
});
