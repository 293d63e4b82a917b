import * as fc from "fast-check";
import { anyText } from "../support/any-text.ts";

const ZWJ = "\u{200d}";

/** Pieces of text that have caused harm in some program, and harmless ones. */
const PIECES = [
  "::set-output name=x::y",
  "::",
  ":",
  "##[set-env name=PATH]",
  "##vso[task.setvariable]",
  "##teamcity[buildStatus]",
  "##",
  "[",
  "\n",
  "\r",
  "\r\n",
  "\t",
  " ",
  "\u{1b}[31m",
  "\u{1b}]0;title\u{7}",
  "\u{9b}2J",
  "\u{0}",
  "\u{7f}",
  "\u{85}",
  "\u{2028}",
  "\u{2029}",
  "\u{202e}",
  "\u{2066}",
  "\u{200f}",
  "\u{61c}",
  "\u{200b}",
  ZWJ,
  "\u{feff}",
  "\u{ad}",
  "\u{e0041}",
  "\u{d800}",
  "\u{dc00}",
  "\u{fe0f}",
  "\u{301}".repeat(20),
  "@octocat",
  "#12",
  "`",
  "```",
  "<script>",
  "<!--",
  "-->",
  "|",
  "\\",
  "*",
  "_",
  "~~",
  "[a](https://b.example)",
  "https://a.example",
  "www.a.example",
  ":tada:",
  "&lt;",
  "$x$",
  "👩‍🚀",
  "مرحبا",
  "日本語",
  "word",
];

/** Any text, and text made of these pieces. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  anyText(60),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join("")),
  // Lone surrogates, which no other arbitrary gives.
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
    .map((units) => String.fromCharCode(...units)),
);
