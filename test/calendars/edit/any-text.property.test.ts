/** Any text from a service is written to the calendar unchanged. */

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { unusableTextReason } from "../../../src/calendars/edit/edit-calendar.ts";
import { readContents } from "../../../src/calendars/read-calendar.ts";
import { canonicalContent } from "../../../src/model/canonical.ts";
import { edit } from "../../support/edits.ts";
import { xlsx } from "../../support/workbook-files.ts";

const HEAD = ["id", "date", "time", "platforms", "prompt", "content"];
const CSV = `${HEAD.join(";")}\r\n"a";2036-03-01;09:00;x;"Spring;\r\nsale";"old"\r\nb;2036-03-02;09:00;x;Fern;\r\n`;
const YAML = `# ours
- id: a # its name
  date: 2036-03-01
  time: "09:00"
  platforms: [x]
  content: > # why
    old

  prompt: Spring
- { id: b, date: 2036-03-02, time: "09:00", platforms: x, prompt: Fern } # flow
- id: c
  date: 2036-03-03
  time: "09:00"
  platforms: x
  prompt: Moss
  content: # todo
`;
const POST = "---\nid: a # its name\n\nplatforms: [x]\n---\n\nold\n";
const ROWS = [
  HEAD,
  ["a", "2036-03-01", "09:00", "x", "Spring", "old"],
  ["b", "2036-03-02", "09:00", "x", "Fern"],
];

const FILES: readonly (readonly [string, string, string | Uint8Array, readonly number[]])[] = [
  ["a CSV file with semicolons and CRLF", "a.csv", CSV, [0, 1]],
  ["a CSV file with commas and LF", "a.csv", CSV.replaceAll("\r\n", "\n").replaceAll(";", ","), [0, 1]],
  ["a YAML file", "a.yaml", YAML, [0, 1, 2]],
  ["a YAML file with CRLF", "a.yaml", YAML.replaceAll("\n", "\r\n"), [0, 1, 2]],
  ["a Markdown file", "a.md", POST, [0]],
  [
    "a Markdown file with CRLF and without a text",
    "a.md",
    POST.replace("old\n", "").replaceAll("\n", "\r\n"),
    [0],
  ],
  ["a Markdown file with its text at the top", "a.md", "---\nid: a # its name\ncontent: old\n---\n", [0]],
  ["a .tweet file without front matter", "a.tweet", "old", [0]],
  ["a workbook", "a.xlsx", xlsx([{ name: "Plan", rows: ROWS }]), [0, 1]],
];

/** Texts with a special meaning in a format or in a cell. */
const SIGNS = [
  ...Array.from("\n\t\"'=+-@;,:#|>*&!%`{}[]?\\<_~ \u00a0\u2028\u200b\ufeff\u0085"),
  "_x000D_",
  "---",
  "é",
  "🎉",
];

const text = fc
  .array(fc.oneof(fc.constantFrom(...SIGNS), fc.string({ unit: "grapheme", maxLength: 4 })), {
    maxLength: 12,
  })
  .map((parts) => canonicalContent(parts.join("").trimStart()))
  .filter((each) => each !== "" && unusableTextReason({}, each) === undefined);

test.each(FILES)("any text put into %s reads back the same", async (_what, file, before, rows) => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...rows), text, async (row, content) => {
      const { contents, faults } = await edit(file, before, { [row]: { content } });
      expect(faults).toEqual([]);
      const read = await readContents(file, contents, { columns: {} });
      expect(String(read.rows[row]?.cells.content).replaceAll("\r\n", "\n")).toBe(content);
    }),
    { numRuns: 30 },
  );
});
