/**
 * Compares plancast with X on the examples of X's conformance suite: `twitter-text/validate.yml` and `extract.yml`, unchanged
 * from https://github.com/twitter/twitter-text (commit 30e2430, Apache-2.0, see `twitter-text/LICENSE`).
 */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { countText } from "../../../src/checks/rules/count-text.ts";
import { findHashtags, findLinks } from "../../../src/checks/rules/links-and-tags.ts";

const example = z.object({ description: z.string(), text: z.string(), expected: z.unknown() });
const suite = z.object({ tests: z.record(z.string(), z.array(example)) });

function load(name: string): Readonly<Record<string, z.infer<typeof example>[]>> {
  const url = new URL(`twitter-text/${name}.yml`, import.meta.url);
  return suite.parse(parse(readFileSync(url, "utf8"))).tests;
}

const extract = load("extract");
const validate = load("validate");

/** The examples of these groups, each with its group. */
function examples(tests: typeof extract, ...groups: string[]): [string, z.infer<typeof example>][] {
  return groups.flatMap((group) =>
    (tests[group] ?? []).map((each): [string, z.infer<typeof example>] => [
      `${group}: ${each.description}`,
      each,
    ]),
  );
}

const MENTIONS = ["mentions", "mentions_with_indices", "mentions_or_lists_with_indices", "replies"];
const LINKS = ["urls", "urls_with_indices", "urls_with_directional_markers", "tco_urls_with_params"];
const TAGS = [
  "hashtags",
  "hashtags_from_astral",
  "hashtags_with_indices",
  "cashtags",
  "cashtags_with_indices",
];
const COUNTS = [
  "WeightedTweetsCounterTest",
  "WeightedTweetsWithDiscountedEmojiCounterTest",
  "UnicodeDirectionalMarkerCounterTest",
];
/**
 * `tweets` is for 140 characters, the limit until 2017. `urls` is for a form that takes one address, with passwords and
 * numeric hosts: in a text, X makes no links of those (see the group `urls` of extract.yml).
 */
const NOT_ABOUT_COUNTING = ["tweets", "urls"];

const links = (text: string): readonly string[] => findLinks(text, { bare: true }).map((each) => each.text);

describe("finds the links that X finds", () => {
  test.each(examples(extract, "urls", "tco_urls_with_params"))("%s", (_name, { text, expected }) => {
    expect(links(text)).toEqual(expected);
  });

  test.each(examples(extract, "urls_with_indices", "urls_with_directional_markers"))(
    "%s",
    (_name, { text, expected }) => {
      // X counts code points here.
      const points = (end: number): number => Array.from(text.slice(0, end)).length;
      const found = findLinks(text, { bare: true });
      expect(
        found.map((each) => ({ url: each.text, indices: [points(each.start), points(each.end)] })),
      ).toEqual(expected);
    },
  );

  test.each(examples(validate, "urls_without_protocol"))("%s", (_name, { text }) => {
    expect(links(text)).toEqual([text]);
  });
});

describe("finds the hashtags that X finds", () => {
  test.each(examples(extract, "hashtags", "hashtags_from_astral"))("%s", (_name, { text, expected }) => {
    expect(findHashtags(text)).toEqual(expected);
  });

  test.each(examples(extract, "hashtags_with_indices"))("%s", (_name, { text, expected }) => {
    const tags = z.array(z.object({ hashtag: z.string() })).parse(expected);
    expect(findHashtags(text)).toEqual(tags.map(({ hashtag }) => hashtag));
  });

  test.each(examples(validate, "hashtags"))("%s", (_name, { text, expected }) => {
    expect(findHashtags(text)).toEqual(expected === true ? [text.slice(1)] : []);
  });
});

/** X no longer counts in this way: an emoji counts as 2 since its third configuration, which the other group follows. */
const OLD_CONFIGURATION = new Set([
  "Count a mix of single byte single word, and double word unicode characters",
  "Count unicode emoji chars outside the basic multilingual plane with skin tone modifiers",
]);

describe("counts characters as X does", () => {
  const counted = examples(validate, ...COUNTS).filter(
    ([name, { description }]) =>
      !(name.startsWith("WeightedTweetsCounterTest") && OLD_CONFIGURATION.has(description)),
  );

  test.each(counted)("%s", (_name, { text, expected }) => {
    expect(countText(text, "twitter")).toBe(
      z.object({ weightedLength: z.number() }).parse(expected).weightedLength,
    );
  });
});

/**
 * For X, mentions, lists and cashtags are plain characters, so plancast does not look for them. They must not count as
 * links.
 */
describe("reads no link into mentions and cashtags", () => {
  test.each(examples(extract, ...MENTIONS, "cashtags", "cashtags_with_indices"))("%s", (_name, { text }) => {
    expect(links(text)).toEqual([]);
  });

  test.each(examples(validate, "usernames", "lists"))("%s", (_name, { text }) => {
    expect(links(text)).toEqual([]);
  });
});

test("covers every group of the suite, except groups that are not about counting", () => {
  expect(Object.keys(extract).toSorted()).toEqual([MENTIONS, LINKS, TAGS].flat().toSorted());
  const covered = [["usernames", "lists", "hashtags", "urls_without_protocol"], COUNTS, NOT_ABOUT_COUNTING];
  expect(Object.keys(validate).toSorted()).toEqual(covered.flat().toSorted());
});
