/** Long lists are composed in pieces. Nobody may notice. */
import { describe, expect, test } from "vitest";
import { YamlDocument } from "../../../../src/calendars/formats/yaml/document.ts";
import { SourceText } from "../../../../src/calendars/read/source-text.ts";

const ITEMS = 2_500;
const options = { schema: "failsafe", keyName: (key: string) => key } as const;
const read = (text: string): YamlDocument => new YamlDocument(new SourceText("a.yaml", text), options);
const LAYOUTS = [
  (index: number) => [`- content: Text ${index}`, `  media: [a-${index}.png]`],
  (index: number) => [
    `- content: >-`,
    `    Text ${index}`,
    `  media:`,
    `  - a-${index}.png`,
    "",
    "# A comment",
  ],
  (index: number) => ["-", `  content: "Text ${index}"`, `  media: [a-${index}.png] # - no item`],
  (index: number) => [`- content: |-`, `    Text ${index}`, "", `  media:`, `    - a-${index}.png`],
];
const itemLines = (index: number): string[] => (LAYOUTS[index % LAYOUTS.length] ?? (() => []))(index);

describe.each([
  ["at the top", [], "", []],
  ["below `posts`", ["timezone: UTC", "posts:"], "", ["posts"]],
  ["below `posts`, indented", ["timezone: UTC", "posts:"], "    ", ["posts"]],
] as const)("a long list %s", (_where, before, indent, path) => {
  const lines: string[] = [...before];
  const starts: number[] = [];
  for (let index = 0; index < ITEMS; index += 1) {
    const own = itemLines(index);
    starts.push(lines.length + own.findIndex((line) => line.includes("content")) + 1);
    lines.push(...own.map((line) => indent + line));
  }
  const text = `${lines.join("\n")}\n`;

  test("has every item at its place", () => {
    const document = read(text);
    expect(document.problems).toEqual([]);
    const wanted = starts.map((_line, index) => ({ content: `Text ${index}`, media: [`a-${index}.png`] }));
    expect(document.value).toEqual(path.length === 0 ? wanted : { timezone: "UTC", posts: wanted });
    const found = starts.map((_line, index) => document.keyAt([...path, index], "content").line);
    expect(found).toEqual(starts);
  });

  test("has the same errors", () => {
    const broken = [...lines];
    for (const index of [3, 1_200, 2_400]) broken[starts[index] ?? 0] += ' "';
    const at = (starts[600] ?? 1) - 1;
    broken[at] = `${indent}- content: [never, closed`;
    const { problems, value } = read(`${broken.join("\n")}\n`);
    expect(value).toBeUndefined();
    expect(problems.map(({ line }) => line)).toContain(at + 1);
    expect(problems.every(({ code }) => code === "yaml/syntax")).toBe(true);
  });
});

const aliases = (name: string): string[] =>
  Array.from({ length: ITEMS }, (_, index) => (index === 0 ? `  - &${name} ${name}` : `  - *${name}`));
const all = (name: string): string[] => Array.from({ length: ITEMS }, () => name);

test("an alias finds its anchor in an earlier piece, and two long lists stay apart", () => {
  const { value, problems } = read(["one:", ...aliases("a"), "two:", ...aliases("b"), "more: *a"].join("\n"));
  expect(problems).toEqual([]);
  expect(value).toEqual({ one: all("a"), two: all("b"), more: "a" });
});

test("a directive, a document start and comments do not disturb a long list", () => {
  const items = Array.from({ length: ITEMS }, (_, index) => `- ${index}`);
  const { value, problems } = read(["%YAML 1.2", "---", "# First", ...items, "# Last", "..."].join("\n"));
  expect(problems).toEqual([]);
  expect(value).toEqual(items.map((item) => item.slice(2)));
});

test("an alias has the last anchor above it, also where an item has the same anchor", () => {
  const items = Array.from({ length: ITEMS }, (_, index) => (index === 700 ? "  - &a late" : "  - *a"));
  const { value, problems } = read(["first: &a early", "second: *a", "list:", ...items].join("\n"));
  expect(problems).toEqual([]);
  const wanted = items.map((_item, index) => (index < 700 ? "early" : "late"));
  expect(value).toEqual({ first: "early", second: "early", list: wanted });
});

test("a value that comes through an alias has the place of the original, on both sides of a long list", () => {
  const items = Array.from({ length: ITEMS }, (_, index) => [`  - <<: *d`, `    content: Text ${index}`]);
  const document = read(["defaults: &d", "  time: 10:00", "posts:", ...items.flat()].join("\n"));
  expect(document.problems).toEqual([]);
  for (const index of [0, 999, 1_000, ITEMS - 1]) {
    expect(document.at(["posts", index, "time"])).toMatchObject({ line: 2, column: 9, length: 5 });
    expect(document.at(["posts", index, "content"])).toMatchObject({ line: 5 + 2 * index, column: 14 });
    expect(document.at(["posts", index])).toMatchObject({ line: 4 + 2 * index, column: 5 });
  }
});

test("an alias that an item uses too early, or that grows without end, is refused at its place", () => {
  const items = Array.from({ length: ITEMS }, (_, index) => (index === 30 ? "  - *later" : "  - text"));
  expect(read(["list:", ...items, "other: &later text"].join("\n")).problems).toMatchObject([
    { code: "yaml/syntax", line: 32, column: 5 },
  ]);
  const levels = Array.from({ length: 9 }, (_, index) => {
    const inside = index === 0 ? "text" : `*a${index - 1}`;
    return `a${index}: &a${index} [${Array.from({ length: 9 }, () => inside).join(", ")}]`;
  });
  const { problems, value } = read([...levels, "list:", ...items.map(() => "  - *a8")].join("\n"));
  expect(problems).toMatchObject([{ code: "yaml/unsupported", line: 7 }]);
  expect(value).toBeUndefined();
});
