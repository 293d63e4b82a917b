/** Comments in src and names of tests are in plain words: none of the words to avoid, no sentence that is too long. */

import { fileURLToPath } from "node:url";
import { globSync } from "tinyglobby";
import { expect, test } from "vitest";
import { plainWordFaults } from "../support/plain-words.ts";
import { type SourceText, commentsOf, testNamesOf } from "../support/code-comments.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Texts that may keep a word to avoid or be long, with the reason. */
const ALLOWED: readonly (readonly [path: string, part: string, reason: string])[] = [
  ["src/sync/plan/diff.ts", "row (desired) | owned, by key", "A table, not a sentence."],
  ["src/sync/sync.ts", "read find the calendars", "A table, not a sentence."],
];

/** One line for each fault: its place, the word, and the sentence. */
function faultsOf(path: string, texts: readonly SourceText[]): readonly string[] {
  return texts.flatMap(({ line, text }) => plainWordFaults(text).map((fault) => `${path}:${line}: ${fault}`));
}

function allFaults(pattern: string, textsOf: (path: string) => readonly SourceText[]): readonly string[] {
  const paths = globSync(pattern, { cwd: ROOT });
  expect(paths.length).toBeGreaterThan(100);
  return paths.flatMap((path) => faultsOf(path, textsOf(ROOT + path)));
}

function isAllowed(fault: string): boolean {
  return ALLOWED.some(([path, part]) => fault.startsWith(`${path}:`) && fault.includes(part));
}

const COMMENT_FAULTS = allFaults("src/**/*.ts", commentsOf);
const NAME_FAULTS = allFaults("test/**/*.test.ts", testNamesOf);

test("comments have no word to avoid, and no sentence of more than 30 words", () => {
  expect(COMMENT_FAULTS.filter((fault) => !isAllowed(fault))).toEqual([]);
});

test("names of tests have no word to avoid, and no more than 30 words", () => {
  expect(NAME_FAULTS.filter((fault) => !isAllowed(fault))).toEqual([]);
});

test("every exception is about a text that exists", () => {
  const faults = [...COMMENT_FAULTS, ...NAME_FAULTS];
  const unused = ALLOWED.filter(
    ([path, part]) => !faults.some((fault) => fault.startsWith(`${path}:`) && fault.includes(part)),
  );
  expect(unused).toEqual([]);
});

test("the check reads comments and names of tests", () => {
  const own = fileURLToPath(import.meta.url);
  expect(commentsOf(own)[0]).toMatchObject({
    line: 1,
    text: expect.stringMatching(/^Comments in src .* too long\.$/),
  });
  expect(testNamesOf(own).map(({ text }) => text)).toContain("the check reads comments and names of tests");
});
