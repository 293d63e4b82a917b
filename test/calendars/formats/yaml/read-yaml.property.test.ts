/** Whatever the YAML library writes reads back as it was, and every value is found where the library finds it. */

import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { LineCounter, isMap, isNode, isSeq, parseDocument, stringify } from "yaml";
import { readYaml } from "../../../../src/calendars/formats/yaml/read-yaml.ts";
import type { RawRow } from "../../../../src/model/row.ts";
import { type Field, FIELDS } from "../../../../src/model/fields.ts";
import { manyRuns } from "../../../support/property-tests.ts";

const piece = fc.oneof(
  fc.constantFrom(
    "a",
    "b c",
    "\n",
    "\n\n",
    " ",
    "  ",
    "\t",
    ": ",
    " #",
    "- ",
    "'",
    '"',
    "\\",
    "|",
    ">",
    "&a",
    "*a",
    "!t",
    "%",
    "@",
    "`",
    "{",
    "}",
    "[",
    "]",
    ",",
    "?",
    "<<",
    "---",
    "...",
    "null",
    "~",
    "true",
    "010",
    "1.10",
    "🎉",
    "שלום",
    "é",
    "\u0085",
    "\u2028",
    "\uFEFF",
    "\u00a0",
    "x".repeat(50),
  ),
  fc.string({ unit: "grapheme", maxLength: 6 }).map((text) => text.replaceAll(/[\0\r]/g, "")),
);
const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
const oneOrMore = fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 3 }));
const post = fc.record(
  {
    id: text,
    scheduled_at: text,
    date: text,
    time: text,
    timezone: text,
    platforms: oneOrMore,
    content: text,
    media: oneOrMore,
    status: fc.constantFrom("draft", "Ready"),
  },
  { requiredKeys: [] },
);
const style = fc.record({
  defaultStringType: fc.constantFrom(
    "PLAIN" as const,
    "QUOTE_DOUBLE" as const,
    "QUOTE_SINGLE" as const,
    "BLOCK_LITERAL" as const,
    "BLOCK_FOLDED" as const,
  ),
  collectionStyle: fc.constantFrom("any" as const, "flow" as const),
  lineWidth: fc.constantFrom(0, 40, 80),
  indent: fc.constantFrom(2, 4),
  indentSeq: fc.boolean(),
});

type Post = Partial<Record<Field, string | string[]>>;

function expectedCells(given: Post): Post {
  const kept = Object.entries(given).filter(([, value]) => [value].flat().some((each) => each.trim() !== ""));
  return Object.fromEntries(kept);
}

type Path = readonly (string | number)[];

/** Where the library itself finds the value at a path. */
function placesByLibrary(source: string): (path: Path) => { line: number; column: number } {
  const lineCounter = new LineCounter();
  const { contents } = parseDocument(source, { lineCounter, schema: "failsafe" });
  return (path) => {
    let node: unknown = contents;
    for (const step of path) {
      if (isMap(node)) node = node.get(step, true);
      else if (isSeq(node)) node = node.get(step, true);
    }
    const { line, col } = lineCounter.linePos((isNode(node) ? node.range?.[0] : undefined) ?? -1);
    return { line, column: col };
  };
}

function checkPlaces(placeByLibrary: (path: Path) => object, row: RawRow, path: Path, given: Post): void {
  expect(row.at()).toMatchObject(placeByLibrary(path));
  for (const field of FIELDS) {
    const value = given[field];
    if (value === undefined) continue;
    expect(row.at(field)).toMatchObject(placeByLibrary([...path, field]));
    if (typeof value === "string") continue;
    for (const item of value.keys()) {
      expect(row.at(field, item)).toMatchObject(placeByLibrary([...path, field, item]));
    }
  }
}

test("posts that the YAML library writes read back the same, with exact places", () => {
  fc.assert(
    fc.property(
      fc.array(post, { minLength: 1, maxLength: 3 }),
      style,
      fc.boolean(),
      fc.boolean(),
      (posts, options, asMapping, crlf) => {
        const written = stringify(asMapping ? { posts } : posts, options);
        const source = crlf ? written.replaceAll("\n", "\r\n") : written;
        // The library's writer gets some texts wrong: what it cannot read itself proves nothing.
        const byLibrary = parseDocument(source, { schema: "failsafe" });
        fc.pre(byLibrary.errors.length === 0);
        fc.pre(isDeepStrictEqual(byLibrary.toJS(), asMapping ? { posts } : posts));
        const calendar = readYaml("a.yaml", source);
        expect(calendar.problems).toEqual([]);
        expect(calendar.rows).toHaveLength(posts.length);
        const placeByLibrary = placesByLibrary(source);
        for (const [index, row] of calendar.rows.entries()) {
          const given = expectedCells(posts[index] ?? {});
          expect(row.cells).toEqual(given);
          checkPlaces(placeByLibrary, row, asMapping ? ["posts", index] : [index], given);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test("a place underlines exactly the text of a value", () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9 .\u00e9\u{1F389}]{0,20}[a-z]$/u);
  fc.assert(
    fc.property(
      fc.record({ id: word, content: word, media: fc.array(word, { minLength: 1, maxLength: 3 }) }),
      style,
      (given, options) => {
        fc.pre(
          !options.defaultStringType.startsWith("BLOCK") &&
            !Object.values(given)
              .flat()
              .some((each) => /^(null|true|false)$/.test(each)),
        );
        const calendar = readYaml("a.yaml", stringify([given], { ...options, lineWidth: 0 }));
        const [row] = calendar.rows;
        const quote = {
          PLAIN: "",
          QUOTE_DOUBLE: '"',
          QUOTE_SINGLE: "'",
          BLOCK_LITERAL: "",
          BLOCK_FOLDED: "",
        }[options.defaultStringType];
        const underlined = (field: Field, item?: number): string | undefined => {
          const { line = 0, column = 1, length = 0 } = row?.at(field, item) ?? {};
          return calendar.sourceLine(line)?.slice(column - 1, column - 1 + length);
        };
        expect(underlined("id")).toBe(quote + given.id + quote);
        expect(underlined("content")).toBe(quote + given.content + quote);
        for (const [item, value] of given.media.entries())
          expect(underlined("media", item)).toBe(quote + value + quote);
      },
    ),
  );
});

test("any text gives rows and problems with places within the file", () => {
  const noise = fc
    .array(
      fc.constantFrom(
        "content",
        "posts",
        ": ",
        ":",
        "- ",
        "-",
        "\n",
        "\n  ",
        "\t",
        " ",
        "[",
        "]",
        "{",
        "}",
        ",",
        '"',
        "'",
        "|",
        ">",
        "&a",
        " *a",
        "!t",
        "#",
        "%",
        "@",
        "?",
        "<<",
        "---",
        "...",
        "~",
        "\r",
        "\r\n",
        "🎉",
        "\u0002",
        "\u001f",
        "\u0018",
        "\uFEFF",
        "\\",
      ),
      { maxLength: 50 },
    )
    .map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(noise, (source) => {
      const calendar = readYaml("a.yaml", source);
      const places = [
        ...calendar.problems,
        ...calendar.rows.flatMap((row) => [
          row.at(),
          ...FIELDS.map((field) => row.at(field)),
          row.at("media", 0),
        ]),
      ];
      for (const { line, column, length } of places) {
        if (line === undefined) continue;
        const shown = calendar.sourceLine(line);
        expect(shown).toBeDefined();
        expect((column ?? 1) - 1 + (length ?? 0)).toBeLessThanOrEqual((shown ?? "").length);
      }
    }),
    { numRuns: manyRuns(3000) },
  );
});
