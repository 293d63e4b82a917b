/** Whatever the layout of a YAML file, a change gives exactly the new values, and keeps every comment and line end. */

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { YamlText } from "../../../../src/calendars/formats/yaml/yaml-text.ts";
import { manyRuns } from "../../../support/property-tests.ts";

const PIECES = [
  ...Array.from("aé🎉:#-'\"{}[]&*!|>%@`\\, \n"),
  "true",
  "12",
  "2036-03-01",
  " #tag",
  "---",
  "null",
];
const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map((pieces) => pieces.join(""));

/** A value in some style of YAML, after its key, with its line end. */
const STYLES: readonly ((value: string, indent: string) => string)[] = [
  (value) => `${JSON.stringify(value)}\n`,
  (value) => `${JSON.stringify(value)} # beside\n`,
  (_value, indent) => `|\n${indent}  Block\n\n${indent}  of text\n\n`,
  (_value, indent) => `>- # folded\n${indent}  Old\n`,
  (_value, indent) => `plain\n${indent}  on two lines\n`,
  (_value, indent) => `\n${indent}  # above\n${indent}  "lower"\n`,
  () => "# blank\n",
  () => "\n",
];

const post = fc.record({
  style: fc.constantFrom(...STYLES),
  value: text,
  isFlow: fc.boolean(),
  after: fc.boolean(),
});

function yamlOf(posts: readonly (typeof post extends fc.Arbitrary<infer Post> ? Post : never)[]): string {
  const items = posts.map(({ style, value, isFlow, after }, index) => {
    if (isFlow) return `  - { id: ${index}, content: ${JSON.stringify(value)} } # flow ${index}\n`;
    const own = `  - id: ${index} # number ${index}\n    content: ${style(value, "    ")}`;
    return after ? `${own}    # ours ${index}\n    last: [1, 2] # list\n\n` : `${own}  # between\n`;
  });
  return `# top\nposts:\n${items.join("")}# end\n`;
}

function comments(given: string): string[] {
  return given.match(/# (?:top|end|number|flow|ours|between|beside|folded|above|blank|list).*/g) ?? [];
}

test.each(["\n a", " \na", "\t\n a", "  a\nb", "\n\na"])(
  "a text with blanks at its beginning is replaced exactly: %j",
  (content) => {
    const yaml = new YamlText('posts:\n  - id: 0\n    content:\n      # above\n      "lower"\n');
    yaml.set(["posts", 0, "content"], content)?.();
    expect(parse(yaml.toString())).toEqual({ posts: [{ id: 0, content }] });
  },
);

test("a value is replaced and a key is added in any layout", () => {
  const input = fc.record({
    posts: fc.array(post, { minLength: 1, maxLength: 4 }),
    at: fc.nat(3),
    content: text,
    // Blank lines at the end of a new block would grow with the blank lines of the file. The caller refuses that.
    added: text.map((each) => each.trim()),
    lineEnd: fc.constantFrom("\n", "\r\n", "\r"),
  });
  fc.assert(
    fc.property(input, ({ posts, at, content, added, lineEnd }) => {
      const row = at % posts.length;
      const before = yamlOf(posts);
      const yaml = new YamlText(before.replaceAll("\n", lineEnd));
      const set = yaml.set(["posts", row, "content"], content);
      const add = yaml.add(["posts", row], { added });
      expect([set, add]).not.toContain(undefined);
      set?.();
      add?.();
      const after = yaml.toString();
      expect(new Set(after.match(/\r\n|\r|\n/g))).toEqual(new Set([lineEnd]));
      const plain = after.replaceAll(lineEnd, "\n");
      const wanted = parse(before);
      Object.assign(wanted.posts[row], { content, added });
      expect(parse(plain)).toEqual(wanted);
      expect(comments(plain)).toEqual(comments(before));
    }),
    { numRuns: manyRuns(500) },
  );
});
