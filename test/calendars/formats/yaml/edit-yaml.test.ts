/** Editing posts of a YAML calendar keeps its comments and layout. */

import { expect, test } from "vitest";
import { edit, editedText } from "../../../support/edits.ts";

const CALENDAR = `# ours
timezone: Europe/Paris # of the shop

posts:
  # the first
  - id: a # its name
    date: 2036-03-01
    time: "09:00"
    platforms: [x, linkedin]
    prompt: >-
      Spring,
      all over
    # who: Ann

  - { id: b, date: 2036-03-02, time: "09:00", platforms: x, prompt: Fern } # flow
  - Id: c
    date: 2036-03-03
    time: "09:00"
    Content:   # to come
    status: ready # please
    platforms: x
    Prompt: |
      A block

      of text


# the end
`;

test("adds new keys at the end of a post, and fills in blank keys where they are", async () => {
  const after = await editedText("a.yaml", CALENDAR, {
    0: { "content:twitter": "One: two", "content:linkedin": "First\n\n  second", status: "draft" },
    1: { content: "It's #1", status: "draft" },
    2: { content: "Text: #tag", status: "draft", media: "c.png" },
  });
  expect(after).toBe(
    CALENDAR.replace(
      "    # who: Ann\n",
      `    variants:
      twitter:
        content: "One: two"
      linkedin:
        content: |-
          First

            second
    status: draft
    # who: Ann
`,
    )
      .replace("Fern }", 'Fern, content: "It\'s #1", status: draft }')
      .replace("Content:   # to come", 'Content: "Text: #tag"   # to come')
      .replace("ready # please", "draft # please")
      .replace("      of text\n", "      of text\n    media: c.png\n"),
  );
});

test("replaces values of any form in place", async () => {
  const before = `- date: 2036-03-01
  time: "09:00"
  platforms: x, linkedin
  content: |
    Old

    text

  variants:
    # theirs
    X: { content: 'old' } # short
    linkedin:
      media: [a.png, b.png] # two
  media:
    - a.png
    - b.png
- content: "last"
  date: 2036-03-02
  time: "09:00"
  platforms: x`;
  const after = await editedText("a.yml", before, {
    0: { content: "New\ntext", "content:twitter": "n1", "content:linkedin": "n2", media: "c.png" },
    1: { content: "- x" },
  });
  expect(after).toBe(
    before
      .replace("|\n    Old\n\n    text\n", "|-\n    New\n    text\n")
      .replace("'old'", "'n1'")
      .replace("# two\n", "# two\n      content: n2\n")
      .replace("- a.png\n    - b.png", "- c.png")
      .replace('"last"', '"- x"'),
  );
});

test("keeps a list that contains comments", async () => {
  const before = `- date: 2036-03-01
  time: "09:00"
  platforms: x
  media:
    - a.png # first
    - b.png
`;
  const { contents, faults } = await edit("a.yaml", before, { 0: { media: "c.png" } });
  expect(contents.toString()).toBe(before);
  expect(faults).toMatchObject([{ row: 0, message: expect.stringContaining("comments inside a list") }]);
});

test("keeps CRLF, the byte order mark, and posts as JSON", async () => {
  const before = "\uFEFF- date: 2036-03-01\r\n  time: '09:00'\r\n  platforms: x\r\n  prompt: Fern\r\n";
  expect(await editedText("a.yaml", before, { 0: { content: "1\n2" } })).toBe(
    `${before}  content: |-\r\n    1\r\n    2\r\n`,
  );
  const json = '[{"date": "2036-03-01", "time": "09:00", "platforms": "x", "prompt": "Fern"}]';
  const after = await editedText("a.yaml", json, { 0: { content: "1\n2", "content:twitter": "3" } });
  expect(JSON.stringify(after)).toContain(
    String.raw`\"Fern\", content: \"1\\n2\", variants: { twitter: { content: \"3\" } }}]`,
  );
});

test("refuses an edit that would change another post, and writes nothing", async () => {
  const anchored = `- &a
  date: 2036-03-01
  time: "09:00"
  platforms: x
  prompt: Fern
- <<: *a
  date: 2036-03-02
`;
  expect((await edit("a.yaml", anchored, { 0: { content: "x" } })).contents.toString()).toBe(anchored);
  expect(await editedText("a.yaml", anchored, { 1: { content: "x" } })).toBe(`${anchored}  content: x\n`);
  const alias = `posts:\n  - &p { date: 2036-03-01, time: "09:00", platforms: x, prompt: Fern }\n  - *p\n`;
  const { contents, faults } = await edit("a.yaml", alias, { 1: { content: "x" } });
  expect([contents.toString(), faults.length]).toEqual([alias, 1]);
});

test("refuses to edit a post if other posts reuse its values, says what to do, and edits the other posts", async () => {
  const before = `- &base
  id: a
  date: 2036-03-01
  time: "09:00"
  platforms: x
  prompt: &fern Fern # shared
- id: b
  date: 2036-03-02
  time: "09:00"
  platforms: x
  prompt: Moss
- { <<: *base, id: c, date: 2036-03-03 }
- { id: d, date: 2036-03-04, time: "09:00", platforms: x, prompt: *fern }
- id: e
  date: 2036-03-05
  time: "09:00"
  platforms: x
  prompt: Oak
`;
  const { contents, faults } = await edit("a.yaml", before, {
    0: { content: "A", status: "draft" },
    1: { content: "B" },
    3: { content: "D" },
    4: { content: "E" },
  });
  expect(faults).toEqual([{ row: 0, message: expect.stringContaining("*base") }]);
  expect(contents.toString()).toBe(
    before
      .replace("Moss\n", "Moss\n  content: B\n")
      .replace("*fern }", "*fern, content: D }")
      .replace("Oak\n", "Oak\n  content: E\n"),
  );
});

test.each([
  ["| # why", "One", "One # why"],
  ["|+ # why", "One\ntwo", "|- # why\n    One\n    two"],
  [">-2 #why", "One", '"One" #why'],
  ["|\t# why", "One\ntwo", "|-\t# why\n    One\n    two"],
  ["| # why", "One\u200b\ntwo", undefined],
])("keeps the comment after the head of a block: %j", async (head, text, after) => {
  const before = `- date: 2036-03-01
  time: "09:00"
  platforms: x
  content: ${head}
    Old
    # text

  # the end
  status: draft
`;
  const edited = await editedText("a.yaml", before, { 0: { content: text } });
  if (after !== undefined) expect(edited).toBe(before.replace(`${head}\n    Old\n    # text`, after));
  expect(edited).toMatch(/# ?why/);
});
