import { describe, expect, test } from "vitest";
import { SourceText } from "../../../../src/calendars/read/source-text.ts";
import { parseYaml } from "../../../../src/calendars/formats/yaml/document.ts";
import { PlainBuilder } from "../../../../src/calendars/formats/yaml/plain-value.ts";
import { foldName } from "../../../../src/model/text.ts";
import { readYaml } from "../../../../src/calendars/formats/yaml/read-yaml.ts";
import type { ReadOptions } from "../../../../src/calendars/read/format.ts";
import type { RawCalendar } from "../../../../src/model/row.ts";
import { cellsOf, codes, underlined } from "../../places.ts";

const read = (text: string): RawCalendar => readYaml("a.yaml", text);

/** A status from a yes-or-no key is a list, as one from several columns of a table. */
function statusOf({ cells }: RawCalendar["rows"][number]): string | undefined {
  const { status } = cells;
  return typeof status === "string" ? status : status?.join();
}

/** What each cell's place underlines, in the order of the fields. */
function shown(calendar: RawCalendar): Record<string, string>[] {
  return calendar.rows.map((row) =>
    Object.fromEntries(
      (["id", "scheduled_at", "date", "time", "platforms", "content", "media"] as const)
        .filter((field) => row.cells[field] !== undefined)
        .map((field) => [field, underlined(calendar, row.at(field))]),
    ),
  );
}

describe("posts in YAML", () => {
  test("are read from a list, with the place of each field and item", () => {
    const calendar = read(`# March
- id: launch
  date: 2027-03-01
  time: '09:00'
  platforms: [linkedin, "x"]
  media:
    - img/a.png
    - 'img/b c.png'
  content: |
    Hello
    there
- {id: next, content: plain text, status: draft}
`);
    expect(calendar.problems).toEqual([]);
    expect(cellsOf(calendar)).toEqual([
      {
        id: "launch",
        date: "2027-03-01",
        time: "09:00",
        platforms: ["linkedin", "x"],
        media: ["img/a.png", "img/b c.png"],
        content: "Hello\nthere\n",
      },
      { id: "next", content: "plain text", status: "draft" },
    ]);
    const [first, second] = calendar.rows;
    expect([first?.line, second?.line]).toEqual([2, 12]);
    expect(first?.at()).toEqual({ file: "a.yaml", line: 2, column: 3 });
    expect(first?.at("timezone")).toEqual(first?.at());
    expect(first?.at("time")).toEqual({ file: "a.yaml", line: 4, column: 9, length: 7 });
    expect(first?.at("platforms", 1)).toEqual({ file: "a.yaml", line: 5, column: 25, length: 3 });
    expect(first?.at("media", 1)).toEqual({ file: "a.yaml", line: 8, column: 7, length: 13 });
    expect(first?.at("content")).toEqual({ file: "a.yaml", line: 9, column: 12, length: 1 });
    expect(second?.at("content")).toEqual({ file: "a.yaml", line: 12, column: 23, length: 10 });
  });

  test("are read from a mapping with zone and defaults", () => {
    const calendar = read(`timezone: Europe/Paris
defaults:
  platforms: [linkedin]
  time: 09:00
posts:
  - content: a
`);
    expect(calendar.problems).toEqual([]);
    expect(calendar.timezone).toEqual({
      text: "Europe/Paris",
      at: { file: "a.yaml", line: 1, column: 11, length: 12 },
    });
    expect(calendar.defaults?.cells).toEqual({ platforms: ["linkedin"], time: "09:00" });
    expect(calendar.defaults?.at("platforms", 0)).toMatchObject({ line: 3, column: 15 });
    expect(calendar.defaults?.at()).toMatchObject({ line: 3, column: 3 });
    expect(cellsOf(calendar)).toEqual([{ content: "a" }]);
  });

  test.each([
    ["010"],
    ["1.10"],
    ["08:00"],
    ["0x1F"],
    ["1e3"],
    ["true"],
    ["yes"],
    ["2027-03-01"],
    ["2027-03-01 10:00"],
    [".inf"],
    ["12_000"],
    ["+1"],
    ["<<"],
  ])("keep plain scalars as written: %s", (text) => {
    const calendar = read(`- id: ${text}\n  media: [${text}]\n`);
    expect(calendar.problems).toEqual([]);
    expect(cellsOf(calendar)).toEqual([{ id: text, media: [text] }]);
    expect(underlined(calendar, calendar.rows[0]?.at("id") ?? {})).toBe(text);
  });

  test.each([
    ["null"],
    ["~"],
    [""],
    ["Null"],
    ["NULL"],
    ['""'],
    ["''"],
    ['" \u00a0"'],
    ["[]"],
    ["|\n"],
    ["# no"],
  ])("have no value for %j", (text) => {
    const calendar = read(`- media: ${text}\n  time: 1\n`);
    expect(calendar.problems).toEqual([]);
    expect(cellsOf(calendar)).toEqual([{ time: "1" }]);
  });

  test("keep null and ~ in quotes as text", () => {
    expect(cellsOf(read("- content: 'null'\n  id: \"~\"\n"))).toEqual([{ content: "null", id: "~" }]);
  });

  test("match keys like headers", () => {
    const calendar = read("Time Zone: UTC\nPosts:\n- Scheduled At: 1\n  CONTENT: 2\n  time-zone: 3\n");
    expect(codes(calendar.problems)).toEqual(["columns/unknown@1:1"]);
    expect(calendar.problems[0]?.message).toContain("`Time Zone`");
    expect(calendar.problems[0]?.message).toContain("`timezone`");
    expect(cellsOf(calendar)).toEqual([{ scheduled_at: "1", content: "2", timezone: "3" }]);
  });

  test.each([["\r\n"], ["\r"], ["\n"]])("may have line ends %j", (lineEnd) => {
    const lines = ["- id: a", "  content: |", "    one", "    two", "- id: b", "  content: 'x", "    y'", ""];
    const calendar = read(lines.join(lineEnd));
    expect(calendar.problems).toEqual([]);
    expect(cellsOf(calendar)).toEqual([
      { id: "a", content: "one\ntwo\n" },
      { id: "b", content: "x y" },
    ]);
    expect(calendar.rows.map((row) => row.line)).toEqual([1, 5]);
    expect(calendar.rows[1]?.at("content")).toEqual({ file: "a.yaml", line: 6, column: 12, length: 2 });
  });

  test("have columns in UTF-16 units", () => {
    const calendar = read('- {content: "🎉é", id: x}\n');
    expect(calendar.rows[0]?.at("id")).toMatchObject({ column: 24, length: 1 });
  });

  test.each([[""], ["# nothing\n"], ["---\n"], ["[]\n"], ["posts:\n"], ["posts: []\n"], ["posts: ~"]])(
    "may be missing, with a warning: %j",
    (text) => {
      const calendar = read(text);
      expect(codes(calendar.problems)).toEqual(["calendar/empty"]);
      expect(calendar.problems[0]).toMatchObject({ severity: "warning", file: "a.yaml" });
    },
  );

  test("may have document markers", () => {
    expect(codes(read("%YAML 1.2\n---\n- content: a\n...\n").problems)).toEqual([]);
  });
});

describe("aliases and merge keys", () => {
  test("an alias and its items each have their own place", () => {
    const calendar = read(`- id: a
  content: &text Hello
  media: &files [x.png, y.png]
- id: b
  content: *text
  media: *files
`);
    expect(calendar.problems).toEqual([]);
    expect(cellsOf(calendar)[1]).toEqual({ id: "b", content: "Hello", media: ["x.png", "y.png"] });
    const row = calendar.rows[1];
    expect(row?.at("content")).toEqual({ file: "a.yaml", line: 5, column: 12, length: 5 });
    expect(row?.at("media")).toMatchObject({ line: 6, column: 10 });
    expect(row?.at("media", 1)).toEqual({ file: "a.yaml", line: 3, column: 25, length: 5 });
  });

  test("own keys have priority over merged keys, and earlier merges over later ones", () => {
    const calendar = read(`- &one {platforms: [x], time: 1, status: draft}
- &two {time: 2, timezone: UTC}
- <<: [*two, *one]
  content: a
  status: ready
- time: 9
  <<: *one
- <<: {id: inline}
`);
    expect(calendar.problems).toEqual([]);
    expect(cellsOf(calendar).slice(2)).toEqual([
      { content: "a", status: "ready", time: "2", timezone: "UTC", platforms: ["x"] },
      { time: "9", platforms: ["x"], status: "draft" },
      { id: "inline" },
    ]);
    expect(calendar.rows[2]?.at()).toMatchObject({ line: 3, column: 3 });
    expect(calendar.rows[2]?.at("time")).toMatchObject({ line: 2, column: 15 });
    expect(calendar.rows[2]?.at("platforms", 0)).toMatchObject({ line: 1, column: 21 });
    expect(calendar.rows[3]?.at("time")).toMatchObject({ line: 6, column: 9 });
  });

  test("a merge may go through another merge", () => {
    const calendar = read("- &a {id: x}\n- &b\n  <<: *a\n  time: 1\n- <<: *b\n  content: c\n");
    expect(cellsOf(calendar)[2]).toEqual({ id: "x", time: "1", content: "c" });
    expect(calendar.rows[2]?.at("id")).toMatchObject({ line: 1, column: 11 });
  });

  test("an anchor that is set again applies from that line", () => {
    expect(cellsOf(read("- content: &a one\n- content: *a\n- content: &a two\n- content: *a\n"))).toEqual([
      { content: "one" },
      { content: "one" },
      { content: "two" },
      { content: "two" },
    ]);
  });

  test.each([
    ["- content: *later\n- content: &later x\n", ["yaml/syntax@1:12"]],
    ["- <<: 3\n", ["yaml/unsupported@1:3"]],
    ["- <<: [{time: 1}, x]\n", ["yaml/unsupported@1:3"]],
    ["- &a {time: 1}\n- <<: *a\n  <<: *a\n", ["row/value-twice@3:3"]],
    ['- "<<": 3\n', ["columns/unknown@1:3"]],
  ])("%j gives %j", (text, expected) => {
    expect(codes(read(text).problems)).toEqual(expected);
  });

  const levels = "abcdefghij".split("");
  const bomb = (write: (name: string, below: string) => string): string =>
    levels.map((name, index) => write(name, levels[index - 1] ?? "")).join("\n");

  test.each([
    [
      "nested lists",
      bomb(
        (name, below) =>
          `${name}: &${name} [${below === "" ? "x,x" : Array(9).fill(`*${below}`).join(", ")}]`,
      ),
    ],
    [
      "nested lists within a sequence",
      bomb((name, below) => `- &${name} [${below === "" ? "x,x" : Array(9).fill(`*${below}`).join(", ")}]`),
    ],
    [
      "nested mappings",
      bomb(
        (name, below) =>
          `- &${name} {${Array.from({ length: 9 }, (_, i) => `k${i}: ${below === "" ? "x" : `*${below}`}`).join(", ")}}`,
      ),
    ],
    [
      "merges of merges",
      `- &m {${Array.from({ length: 5000 }, (_, i) => `k${i}: 1`).join(", ")}}\n${"- <<: *m\n".repeat(250)}`,
    ],
    ["one long text many times", `- content: &t ${"x".repeat(1_000_000)}\n${"- content: *t\n".repeat(1000)}`],
    ["a list within itself", "- &a [*a]\n"],
    ["a mapping within itself", "- &a\n  media: [*a]\n"],
    ["a mapping merged into itself", "- &a\n  <<: *a\n"],
  ])("refuse aliases that multiply, with a place: %s", (_name, text) => {
    const { problems, rows } = read(text);
    expect(problems.map((each) => each.code)).toEqual(["yaml/unsupported"]);
    expect(underlined(read(text), problems[0] ?? {})).toMatch(/^\*[a-z]$/);
    expect(rows).toEqual([]);
  });
});

describe("broken YAML", () => {
  test.each([
    ["- content: a\n  date: 1\n  content: b\n", ["row/value-twice@3:3"]],
    ["- Scheduled At: a\n  scheduled_at: b\n", ["row/value-twice@2:3"]],
    ["posts: []\nposts: []\n", ["row/value-twice@2:1"]],
    ["- content: a\n---\n- content: b\n---\n- content: c\n", ["yaml/unsupported@2:1"]],
    ["- content: a\n...\n- content: b\n", ["yaml/unsupported@3:1"]],
    ["%YAML 1.1\n---\n- content: a\n", ["yaml/unsupported@1:1"]],
    ["# x\n%TAG ! tag:x,2000:\n---\n- content: a\n", ["yaml/unsupported@2:1"]],
    ["%FOO bar\n---\n- content: a\n", ["yaml/unsupported@1:1"]],
    ["- content: !!str 5\n  id: &a !local b\n", ["yaml/unsupported@1:12", "yaml/unsupported@2:10"]],
    ["- !!map\n  content: a\n  media: !!seq [x]\n", ["yaml/unsupported@1:3", "yaml/unsupported@3:10"]],
    ["- content: !<tag:x> a\n- content: !e!x a\n", ["yaml/unsupported@1:12", "yaml/unsupported@2:12"]],
    ["- ? [a]\n  : b\n", ["yaml/unsupported@1:5"]],
  ])("%j gives %j", (text, expected) => {
    expect(codes(read(text).problems)).toEqual(expected);
  });

  test("an exclamation mark within a text is not a tag", () => {
    const calendar = read("- content: Hi !there\n  id: '!x'\n  media: |\n    !a\n    !b\n# !no\n");
    expect(calendar.problems).toEqual([]);
    expect(cellsOf(calendar)).toEqual([{ content: "Hi !there", id: "!x", media: "!a\n!b\n" }]);
  });

  test.each([
    ["a tab as indentation", "- content: a\n\tdate: b\n- content: c\n", 2, 1],
    ["a tab after spaces", "posts:\n  - content: a\n  \tdate: b\n", 3, 3],
    ["a colon in a text", "- content: Note: this\n", 1, 12],
    ["a character that no text starts with", "- content: @home\n", 1, 12],
    ["a text that is never closed", '- content: "a\n  date: b\n', 1, 12],
    ["an escape that is not known", '- content: "a\\qb"\n', 1, 14],
    ["a list that is never closed", "- media: [a, b\n", 1, 10],
    ["a line that is out of line", "- content: a\n date: b\n", 2, 2],
  ])("has its place: %s", (_name, text, line, column) => {
    const { problems, rows } = read(text);
    expect(codes(problems)).toEqual([`yaml/syntax@${line}:${column}`]);
    expect(rows).toEqual([]);
  });

  test.each([
    ["- media: [a, b\n  id: c\n- id: d\n", "1:10 `[` is never closed. Put a `]`"],
    ["- id: a\n  variants: { x: { content: a }\n  status: b\n", "2:13 `{` is never closed. Put a `}`"],
    ["calendars: [a, b\ntimezone: UTC\n", "1:12 `[` is never closed"],
    ["- media: [a, {b: c], d]\n", "1:14 `{` is closed by a `]` on line 1"],
    ["- media: [a, b]]\n", "1:16 This bracket closes nothing"],
    ['- id: a\n  content: "b\n  status: c\n- id: "d"\n', '2:12 quote is never closed. Put a `"`'],
    ["- content: 'b\n  id: c\n", "1:12 quote is never closed. Put a `'`"],
    ["- content: 'it's here'\n", "1:16 write an apostrophe as ''"],
    ["- id: a\n   content: b\n", "2:4 begins at column 4, but line 1 at column 3"],
    ["- id: a\r\n  status: b\r\n   content: c\r\n", "3:4 begins at column 4, but line 2 at column 3"],
    ["timezone: UTC\n posts:\n  - id: a\n", "2:2 begins at column 2, but line 1 at column 1"],
    ["- id: a\n  media: [b]\n   content: c\n", "3:4 indentation differs"],
    ["- id: a\n content: b\n  status: c\n", "2:2 indentation differs"],
    ["posts:\n  - id: a\n - id: b\n", "3:2 indentation differs"],
    ["  - id: a\n- id: b\n", "2:1 indentation differs"],
  ])("%j gives one problem where it was written: %s", (text, expected) => {
    const { problems } = read(text);
    expect(problems).toHaveLength(1);
    const [{ line, column, message } = { message: "" }] = problems;
    const [place = "", ...words] = expected.split(" ");
    expect(`${line}:${column}`).toBe(place);
    expect(message).toContain(words.join(" "));
  });

  test("two unclosed lists give two problems", () => {
    expect(codes(read("- media: [a\n  id: b\n- media: [c\n  id: d\n").problems)).toEqual([
      "yaml/syntax@1:10",
      "yaml/syntax@3:10",
    ]);
  });

  test("the place of an error within a line end is the end of that line", () => {
    const { problems } = read("| \u001f\r\n");
    expect(problems.length).toBeGreaterThan(0);
    for (const { line, column = 0, length = 0 } of problems) {
      expect([line, column + length <= 4]).toEqual([1, true]);
    }
  });

  test("a tab in the indentation is named", () => {
    expect(read("posts:\n\t- content: a\n").problems[0]?.message).toMatch(/tab/);
  });

  test("all syntax errors are reported", () => {
    const { problems } = read('- content: a: b\n- content: ok\n- content: @x\n- content: "\\q"\n');
    expect(codes(problems)).toEqual(["yaml/syntax@1:12", "yaml/syntax@3:12", "yaml/syntax@4:13"]);
  });

  test("shows the first 100 errors of very many, and counts the others", () => {
    const { problems } = read("]".repeat(250));
    expect(problems).toHaveLength(100);
    expect(problems.at(-1)?.message).toContain("150 more");
  });

  test("endless nesting is refused", () => {
    for (const opening of ["[", "{", "- ", "? ", "{a: ", "[{? &a "]) {
      expect(read(opening.repeat(100_000)).problems.map((each) => each.code)).toEqual(["yaml/syntax"]);
    }
    expect(codes(read("- ".repeat(200)).problems)).toEqual(["yaml/syntax@1:200"]);
  });

  test("a file with too many tokens is refused", () => {
    const source = new SourceText("a.yaml", "- a\n".repeat(100));
    const parse = (lexemes: number, kept: number): ReturnType<typeof parseYaml> =>
      parseYaml(source, "failsafe", new PlainBuilder(source, foldName), { depth: 5, lexemes, kept });
    expect(codes(parse(600, 600).problems)).toEqual([]);
    for (const { problems, document } of [parse(50, 600), parse(600, 50)]) {
      expect(problems).toMatchObject([{ code: "calendar/too-large", line: 11 }]);
      expect(document).toBeUndefined();
    }
  });
});

const withOptions = (text: string, options: Partial<ReadOptions>): RawCalendar =>
  readYaml("a.yaml", text, { columns: {}, ...options });

describe("keys of posts are read like the headers of a table:", () => {
  test("common names of the fields count", () => {
    const calendar = read(
      "- caption: Hi\n  Publish Date: 2036-05-20\n  Plateforme: [instagram]\n  image: a.png\n",
    );
    expect(calendar.problems).toEqual([]);
    expect(cellsOf(calendar)).toEqual([
      { content: "Hi", date: "2036-05-20", platforms: ["instagram"], media: "a.png" },
    ]);
    expect(read("- { content: Hi, state: draft }\n").problems[0]?.settings).toBe("columns:\n  state: status");
    const [row] = calendar.rows;
    expect(underlined(calendar, row?.at("content") ?? {})).toBe("Hi");
    expect(underlined(calendar, row?.at("platforms", 0) ?? {})).toBe("instagram");
  });

  test("plancast.yaml names keys, and ignores some", () => {
    const columns = {
      slogan: "content",
      character: "ignore",
      "slogan x": "content:twitter",
      utm: "not_carried",
    };
    const calendar = withOptions(
      "- slogan: Hi\n  character: momo\n  slogan_x: Ho\n  utm: u1\n- slogan: Yo\n",
      {
        columns,
      },
    );
    expect(codes(calendar.problems)).toEqual(["service/not-stored@4:3"]);
    expect(cellsOf(calendar)).toEqual([{ content: "Hi" }, { content: "Yo" }]);
    const [variant] = calendar.rows[0]?.variants ?? [];
    expect([variant?.platform, variant?.cells]).toEqual(["twitter", { content: "Ho" }]);
    expect(underlined(calendar, variant?.at("content") ?? {})).toBe("Ho");
  });

  test("several keys for media become one list, and each item keeps its place", () => {
    const calendar = read("- image_1: a.png\n  image_2: [b.png, c.png]\n  image_3:\n");
    expect(cellsOf(calendar)).toEqual([{ media: ["a.png", "b.png", "c.png"] }]);
    const places = [0, 1, 2].map((item) => underlined(calendar, calendar.rows[0]?.at("media", item) ?? {}));
    expect(places).toEqual(["a.png", "b.png", "c.png"]);
  });

  test("yes-or-no keys count, and published posts are skipped", () => {
    const calendar = withOptions(
      "- on_x: yes\n  on_li: no\n  posted: true\n- on_x: maybe\n  published: false\n",
      { columns: { on_x: "platforms:twitter", on_li: "platforms:linkedin" } },
    );
    expect(codes(calendar.problems)).toEqual(["columns/unknown-value@1:3"]);
    expect(calendar.rows.map(({ cells }) => cells)).toEqual([
      { platforms: ["twitter"], status: ["skip"] },
      { platforms: [] },
    ]);
  });

  test("a list of hashtags is one text", () => {
    const calendar = withOptions("- hashtags: [one, '#two']\n", { columns: { hashtags: "content" } });
    expect(cellsOf(calendar)).toEqual([{ content: "#one #two" }]);
  });

  test("keys without a meaning are one error for all posts, as in a table", () => {
    const posts = Array.from(
      { length: 45 },
      (_none, index) => `- content: ${index}\n  character: momo\n  notes: x\n`,
    );
    const { problems } = read(posts.join(""));
    expect(codes(problems)).toEqual(["columns/unknown@1:1"]);
    expect(problems[0]?.message).toContain('`character` (45 rows: "momo"); `notes` (45 rows: "x")');
    expect(withOptions("- content: a\n  notes: x\n", { columns: { notes: "ignore" } }).problems).toEqual([]);
  });

  test("a misspelt key has a suggestion", () => {
    const { problems } = read("- contnt: a\n  day: 2036-05-23\n");
    expect(codes(problems)).toEqual(["columns/unknown@1:1"]);
    expect(problems[0]?.settings).toContain("contnt: content");
    expect(problems[0]?.settings).toContain("day: date");
  });

  test.each([
    ["checked: yes\n", "columns/unknown"],
    ["client feedback: please change\n", "columns/unknown"],
  ])("a key that decides about the post is an error, as in a table: %j", (line, code) => {
    const { problems } = read(`- content: a\n  ${line}`);
    expect(codes(problems)).toEqual([`${code}@2:3`]);
  });

  test("one error names the keys of a file in which each post has its own", () => {
    const posts = Array.from({ length: 300 }, (_none, index) => `- {content: a, own${index}: x}\n`);
    const { problems } = read(posts.join(""));
    expect(problems.map(({ code }) => code)).toEqual(["columns/unknown"]);
  });

  test("a key that asks for approval keeps a post back unless it says yes, as in a table", () => {
    const posts = ["yes", "no", '""', "Approved", "Rejected", "in review"].map(
      (said) => `- {content: a, approved: ${said}}\n`,
    );
    const { rows, problems } = read(posts.join(""));
    expect(problems).toEqual([]);
    expect(rows.map(statusOf)).toEqual([undefined, "draft", "draft", undefined, "skip", "draft"]);
    expect(codes(read("- {content: a, approved: perhaps}\n").problems)).toEqual([
      "columns/unknown-value@1:16",
    ]);
    const posted = read("- {content: a, status: ready, posted: yes}\n- {content: b, posted: no}\n");
    expect(posted.rows.map(statusOf)).toEqual(["skip", undefined]);
  });

  test("if only other posts have a yes-or-no key, a post without it counts as a blank cell", () => {
    const text = "posts:\n- {content: a, approved: yes}\n- {content: b, posted: yes}\n- {content: c}\n";
    const { rows } = read(text);
    expect(rows.map(statusOf)).toEqual([undefined, "skip", "draft"]);
    expect(rows[2]?.blankAnswers).toEqual([
      { what: "answer", from: "blank", value: "draft", name: "approved" },
      { what: "answer", from: "blank", value: "ready", name: "posted" },
    ]);
    const answered = read(`defaults: {approved: yes}\n${text}`);
    expect(answered.rows.map(statusOf)).toEqual([undefined, "skip", undefined]);
    const columns = { li: "platforms:linkedin" };
    const { rows: chosen } = withOptions("- {content: a, li: yes}\n- {content: b}\n", { columns });
    expect(chosen.map(({ cells }) => cells.platforms)).toEqual([["linkedin"], []]);
  });

  test.each([
    ["approved: no", "approved: yes", undefined],
    ["approved: no", "", "draft"],
    ["approved: yes", "approved: no", "draft"],
    ["approved: yes", "status: draft", "draft"],
    // As in a table, each key must say that the post is ready.
    ["approved: no", "status: ready", "draft"],
    ["approved: no", "posted: yes", "skip"],
    ["posted: yes", "posted: no", undefined],
    ["posted: yes", "", "skip"],
    ["Approved: no", "approved: yes", undefined],
    ["approved: ''", "", "draft"],
    ["approved: Rejected", "", "skip"],
    ["approved: Rejected", "approved: yes", undefined],
  ])("a post without a yes-or-no key has its default: %s, then %s", (shared, own, status) => {
    const { rows, problems } = read(`defaults: {${shared}}\nposts:\n- {content: a, ${own}}\n`);
    expect(problems).toEqual([]);
    expect(rows.map(statusOf)).toEqual([status]);
  });

  test("the status that a default sets has its place in the defaults, and a default that says neither yes nor no is one error", () => {
    const no = read("defaults: {approved: no}\nposts:\n- {content: a}\n");
    expect(underlined(no, no.rows[0]?.at("status") ?? { file: "" })).toBe("no");
    expect(no.defaults?.cells.status).toBeUndefined();
    const posts = "posts:\n- {content: a}\n- {content: b}\n- {content: c, approved: yes}\n";
    expect(codes(read(`defaults: {approved: perhaps}\n${posts}`).problems)).toEqual([
      "columns/unknown-value@5:16",
    ]);
  });

  test("a post's own yes or no for a network comes before its default, and its list before all", () => {
    const columns = { li: "platforms:linkedin", ig: "platforms:instagram" };
    const posts = [
      "{content: a}",
      "{content: b, li: no, ig: yes}",
      "{content: c, ig: yes}",
      "{content: d, platforms: [bluesky]}",
    ];
    const text = `defaults: {li: yes}\nposts:\n${posts.map((post) => `- ${post}\n`).join("")}`;
    const { rows, defaults } = withOptions(text, { columns });
    expect(rows.map(({ cells }) => cells.platforms)).toEqual([
      ["linkedin"],
      ["instagram"],
      ["linkedin", "instagram"],
      ["bluesky"],
    ]);
    expect(defaults?.cells.platforms).toBeUndefined();
  });

  test("a filter may use a key that is not a field", () => {
    const calendar = withOptions("- content: a\n  client: Acme\n", { keep: ["client"] });
    expect(calendar.problems).toEqual([]);
    expect(calendar.rows[0]?.others).toEqual({ client: "Acme" });
  });

  test("posts without a time are drafts if the project says so", () => {
    const calendar = withOptions("- caption: a\n- caption: b\n  date: 2036-01-01\n", { blank_time: "draft" });
    expect(cellsOf(calendar)).toEqual([
      { content: "a", status: "draft" },
      { content: "b", date: "2036-01-01" },
    ]);
  });

  test("defaults without a time make no drafts, and defaults with a day leave none", () => {
    const posts = "posts:\n- caption: a\n- caption: b\n  date: 2036-01-01\n";
    const statuses = (shared: string): unknown[] => {
      const { rows, defaults } = withOptions(`defaults: {${shared}}\n${posts}`, { blank_time: "draft" });
      return [defaults?.cells.status, ...rows.map(statusOf)];
    };
    expect(statuses("campaign: Spring")).toEqual([undefined, "draft", undefined]);
    expect(statuses("date: 2036-01-02")).toEqual([undefined, undefined, undefined]);
  });

  test("defaults too", () => {
    const { defaults, problems } = read("defaults: {network: linkedin}\nposts: [{caption: a}]\n");
    expect([problems, defaults?.cells]).toEqual([[], { platforms: "linkedin" }]);
  });

  test("a post with a fault is kept for further checks", () => {
    const calendar = read("- content: [a]\n  platforms: x\n- [b]\n- content: c\n");
    expect(cellsOf(calendar)).toEqual([{ content: "c" }]);
    expect(calendar.faultyRows?.map(({ line, cells }) => [line, cells.platforms])).toEqual([[1, "x"]]);
  });
});

describe("the structure of a calendar", () => {
  test.each([
    ["hello\n", "calendar/shape", "hello"],
    ["timezone: UTC\n", "calendar/shape", "timezone: UTC"],
    ["posts: {content: a}\n", "calendar/shape", "{content: a}"],
    ["posts: none\n", "calendar/shape", "none"],
    ["posts:\n- a\n- content: b\n", "calendar/shape", "a"],
    ["- [a]\n- content: b\n", "calendar/shape", "[a]"],
    ["- content: [a, b]\n", "calendar/shape", "[a, b]"],
    ["- date: {a: b}\n", "calendar/shape", "{a: b}"],
    ["- platforms: {x: y}\n", "calendar/shape", "{x: y}"],
    ["- media: [a, [b], c]\n", "calendar/shape", "[b]"],
    ["- platforms:\n  - x\n  - name: y\n", "calendar/shape", "name: y"],
    ["defaults: [x]\nposts: []\n", "calendar/shape", "[x]"],
    ["defaults: {media: {a: b}}\nposts: []\n", "calendar/shape", "{a: b}"],
    ["timezone: [x]\nposts: []\n", "calendar/shape", "[x]"],
    ["- content: a\n  contnet: b\n", "columns/unknown", "contnet"],
    ["- description: b\n", "columns/unknown", "description"],
    ["- content: a\n  caption: b\n", "columns/unknown", "caption"],
    ["- caption: {a: b}\n", "calendar/shape", "{a: b}"],
    ["- image: [a, [b]]\n", "calendar/shape", "[b]"],
    ["- image_1: a\n  image_2: [b, [c]]\n", "calendar/shape", "[c]"],
    ["time-zone: x\nposts: []\n", "columns/unknown", "time-zone"],
    ["defaults: {id: x}\nposts: []\n", "columns/unknown", "id"],
    ["- __proto__: x\n", "columns/unknown", "__proto__"],
    ["- {constructor: x}\n", "columns/unknown", "constructor"],
  ])("%j gives %s at %j", (text, code, where) => {
    const calendar = read(text);
    expect(calendar.problems.map((each) => each.code)).toEqual([code]);
    expect(underlined(calendar, calendar.problems[0] ?? {})).toBe(where);
  });

  test("an empty item is neither a post nor a text", () => {
    expect(codes(read("- content: a\n-\n- media: [x, ]\n- platforms:\n  - x\n  -\n").problems)).toEqual([
      "calendar/shape@2:2",
      "calendar/shape@6:4",
    ]);
  });

  test("an unknown key names the nearest key, in any case", () => {
    expect(read("- Contnet: a\n").problems[0]?.settings).toContain("Contnet: content");
    expect(read("- description: a\n").problems[0]?.settings).toContain("description: content");
    expect(read("timezon: a\nposts: []\n").problems[0]?.message).toContain("`timezone`");
  });

  test("a single post outside a list is refused, and the message says how to write it", () => {
    const { problems } = read("content: a\ndate: b\n");
    expect(codes(problems)).toEqual(["calendar/shape@1:1", "columns/unknown@1:1", "columns/unknown@2:1"]);
    expect(problems[1]?.message).toContain("`posts:`");
  });

  test("valid posts are kept when others are invalid", () => {
    const calendar = read("posts:\n- content: [a]\n- content: b\n  extra: 1\n- 5\n- content: c\n");
    expect(codes(calendar.problems)).toEqual([
      "calendar/shape@2:12",
      "columns/unknown@4:3",
      "calendar/shape@5:3",
    ]);
    expect(calendar.rows.map((row) => [row.line, row.cells.content])).toEqual([
      [3, "b"],
      [6, "c"],
    ]);
  });
});

test("a sign or word that means nothing in a table is a text of a post, because a post needs no key for nothing", () => {
  const { rows, problems } = read(
    `- {content: a, thread: ["-"], first_comment: "-", variants: {x: {thread: "none"}}}\n`,
  );
  expect(rows[0]?.cells).toMatchObject({ thread: ["-"], first_comment: "-" });
  expect(rows[0]?.variants.map(({ cells }) => cells)).toEqual([{ thread: "none" }]);
  expect(problems).toEqual([]);
});

test("YAML lines are shown without their ends", () => {
  const calendar = read("- content: a\r\n- content: b\r\n");
  expect(calendar.sourceLine(1)).toBe("- content: a");
  expect(shown(calendar)).toEqual([{ content: "a" }, { content: "b" }]);
});

test.each([
  ["- content: Look #spring is here\n", 1],
  ["- {content: Look #spring\n  }\n", 1],
  ["- content: Look # a comment\n", 0],
  ['- content: "Look #spring"\n', 0],
  ["- content: 'Look' #spring\n", 0],
  ["- content: |\n    Look #spring\n", 0],
  ["- content: Look#spring\n", 0],
  ["- content: Look\n  id: a #spring\n", 0],
])("%j has %i lost hashtags, which YAML reads as comments", (text, count) => {
  const { problems } = read(text);
  expect(problems.filter(({ code }) => code === "yaml/lost-hashtag")).toHaveLength(count);
});

describe("keys say as much as the headers of a table:", () => {
  test.each([
    ["scheduled_at_utc: 2036-03-01 10:00", "UTC", undefined],
    ["scheduled at (CET, Paris): 2036-03-01 10:00", "Europe/Paris", undefined],
    ["date (dd/mm/yyyy): 02/03/2036", undefined, "dmy"],
    ["date: 2036-03-01", undefined, undefined],
  ])("%s", (line, zone, order) => {
    const { notes, problems } = read(`- content: a\n  ${line}\n`);
    expect([problems, notes?.zone?.name, notes?.dateOrder?.order]).toEqual([[], zone, order]);
  });

  test("a zone in a key that contradicts the file's own is named at the key", () => {
    const { problems } = read("timezone: Europe/Paris\nposts:\n- content: a\n  time (UTC): 10:00\n");
    expect(codes(problems)).toEqual(["csv/zone-in-header@4:3"]);
  });

  test("a time below a key that says pm must not be in the morning", () => {
    const { problems } = read('- content: a\n  date: 2036-03-01\n  time (pm): "7:30"\n');
    expect(codes(problems)).toEqual(["schedule/format@3:14"]);
  });

  test("alt texts belong to the media with the same number, also if one is missing", () => {
    const [row] = read("- image_1: a.png\n  image_2: b.png\n  alt_1:\n  alt_2: Bees\n").rows;
    expect([row?.cells.media, row?.cells.alt]).toEqual([
      ["a.png", "b.png"],
      ["", "Bees"],
    ]);
  });

  test("several names for one field are asked about, also if each post has one of them", () => {
    const { problems } = read("- content: a\n- caption: b\n");
    expect(codes(problems)).toEqual(["columns/unknown@2:3"]);
    expect(problems[0]?.message).toContain("`content` already is `content`");
  });

  test.each([
    ["defaults: {teaser: x}\nposts:\n- content: a\n", "columns/unknown@1:12"],
    ["defaults: {variants: {x: {content: b}}}\nposts:\n- content: a\n", "columns/unknown@1:12"],
    ["defaults: {approved: [yes]}\nposts:\n- content: a\n- content: b\n", "calendar/shape@1:22"],
    ["- content: a\n  status: {reason: wait}\n", "calendar/shape@2:11"],
    ["- content: a\n  type: [story]\n", "calendar/shape@2:9"],
    ["- content: a\n  variants: {x: {content: b}}\n  content:x: c\n", "columns/unknown@2:18"],
  ])("%j is %s", (text, code) => {
    expect(codes(read(text).problems)).toEqual([code]);
  });

  test("the status of one platform is accounted for", () => {
    const text = "- content: a\n  variants:\n    Google Business: { status: Luonnos }\n";
    const { problems } = read(text);
    expect(codes(problems)).toEqual(["columns/unknown-value@3:24"]);
    const values = { "status:Google Business": { Luonnos: "draft" as const } };
    const { rows, problems: none } = withOptions(text, { values });
    expect(none).toEqual([]);
    expect(rows[0]?.variants).toMatchObject([{ platform: "Google Business", cells: { status: "draft" } }]);
  });
});
