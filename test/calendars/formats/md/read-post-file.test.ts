/** Files with one post: front matter, and the text below it. */

import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  partsOfPostFile,
  readMarkdown,
  readTweet,
} from "../../../../src/calendars/formats/md/read-post-file.ts";
import type { ReadOptions } from "../../../../src/calendars/read/format.ts";
import { GROWS_TOO_FAST, growth } from "../../../support/growth.ts";
import { manyRuns } from "../../../support/property-tests.ts";

const FILE = "calendars/tulips.md";

function read(text: string, options: Partial<ReadOptions> = {}) {
  const { rows, faultyRows = [], problems } = readMarkdown(FILE, text, { columns: {}, ...options });
  return {
    cells: rows.map(({ cells }) => cells),
    faulty: faultyRows.map(({ cells }) => cells),
    problems: problems.map(({ code, line, column }) => `${code} ${line ?? ""}:${column ?? ""}`),
    rows,
  };
}

test("front matter has the fields, and the text is below it", () => {
  const { cells, problems } = read(
    "---\nid: tulips\ndate: 2036-03-01\ntime: 09:30\nplatforms: [linkedin, x]\nmedia:\n  - { file: red.png, alt: Red tulips }\n---\n\nThe tulips\nare here.  \n\n",
  );
  expect(problems).toEqual([]);
  expect(cells).toEqual([
    {
      id: "tulips",
      date: "2036-03-01",
      time: "09:30",
      platforms: ["linkedin", "x"],
      media: ["red.png"],
      alt: ["Red tulips"],
      content: "The tulips\nare here.",
    },
  ]);
});

test("keys have the same common names as headers, and the project's own", () => {
  const { cells, problems } = read(
    "---\nPublish date: 2036-03-01\nKanal: x\nKampagne: Spring\nWo: A\n---\nHello",
    {
      columns: { Wo: "id" },
    },
  );
  expect(problems).toEqual([]);
  expect(cells).toEqual([
    { date: "2036-03-01", platforms: "x", campaign: "Spring", id: "A", content: "Hello" },
  ]);
});

test("lines --- in the text start the posts of a thread, each with its place", () => {
  const text =
    "---\r\ndate: 2036-03-01\r\n---\r\n\r\nOne\r\n\r\n---\r\nTwo\r\nand more\r\n ----- \r\n\r\nThree\r\n";
  const { cells, rows, problems } = read(text);
  expect(problems).toEqual([]);
  expect(cells).toEqual([{ date: "2036-03-01", content: "One", thread: ["Two\nand more", "Three"] }]);
  const places = [
    rows[0]?.at("content"),
    rows[0]?.at("thread", 0),
    rows[0]?.at("thread", 1),
    rows[0]?.at("date"),
  ];
  expect(places.map((place) => `${place?.line}:${place?.column}`)).toEqual(["5:1", "8:1", "12:1", "2:7"]);
  expect(rows[0]?.at()).toMatchObject({ line: 1, column: 1 });
});

test.each([
  ["no text", "---\ndate: 2036-03-01\n---\n", { date: "2036-03-01" }],
  ["no fields", "---\n---\nHello", { content: "Hello" }],
  [
    "text in the front matter",
    "---\ncontent: Hello\nthread: [Two]\n---\n",
    { content: "Hello", thread: ["Two"] },
  ],
  ["a thread in the front matter", "---\nthread: [Two]\n---\nOne", { content: "One", thread: ["Two"] }],
  [
    "hashtags for its text",
    "---\nhashtags: [a, b]\ncomment: Hi\n---\nOne\n---\nTwo",
    { content: "One\n\n#a #b", thread: ["Two"], first_comment: "Hi" },
  ],
  ["texts for one network", "---\ncontent:x: Hi\n---\nHello", { content: "Hello" }],
  ["an end without a line end", "---\nid: a\n---", { id: "a" }],
  [
    "Markdown",
    "---\nid: a\n---\n# Title\n\n**bold** [a](b)",
    { id: "a", content: "# Title\n\n**bold** [a](b)" },
  ],
])("reads a file with %s", (_name, text, cells) => {
  const columns = { hashtags: "content+", comment: "first_comment+" };
  expect(read(text, { columns })).toMatchObject({ cells: [cells], problems: [] });
});

test.each([
  ["a note", "# Ideas\n\nTulips?", "markdown/no-front-matter :"],
  ["front matter after a blank line", "\n---\nid: a\n---\n", "markdown/front-matter 2:1"],
  ["front matter without its first line", "id: a\n---\nHello", "markdown/front-matter 2:1"],
  ["front matter without an end", "---\nid: a\n\nHello", "markdown/front-matter 1:1"],
  ["a broken value", '---\nid: "a\n---\nHello', "yaml/syntax 2:5"],
  ["an unknown key", "---\nid: a\nidd: b\n---\nHello", "columns/unknown 3:1"],
  ["a key twice", "---\nid: a\nID: b\n---\nHello", "row/value-twice 3:1"],
  ["a list for a text", "---\nid: a\ncontent: [a]\n---\n", "calendar/shape 3:10"],
  ["a list as front matter", "---\n- id: a\n---\nHello", "calendar/shape 2:1"],
  ["its text twice", "---\nid: a\ncontent: Hi\n---\nHello", "row/value-twice 3:10"],
  ["its thread twice", "---\nthread: [Hi]\n---\nHello\n---\nThere", "row/value-twice 2:9"],
  [
    "a picture in its text",
    "---\nid: '![a](b)'\n---\nOne\n---\nSee ![a](b.png)",
    "markdown/image-in-text 6:5",
  ],
  ["a conflict of git", '---\nid: a\n---\n"\n<<<<<<< a\n=======\n>>>>>>> b\n', "calendar/conflict 5:"],
  ["a hashtag that is a comment", "---\ncontent: Look #spring\n---\n", "yaml/lost-hashtag 2:10"],
])("reports %s with its place", (_name, text, problem) => {
  expect(read(text).problems).toEqual([problem]);
});

test("a .tweet file is always a post", () => {
  const options = { columns: {} };
  const tweet = readTweet("tweets/hello.tweet", "Hello\n---\nWorld\n", options);
  expect(tweet).toMatchObject({ rows: [{ cells: { content: "Hello", thread: ["World"] } }], problems: [] });
});

test("a faulty row keeps the facts that plancast could read", () => {
  expect(read("---\nid: a\nplatforms: { x: yes }\n---\nHello")).toMatchObject({
    cells: [],
    faulty: [{ id: "a", content: "Hello" }],
  });
});

const piece = fc.constantFrom(
  ..."---|----|--- |id: a|date: 2036-03-01|content: x|thread: [a, b]|- a|{|}|[|\"|'|: |\n|\r\n|\r|\t| |é|🎉|\u2028|\ufeff|\0|*a|&a|!!str|# x|<<<<<<<".split(
    "|",
  ),
);
const anyText = fc
  .array(fc.oneof(piece, fc.string({ maxLength: 5 })), { maxLength: 20 })
  .map((all) => all.join(""));

test("any text is read without a crash, and every place is in the file", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        anyText,
        anyText.map((text) => `---\n${text}\n---\n${text}`),
      ),
      (text) => {
        const calendar = readTweet("a.tweet", text, { columns: {} });
        const { rows, faultyRows = [], problems } = calendar;
        const lines = text.split(/\r\n|\r|\n/).length;
        const places = [
          ...problems,
          ...[...rows, ...faultyRows].flatMap((row) => [
            row.at(),
            row.at("content"),
            row.at("thread", 1),
            row.at("id"),
          ]),
        ];
        for (const { line = 1, column = 1 } of places) {
          expect(line).toBeLessThanOrEqual(lines);
          expect(column).toBeLessThanOrEqual((calendar.sourceLine(line) ?? "").length + 1);
        }
        expect(rows.length).toBeLessThanOrEqual(1);
      },
    ),
    { numRuns: manyRuns(3_000) },
  );
});

test("the parts of a file are the whole file, in their order", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { frontMatter, isOpen, bodyStart } = partsOfPostFile(text);
      const { start, end } = frontMatter ?? { start: 0, end: 0 };
      expect(
        [0, start, end, bodyStart, text.length].every(
          (each, at, all) => at === 0 || each >= (all[at - 1] ?? 0),
        ),
      ).toBe(true);
      expect(isOpen).toBe(frontMatter !== undefined && end === text.length);
    }),
  );
});

test.each([
  ["a long thread", (size: number) => `---\n---\n${"Hello\n---\n".repeat(size)}`],
  ["lines like the end of front matter", (size: number) => `---\n${"---x\n".repeat(size)}`],
  ["blank lines", (size: number) => `---\n---\n${"\n \t\r\n".repeat(size)}x`],
  ["pictures", (size: number) => `---\n---\n${"![](".repeat(size)}`],
  ["hyphens", (size: number) => `---\n---\n${"-".repeat(size)} ${"-".repeat(size)}x`],
  ["spaces before hyphens", (size: number) => `---\n---\n${" ".repeat(size)}-`],
])("takes time in proportion to the text: %s", (_name, text) => {
  expect(growth((size) => readTweet("a.tweet", text(size), { columns: {} }), 2_000)).toBeLessThan(
    GROWS_TOO_FAST,
  );
});
