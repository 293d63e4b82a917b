/** What must not pass is escaped at every length and position: a shortcut for long texts must be noticed. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { writeYaml } from "../../../src/calendars/formats/yaml/write-yaml.ts";
import { previewHtml, severalPreviewsHtml } from "../../../src/preview/preview-html.ts";
import { makePreview } from "../../../src/preview/make-preview.ts";
import { escapeTerminal, terminalText } from "../../../src/report/text/escape.ts";
import { escapeMarkdown } from "../../../src/report/text/markdown.ts";
import { config, post } from "../../support/rows.ts";

/** How many harmless letters are before and after. */
const length = fc.oneof(
  fc.integer({ min: 0, max: 12 }),
  fc.integer({ min: 190, max: 260 }),
  fc.integer({ min: 1_000, max: 70_000 }),
);

function around(pieces: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(length, fc.constantFrom(...pieces), length)
    .map(([before, piece, after]) => "a".repeat(before) + piece + "b".repeat(after));
}

test("a terminal gets no control character", () => {
  const pieces = ["\u001b]0;x\u0007", "\u009b2J", "\u202e", "\n", "\r", "\u0000"];
  fc.assert(
    fc.property(around(pieces), (text) => {
      expect(/[\p{Cc}\p{Bidi_Control}]/u.test(escapeTerminal(text))).toBe(false);
      expect(terminalText([`::error::${text}`]).startsWith("::")).toBe(false);
    }),
  );
});

test("Markdown gets no HTML, mention or link", () => {
  fc.assert(
    fc.property(around(["<img src=x>", "@octocat", "[a](https://b.example)", "`code`"]), (text) => {
      expect(/<|(?<!\\)[`[]|@octocat/.test(escapeMarkdown(text).replaceAll("<!-- -->", ""))).toBe(false);
    }),
  );
});

test("a page gets no tag in its data, nor in the names of its projects", () => {
  const assets = { script: "", style: "" };
  fc.assert(
    fc.property(
      around(["</script><script>alert(1)</script>", "<!--<script>", '"><img src=x>']),
      (content) => {
        const data = makePreview({
          title: content,
          config: config(),
          calendars: [],
          plan: undefined,
          problems: [],
          noPlan: undefined,
          posts: [{ status: "ready", ...post({ content }) }],
          now: Date.parse("2027-03-01T08:00:00Z"),
          sourceOf: () => undefined,
        });
        const html = previewHtml(data, assets, "file");
        const json = html.slice(html.indexOf('id="data">') + 10);
        expect(json.slice(0, json.indexOf("</script>"))).not.toContain("<");
        expect(severalPreviewsHtml([{ name: content, html }], assets)).not.toMatch(/<img|<!--|<script/);
      },
    ),
    { numRuns: 50 },
  );
});

test("YAML gives back each text, and no other key", () => {
  fc.assert(
    fc.property(
      around([": ", " #", "\n- id: x", "\n...\n---\n", "*a", "!!js/function", "'\"\\"]),
      (content) => {
        const written = writeYaml([new Map([["content", content]])]);
        if (!("contents" in written)) throw new Error("This row can be written.");
        expect(parse(String(written.contents))).toEqual([{ content }]);
      },
    ),
  );
});
