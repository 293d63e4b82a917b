import { describe, expect, test } from "vitest";
import { withSettings } from "../../../src/calendars/edit/project-settings.ts";

const PROJECT = { file: "plancast.yaml" };

const BEFORE = `# ours
calendars: ["a/*.csv", b.csv] # all

columns:
  Caption: content # the text
  # Text: content

safety: { max_cancels: 3 }
`;

describe("answers in plancast.yaml", () => {
  test("are added beside what is there, with comments and layout", () => {
    const answers = { columns: { Légende: "content+" }, date_order: "dmy" } as const;
    const after = withSettings(PROJECT, BEFORE, answers);
    expect(after).toContain(
      'calendars: ["a/*.csv", b.csv] # all\n\ncolumns:\n  Caption: content # the text\n',
    );
    expect(after).toContain("  Légende: content+\n");
    expect(after).toContain("# Text: content\n");
    expect(after).toMatch(/safety: \{ max_cancels: 3 \}\n\ndate_order: dmy\n$/);
  });

  test("replace the answer that was there", () => {
    const after = withSettings(PROJECT, BEFORE, { columns: { Caption: "ignore" } });
    expect(after).toContain("  Caption: ignore # the text\n");
  });

  test.each([
    ["an empty file", "", { columns: { A: "ignore" } }, "columns:\n  A: ignore\n"],
    [
      "no calendars",
      "# ours\n",
      { calendars: [{ files: "b.csv", sheet: "Plan" }] },
      "files: b.csv\n    sheet: Plan",
    ],
    [
      "an entry of the file",
      "calendars: [{ files: b.csv }]\n",
      { calendars: [{ files: "b.csv", sheet: "Plan" }] },
      "{ files: b.csv, sheet: Plan }",
    ],
    ["a blank cell", "", { values: { status: { "": "draft" as const } } }, '    "": draft\n'],
  ])("go into %s", (_name, before, answers, expected) => {
    expect(withSettings(PROJECT, before, answers)).toContain(expected);
  });

  test.each([
    ["an alias", "base: &a { A: ignore }\ncolumns: *a\n"],
    ["a broken file", "columns: ["],
    ["a text in place of a mapping", "columns: none\n"],
  ])("are refused for %s", (_name, before) => {
    expect(() => withSettings(PROJECT, before, { columns: { B: "ignore" } })).toThrow();
  });
});
