/** Texts with the numbers of a thread's posts. */

import { expect, test } from "vitest";
import { checkPosts } from "../../../src/checks/rules/check-posts.ts";
import { config, post } from "../../support/rows.ts";

function codes(content: string, thread: readonly string[] = []): string[] {
  const posts = [post({ platforms: ["twitter"], content, ...(thread.length === 0 ? {} : { thread }) })];
  return checkPosts({ posts, unresolved: [], config: config(), now: 0 }).map(({ code }) => code);
}

test.each([
  "1/3 We open in March.\n\n2/3 Here is how.\n\n3/3 See you there.",
  "1/ We open in March.\n2/ Here is how.",
  "(1/2) We open in March.\n(2/2) Here is how.",
  "1/2: We open in March.\n2/2",
])("%j looks like a thread in one text", (content) => {
  expect(codes(content)).toEqual(["content/numbered-parts"]);
});

test.each([
  "1/2 cup of sugar\nand flour",
  "Open 1/3 and 2/3 of the day.",
  "Take 1/2 of it.\n2/3 follow.",
  "1/3/2036: doors open\n2/3/2036: doors close",
])("%j is one post", (content) => {
  expect(codes(content)).toEqual([]);
});

test("a text that has its thread may number its posts", () => {
  expect(codes("1/2 We open.\n2/2 is below", ["2/2 Here is how."])).toEqual([]);
});
